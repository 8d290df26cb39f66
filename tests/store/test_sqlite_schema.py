"""The steps of the schema: each is taken whole or not at all, and never twice."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from reverie.errors import NewerSchema
from reverie.store.migration import Migration
from reverie.store.sqlite import schema
from reverie.store.sqlite.schema import APPLICATION_ID, migrations
from tests.contract.store_rows import a_memory, an_episode, keep, settle, tell
from tests.store.sqlite_banks import KEY, child, open_store, said


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


NEXT = Migration(
    number=len(migrations()) + 1,
    sql="CREATE TABLE notes (a TEXT); CREATE TRIGGER t AFTER INSERT ON notes BEGIN SELECT ';'; SELECT 2; END;"
    " INSERT INTO notes SELECT essence FROM memories; SELECT 'a row'; INSERT INTO notes VALUES ('after a row');",
)
"""A step that a later version might take."""


def test_a_later_step_finds_the_rows_of_the_schema_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(tmp_path / "bank")
    with store.write("mama") as unit:
        settle(unit)
        keep(unit, a_memory("m1"))
    store.close()
    with monkeypatch.context() as patch:
        patch.setattr(schema, "LATER", (NEXT,))
        store = open_store(tmp_path / "bank")
        assert store.info().schema == NEXT.number
        assert store._writer.connection.execute("SELECT a FROM notes").fetchall() == [
            ("essence of m1",), ("after a row",),
        ]  # fmt: skip
        store.close()
    with pytest.raises(NewerSchema):
        open_store(tmp_path / "bank")


_DIE = """
from reverie.store.sqlite import engine, schema
from reverie.store.migration import Migration
import signal
def die():
    os.kill(os.getpid(), signal.SIGKILL)
real = engine.recognize
def recognize(line, *rest):
    line.connection.create_scalar_function("die", die, 0)
    return real(line, *rest)
engine.recognize = recognize
steps, where = schema.migrations(), sys.argv[2]
if where == "first":
    sql = steps[0].sql.replace("CREATE TABLE tombstones", "SELECT die(); CREATE TABLE tombstones")
    engine.migrations = lambda: [Migration(number=1, sql=sql)]
else:
    sql = "CREATE TABLE half (a); INSERT INTO half SELECT id FROM agents; SELECT die()"
    schema.LATER = [Migration(number=len(steps) + 1, sql=sql)]
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


def test_processes_that_make_one_file_at_once_end_with_one_bank(tmp_path: Path) -> None:
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
    start = time.time() + 1.5
    children = [child(code, tmp_path, start, name) for name in ("ann", "bob", "zoé")]
    assert [said(process) for process in children] == [""] * 3
    for turn in range(6):
        store = open_store(tmp_path / f"bank{turn}", key=KEY)
        assert store.agent_ids() == ["ann", "bob", "zoé"]
        assert [*store.check()] == []
        store.close()
