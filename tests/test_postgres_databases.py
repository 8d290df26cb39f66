"""The databases that other tests get: prepared, empty, their own, and watched for leaks."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.inner_pytest import finish, start
from tests.postgres_databases import Database, Databases, in_database
from tests.postgres_fixtures import OwnServers
from tests.postgres_keeper import Run

pytestmark = pytest.mark.slow


def _prepare(url: str) -> None:
    """A small schema: a row that stays, a plain table, and a partitioned one with an index for vectors."""
    with psycopg.connect(url) as connection:
        connection.execute(
            "CREATE EXTENSION vector;"
            "CREATE TABLE number (schema int); INSERT INTO number VALUES (1);"
            "CREATE TABLE plain (id int);"
            "CREATE TABLE parts (id int, near vector(2)) PARTITION BY HASH (id);"
            "CREATE TABLE parts_0 PARTITION OF parts FOR VALUES WITH (MODULUS 1, REMAINDER 0);"
            "CREATE INDEX ON parts USING hnsw (near vector_l2_ops)"
        )


@pytest.fixture
def databases(tmp_path: Path, postgres_server: str) -> Iterator[Databases]:
    """Databases of a run that is this test alone."""
    folder = tmp_path / secrets.token_hex(4)
    folder.mkdir()
    made = Databases(run=Run(folder), server_url=postgres_server, prepare=_prepare)
    yield made
    made.drop_all()


@pytest.fixture
def database(databases: Databases) -> Iterator[Database]:
    one = Database(databases.make())
    yield one
    one.close()


def _count(url: str, table: str) -> object:
    with psycopg.connect(url) as connection:
        row = connection.execute(f"SELECT count(*) FROM {table}".encode()).fetchone()
    return row and row[0]


def _names(url: str, prefix: str) -> list[str]:
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "SELECT datname FROM pg_database WHERE starts_with(datname, %(p)s)"
            " UNION ALL SELECT rolname FROM pg_roles WHERE starts_with(rolname, %(p)s)",
            {"p": prefix},
        )
        return [name for (name,) in found]


def test_what_a_test_stored_is_gone_and_what_preparing_stored_stays(database: Database) -> None:
    with psycopg.connect(database.url) as connection:
        connection.execute("INSERT INTO plain VALUES (1); INSERT INTO parts VALUES (1, '[1,2]')")
    database.empty()
    assert [_count(database.url, table) for table in ("plain", "parts", "number")] == [0, 0, 1]


def test_two_databases_of_a_run_see_nothing_of_each_other(databases: Databases) -> None:
    one, other = databases.make(), databases.make()
    with psycopg.connect(one) as connection:
        connection.execute("INSERT INTO plain VALUES (1)")
    assert [_count(url, "plain") for url in (one, other)] == [1, 0]


def test_an_empty_database_has_no_extension_and_no_table(databases: Databases) -> None:
    url = databases.make(prepared=False)
    assert _count(url, "pg_extension WHERE extname <> 'plpgsql'") == 0
    assert _count(url, "pg_tables WHERE schemaname = 'public'") == 0


def test_a_closed_connection_is_no_leak(database: Database) -> None:
    psycopg.connect(database.url).close()
    assert database.leaks() == []


def test_a_leak_is_told_with_its_transaction_and_its_locks(database: Database) -> None:
    with psycopg.connect(database.url) as connection:
        connection.execute("SELECT pg_advisory_xact_lock(7)")
        (leak,) = database.leaks()
        pid, user = connection.info.backend_pid, connection.info.user
    assert leak.startswith(
        f"connection {pid} of {user} is idle in transaction, in a transaction, holds 1 advisory locks"
    )


def test_a_run_drops_its_databases_and_roles_and_no_others(databases: Databases, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = Databases(run=Run(tmp_path / "other"), server_url=databases.server_url, prepare=databases.prepare)
    kept = other.make(prepared=False)
    owner = f"{databases.prefix}_owner"
    with psycopg.connect(databases.make(), autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {owner}; GRANT ALL ON plain TO {owner}".encode())
    databases.drop_all()
    assert _names(databases.server_url, databases.prefix) == []
    assert len(_names(databases.server_url, other.prefix)) == 1
    other.drop(kept)


def test_no_database_of_another_name_is_ever_dropped(databases: Databases) -> None:
    with pytest.raises(ValueError, match="no database of this run"):
        databases.drop(in_database(databases.server_url, "postgres"))


LEAKY = """
import psycopg

kept = []

def test_leaks(postgres_database):
    kept.append(psycopg.connect(postgres_database))

def test_leaks_a_task(postgres_database):
    kept.append(psycopg.connect(postgres_database))
    kept[-1].execute("SELECT pg_advisory_lock(7)")

def test_is_sound(postgres_database):
    with psycopg.connect(postgres_database) as connection:
        assert connection.execute("SELECT count(*) FROM reverie.memories").fetchone() == (0,)

def test_is_another_ones(empty_postgres_database):
    psycopg.connect(empty_postgres_database).close()
"""


def test_who_leaves_a_connection_fails_by_name_and_nothing_is_left_on_a_named_server(
    own_postgres_server: OwnServers, tmp_path: Path
) -> None:
    server = own_postgres_server()
    out = finish(start(tmp_path, named=server.url(), test_leaky=LEAKY))
    assert "4 passed, 2 errors" in out
    assert "ERROR test_leaky.py::test_leaks - " in out
    assert "ERROR test_leaky.py::test_leaks_a_task - " in out
    assert "holds 1 advisory locks" in out
    assert _names(server.url(), "reverie") == []
