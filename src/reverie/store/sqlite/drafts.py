"""Copies of a bank that aren't whole yet: hidden files in the folder where they are to lie.

The process that makes a draft holds a lock on it for as long as it lives. A draft without that lock was left by one
that was killed. It may hold a whole bank, so whoever opens a bank in the folder, or makes a draft there, removes it.
"""

from __future__ import annotations

import os
import re
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from reverie.store.sqlite.place import checked_path, os_fault

if sys.platform != "win32":
    import fcntl

_DRAFT = re.compile(r"(\.reverie-draft\.[0-9a-f]{16})(?:-wal|-shm|-journal)?")
_ENDINGS = ("-wal", "-shm", "-journal", "")
_ours: set[Path] = set()


@contextmanager
def draft(goal: Path) -> Iterator[Path]:
    """Give a new, empty file in the folder of ``goal`` that its owner alone may read. At the end it is gone, whatever
    became of it.

    Raise ReadOnly, DiskFull, InvalidInput, StoreError.
    """
    folder = checked_path(goal).parent
    sweep(folder)
    path, handle = _made(folder)
    _ours.add(path)
    try:
        yield path
    finally:
        _remove(path)
        _ours.discard(path)
        os.close(handle)  # not before SQLite is done: it drops all locks of this process on the file


def sweep(folder: Path) -> None:
    """Remove the drafts that killed processes have left in the folder, and nothing else. Never raises OSError."""
    if sys.platform == "win32":
        return  # no such locks there
    with suppress(OSError):
        found = [_DRAFT.fullmatch(one.name) for one in folder.iterdir()]
        for path in {folder / one[1] for one in found if one is not None} - _ours:
            with suppress(OSError):  # somebody is at it
                _sweep(path)


def _sweep(path: Path) -> None:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        _remove(path)  # its log alone was left
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        _remove(path)
    finally:
        os.close(handle)


def _made(folder: Path) -> tuple[Path, int]:
    """Return a draft, and the handle that holds its lock."""
    while True:
        path = folder / f".reverie-draft.{secrets.token_hex(8)}"
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        except OSError as error:
            raise os_fault(error, path) from error
        if sys.platform == "win32":
            return path, handle
        with suppress(OSError):  # a file system without such locks: nobody sweeps there
            fcntl.flock(handle, fcntl.LOCK_EX)
        if os.fstat(handle).st_nlink:
            return path, handle
        os.close(handle)  # swept before it was locked


def _remove(path: Path) -> None:
    for ending in _ENDINGS:
        with suppress(OSError):
            Path(f"{path}{ending}").unlink(missing_ok=True)
