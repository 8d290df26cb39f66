"""Which of its connections a store uses: the one whose server process has everything at hand, as long as it is free."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from reverie.store.postgres import connection
from reverie.store.postgres.engine import PostgresStore
from tests.store.postgres_banks import ask

BACKENDS = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'reverie' AND datname = current_database()"


@pytest.fixture
def store(postgres_database: str) -> Iterator[PostgresStore]:
    made = PostgresStore(postgres_database, connections=3)
    yield made
    made.close()


def _backend(store: PostgresStore) -> int:
    with store.reader("mama") as session:
        ((pid,),) = session.run("SELECT pg_backend_pid()")
    return int(pid)


def _two(store: PostgresStore) -> tuple[int, int]:
    """Two connections at once; the second is given back last."""
    with store.reader("mama") as second:
        ((last,),) = second.run("SELECT pg_backend_pid()")
        first = _backend(store)
    return first, int(last)


def test_the_connection_that_was_given_back_last_is_used_next(store: PostgresStore) -> None:
    first, last = _two(store)
    assert first != last
    assert {_backend(store) for _ in range(6)} == {last}


def test_now_and_then_the_pool_sees_the_connection_that_is_used_again_and_again(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "_SEEN_SECONDS", -1.0)
    both = {*_two(store)}
    assert {_backend(store) for _ in range(6)} == both


def test_whoever_waits_gets_a_connection_as_soon_as_one_is_given_back(store: PostgresStore) -> None:
    with ThreadPoolExecutor(4) as threads, store.reader("mama"), store.reader("mama"):
        with store.reader("mama"):
            waiting = [threads.submit(_backend, store) for _ in range(4)]
            time.sleep(0.05)
        assert len([one.result(timeout=60) for one in waiting]) == 4


def test_a_connection_that_broke_while_it_rested_is_replaced(
    store: PostgresStore, postgres_database: str
) -> None:
    broken = _backend(store)
    ask(postgres_database, f"SELECT pg_terminate_backend({broken}, 5000)")
    assert _backend(store) != broken


def test_closing_closes_the_connection_that_rests(store: PostgresStore, postgres_database: str) -> None:
    _two(store)
    store.close()
    until = time.monotonic() + 60
    while ask(postgres_database, BACKENDS) != [(0,)] and time.monotonic() < until:
        time.sleep(0.01)
    assert ask(postgres_database, BACKENDS) == [(0,)]
