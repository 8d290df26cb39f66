"""The bank's file before SQLite has it: its first bytes, or an error of ours."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import apsw
import pytest

from reverie.errors import InvalidInput, NoBank, StoreError
from reverie.store.sqlite.place import checked_path, header

posix = pytest.mark.skipif(sys.platform == "win32", reason="links and pipes are POSIX's")


@pytest.mark.parametrize("size", [0, 2, 16, 17])
def test_the_header_is_the_first_sixteen_bytes(tmp_path: Path, size: int) -> None:
    path = tmp_path / "a.bank"
    path.write_bytes(bytes(range(size)))
    assert header(path) == bytes(range(min(size, 16)))


def test_a_file_that_is_not_there_is_no_bank(tmp_path: Path) -> None:
    with pytest.raises(NoBank):
        header(tmp_path / "a.bank")


@posix
def test_the_header_of_a_link_is_that_of_its_file(tmp_path: Path) -> None:
    path, link = tmp_path / "a.bank", tmp_path / "link.bank"
    path.write_bytes(b"0123456789abcdefgh")
    link.symlink_to(path)
    assert header(link) == b"0123456789abcdef"


@posix
def test_what_is_no_regular_file_is_refused_unopened(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path, Path("/dev/null")):
        for look in (header, checked_path):
            with pytest.raises(InvalidInput):
                look(path)


@posix
def test_a_link_to_itself_is_an_error_of_ours(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(link)
    with pytest.raises(StoreError, match="can't be read"):
        header(link)


def test_a_file_that_the_user_may_not_read_is_told_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.bank"
    path.write_bytes(b"0123456789abcdef")

    def refused(*_: object) -> object:
        raise apsw.CantOpenError("unable to open database file")

    # Tests may run as root, who may read everything: so the refusal is brought about by hand.
    monkeypatch.setattr(apsw, "VFSFile", refused)
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(StoreError, match=r"permission denied.*make it a readable file of yours"):
        header(path)
