"""check: each fault that it can name is found where it is, and a sound database has none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reverie.store.postgres import indexing, near
from tests.postgres_databases import Databases
from tests.store.postgres_banks import ask, live, opened, store_of


@pytest.fixture(scope="module")
def sound(postgres_databases: Databases) -> Iterator[str]:
    """A database with two banks, also in the approximate index."""
    url = postgres_databases.make()
    with pytest.MonkeyPatch.context() as patch, opened(url) as reverie:
        patch.setattr(near, "EXACT_ROWS", 0)
        patch.setattr(indexing, "EXACT_ROWS", 0)
        for agent_id in ("mama", "papa"):
            live(reverie, agent_id)
        store_of(reverie).catch_up()
    yield url
    postgres_databases.drop(url)


_TO_APP = "DO $$ BEGIN EXECUTE format('{} %I', (SELECT value FROM meta WHERE key = 'app_role')); END $$"

FAULTS = {
    "row-level security is off or without a policy on table audit": (
        "ALTER TABLE audit DISABLE ROW LEVEL SECURITY", "ALTER TABLE audit ENABLE ROW LEVEL SECURITY",
    ),
    "row-level security is off or without a policy on table memories": (
        "ALTER POLICY own_agent ON memories RENAME TO other; ALTER TABLE memories DISABLE ROW LEVEL SECURITY",
        "ALTER POLICY other ON memories RENAME TO own_agent; ALTER TABLE memories ENABLE ROW LEVEL SECURITY",
    ),
    "row-level security lets more than an agent's own rows through on table episodes": (
        "CREATE POLICY everybody ON episodes USING (true)", "DROP POLICY everybody ON episodes",
    ),
    "the application's role may ask partition memories_0 past its policies": (
        _TO_APP.format("GRANT SELECT ON memories_0 TO"), _TO_APP.format("REVOKE ALL ON memories_0 FROM"),
    ),
    "index memories_by_kind isn't valid": (
        "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'memories_by_kind'::regclass",
        "UPDATE pg_index SET indisvalid = true WHERE indexrelid = 'memories_by_kind'::regclass",
    ),
    "agent 'mama': the number or length of its memories isn't what the statistics say": (
        "UPDATE corpora SET texts = texts + 1 WHERE agent_id = 'mama' AND corpus = 'memories'",
        "UPDATE corpora SET texts = texts - 1 WHERE agent_id = 'mama' AND corpus = 'memories'",
    ),
    "agent 'papa': the number or length of its episodes isn't what the statistics say": (
        "UPDATE corpora SET length = length - 1 WHERE agent_id = 'papa' AND corpus = 'episodes'",
        "UPDATE corpora SET length = length + 1 WHERE agent_id = 'papa' AND corpus = 'episodes'",
    ),
    "agent 'papa': the statistics of the words of its memories don't agree with the texts": (
        "UPDATE terms SET texts = texts + 1 WHERE agent_id = 'papa' AND corpus = 'memories'",
        "UPDATE terms SET texts = texts - 1 WHERE agent_id = 'papa' AND corpus = 'memories'",
    ),
    "agent 'mama': the statistics of the words of its episodes don't agree with the texts": (
        "INSERT INTO terms VALUES ('mama', 'episodes', 7, 1, '')", "DELETE FROM terms WHERE term = 7",
    ),
    "agent 'mama': the postings of the words of its memories don't agree with the statistics": (
        "UPDATE terms SET tail = tail || tail WHERE agent_id = 'mama' AND corpus = 'memories'",
        "UPDATE terms SET tail = substr(tail, 1, length(tail) / 2) WHERE agent_id = 'mama' AND corpus = 'memories'",
    ),
    "agent 'mama': conversation 'kitchen' doesn't hold as many episodes as it says": (
        "UPDATE conversations SET episodes = 9 WHERE agent_id = 'mama'",
        "UPDATE conversations SET episodes = 2 WHERE agent_id = 'mama'",
    ),
    "agent 'mama': the approximate index over its memories doesn't hold the vectors that it should": (
        "UPDATE memories_near SET near = near + near WHERE agent_id = 'mama'",
        "UPDATE memories_near AS n SET near = m.near FROM memories AS m WHERE m.agent_id = n.agent_id AND m.id = n.id",
    ),
    "agent 'papa': postings of the words of its memories are damaged: recall can't read them": (
        "UPDATE terms SET tail = tail || 'x'::bytea WHERE agent_id = 'papa' AND corpus = 'memories'",
        "UPDATE terms SET tail = substring(tail FOR length(tail) - 1) WHERE agent_id = 'papa' AND corpus = 'memories'",
    ),
    "agent 'papa': the approximate index over its episodes doesn't hold the vectors that it should": (
        "UPDATE indexed SET seq = seq - 1 WHERE agent_id = 'papa' AND corpus = 'episodes'",
        "UPDATE indexed SET seq = seq + 1 WHERE agent_id = 'papa' AND corpus = 'episodes'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_named_and_nothing_sound_is_blamed(sound: str, fault: str) -> None:
    break_it, mend_it = FAULTS[fault]
    with opened(sound) as reverie:
        assert [*reverie.check()] == []
        ask(sound, break_it)
        found = [*reverie.check()]
        ask(sound, mend_it)
        named = {line.split(":")[0] if line.startswith("index") else line for line in found}
        # Statistics that are wrong disagree with the postings, too.
        also = (
            {fault.replace("statistics", "postings").replace("texts", "statistics")}
            if "statistics" in fault
            else set()
        )
        assert fault in named
        assert named <= {fault} | also
        assert [*reverie.check()] == []
