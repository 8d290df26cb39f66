"""The bank's file: where it may lie, who may read it, what opens it, and what is said when it can't be."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import apsw
import pytest

from reverie.domain.query import EVERYTHING
from reverie.errors import (
    DamagedFile,
    DiskFull,
    Encrypted,
    InvalidInput,
    KeyProblem,
    NewerSchema,
    NotABank,
    NotEncrypted,
    WrongKey,
)
from reverie.store.sqlite.connection import Access
from reverie.store.sqlite.engine import SqliteStore
from reverie.store.sqlite.place import PLAIN_HEADER
from tests.contract.store_rows import a_memory, an_episode, keep, settle, tell
from tests.store.sqlite_banks import KEY, child, open_store, own_mounts, said

POSIX = pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    """A closed encrypted bank with 300 episodes and one memory."""
    path = tmp_path / "bank.reverie"
    store = open_store(path)
    with store.write("mama") as unit:
        settle(unit)
        tell(unit, *(an_episode(f"e{n:03}", n, content=f"marzipan {n} " * 20) for n in range(300)))
        keep(unit, a_memory("m1"))
    store.close()
    return path


def _foreign(path: Path, key: bytes | None = None) -> bytes:
    with apsw.Connection(str(path)) as connection:
        if key is not None:
            connection.pragma("cipher", "aegis")
            connection.execute(f"PRAGMA key = \"x'{key.hex()}'\"")
        connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    return path.read_bytes()


@POSIX
def test_the_file_and_its_log_are_for_the_owner_alone(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        store = open_store(tmp_path / "bank")
        with store.write("mama") as unit:
            settle(unit)
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
        store.close()
    finally:
        os.umask(old)
    assert modes == {"bank": 0o600, "bank-wal": 0o600, "bank-shm": 0o600}


def test_after_closing_there_is_one_file(bank: Path) -> None:
    assert [file.name for file in bank.parent.iterdir()] == [bank.name]


def test_no_stored_word_is_in_the_file_or_its_log(tmp_path: Path) -> None:
    store = open_store(tmp_path / "bank")
    with store.write("mama") as unit:
        settle(unit)
        tell(unit, an_episode("e1", content="marzipan"))
    raw = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    store.close()
    assert b"marzipan" not in raw + (tmp_path / "bank").read_bytes()
    assert b"CREATE TABLE" not in raw
    assert PLAIN_HEADER not in raw


def test_an_empty_file_becomes_a_bank(tmp_path: Path) -> None:
    (tmp_path / "bank").touch()
    store = open_store(tmp_path / "bank")
    assert store.agent_ids() == []
    store.close()
    assert (tmp_path / "bank").read_bytes()[:16] not in (b"", PLAIN_HEADER)


@pytest.mark.parametrize("path", [None, 3, b"bank", "", ":memory:", "a\0b", ".", "missing/bank", "x" * 300])
def test_what_is_no_path_of_a_file_in_a_folder_is_refused(
    path: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput, match="path"):
        SqliteStore(path, key=KEY)  # type: ignore[arg-type]
    assert [*tmp_path.iterdir()] == []


def test_a_link_to_a_bank_opens_the_bank(bank: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(bank)
    store = open_store(tmp_path / "link")
    assert (store.info().where, store.agent_ids()) == (str(bank), ["mama"])
    store.close()


@pytest.mark.parametrize("key", [b"", b"short", bytes(33), "ab" * 32, bytearray(32)])
def test_a_key_of_wrong_length_is_refused_before_a_file_is_made(tmp_path: Path, key: object) -> None:
    with pytest.raises(KeyProblem, match="32 bytes") as raised:
        SqliteStore(tmp_path / "bank", key=key, key_source="REVERIE_KEY")  # type: ignore[arg-type]
    assert "REVERIE_KEY" in str(raised.value)
    assert [*tmp_path.iterdir()] == []


def test_an_unknown_synchronous_is_refused_before_a_file_is_made(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="synchronous"):
        open_store(tmp_path / "bank", synchronous="off")
    assert [*tmp_path.iterdir()] == []


def test_no_error_and_no_repr_shows_the_key(bank: Path) -> None:
    with pytest.raises(WrongKey) as raised:
        open_store(bank, key=b"\xab" * 32)
    access = Access(
        path=bank, key=b"\xab" * 32, key_source="x", busy_seconds=1, cache_mib=1, synchronous="full"
    )  # fmt: skip
    for text in (repr(raised.value), repr(access)):
        assert "abab" not in text
        assert "\\xab" not in text


def test_a_wrong_key_is_told_with_its_source(bank: Path) -> None:
    before = bank.read_bytes()
    with pytest.raises(WrongKey, match="the key file"):
        open_store(bank, key=bytes(32), key_source="the key file")
    assert bank.read_bytes() == before


def test_a_plain_file_is_not_opened_with_a_key(tmp_path: Path) -> None:
    before = _foreign(tmp_path / "bank")
    with pytest.raises(NotEncrypted):
        open_store(tmp_path / "bank")
    assert (tmp_path / "bank").read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"garbage", b"garbage" * 5000])
def test_an_encrypted_or_unknown_file_is_not_opened_as_plain(bank: Path, content: bytes) -> None:
    if content:
        bank.write_bytes(content)
    before = bank.read_bytes()
    with pytest.raises(Encrypted):
        open_store(bank, key=None)
    assert bank.read_bytes() == before


@pytest.mark.parametrize("key", [KEY, None])
def test_a_database_that_is_not_ours_is_left_as_it_is(tmp_path: Path, key: bytes | None) -> None:
    before = _foreign(tmp_path / "bank", key)
    with pytest.raises(NotABank):
        open_store(tmp_path / "bank", key=key)
    assert (tmp_path / "bank").read_bytes() == before


def test_a_plain_bank_is_a_bank_and_says_so(tmp_path: Path) -> None:
    store = open_store(tmp_path / "bank", key=None)
    with store.write("mama") as unit:
        settle(unit)
    assert not store.info().encrypted
    store.close()
    assert (tmp_path / "bank").read_bytes().startswith(PLAIN_HEADER)
    again = open_store(tmp_path / "bank", key=None)
    assert again.agent_ids() == ["mama"]
    again.close()


def test_a_file_of_a_newer_schema_is_left_as_it_is(bank: Path) -> None:
    store = open_store(bank)
    store._writer.connection.execute("PRAGMA user_version = 99")
    store.close()
    before = bank.read_bytes()
    with pytest.raises(NewerSchema, match="99"):
        open_store(bank)
    assert bank.read_bytes() == before


def _flip(path: Path, place: int) -> None:
    raw = bytearray(path.read_bytes())
    raw[place] ^= 1
    path.write_bytes(raw)


def test_a_flipped_bit_anywhere_is_never_taken_for_data(bank: Path) -> None:
    whole = bank.read_bytes()
    seen: set[type] = set()
    for place in range(100, len(whole), 4096 * 3 + 517):
        bank.write_bytes(whole)
        _flip(bank, place)
        try:
            store = open_store(bank)
        except (WrongKey, DamagedFile) as error:
            seen.add(type(error))
            continue
        faults = [*store.check()]
        assert faults, f"no fault found after the byte at {place} changed"
        store.close()
        seen.add(list)
    assert seen >= {WrongKey, list}


def test_damage_met_while_reading_is_told_as_such(bank: Path) -> None:
    whole = bank.read_bytes()
    for page in range(2, len(whole) // 4096):
        _flip(bank, page * 4096 + 99)
    with pytest.raises(DamagedFile):
        open_store(bank)
    bank.write_bytes(whole)
    store = open_store(bank)
    for page in range(12, len(whole) // 4096):
        _flip(bank, page * 4096 + 99)
    with pytest.raises(DamagedFile), store.read("mama") as unit:
        unit.episodes.list(EVERYTHING, limit=300)
    store.close()


def test_a_file_cut_short_is_told_as_damaged(bank: Path) -> None:
    bank.write_bytes(bank.read_bytes()[: 40 * 4096])
    with pytest.raises(DamagedFile):
        open_store(bank)


def test_a_keyword_index_that_disagrees_with_its_table_is_found(bank: Path) -> None:
    store = open_store(bank)
    store._writer.connection.execute(
        "INSERT INTO episodes_fts (episodes_fts, rowid, content) VALUES ('delete', 1, 'marzipan')"
    )
    assert any("episodes_fts" in fault for fault in store.check())
    store.close()


def test_a_full_file_undoes_the_write_and_a_later_one_fits_again(bank: Path) -> None:
    store = open_store(bank)
    connection = store._writer.connection
    connection.execute(f"PRAGMA max_page_count = {connection.pragma('page_count') + 2}")
    with pytest.raises(DiskFull), store.write("mama") as unit:
        tell(unit, *(an_episode(f"x{n:03}", 1000 + n, content="long " * 500) for n in range(300)))
    connection.execute("PRAGMA max_page_count = 1000000")
    with store.write("mama") as unit:
        assert unit.episodes.count(EVERYTHING) == 300
        keep(unit, a_memory("m2"))
    assert [*store.check()] == []
    store.close()


_FILL_DISK = """
from reverie.errors import DiskFull
bank = Path(sys.argv[1]) / "bank"
store = open_store(bank)
with store.write("mama") as unit:
    settle(unit)
kept = 0
try:
    while True:
        with store.write("mama") as unit:
            tell(unit, *(an_episode(f"e{kept + n}", kept + n, content="long " * 100) for n in range(50)))
        kept += 50
except DiskFull:
    pass
for again in (False, True):
    with store.read("mama") as unit:
        assert unit.episodes.count(EVERYTHING) == kept > 0, kept
    store.close()
    store = open_store(bank)
store.close()
print("told and kept")
"""


_BACK_UP = """
from reverie.errors import DiskFull
store = open_store(Path(sys.argv[1]) / "bank")
with store.write("mama") as unit:
    settle(unit)
    tell(unit, *(an_episode(f"e{n}", n, content="long " * 100) for n in range(3_000)))
small = Path(sys.argv[1]) / "small"
try:
    store.backup(small / "b.bank")
except DiskFull as error:
    assert f"no space left for {small / 'b.bank'}; what was written of it was removed" in str(error), str(error)
    assert [*small.iterdir()] == [], [*small.iterdir()]
    with store.read("mama") as unit:
        assert unit.episodes.count(EVERYTHING) == 3_000
    print("told")
store.close()
"""


def test_a_backup_onto_a_full_disk_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "small").mkdir()
    mounts = own_mounts(f"mount -t tmpfs -o size=200k none {tmp_path / 'small'}")
    assert said(child(_BACK_UP, tmp_path, before=mounts)) == "told"


def test_a_full_disk_loses_nothing_acknowledged(tmp_path: Path) -> None:
    mounts = own_mounts(f"mount -t tmpfs -o size=3m none {tmp_path}")
    assert said(child(_FILL_DISK, tmp_path, before=mounts)) == "told and kept"


_WRITE_READ_ONLY = """
from reverie.errors import ReadOnly
for name in ("bank", "new"):
    try:
        open_store(Path(sys.argv[1]) / name)
    except ReadOnly as error:
        print(name, sorted(os.listdir(sys.argv[1])))
"""


@pytest.mark.parametrize("what", ["the folder", "the file"])
def test_what_cannot_be_written_is_told_and_left_as_it_is(bank: Path, tmp_path: Path, what: str) -> None:
    place = tmp_path if what == "the folder" else bank
    names = ["bank", "new"] if what == "the folder" else ["bank"]
    bank.rename(tmp_path / "bank")
    place = tmp_path if what == "the folder" else tmp_path / "bank"
    if os.geteuid():
        place.chmod(0o500 if place.is_dir() else 0o400)
        answer = said(child(_WRITE_READ_ONLY, tmp_path))
        place.chmod(0o700)
    else:  # modes don't bind root
        mounts = own_mounts(f"mount --bind {place} {place} && mount -o remount,bind,ro {place}")
        answer = said(child(_WRITE_READ_ONLY, tmp_path, before=mounts))
    assert answer.splitlines() == [f"{name} ['bank']" for name in names]
