"""A file that grows: its lines come once, in order, whatever becomes of the file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.doors.formats import growing
from reverie.doors.formats.growing import GrowingFile

posix = pytest.mark.skipif(sys.platform == "win32", reason="an open file can't be renamed there")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "chat.jsonl"


@pytest.fixture
def file(path: Path) -> Iterator[GrowingFile]:
    made = GrowingFile(path)
    yield made
    made.close()


def _append(path: Path, data: bytes) -> None:
    with path.open("ab") as stream:
        stream.write(data)


def _all(file: GrowingFile) -> list[bytes]:
    found = []
    while lines := file.lines():
        found += [line for _, line in lines]
    return found


def test_a_line_is_numbered_and_waits_for_its_end(path: Path, file: GrowingFile) -> None:
    assert file.lines() == []  # the file is not there yet
    path.write_bytes(b"one\ntw")
    assert file.lines() == [(1, b"one")]
    _append(path, b"o")
    assert file.lines() == []
    _append(path, b"\nthree")
    assert file.lines() == [(2, b"two")]
    assert file.rest() == [(3, b"three")]
    assert file.rest() == []


@pytest.mark.parametrize("new", [b"new\n", b"a longer line\nthan before\n"])
def test_a_truncated_file_is_read_from_its_beginning(path: Path, file: GrowingFile, new: bytes) -> None:
    path.write_bytes(b"one\ntwo\nhal")
    _all(file)
    path.write_bytes(new)
    assert _all(file) == new.splitlines()
    assert file.restarts == 1


def test_an_emptied_file_is_waited_for(path: Path, file: GrowingFile) -> None:
    path.write_bytes(b"one\n")
    _all(file)
    path.write_bytes(b"")
    assert file.lines() == []
    _append(path, b"one\n")
    assert file.lines() == [(1, b"one")]


@posix
def test_a_rotated_file_is_read_to_its_end_first(path: Path, file: GrowingFile) -> None:
    path.write_bytes(b"one\n")
    _all(file)
    _append(path, b"two\nthree, cut short")
    path.rename(path.with_suffix(".1"))
    path.write_bytes(b"four\n")
    assert _all(file) == [b"two", b"three, cut short", b"four"]
    assert file.restarts == 1


@posix
def test_while_no_file_has_the_name_the_old_one_is_read(path: Path, file: GrowingFile) -> None:
    path.write_bytes(b"one\n")
    _all(file)
    path.rename(path.with_suffix(".1"))
    _append(path.with_suffix(".1"), b"two\n")
    assert file.lines() == [(2, b"two")]
    path.write_bytes(b"three\n")
    assert file.lines() == [(1, b"three")]


def test_what_is_there_may_be_skipped(path: Path, file: GrowingFile) -> None:
    path.write_bytes(b"one\ntwo\nthr")
    file.skip()
    _append(path, b"ee\nfour\n")
    assert _all(file) == [b"three", b"four"]


def test_an_endless_line_is_cut(path: Path, file: GrowingFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growing, "_MOST_AT_ONCE", 8)
    monkeypatch.setattr(growing, "_MOST_LINE", 20)
    path.write_bytes(b"x" * 50 + b"\nshort\n")
    found = _all(file)
    assert b"".join(found) == b"x" * 50 + b"short"
    assert found[-1] == b"short"
    assert max(map(len, found)) <= 28


@given(st.lists(st.binary(max_size=30), max_size=12), st.integers(1, 40))
def test_every_line_comes_whole_and_once(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[bytes], at_once: int
) -> None:
    path = tmp_path_factory.mktemp("grows") / "file"
    path.touch()
    file = GrowingFile(path)
    found: list[bytes] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(growing, "_MOST_AT_ONCE", at_once)
        for piece in pieces:
            _append(path, piece)
            found += _all(file)
        found += [line for _, line in file.rest()]
    file.close()
    *whole, last = b"".join(pieces).split(b"\n")
    assert found == whole + ([last] if last else [])
