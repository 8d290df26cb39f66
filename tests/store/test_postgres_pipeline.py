"""What is said over a connection past psycopg: statements in a row, their answers, and what a refused one leaves."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from reverie.errors import StoreError, TimedOut, Unreachable
from reverie.store.postgres import line
from reverie.store.postgres.engine import PostgresStore
from reverie.store.postgres.second_reader import SecondReader
from reverie.store.postgres.session import Session
from tests.contract.store_rows import settle
from tests.store.postgres_banks import ask

PREPARED = "SELECT count(*) FROM pg_prepared_statements WHERE name LIKE 'reverie_%'"


@pytest.fixture
def store(postgres_database: str) -> Iterator[PostgresStore]:
    made = PostgresStore(postgres_database, statement_seconds=0.2)
    with made.write("mama") as unit:
        settle(unit, "mama")
    yield made
    made.close()


def test_statements_are_answered_in_any_order(store: PostgresStore) -> None:
    with store.reader("mama") as session:
        first, second = session.ask("SELECT 1", ()), session.ask("SELECT ?::text", ("two",))
        assert second.fetchall() == [("two",)]
        assert first.fetchall() == [(1,)]


def test_an_answer_that_nobody_reads_is_in_nobodys_way(store: PostgresStore) -> None:
    for _ in range(3):
        with store.reader("mama") as session:
            session.ask("SELECT generate_series(1, 1000)", ())
            session.ask("SELECT 1 / 0", ())
    with store.reader("mama") as session:
        assert session.run("SELECT current_setting('reverie.agent')") == [("mama",)]
    with store.write("mama") as unit:
        assert unit.agents.get() is not None


def test_behind_a_statement_that_is_refused_all_are_until_the_transaction_ends(store: PostgresStore) -> None:
    with store.reader("mama") as session:
        bad, good = session.ask("SELECT pg_sleep(9)", ()), session.ask("SELECT 1", ())
        for asked in (good, bad):
            with pytest.raises(TimedOut):
                asked.fetchall()
        with pytest.raises(StoreError):
            session.run("SELECT 1")
    with store.reader("mama") as session:
        assert session.run("SELECT 1") == [(1,)]


def test_a_statement_that_could_not_be_prepared_is_prepared_another_time(store: PostgresStore) -> None:
    for number in range(4):
        with store.reader("mama") as session:
            if number == 1:  # the second time it would be prepared
                session.ask("SELECT 1 / 0", ())
            asked = session.ask("SELECT 41 + 1", ())
            if number == 1:
                with pytest.raises(StoreError):
                    asked.fetchall()
            else:
                assert asked.fetchall() == [(42,)]


def test_a_connection_keeps_so_many_statements_prepared_and_no_more(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line, "_MOST_PREPARED", 5)
    with store.reader("mama") as session:
        for number in range(20):
            for _ in range(2):
                assert session.run(f"SELECT {number}") == [(number,)]
        ((kept,),) = session.run(PREPARED)
    assert kept <= 5


def test_values_larger_than_what_a_socket_takes_at_once_are_sent_and_read(store: PostgresStore) -> None:
    large = "x" * 3_000_000
    with store.reader("mama") as session:
        asked = [session.ask("SELECT ?::text", (large,)) for _ in range(4)]
        assert all(one.fetchall() == [(large,)] for one in asked)


def test_whoever_is_interrupted_while_reading_leaves_no_connection_behind(store: PostgresStore) -> None:
    with store.reader("mama") as session:
        ((before,),) = session.run("SELECT pg_backend_pid()")
    main = threading.main_thread().ident or 0
    threading.Timer(0.05, signal.pthread_kill, (main, signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt), store.reader("mama") as session:
        session.run("SELECT pg_sleep(0.15)")
    with store.reader("mama") as session:
        assert session.run("SELECT pg_backend_pid()") != [(before,)]


def test_a_reader_that_writes_is_told_so(store: PostgresStore) -> None:
    with store.reader("mama") as session, pytest.raises(StoreError, match="a unit that reads"):
        session.many("DELETE FROM agents WHERE id = ?", [("mama",)])


def test_a_second_connection_is_at_hand_after_a_while_and_breaks_unnoticed(
    store: PostgresStore, postgres_database: str
) -> None:
    with store.reader("mama") as own:
        found = list[int]()
        for _ in range(100):
            with store.second("mama") as other:
                if other is not None:
                    found = [pid for (pid,) in other.run("SELECT pg_backend_pid()")]
                    break
            threading.Event().wait(0.05)
        assert found
        assert own.run("SELECT pg_backend_pid()") != [(found[0],)]
        ask(postgres_database, f"SELECT pg_terminate_backend({found[0]}, 5000)")
        with store.second("mama") as other:
            assert other is None
        assert own.run("SELECT 1") == [(1,)]


def test_few_connections_are_left_to_those_who_need_one(postgres_database: str) -> None:
    store = PostgresStore(postgres_database, connections=3)
    with store.reader("mama"):
        for _ in range(3):
            with store.second("mama") as other:
                assert other is None
    store.close()


class _Told:
    """A session that says these."""

    def __init__(self, *answers: Sequence[Any] | Exception) -> None:
        self._answers = list(answers)
        self._answer: Sequence[Any] | Exception = ()

    def ask(self, sql: str, params: Sequence[object]) -> _Told:
        return _Told(self._answers.pop(0)) if self._answers else self

    def fetchall(self) -> list[Any]:
        (answer,) = self._answers
        if isinstance(answer, Exception):
            raise answer
        return list(answer)


def _rows(*answers: Sequence[Any] | Exception) -> list[Any] | None:
    session: Any = _Told(*answers)
    typed: Session = session
    return SecondReader(typed, "mama")("SELECT …", ()).rows(7)


def test_rows_of_the_second_connection_hold_for_the_same_revision_alone() -> None:
    assert _rows([(7,)], [("row",)]) == [("row",)]
    assert _rows([(8,)], [("row",)]) is None
    assert _rows([], [("row",)]) is None
    assert _rows([(7,)], Unreachable("here", "it went away")) is None
