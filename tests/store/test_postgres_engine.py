"""The pool and its limits: many threads on few connections, statements that take too long, errors of every kind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import errors as pg

from reverie import Inserted, Reinforced, StoreSettings
from reverie.domain.query import EVERYTHING
from reverie.errors import (
    AccessRefused,
    Busy,
    Closed,
    InvalidInput,
    ReadOnly,
    StoreError,
    TimedOut,
    Unreachable,
)
from reverie.ports.store import Unit
from reverie.store.postgres.engine import PostgresStore
from tests.contract.store_rows import NOW, a_memory, keep, settle
from tests.postgres_databases import Databases
from tests.store.postgres_banks import ask, opened
from tests.store.postgres_ground import Ground

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
OURS = "FROM pg_stat_activity WHERE application_name = 'reverie' AND datname = current_database()"
BACKENDS = f"SELECT count(*) {OURS}"
OPEN = f"SELECT count(*) {OURS} AND xact_start IS NOT NULL"
TERMINATE = f"SELECT pg_terminate_backend(pid) {OURS}"


def _soon_none(url: str, query: str) -> bool:
    """Whether the count falls to 0: a backend takes a moment to end, or to hear of a statement that is given up."""
    until = time.monotonic() + 60
    while ask(url, query) != [(0,)]:
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True


@pytest.fixture
def store(postgres_database: str) -> Iterator[PostgresStore]:
    """mama's bank on two connections; nobody waits longer than half a second, and no statement takes a second."""
    made = PostgresStore(postgres_database, connections=2, busy_seconds=0.5, statement_seconds=1.0)
    with made.write("mama") as unit:
        settle(unit)
    yield made
    made.close()


def test_sixteen_threads_share_two_connections_and_none_waits_for_ever(postgres_database: str) -> None:
    with (
        opened(postgres_database, store=StoreSettings(connections=2)) as reverie,
        ThreadPoolExecutor(16) as threads,
    ):

        def live(number: int) -> tuple[bool, int]:
            agent = reverie.agent(f"agent {number % 4}")
            outcome = agent.remember(
                f"{number} is the number of the house in street {number} of town {number}"
            )
            agent.observe([f"message {number}"], conversation=f"room {number % 2}")
            again = agent.remember("all of us like the same garden behind the old house")
            agent.stats()
            found = len(agent.recall("which house is in the town", min_score=0.0).hits)
            return isinstance(outcome, Inserted) and isinstance(again, Inserted | Reinforced), found

        done = [*threads.map(live, range(32))]
        assert all(kept and found for kept, found in done)
        shared = [one for number in range(4) for one in reverie.agent(f"agent {number}").memories()]
        assert sorted(one.reinforcement_count for one in shared if "garden" in one.essence) == [8] * 4
        assert len(shared) == 32 + 4
        assert [*reverie.check()] == []
    assert _soon_none(postgres_database, BACKENDS)


def test_no_more_connections_are_made_than_were_asked_for(postgres_database: str) -> None:
    with (
        opened(postgres_database, store=StoreSettings(connections=3)) as reverie,
        ThreadPoolExecutor(12) as threads,
    ):
        reverie.agent("mama").remember("the garden is behind the house")
        watched = threads.submit(lambda: max(ask(postgres_database, BACKENDS)[0][0] for _ in range(20)))
        [*threads.map(lambda _: reverie.agent("mama").recall("garden").hits, range(40))]
        assert watched.result() <= 3


def test_a_statement_that_takes_too_long_is_ended_and_its_connection_stays_usable(
    store: PostgresStore,
) -> None:
    with store.reader("mama") as session:
        ((backend,),) = session.run("SELECT pg_backend_pid()")
        with pytest.raises(TimedOut, match="1 s"):
            session.run("SELECT pg_sleep(30)")
    with store.reader("mama") as session:
        assert session.run("SELECT pg_backend_pid()") == [(backend,)]


def test_a_limit_of_zero_is_none(postgres_database: str) -> None:
    store = PostgresStore(postgres_database, statement_seconds=0)
    with store.reader("mama") as session:
        assert session.run("SELECT current_setting('statement_timeout')") == [("0",)]
    store.close()


def test_whoever_waits_too_long_for_an_agents_writer_is_told_that_it_is_busy(
    store: PostgresStore, postgres_database: str
) -> None:
    other = PostgresStore(postgres_database, busy_seconds=0.2)
    with store.write("mama"):
        with pytest.raises(Busy), other.write("mama"):
            pass
        with pytest.raises(Busy):
            other.transact("mama", lambda unit: None, wait=0.05)
        with other.write("papa") as unit:
            settle(unit, "papa")
        with other.read("mama") as unit:
            assert unit.agents.get() is not None
    with other.write("mama") as unit:
        keep(unit, a_memory("m1"))
    other.close()


def test_whoever_waits_too_long_for_a_connection_is_told_that_it_is_busy(store: PostgresStore) -> None:
    with store.read("mama"), store.read("mama"), pytest.raises(Busy), store.read("mama"):
        pass
    with store.read("mama") as unit:
        assert unit.agents.get() is not None


class _Odd(BaseException):
    """Nothing that anybody expects."""


@pytest.mark.parametrize(
    "error", [RuntimeError, KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError, _Odd]
)
def test_no_exception_leaves_a_transaction_or_a_lock_behind(
    store: PostgresStore, postgres_database: str, error: type[BaseException]
) -> None:
    def fail(unit: Unit) -> None:
        keep(unit, a_memory("m1"))
        raise error

    for _ in range(3):  # more often than there are connections
        with pytest.raises(error), store.write("mama") as unit:
            fail(unit)
        with pytest.raises(error):
            store.transact("mama", fail)
        with pytest.raises(error), store.read("mama"):
            raise error
    assert _soon_none(postgres_database, OPEN)
    with store.write("mama") as unit:
        assert unit.memories.ids(EVERYTHING, now=NOW) == []


def test_an_interrupt_in_the_middle_of_a_statement_leaves_the_store_usable(
    store: PostgresStore, postgres_database: str
) -> None:
    main = threading.main_thread().ident
    assert main is not None
    for _ in range(3):
        threading.Timer(0.1, signal.pthread_kill, (main, signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt), store._writer("mama", None) as session:
            session.run("SELECT pg_sleep(0.9)")
    with store.write("mama") as unit:
        keep(unit, a_memory("m1"))
    assert _soon_none(postgres_database, OPEN)


def test_a_backend_that_was_terminated_is_replaced(store: PostgresStore, postgres_database: str) -> None:
    for _ in range(3):
        ask(postgres_database, TERMINATE)
        with store.read("mama") as unit:
            assert unit.agents.get() is not None


def test_work_whose_backend_is_terminated_is_done_again(store: PostgresStore, postgres_database: str) -> None:
    tries = []

    def work(unit: Unit) -> str:
        tries.append(1)
        keep(unit, a_memory("m1"))
        if len(tries) == 1:
            ask(postgres_database, f"{TERMINATE} AND xact_start IS NOT NULL")
        keep(unit, a_memory("m2"))
        return "done"

    assert store.transact("mama", work) == "done"
    assert len(tries) == 2
    with store.read("mama") as unit:
        assert unit.memories.ids(EVERYTHING, now=NOW) == ["m1", "m2"]


@pytest.mark.parametrize("refusal", [pg.SerializationFailure, pg.DeadlockDetected])
def test_a_transaction_that_the_server_wants_repeated_is_repeated(
    store: PostgresStore, refusal: type[psycopg.Error]
) -> None:
    code, tries = refusal.sqlstate, []

    def work(unit: Unit) -> int:
        tries.append(1)
        keep(unit, a_memory("m1"))
        if len(tries) < 3:
            unit.executor.run(f"DO $x$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '{code}'; END $x$")  # type: ignore[attr-defined]
        return len(tries)

    with pytest.MonkeyPatch.context() as patch:
        from reverie.store.unit import StoreUnit

        born = StoreUnit.__init__

        def with_executor(self: StoreUnit, executor: Any, agent_id: str) -> None:
            born(self, executor, agent_id)
            self.executor = executor

        patch.setattr(StoreUnit, "__init__", with_executor)
        assert store.transact("mama", work) == 3
    with store.read("mama") as unit:
        assert unit.memories.ids(EVERYTHING, now=NOW) == ["m1"]


def test_a_real_deadlock_with_somebody_elses_transaction_is_got_over(postgres_database: str) -> None:
    store = PostgresStore(postgres_database)
    with store.write("mama") as unit:
        settle(unit)
        keep(unit, a_memory("m1"), a_memory("m2"))
    lock = "SELECT 1 FROM reverie.memories WHERE id = %s FOR UPDATE"
    with psycopg.connect(postgres_database) as other:
        other.execute(lock, ("m2",))
        other.execute("SET deadlock_timeout = '10s'")  # so that it is ours that notices

        def cross() -> None:
            time.sleep(0.3)
            other.execute(lock, ("m1",))
            other.rollback()

        crossing = threading.Thread(target=cross)
        tries = []

        def work(unit: Unit) -> None:
            tries.append(1)
            unit.memories.update(a_memory("m1", essence="one"))
            if len(tries) == 1:
                crossing.start()
            unit.memories.update(a_memory("m2", essence="two"))

        store.transact("mama", work)
        crossing.join()
    assert len(tries) == 2
    with store.read("mama") as unit:
        assert {one.essence for one in unit.memories.get(["m1", "m2"]).values()} == {"one", "two"}
    store.close()


def test_what_can_not_succeed_is_not_tried_again(store: PostgresStore) -> None:
    tries = []

    def work(unit: Unit) -> None:
        tries.append(1)
        keep(unit, a_memory("m1"), a_memory("m1"))

    with pytest.raises(InvalidInput):
        store.transact("mama", work)
    assert len(tries) == 1


def test_closing_while_others_read_lets_them_end(postgres_database: str) -> None:
    store = PostgresStore(postgres_database)
    with store.read("mama") as unit:
        store.close()
        assert unit.agents.get() is None
    assert _soon_none(postgres_database, BACKENDS)
    with pytest.raises(Closed), store.read("mama"):
        pass


FORKING = """
import gc, os, sys, warnings
warnings.simplefilter("ignore", DeprecationWarning)
from reverie.errors import Closed
from tests.store.postgres_banks import opened
reverie = opened(sys.argv[1])
mama = reverie.agent("mama")
mama.remember("the garden is behind the house")
child = os.fork()
if not child:
    try:
        mama.recall("garden")
    except Closed:
        reverie.close()
        del reverie, mama
        gc.collect()
        sys.exit(7)  # as a program ends: with everything that does
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
assert mama.recall("the garden is behind the house").hits
mama.remember("the garden is before the house")
reverie.close()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_child_that_ends_like_a_program_takes_no_connection_of_its_parent_with_it(
    postgres_database: str,
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FORKING, postgres_database], cwd=ROOT, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}, timeout=300, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


def test_a_role_that_may_not_become_the_applications_is_refused_at_the_opening(
    ground: Ground, postgres_databases: Databases
) -> None:
    """It may act as the owner, which row-level security doesn't bind, and not as the application."""
    ground.prepare()
    url = ground.login("dba")
    ground.ask(f'GRANT "{ground.owner}" TO "{ground.role("dba")}"')
    ground.ask(f'REVOKE "{ground.app}" FROM "{ground.owner}"')
    with pytest.raises(AccessRefused):
        PostgresStore(url)


def test_a_server_that_is_not_there_is_unreachable() -> None:
    with pytest.raises(Unreachable):
        PostgresStore("postgresql://nobody@127.0.0.1:1/nothing", connect_seconds=1)


def test_a_unit_that_reads_can_not_write(store: PostgresStore) -> None:
    with store.read("mama") as unit, pytest.raises(StoreError, match="can't write"):
        keep(unit, a_memory("m1"))


def test_a_session_set_up_otherwise_stores_and_finds_the_same(
    postgres_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PGOPTIONS, a role or a database may say how bytes and texts are written; ours must not depend on it."""
    monkeypatch.setenv(
        "PGOPTIONS", "-c standard_conforming_strings=off -c row_security=off -c bytea_output=escape"
    )
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    with opened(postgres_database) as reverie:
        mama = reverie.agent("mama")
        for text in ("Zoë lives in Porto", "Zoë 李雷 has a \\ cat", "a garden in Porto"):
            mama.remember(text)
        assert {hit.text for hit in mama.recall("Porto", strategy="lexical").hits} == {
            "Zoë lives in Porto",
            "a garden in Porto",
        }
        assert [*reverie.check()] == []


def test_a_server_that_takes_no_writes_is_told_as_such(
    postgres_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGOPTIONS", "-c default_transaction_read_only=on")
    with opened(postgres_database) as reverie, pytest.raises(ReadOnly, match="standby"):
        reverie.agent("mama").remember("a garden")


def test_forgetting_everything_leaves_no_posting_and_the_numbers_go_on(store: PostgresStore) -> None:
    with store.write("mama") as unit:
        keep(unit, *(a_memory(f"m{number}") for number in range(30)))
    with store.write("mama") as unit:
        unit.memories.delete([f"m{number}" for number in range(30)])
    with store.reader("mama") as session:
        assert session.run("SELECT 1 FROM terms UNION ALL SELECT 1 FROM postings") == []
    with store.write("mama") as unit:
        keep(unit, a_memory("m1"))
    with store.reader("mama") as session:
        assert session.run("SELECT seq FROM memories") == [(31,)]
    assert [*store.check()] == []


def test_what_is_missing_or_forbidden_is_named_by_check_and_mended_by_preparing_again(ground: Ground) -> None:
    ground.prepare()
    ground.ask("DROP INDEX reverie.episodes_by_time")
    ground.ask(f"REVOKE INSERT ON reverie.memories FROM {ground.app}")
    with opened(ground.url) as reverie:
        named = "\n".join(reverie.check())
    assert "index episodes_by_time is missing" in named
    assert "lacks a right on table memories" in named
    ground.prepare()
    with opened(ground.url) as reverie:
        assert [*reverie.check()] == []
