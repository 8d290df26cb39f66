"""Backups of a file in use, and changes of its key."""

from __future__ import annotations

import os
import signal
import stat
from pathlib import Path

import apsw
import pytest

from reverie.domain.query import EVERYTHING
from reverie.errors import Busy, InvalidInput, KeyProblem, NotABank, NotEncrypted, StoreError, WrongKey
from reverie.store.sqlite.drafts import draft
from reverie.store.sqlite.engine import SqliteStore
from reverie.store.sqlite.place import PLAIN_HEADER, header
from tests.contract.store_rows import NOW, a_memory, ids, keep, settle
from tests.store.sqlite_banks import KEY, child, open_store

OTHER = bytes(range(100, 132))
SECRET = "the swans nest behind the old mill"


def _fill(store: SqliteStore, count: int = 3) -> None:
    with store.write("mama") as unit:
        settle(unit)
        keep(unit, *(a_memory(f"m{n}", essence=f"{SECRET} {n}") for n in range(count)))


def _kept(path: Path, key: bytes | None = KEY) -> list[str]:
    store = open_store(path, key=key)
    try:
        assert [*store.check()] == []
        with store.read("mama") as unit:
            return ids(unit.memories.list(EVERYTHING, now=NOW))
    finally:
        store.close()


def _rekey(path: Path, *, key: bytes = KEY, new: bytes = OTHER) -> None:
    SqliteStore.rekey(path, key=key, key_source="the test", new=lambda: (new, "the test"), busy_seconds=0.2)


def test_a_backup_holds_the_bank_under_its_key(tmp_path: Path) -> None:
    store = open_store(tmp_path / "bank")
    _fill(store)
    made = store.backup(tmp_path / "copy")
    with store.write("mama") as unit:
        keep(unit, a_memory("later"))
    store.close()
    assert _kept(made) == ["m0", "m1", "m2"]
    with pytest.raises(WrongKey):
        open_store(made, key=OTHER)


def test_a_backup_is_encrypted_private_and_alone(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    store = open_store(tmp_path / "bank")
    _fill(store)
    made = store.backup(tmp_path / "there" / "copy")
    store.close()
    assert header(made) != PLAIN_HEADER
    assert SECRET.encode() not in made.read_bytes()
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    assert [one.name for one in made.parent.iterdir()] == ["copy"]


_WAITS = (
    "import signal\nfrom reverie.store.sqlite import backing\n"
    "def wait(copy):\n    print('whole', flush=True)\n    signal.pause()\n"
    "backing._prove = wait\n"
)


def test_a_killed_backup_is_swept_at_the_next_open_there(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    store = open_store(tmp_path / "bank")
    _fill(store)
    store.close()
    code = f"{_WAITS}open_store(Path(sys.argv[1])).backup(Path(sys.argv[2]))"
    process = child(code, tmp_path / "bank", tmp_path / "there" / "copy")
    assert process.stdout is not None
    assert process.stdout.readline() == "whole\n"
    [left] = (tmp_path / "there").iterdir()
    open_store(tmp_path / "there" / "another").close()
    assert left.exists()  # its process lives
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    Path(f"{left}-journal").touch()
    open_store(tmp_path / "there" / "another").close()
    assert [one.name for one in (tmp_path / "there").iterdir()] == ["another"]


def test_nothing_but_drafts_is_swept(tmp_path: Path) -> None:
    kept = {
        ".reverie-draft", ".reverie-draft.notes", ".reverie-draft.0123456789abcdef.bak", ".copy.123.0123abcd",
        "reverie-draft.0123456789abcdef", ".reverie-draft.0123456789ABCDEF", ".bank.reverie-draft.0123456789abcdef",
    }  # fmt: skip
    for name in (*kept, ".reverie-draft.0123456789abcdef-wal", ".reverie-draft.fedcba9876543210"):
        (tmp_path / name).touch()
    with draft(tmp_path / "copy") as ours:
        open_store(tmp_path / "bank").close()
        assert {one.name for one in tmp_path.iterdir()} == {*kept, "bank", ours.name}
    assert {one.name for one in tmp_path.iterdir()} == {*kept, "bank"}


def test_a_backup_never_replaces_a_file(tmp_path: Path) -> None:
    store = open_store(tmp_path / "bank")
    _fill(store)
    (tmp_path / "copy").write_text("mine")
    with pytest.raises(InvalidInput, match="there already"):
        store.backup(tmp_path / "copy")
    store.close()
    assert (tmp_path / "copy").read_text() == "mine"


def test_a_backup_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    store = open_store(tmp_path / "bank")
    _fill(store)
    with pytest.raises(StoreError, match="can't be made"):
        store.backup(Path("/proc/copy"))
    with pytest.raises(InvalidInput, match="does not exist"):
        store.backup(tmp_path / "nowhere" / "copy")
    assert store.backup(tmp_path / "copy").exists()
    store.close()


@pytest.mark.slow
def test_a_backup_is_one_state_while_others_write(tmp_path: Path) -> None:
    store = open_store(tmp_path / "bank")
    _fill(store, 400)
    writer = child(
        "store = open_store(Path(sys.argv[1]))\nfor n in range(300):\n    with store.write('mama') as unit:\n"
        "        keep(unit, a_memory(f'x{n:04}a'), a_memory(f'x{n:04}b'))\n",
        tmp_path / "bank",
    )
    made: list[Path] = []
    while writer.poll() is None:
        made.append(store.backup(tmp_path / f"copy{len(made)}"))
    assert writer.communicate()[1] == ""
    store.close()
    assert made
    for path in made:
        found = [id for id in _kept(path) if id.startswith("x")]
        assert [id[:-1] for id in found[::2]] == [id[:-1] for id in found[1::2]]


def test_a_rekeyed_file_opens_with_the_new_key_alone(tmp_path: Path) -> None:
    store = open_store(tmp_path / "bank")
    _fill(store)
    store.close()
    _rekey(tmp_path / "bank")
    assert _kept(tmp_path / "bank", OTHER) == ["m0", "m1", "m2"]
    with pytest.raises(WrongKey):
        open_store(tmp_path / "bank")


def test_a_file_that_is_open_elsewhere_keeps_its_key(tmp_path: Path) -> None:
    store = open_store(tmp_path / "bank")
    _fill(store)
    with pytest.raises(Busy):
        _rekey(tmp_path / "bank")
    with store.write("mama") as unit:
        keep(unit, a_memory("m9"))
    store.close()
    assert _kept(tmp_path / "bank") == ["m0", "m1", "m2", "m9"]


def test_the_wrong_key_changes_nothing(tmp_path: Path) -> None:
    store = open_store(tmp_path / "bank")
    _fill(store)
    store.close()
    with pytest.raises(WrongKey):
        _rekey(tmp_path / "bank", key=OTHER, new=bytes(32))
    assert _kept(tmp_path / "bank") == ["m0", "m1", "m2"]


def test_plain_files_short_keys_foreign_databases_are_refused(tmp_path: Path) -> None:
    store = open_store(tmp_path / "bank")
    _fill(store)
    store.close()
    with pytest.raises(KeyProblem):
        _rekey(tmp_path / "bank", new=b"short")
    open_store(tmp_path / "plain", key=None).close()
    with pytest.raises(NotEncrypted):
        _rekey(tmp_path / "plain")
    connection = apsw.Connection(str(tmp_path / "foreign"))
    connection.pragma("cipher", "aegis")
    connection.execute(f"PRAGMA key = \"x'{KEY.hex()}'\"").fetchall()
    connection.execute("CREATE TABLE t (a)").fetchall()
    connection.close()
    with pytest.raises(NotABank):
        _rekey(tmp_path / "foreign")
