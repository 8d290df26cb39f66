"""Migrations: from zero they make the schema, each whole or not at all, and never twice."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import apsw
import pytest

from reverie.domain.memory import Origin
from reverie.store.sqlite import engine
from reverie.store.sqlite.schema import APPLICATION_ID, Migration, migrations
from tests.contract.store_rows import NOW, a_memory, an_episode, keep, settle, tell
from tests.store.sqlite_banks import KEY, child, open_store, said

SCHEMA = files("reverie.store.sqlite").joinpath("schema.sql").read_text(encoding="utf-8")

Described = set[tuple[object, ...]]


def _described(connection: apsw.Connection) -> Described:
    plain = re.compile(r"--[^\n]*|\s+")
    rows = connection.execute("SELECT type, name, coalesce(sql, '') FROM sqlite_master").fetchall()
    settings = [
        ("setting", table, f"{name}={value}")
        for table in ("memories_fts", "episodes_fts")
        for name, value in connection.execute(f"SELECT k, v FROM {table}_config")
    ]
    tight = re.compile(r" ?([(),]) ?")  # SQLite writes an added column with blanks of its own
    return {
        (kind, name, tight.sub(r"\1", plain.sub(" ", str(sql)).strip())) for kind, name, sql in rows
    } | set(settings)


def test_the_migrations_from_zero_make_what_schema_sql_says(tmp_path: Path) -> None:
    store = open_store(tmp_path / "bank")
    made = _described(store._writer.connection)
    store.close()
    with apsw.Connection(":memory:") as connection:
        connection.execute(SCHEMA).fetchall()
        assert made == _described(connection)
    connection.close()


def test_every_statement_of_every_migration_runs(tmp_path: Path) -> None:
    store = open_store(tmp_path / "bank")
    names = {row[0] for row in store._writer.connection.execute("SELECT name FROM sqlite_master")}
    store.close()
    told = "".join(step.sql for step in migrations())
    assert set(re.findall(r"CREATE (?:UNIQUE |VIRTUAL )?(?:TABLE|INDEX|TRIGGER) (\w+)", told)) <= names


def test_migrations_are_numbered_from_one_without_a_gap() -> None:
    assert [step.number for step in migrations()] == [*range(1, len(migrations()) + 1)]


def test_a_bank_says_what_it_is_and_of_which_schema(tmp_path: Path) -> None:
    store = open_store(tmp_path / "bank")
    connection = store._writer.connection
    assert (connection.pragma("application_id"), connection.pragma("user_version")) == (
        APPLICATION_ID,
        store.info().schema,
    )
    assert store.info().schema == len(migrations())
    store.close()


def test_opening_again_takes_no_step_twice(tmp_path: Path) -> None:
    versions = []
    for _ in range(2):
        store = open_store(tmp_path / "bank")
        versions.append(store._writer.connection.pragma("schema_version"))
        store.close()
    assert versions[0] == versions[1] > 0


def test_a_later_step_finds_the_rows_of_the_earlier_schema(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(tmp_path / "bank")
    with store.write("mama") as unit:
        settle(unit)
        keep(unit, a_memory("m1"))
    store.close()
    number = len(migrations()) + 1
    step = Migration(
        number=number,
        sql="CREATE TABLE notes (a TEXT); CREATE TRIGGER t AFTER INSERT ON notes BEGIN SELECT ';'; SELECT 2; END;"
        " INSERT INTO notes SELECT essence FROM memories; SELECT 'a row'; INSERT INTO notes VALUES ('after a row');",
    )
    monkeypatch.setattr(engine, "migrations", lambda: [*migrations(), step])
    store = open_store(tmp_path / "bank")
    assert store.info().schema == number
    assert store._writer.connection.execute("SELECT a FROM notes").fetchall() == [
        ("essence of m1",), ("after a row",),
    ]  # fmt: skip
    store.close()


def test_an_old_bank_with_wordings_of_a_reader_is_to_be_gone_over(tmp_path: Path) -> None:
    store = open_store(tmp_path / "bank")
    for agent_id, origin in (("mama", Origin.SLEEP), ("papa", Origin.COMMIT)):
        with store.write(agent_id) as unit:
            settle(unit, agent_id)
            keep(unit, a_memory("m1", origin=origin))
    as_of_schema_6(store._writer.connection)
    store.close()
    store = open_store(tmp_path / "bank")
    for agent_id, counts in (("mama", {"requote.due": 1}), ("papa", {})):
        with store.read(agent_id) as unit:
            assert unit.counters.all() == counts
    store.close()


def test_nothing_of_an_old_bank_waits_for_approval(tmp_path: Path) -> None:
    store = open_store(tmp_path / "bank")
    with store.write("mama") as unit:
        settle(unit)
        keep(unit, a_memory("m1"))
    as_of_schema_6(store._writer.connection)
    store.close()
    store = open_store(tmp_path / "bank")
    with store.write("mama") as unit:
        assert unit.memories.get(["m1"]) == {"m1": a_memory("m1")}
        unit.nights.put("n1", NOW, "[]")
        assert unit.nights.get("n1") == (NOW, "[]")
    store.close()


def as_of_schema_6(connection: apsw.Connection) -> None:
    """Takes out what later schemas brought."""
    connection.execute("ALTER TABLE memories DROP COLUMN needs_review")
    connection.execute("DROP TABLE nights")
    connection.pragma("user_version", 6)


_DIE = """
from reverie.store.sqlite import engine
from reverie.store.sqlite.schema import Migration, migrations
import signal
def die():
    os.kill(os.getpid(), signal.SIGKILL)
real = engine.recognize
def recognize(line, *rest):
    line.connection.create_scalar_function("die", die, 0)
    return real(line, *rest)
engine.recognize = recognize
steps, where = migrations(), sys.argv[2]
if where == "first":
    sql = steps[0].sql.replace("CREATE TABLE tombstones", "SELECT die(); CREATE TABLE tombstones")
    steps = [Migration(number=1, sql=sql)]
else:
    sql = "CREATE TABLE half (a); INSERT INTO half SELECT id FROM agents; SELECT die()"
    steps = [*steps, Migration(number=len(steps) + 1, sql=sql)]
engine.migrations = lambda: steps
open_store(Path(sys.argv[1]))
print("lived")
"""


@pytest.mark.parametrize("where", ["first", "later"])
def test_a_kill_inside_a_migration_leaves_the_schema_before_it(tmp_path: Path, where: str) -> None:
    path = tmp_path / "bank"
    if where == "later":
        store = open_store(path)
        with store.write("mama") as unit:
            settle(unit)
            tell(unit, an_episode("e1"))
        store.close()
    process = child(_DIE, path, where)
    assert (said(process), process.returncode) == ("", -9)
    store = open_store(path)
    assert store.info().schema == len(migrations())
    assert not store._writer.connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'half'").fetchall()
    assert store.agent_ids() == (["mama"] if where == "later" else [])
    assert [*store.check()] == []
    store.close()


def test_processes_that_make_the_same_new_file_at_once_end_with_one_good_bank(tmp_path: Path) -> None:
    code = """
import time
while time.time() < float(sys.argv[2]):
    pass
for turn in range(6):
    store = open_store(Path(sys.argv[1]) / f"bank{turn}")
    with store.write(sys.argv[3]) as unit:
        settle(unit, sys.argv[3])
        keep(unit, a_memory("m1"))
    store.close()
"""
    import time

    start = time.time() + 1.5
    children = [child(code, tmp_path, start, name) for name in ("ann", "bob", "zoé")]
    assert [said(process) for process in children] == [""] * 3
    for turn in range(6):
        store = open_store(tmp_path / f"bank{turn}", key=KEY)
        assert store.agent_ids() == ["ann", "bob", "zoé"]
        assert [*store.check()] == []
        store.close()
