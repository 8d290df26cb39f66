"""What lies where a bank's side files belong: no key, bank or backup of ours is put there, and nobody else's goes."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from reverie import InvalidInput, Reverie, StoreError
from reverie.embedders.hashing import HashingEmbedder
from reverie.wiring import care

EMBEDDER = HashingEmbedder.for_tests()
SIDES = ("-wal", "-shm", "-journal", "-rekey")


@pytest.fixture(autouse=True)
def _own_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REVERIE_KEY_FILE", str(tmp_path / "keys" / "key"))


def _open(path: Path, key: Path | None = None) -> Reverie:
    return Reverie.open(path, key=key, embedder=EMBEDDER)


def _made(path: Path) -> Path:
    with _open(path) as bank:
        bank.agent("mama").remember("Anna keeps bees")
    return path


def _here(place: Path) -> Path:
    return Path(os.path.relpath(place))


def _by_a_linked_folder(place: Path) -> Path:
    place.parent.with_name("linked").symlink_to(place.parent)
    return place.parent.with_name("linked") / place.name


def _in_capitals(place: Path) -> Path:
    name, _, side = place.name.rpartition("-")
    return place.with_name(f"{name}-{side.upper()}")


def _a_link_there(place: Path) -> Path:
    place.symlink_to(place.with_name("elsewhere"))
    return place


def _a_link_to_there(place: Path) -> Path:
    place.with_name("link").symlink_to(place)
    return place.with_name("link")


WAYS = (Path, _here, _by_a_linked_folder, _in_capitals, _a_link_there, _a_link_to_there)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "banks").mkdir()
    return tmp_path / "banks"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("side", SIDES)
def test_a_key_is_put_at_no_side_file_of_a_bank(folder: Path, side: str, way: Callable[[Path], Path]) -> None:
    bank = _made(folder / "a.bank")
    place = way(folder / f"a.bank{side}")
    before = sorted(folder.iterdir())
    with pytest.raises(InvalidInput, match="belongs to"):
        care.rekey(bank, key=None, new_key=place)
    with pytest.raises(InvalidInput, match="belongs to"):
        _open(folder / "b.bank", place)
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("side", SIDES)
def test_a_first_key_is_put_at_no_side_file_of_its_bank(
    folder: Path, side: str, way: Callable[[Path], Path]
) -> None:
    place = way(folder / f"a.bank{side}")
    before = sorted(folder.iterdir())
    with pytest.raises(InvalidInput, match="belongs to"):
        _open(folder / "a.bank", place)
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("side", SIDES)
def test_no_bank_and_no_backup_is_put_at_a_side_file(folder: Path, side: str) -> None:
    bank = _made(folder / "a.bank")
    with pytest.raises(InvalidInput, match="belongs to"):
        _open(folder / f"a.bank{side}")
    with pytest.raises(InvalidInput, match="belongs to"), _open(bank) as reverie:
        reverie.backup(folder / f"a.bank{side}")
    assert [*folder.iterdir()] == [bank]


@pytest.mark.parametrize("side", SIDES)
def test_no_bank_is_made_beside_side_files(folder: Path, side: str) -> None:
    bank = _made(folder / f"a.bank{side}")
    with pytest.raises(InvalidInput, match="lies where"):
        _open(folder / "a.bank")
    with pytest.raises(InvalidInput, match="lies where"), _open(bank) as reverie:
        reverie.backup(folder / "a.bank")
    assert [*folder.iterdir()] == [bank]
    with _open(bank) as reverie:
        assert reverie.agents() == ["mama"]


@pytest.mark.parametrize(
    "said", ["buy milk\n", "0" * 64 + "\n", '{"begun": "2026-11-24"}\nand notes of mine\n']
)
def test_a_file_of_somebody_elses_stays_and_stops_a_rekey(folder: Path, said: str) -> None:
    bank = _made(folder / "a.bank")
    foreign = folder / "a.bank-rekey"
    foreign.write_text(said)
    with _open(bank):
        pass
    with pytest.raises(StoreError, match="no file of Reverie"):
        care.rekey(bank, key=None, new_key=folder / "new")
    assert foreign.read_text() == said
    with _open(bank) as reverie:
        assert reverie.agents() == ["mama"]
