"""Connections that many agents use one after the other, and names and texts that would like to be SQL."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator

import pytest

from reverie import Agent
from reverie.domain.ids import MAX_NAME
from reverie.errors import AccessRefused, InvalidInput, ReverieError, TimedOut
from reverie.store.postgres.engine import PostgresStore
from reverie.store.postgres.session import Session
from tests.contract.store_rows import a_memory, keep, settle
from tests.postgres_databases import Databases
from tests.store.postgres_banks import ask, live, opened
from tests.store.postgres_ground import Ground

Break = Callable[[PostgresStore], None]


@pytest.fixture
def store(postgres_database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[PostgresStore]:
    """mama's and papa's banks with a memory each, over connections whose statements may take 0.2 s."""
    made = PostgresStore(postgres_database, connections=2, statement_seconds=0.2)
    monkeypatch.setattr(made._indexer, "look_after", lambda *_: None)  # it would use a connection of its own
    for agent_id in ("mama", "papa"):
        with made.write(agent_id) as unit:
            settle(unit, agent_id)
            keep(unit, a_memory(f"m-{agent_id}"))
    yield made
    made.close()


def _commit(store: PostgresStore) -> None:
    with store.write("mama") as unit:
        keep(unit, a_memory("another"))


def _only_read(store: PostgresStore) -> None:
    with store.read("mama") as unit:
        unit.memories.counts()


def _raise(store: PostgresStore) -> None:
    with pytest.raises(KeyError), store.write("mama"):
        raise KeyError


def _interrupt(store: PostgresStore) -> None:
    main = threading.main_thread().ident or 0
    with pytest.raises(KeyboardInterrupt), store._writer("mama", None) as session:
        _interrupted(session, main)


def _interrupted(session: Session, thread: int) -> None:
    threading.Timer(0.05, signal.pthread_kill, (thread, signal.SIGINT)).start()
    session.run("SELECT pg_sleep(0.15)")


def _send_together(session: Session, *statements: str) -> None:
    with session.pipeline() as connection:
        for statement in statements:
            connection.execute(statement.encode())


def _fail_in_a_statement(store: PostgresStore) -> None:
    with pytest.raises(InvalidInput), store.write("mama") as unit:
        keep(unit, a_memory("m-mama"))


def _fail_in_a_pipeline(store: PostgresStore) -> None:
    with pytest.raises(ReverieError), store._writer("mama", None) as session:
        _send_together(session, "SELECT 1 / 0", "SELECT set_config('reverie.agent', 'papa', true)")


def _take_too_long(store: PostgresStore) -> None:
    with pytest.raises(TimedOut), store.reader("mama") as session:
        session.run("SELECT pg_sleep(1)")


def _take_too_long_in_a_pipeline(store: PostgresStore) -> None:
    with pytest.raises(TimedOut), store._writer("mama", None) as session:
        _send_together(session, "SELECT pg_sleep(1)", "COMMIT")


def _name_another_agent(store: PostgresStore) -> None:
    with store.reader("mama") as session:
        session.run("SELECT set_config('reverie.agent', 'papa', true)")


def _in_another_thread(store: PostgresStore) -> None:
    thread = threading.Thread(target=_only_read, args=(store,))
    thread.start()
    thread.join()


def _standing(session: Session) -> tuple[object, ...]:
    """The backend, whom it works as, for which agent, and what it sees."""
    return session.run(
        "SELECT pg_backend_pid(), current_user::text, coalesce(current_setting('reverie.agent', true), ''),"
        " (SELECT coalesce(string_agg(DISTINCT agent_id, ','), '') FROM memories),"
        " (SELECT string_agg(current_setting(name), ',') FROM unnest(ARRAY['lock_timeout', 'statement_timeout',"
        " 'transaction_read_only', 'search_path']) AS name)"
    )[0]


ENDINGS = [
    _commit, _only_read, _raise, _interrupt, _fail_in_a_statement, _fail_in_a_pipeline, _take_too_long,
    _take_too_long_in_a_pipeline, _name_another_agent, _in_another_thread,
]  # fmt: skip


@pytest.mark.parametrize("ending", ENDINGS)
def test_nothing_of_an_agent_is_left_on_a_connection(store: PostgresStore, ending: Break) -> None:
    with store.reader(None) as session:
        before = _standing(session)
    ending(store)
    with store.reader(None) as session:
        after = _standing(session)
    assert after[1:] == before[1:]
    assert (after[2], after[3]) == ("", "")
    with store.reader("papa") as session:
        assert _standing(session)[2:4] == ("papa", "papa")


@pytest.mark.parametrize("ending", [_commit, _only_read, _raise, _fail_in_a_statement, _take_too_long])
def test_a_connection_is_used_again_after(store: PostgresStore, ending: Break) -> None:
    with store.reader(None) as session:
        backend = _standing(session)[0]
    ending(store)
    with store.reader("papa") as session:
        assert _standing(session)[0] == backend


def test_two_agents_on_two_connections_at_once_see_their_own(store: PostgresStore) -> None:
    with store.reader("mama") as hers, store.reader("papa") as his:
        assert (_standing(hers)[3], _standing(his)[3]) == ("mama", "papa")


HOSTILE_NAMES = [
    "x' OR 1=1 --", "'; DROP TABLE memories; --", '"', "\\", "\\'", "%", "_", "public.agents", "$1", "?", "{}",
    "papa'--", "reverie.agent", "NULL", "null", "*", "0", "a,b", "E'\\x00'", "$$", "--", "/*",
    "\u202epapa", "PAPA", "papa\u0301",
    "\uff50\uff41\uff50\uff41", "日本語の名前", "🦊" * MAX_NAME, "x" * MAX_NAME,
]  # fmt: skip


def test_an_agents_name_is_never_read_as_anything_but_its_name(postgres_database: str) -> None:
    with opened(postgres_database) as reverie:
        reverie.agent("papa").remember("papa likes lanterns very much")
        for name in HOSTILE_NAMES:
            agent = reverie.agent(name)
            assert agent.memories(deep=True) == []
            assert agent.recall("who likes lanterns very much", min_score=0.0).hits == ()
            kept = agent.remember(f"somebody of {name[:20]} likes bridges").memory
            assert [one.id for one in agent.memories()] == [kept.id]
        assert reverie.agents() == sorted([*HOSTILE_NAMES, "papa"])
        assert [one.essence for one in reverie.agent("papa").memories()] == ["papa likes lanterns very much"]
        assert [*reverie.check()] == []


@pytest.mark.parametrize("name", ["", "pa\0pa", "papa\n", " papa", "pa\ud800pa", "x" * (MAX_NAME + 1)])
def test_what_is_no_name_is_refused_before_the_database_is_asked(postgres_database: str, name: str) -> None:
    with opened(postgres_database) as reverie, pytest.raises(InvalidInput):
        reverie.agent(name).remember("x")


HOSTILE_TEXTS = [
    "'; UPDATE memories SET agent_id = 'papa'; RESET ROLE; --",
    "x' OR agent_id <> 'mama' OR 'a'='a",
    "$1 $2 ? %s %(x)s {0} {essence} \\' \\\\ \" ' `",
    "'a' & 'b' | !'c' :* <-> <2> ( ) % _ .* ^$ [a-z]",
    "set_config('reverie.agent', 'papa', false)",
    "\u202e \u200b \ufeff \uff46\uff55\uff4c\uff4c 🦊 ẞ İ",
]


def _state(agent: Agent) -> tuple[object, ...]:
    return (
        agent.memories(deep=True), agent.episodes(), agent.conversations(), agent.audit(), agent.profile,
        agent.stats().rev,
    )  # fmt: skip


def test_hostile_text_in_every_field_stays_a_text_of_its_agent(postgres_database: str) -> None:
    with opened(postgres_database) as reverie:
        live(reverie, "papa")
        before = _state(reverie.agent("papa"))
        for number, text in enumerate(HOSTILE_TEXTS):
            _use_everywhere(
                reverie.agent(f"mama {number}", home=text, location=text, principals=[text]), text
            )
        assert _state(reverie.agent("papa")) == before
        assert [*reverie.check()] == []


def _use_everywhere(mama: Agent, text: str) -> None:
    """Each verb with the text in each field; it finds what was stored by it, and nothing else."""
    line = {
        "content": text, "speaker": text, "ref": text, "tags": [text], "task_type": text, "emotional_tone": text,
        "tools_used": [text], "topics": [text], "entities": [text], "outcome": text,
    }  # fmt: skip
    mama.observe([line, text], conversation=text, channel=text)
    said = mama.episodes(conversations=text, channels=text, speakers=text)
    assert [one.content for one in said] == [text]
    kept = mama.remember(
        text,
        lesson=text,
        scope=[text],
        tags=[text],
        topics=[text],
        entities=[text],
        source_episodes=[said[0].id],
    ).memory
    for found in (
        mama.recall(text, min_score=0.0, tags=text),
        mama.recall(text, min_score=0.0, topics=text),
        mama.recall(text, min_score=0.0, entities=text),
    ):
        assert [hit.id for hit in found.hits] == [kept.id]
    mama.recall(text, scope=text, conversation=text)
    spoken = mama.recall_episodes(
        text, speakers=text, conversations=text, channels=text, tags=text, min_score=0.0
    )
    assert [hit.ref for hit in spoken.hits] == [text]
    mama.revise(kept.id, essence=f"{text} revised", reason=text)
    assert [one.essence for one in mama.portrait(kept.id).versions] == [text]
    for match in (text, "revised agent"):
        assert {one.id for one in mama.memories(match=match, deep=True)} <= {kept.id}
        assert {one.content for one in mama.episodes(match=match)} <= {text}
    with pytest.raises(LookupError):
        mama.get(text)
    assert mama.forget(conversation=text).episodes
    assert (mama.memories(deep=True), mama.episodes()) == ([], [])


def test_a_role_without_rights_is_refused_at_the_opening(
    postgres_database: str, postgres_databases: Databases
) -> None:
    stranger = Ground(postgres_database, postgres_databases).login("stranger")
    with pytest.raises(AccessRefused) as refused:
        PostgresStore(stranger)
    assert "stranger" in str(refused.value)


def test_a_member_of_the_apps_role_stays_within_its_agent(
    postgres_database: str, postgres_databases: Databases
) -> None:
    ground = Ground(postgres_database, postgres_databases)
    url = ground.login("member")
    ((app_role,),) = ask(postgres_database, "SELECT value FROM meta WHERE key = 'app_role'")
    ground.ask(f'GRANT "{app_role}" TO "{ground.role("member")}"')
    with opened(url) as reverie:
        live(reverie, "mama")
    store = PostgresStore(url)
    with store.reader("papa") as session:
        assert _standing(session)[1:4] == (ground.role("member"), "papa", "")
    store.close()


@pytest.mark.parametrize("unbound", ["BYPASSRLS", "SUPERUSER"])
def test_an_application_role_must_be_bound_by_row_security(ground: Ground, unbound: str) -> None:
    ground.prepare()
    ground.ask(f'ALTER ROLE "{ground.app}" {unbound}')
    with pytest.raises(AccessRefused, match="row-level security"):
        PostgresStore(ground.url)


def test_prepared_statements_outlive_a_reading_transaction(store: PostgresStore) -> None:
    for _ in range(4):
        with store.read("mama") as unit:
            assert unit.memories.get(["m-mama"])
    with store.reader("mama") as session:
        kept = session.run("SELECT statement FROM pg_prepared_statements WHERE statement LIKE '%essence%'")
    assert kept
