"""Rows that are stored many at a time: they end as they would one by one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reverie.store.postgres.engine import PostgresStore
from tests.contract.store_rows import settle

ADD = (
    "INSERT INTO counters (agent_id, name, count) VALUES (?, ?, ?)"
    " ON CONFLICT (agent_id, name) DO UPDATE SET count = counters.count + excluded.count"
)
KEEP = "INSERT INTO tombstones (agent_id, digest, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"


@pytest.fixture
def store(postgres_database: str) -> Iterator[PostgresStore]:
    made = PostgresStore(postgres_database)
    with made.write("mama") as unit:
        settle(unit)
    yield made
    made.close()


def _many(store: PostgresStore, sql: str, rows: list[tuple[object, ...]]) -> None:
    with store._writer("mama", None) as session:
        session.many(sql, rows)
        session.commit()


def _counts(store: PostgresStore) -> dict[str, int]:
    with store.reader("mama") as session:
        return dict(session.run("SELECT name, count FROM counters"))


def test_counts_of_many_names_add_to_those_that_are_there(store: PostgresStore) -> None:
    for _ in range(2):
        _many(store, ADD, [("mama", f"name {number}", number) for number in range(40)])
    assert _counts(store) == {f"name {number}": 2 * number for number in range(40)}


def test_a_name_that_comes_twice_among_many_counts_twice(store: PostgresStore) -> None:
    _many(store, ADD, [("mama", f"name {number % 30}", 1) for number in range(40)])
    assert _counts(store) == {f"name {number}": 2 if number < 10 else 1 for number in range(30)}


def test_of_what_comes_twice_and_may_be_there_the_first_is_kept(store: PostgresStore) -> None:
    _many(store, KEEP, [("mama", bytes([number % 30]), number) for number in range(40)])
    with store.reader("mama") as session:
        kept = {bytes(digest): at for digest, at in session.run("SELECT digest, at FROM tombstones")}
    assert kept == {bytes([number]): number for number in range(30)}
