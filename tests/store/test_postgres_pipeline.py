"""What is said over a connection past psycopg: statements in a row, their answers, and what a refused one leaves."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator

import pytest

from reverie.errors import StoreError, TimedOut
from reverie.store.postgres import request_pipeline
from reverie.store.postgres.engine import PostgresStore
from tests.contract.store_rows import settle

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


def test_a_refused_statement_fails_all_behind_it(store: PostgresStore) -> None:
    with store.reader("mama") as session:
        bad, good = session.ask("SELECT pg_sleep(9)", ()), session.ask("SELECT 1", ())
        for asked in (good, bad):
            with pytest.raises(TimedOut):
                asked.fetchall()
        with pytest.raises(StoreError):
            session.run("SELECT 1")
    with store.reader("mama") as session:
        assert session.run("SELECT 1") == [(1,)]


def test_a_failed_preparation_is_made_again(store: PostgresStore) -> None:
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


def test_a_connection_keeps_few_statements_prepared(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_pipeline, "_MOST_PREPARED", 5)
    with store.reader("mama") as session:
        for number in range(20):
            for _ in range(2):
                assert session.run(f"SELECT {number}") == [(number,)]
        ((kept,),) = session.run(PREPARED)
    assert kept <= 5


def test_values_larger_than_a_socket_buffer_pass(store: PostgresStore) -> None:
    large = "x" * 3_000_000
    with store.reader("mama") as session:
        session.run("SELECT set_config('statement_timeout', '0', true)")
        asked = [session.ask("SELECT ?::text", (large,)) for _ in range(4)]
        assert all(one.fetchall() == [(large,)] for one in asked)


def test_an_interrupted_read_leaves_no_connection(store: PostgresStore) -> None:
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
