"""The steps of the schema: each is taken whole or not at all, and never twice; marks tell what is ours."""

from __future__ import annotations

import threading

import psycopg
import pytest

from reverie.domain.message import EpisodeMetadata
from reverie.domain.query import Filter
from reverie.errors import (
    AccessRefused,
    NewerSchema,
    NotABank,
    NotPrepared,
    OlderSchema,
    StoreError,
)
from reverie.ports.search import Probe
from reverie.store.migration import Migration
from reverie.store.postgres import schema
from reverie.store.postgres.engine import PostgresStore
from reverie.store.postgres.label_step import LABELS_POSTED
from reverie.store.postgres.lexemes import opened
from reverie.store.postgres.postings import ROLL
from reverie.store.postgres.schema import Marks, migrations, present
from reverie.store.postgres.search import PostgresSearch
from tests.contract.store_rows import NOW, a_memory, an_episode, keep, settle, tell, vectors
from tests.store.postgres_ground import Ground

pytestmark = pytest.mark.slow


def _look(ground: Ground) -> Marks:
    with psycopg.connect(ground.url, autocommit=True) as connection:
        return present(connection, "the place")


def test_every_table_but_the_marks_is_guarded_by_the_same_policy(ground: Ground) -> None:
    ground.prepare()
    rows = ground.ask(
        "SELECT c.relname, c.relrowsecurity, array_agg(p.qual) FROM pg_class c"
        " LEFT JOIN pg_policies p ON p.schemaname = 'reverie' AND p.tablename = c.relname"
        " WHERE c.relnamespace = 'reverie'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition"
        " GROUP BY 1, 2 ORDER BY 1"
    )
    own = "current_setting('reverie.agent'::text, true))"
    for table, secured, policies in rows:
        if table == "meta":
            assert (secured, policies) == (False, [None])
        else:
            column = "id" if table == "agents" else "agent_id"
            assert (table, secured, policies) == (table, True, [f"({column} = {own}"])
    assert {"agents", "memories", "episodes", "audit", "terms", "copies"} <= {table for table, *_ in rows}


def test_a_prepared_schema_says_what_it_is(ground: Ground) -> None:
    ground.prepare()
    assert _look(ground) == Marks(
        number=len(migrations()), partitions=2, app_role=ground.app, owner=ground.owner
    )


def test_preparing_again_takes_no_step_twice(ground: Ground) -> None:
    first, second = ground.prepare(), ground.prepare()
    assert [what for what in first.did if "schema to number" in what]
    assert second.did == (f"give {ground.app} its rights",)


def _stored(ground: Ground) -> None:
    store = PostgresStore(ground.url)
    with store.write("mama") as unit:
        settle(unit)
        keep(unit, a_memory("m1"))
    store.close()


def _essences(ground: Ground) -> list[str]:
    store = PostgresStore(ground.url)
    with store.read("mama") as unit:
        found = [memory.essence for memory in unit.memories.get(["m1"]).values()]
    store.close()
    return found


NEXT = Migration(
    number=len(migrations()) + 1,
    sql="CREATE TABLE notes (a text); INSERT INTO notes SELECT essence FROM memories; SELECT 'a row';"
    " INSERT INTO notes VALUES ('100 % after a row');",
)
"""A step that a later version might take."""


def test_a_later_step_finds_the_rows_of_the_schema_before(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    ground.prepare()
    _stored(ground)
    with monkeypatch.context() as patch:
        patch.setattr(schema, "LATER", (*schema.LATER, NEXT))
        with pytest.raises(OlderSchema, match="reverie postgres init"):
            PostgresStore(ground.url)
        assert ground.prepare().number == NEXT.number
        assert ground.ask("SELECT a FROM reverie.notes") == [("essence of m1",), ("100 % after a row",)]
        assert _essences(ground) == ["essence of m1"]
    for look in (lambda: _look(ground), ground.prepare):
        with pytest.raises(NewerSchema):
            look()
    assert ground.ask("SELECT value FROM reverie.meta WHERE key = 'schema'") == [(str(NEXT.number),)]


def test_rows_of_before_are_found_by_labels_and_words_once_these_are_posted(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = next(place for place, step in enumerate(schema.LATER) if step.sql is LABELS_POSTED)
    tagged = [
        a_memory(
            f"m{number:03}", essence=f"text {number}", tags=["Alps"] * (number % 3 > 0),
            topics=[f"topic {number % 2}"], scope=["src/harbour/*.py"] * (number % 5 == 0),
        )
        for number in range(400)
    ]  # fmt: skip
    with monkeypatch.context() as patch:
        patch.setattr(schema, "LATER", schema.LATER[:place])
        ground.prepare()
        store = PostgresStore(ground.url)
        with store.write("mama") as unit:
            settle(unit)
            unit.memories.add(tagged, vectors(len(tagged)))
            said = EpisodeMetadata(topics=("Alps",))
            tell(unit, *(an_episode(f"e{number}", number, metadata=said) for number in range(3)))
        store.close()
        words = {
            term
            for corpus in ("memories", "episodes")
            for (bag,) in ground.ask(f"SELECT bag FROM reverie.{corpus}")
            for term in opened([bag])[1].tolist()
        }
        for table in ("terms", "postings"):
            ground.ask(f"DELETE FROM reverie.{table} WHERE term <> ALL (%s)", [*words, ROLL])
    ground.prepare()
    store = PostgresStore(ground.url)
    assert [*store.check()] == []
    view = PostgresSearch(store).view("mama")
    probe = Probe(filter=Filter(tags=frozenset(["alps"])), now=NOW, vector=vectors(1)[0], limit=400)
    assert len(view.memories(probe).ids) == 266
    with store.read("mama") as unit:
        assert len(unit.memories.list(Filter(), match="harbour", now=NOW)) == 80
        assert [one.id for one in unit.memories.list(Filter(), match="text 17", now=NOW)] == ["m017"]
    with store.write("mama") as unit:
        unit.memories.delete([one.id for one in tagged[::2]])
        unit.episodes.delete(["e1"])
    assert [*store.check()] == []
    store.close()


@pytest.mark.parametrize(
    ("end", "said"),
    [
        ("SELECT 1 / 0", "DivisionByZero"),
        ("RESET ROLE; SELECT pg_terminate_backend(pg_backend_pid())", "went away"),
    ],
)
def test_an_interrupted_step_leaves_the_schema_before_it(
    ground: Ground, monkeypatch: pytest.MonkeyPatch, end: str, said: str
) -> None:
    ground.prepare()
    _stored(ground)
    told = f"CREATE TABLE half (a text); DELETE FROM memories; {end};"
    with monkeypatch.context() as patch:
        patch.setattr(schema, "LATER", (*schema.LATER, Migration(number=NEXT.number, sql=told)))
        with pytest.raises(StoreError, match=said):
            ground.prepare()
        assert ground.ask("SELECT to_regclass('reverie.half')") == [(None,)]
    assert _look(ground).number == len(migrations())
    assert _essences(ground) == ["essence of m1"]


def test_several_may_prepare_one_database_at_once(ground: Ground) -> None:
    did: list[tuple[str, ...]] = []

    def one() -> None:
        did.append(ground.prepare().did)

    threads = [threading.Thread(target=one) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    steps = [what for each in did for what in each if "schema to number" in what]
    assert (len(did), len(steps)) == (4, len(migrations()))


def test_a_database_without_the_schema_is_not_prepared(ground: Ground) -> None:
    with pytest.raises(NotPrepared, match="reverie postgres init"):
        _look(ground)
    ground.ask("CREATE SCHEMA reverie")
    with pytest.raises(NotPrepared):
        _look(ground)


@pytest.mark.parametrize(
    "theirs",
    [
        "CREATE TABLE reverie.films (a text)",
        "CREATE TABLE reverie.meta (a text)",
        "CREATE TABLE reverie.meta (key text, value text)",
        "CREATE TABLE reverie.meta (key text, value text); INSERT INTO reverie.meta VALUES ('application', 'films')",
    ],
)
def test_somebody_elses_schema_of_that_name_is_left_alone(ground: Ground, theirs: str) -> None:
    ground.ask(f"CREATE SCHEMA reverie; {theirs}")
    for look in (lambda: _look(ground), ground.prepare):
        with pytest.raises(NotABank):
            look()
    assert len(ground.ask("SELECT 1 FROM pg_class WHERE relnamespace = 'reverie'::regnamespace")) == 1


def test_a_role_without_rights_is_told_so(ground: Ground) -> None:
    ground.prepare()
    url = ground.login("stranger")
    with pytest.raises(AccessRefused, match="may not look"):
        PostgresStore(url)


def test_what_analyze_keeps_holds_no_text_and_no_vector(ground: Ground) -> None:
    ground.prepare()
    store = PostgresStore(ground.url)
    with store.write("mama") as unit:
        settle(unit)
        for number in range(50):
            keep(unit, a_memory(f"m{number}", essence=f"xyzzy {number % 5}", tags=["plugh"]))
    store.close()
    ground.ask("ANALYZE")
    kept = ground.ask(
        "SELECT tablename || '.' || attname, concat_ws(' ', most_common_vals, histogram_bounds)"
        " FROM pg_stats WHERE schemaname = 'reverie'"
    )
    assert kept
    assert [name for name, held in kept if "xyzzy" in held or "plugh" in held] == []
    assert [name for name, _ in kept if name.endswith((".near", ".vector")) or "by_near" in name] == []
