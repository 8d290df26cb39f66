"""A change of a bank's key: what is refused, what an interrupted one leaves, and how the bank is opened then."""

from __future__ import annotations

import logging
import stat
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from reverie import DamagedFile, InvalidInput, Reverie, WrongKey
from reverie.embedders.hashing import HashingEmbedder
from reverie.store.sqlite.engine import SqliteStore
from reverie.wiring import assembly, care
from reverie.wiring.keys import file_key
from tests.crash import ring

EMBEDDER = HashingEmbedder.for_tests()
TEXT = "Anna keeps bees"


class _Bank:
    """A bank with one memory, whose key is a file, as ``REVERIE_KEY_FILE`` says."""

    def __init__(self, folder: Path) -> None:
        self.path, self.old, self.new = folder / "a.bank", folder / "keys" / "old", folder / "keys" / "new"
        self.state = Path(f"{self.path}-rekey")
        with Reverie.open(self.path, embedder=EMBEDDER) as reverie:
            reverie.agent("mama").remember(TEXT)
            reverie.agent("mama").observe("Marzipan, please")

    def texts(self, key: Path | str | None = None) -> Sequence[str]:
        with Reverie.open(self.path, key=key, create=False, embedder=EMBEDDER) as reverie:
            return [memory.essence for memory in reverie.agent("mama").memories()]

    def rekey(self, new: bytes | str | Path | None = None, key: bytes | str | Path | None = None) -> None:
        care.rekey(self.path, key=key, new_key=self.new if new is None else new)


@pytest.fixture
def bank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> _Bank:
    monkeypatch.setenv("REVERIE_KEY_FILE", str(tmp_path / "keys" / "old"))
    for name, module in ring.modules(tmp_path / "ring").items():
        monkeypatch.setitem(sys.modules, name, module)
    return _Bank(tmp_path)


@pytest.fixture
def interrupted(bank: _Bank, monkeypatch: pytest.MonkeyPatch) -> _Bank:
    """A bank that has the new key, but the change was interrupted before anybody was told."""
    with monkeypatch.context() as patch:
        patch.setattr(care, "file_place", _once_then_interrupted(assembly.file_place))
        with pytest.raises(KeyboardInterrupt):
            bank.rekey()
    return bank


def _once_then_interrupted(real: Callable[..., object]) -> Callable[..., object]:
    calls: list[object] = []

    def called(*args: object, **named: object) -> object:
        calls.append(args)
        if len(calls) > 1:
            raise KeyboardInterrupt
        return real(*args, **named)

    return called


def _flip_a_page(bank: _Bank) -> None:
    raw = bytearray(bank.path.read_bytes())
    raw[-2000] ^= 1
    bank.path.write_bytes(raw)


def _spoil_an_index(bank: _Bank) -> None:
    store = SqliteStore(bank.path, key=file_key(bank.old, make=False).raw)
    store._writer.connection.execute(
        "INSERT INTO episodes_fts (episodes_fts, rowid, content) VALUES ('delete', 1, 'marzipan')"
    )
    store.close()


@pytest.mark.parametrize("spoil", [_flip_a_page, _spoil_an_index])
def test_a_damaged_bank_is_refused_as_it_is(bank: _Bank, spoil: Callable[[_Bank], None]) -> None:
    spoil(bank)
    before = bank.path.read_bytes()
    with pytest.raises(DamagedFile):
        bank.rekey()
    assert bank.path.read_bytes() == before
    assert not bank.new.exists()
    assert not bank.state.exists()
    assert bank.texts() == [TEXT]


def _linked(bank: _Bank) -> Path:
    bank.new.symlink_to(bank.old)
    return bank.new


def _linked_hard(bank: _Bank) -> Path:
    bank.new.hardlink_to(bank.old)
    return bank.new


@pytest.mark.parametrize(
    "new",
    [
        lambda bank: bank.old,
        lambda bank: bank.old.parent / ".." / "keys" / "old",
        _linked,
        _linked_hard,
        lambda bank: file_key(bank.old, make=False).raw,
        lambda bank: bank.old.read_text(),
    ],
    ids=["its file", "another spelling", "a link", "a hard link", "its bytes", "its digits"],
)
def test_the_key_that_the_bank_has_is_refused(
    bank: _Bank, new: Callable[[_Bank], bytes | str | Path]
) -> None:
    before = bank.path.read_bytes()
    with pytest.raises(InvalidInput, match="already"):
        bank.rekey(new(bank))
    assert bank.path.read_bytes() == before
    assert bank.texts() == [TEXT]


def test_the_keyrings_key_is_a_new_key_once(bank: _Bank) -> None:
    bank.rekey("keyring")
    assert bank.texts("keyring") == [TEXT]
    with pytest.raises(InvalidInput, match="the keyring already"):
        bank.rekey("keyring", key="keyring")
    assert bank.texts("keyring") == [TEXT]


def test_a_bank_half_rekeyed_opens_and_says_with_which_key(
    interrupted: _Bank, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assert interrupted.texts() == [TEXT]
    assert f"opens with the key from the key file {interrupted.new}" in caplog.text
    assert interrupted.texts(interrupted.new) == [TEXT]
    assert not interrupted.state.exists()
    with pytest.raises(WrongKey):
        interrupted.texts()


def test_it_opens_also_where_the_old_key_has_gone(interrupted: _Bank) -> None:
    interrupted.old.unlink()
    assert interrupted.texts() == [TEXT]
    assert not interrupted.old.exists()


def test_the_state_file_is_private_and_holds_no_key(interrupted: _Bank) -> None:
    said = interrupted.state.read_bytes()
    assert stat.S_IMODE(interrupted.state.stat().st_mode) == 0o600
    for path in (interrupted.old, interrupted.new):
        key = file_key(path, make=False).raw
        assert str(path).encode() in said
        assert not any(part in said for part in (key, key.hex().encode()[:16], key.hex().encode()[-16:]))


def test_if_no_key_that_is_named_opens_it_the_error_names_them(interrupted: _Bank) -> None:
    away = interrupted.new.rename(interrupted.new.with_name("away"))
    with pytest.raises(WrongKey) as refused:
        interrupted.texts()
    assert str(interrupted.old) in str(refused.value)
    assert str(interrupted.new) in str(refused.value)
    away.rename(interrupted.new)
    assert interrupted.texts() == [TEXT]


def test_the_same_call_again_finishes_the_change(interrupted: _Bank) -> None:
    interrupted.rekey()
    assert not interrupted.state.exists()
    assert interrupted.texts(interrupted.new) == [TEXT]
    with pytest.raises(WrongKey):
        interrupted.texts()


@pytest.mark.parametrize("back", [False, True])
def test_another_call_goes_on_from_the_key_that_opens_the_bank(interrupted: _Bank, back: bool) -> None:
    third = interrupted.old if back else interrupted.new.with_name("third")
    interrupted.rekey(third)
    assert not interrupted.state.exists()
    assert interrupted.texts(third) == [TEXT]


def test_a_second_interruption_forgets_no_key_of_the_first(
    interrupted: _Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(care, "rekey_file", _begun_then_interrupted)
        with pytest.raises(KeyboardInterrupt):
            interrupted.rekey(interrupted.new.with_name("third"))
    with interrupted.state.open("ab") as file:
        file.write(b'\n{"begun": "2026')  # and a third, killed while it wrote that down
    assert interrupted.texts() == [TEXT]


def _begun_then_interrupted(_path: Path, _old: object, new: Callable[[], object], _chosen: object) -> None:
    new()
    raise KeyboardInterrupt


@pytest.mark.parametrize("said", [b"", b"\0\xff\n", b"[" * 100_000, b'{"new": 5}', b'{"new": {"source": 1}}'])
def test_a_state_file_that_nobody_of_us_wrote_names_no_key(bank: _Bank, said: bytes) -> None:
    file_key(bank.new, make=True)
    bank.state.write_bytes(said)
    with pytest.raises(WrongKey) as refused:
        bank.texts(bank.new)
    assert "interrupted" not in str(refused.value)
    assert bank.texts() == [TEXT]
