"""Copies of a bank's file while it is in use, and a change of its key."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import apsw

from reverie.errors import Busy, DamagedFile, DiskFull, InvalidInput, KeyProblem, ReadOnly, StoreError
from reverie.store.sqlite.care import faults_in
from reverie.store.sqlite.connection import KEY_BYTES, Access, Handle, check_header, connect, keep_log
from reverie.store.sqlite.drafts import draft
from reverie.store.sqlite.place import checked_path, refuse_sides
from reverie.store.sqlite.schema import migrations, recognize

NewKey = Callable[[], tuple[bytes, str]]
"""Gives a key of 32 bytes and, for messages, where it lies."""

_PAGES = 2_048
"""So many are copied at once; others may write in between, since what is copied is one state."""


def back_up(handle: Handle, access: Access, to: Path) -> Path:
    """Write one state of the file to a new one under the same key, read that back whole, and only then give it its
    name. ``handle`` is a reader that is in no transaction.

    Raise InvalidInput (something is there already), DiskFull, ReadOnly, DamagedFile (of the bank, or of the copy).
    """
    goal = checked_path(to)
    refuse_sides(goal)
    if goal.exists():
        raise InvalidInput(
            "path", f"{goal} is there already", "choose a name that is free, or remove that file"
        )
    try:
        with draft(goal) as path:
            copy = replace(access, path=path, synchronous="full")
            _fill(handle.connection, access, copy)
            _prove(copy)
            _name(path, goal)
    except DiskFull:  # the copy alone is written here
        raise DiskFull(str(goal), is_copy=True) from None
    return goal


def rekey(access: Access, new: NewKey) -> None:
    """Encrypt the file with another key, page by page, in one transaction. Nobody else may have it open.

    ``new`` is called once the file is proven whole and nobody else can open it. What it gives is the key that the file
    may have from then on, whatever happens: killed in the middle, or after an error, it opens with that one or with
    the old one. Before that nothing is changed.

    Raise Busy, KeyProblem, InvalidInput (a plain file), DamagedFile, NotABank, NewerSchema, what ``connect`` and
    ``new`` raise.
    """
    if access.key is None:
        raise InvalidInput(
            "key", "the file is not encrypted", "copy it into an encrypted one: `reverie copy`"
        )
    check_header(access)
    handle = connect(access, writing=True)
    try:
        recognize(handle, access, migrations()[-1].number)
        _refuse_faults(handle, access)
        _alone(handle, access)
        key, source = new()
        if len(key) != KEY_BYTES:
            raise KeyProblem(f"the new key is not {KEY_BYTES} bytes long", "give 32 bytes, or 64 hex digits")
        with access.faults.named():
            told = handle.connection.execute(f"PRAGMA rekey = \"x'{key.hex()}'\"", can_cache=False).fetchall()
        if told != [("ok",)]:
            raise StoreError("this build of apsw can't change a key; install apsw-sqlite3mc")
    finally:
        handle.close()
    check_header(replace(access, key=key, key_source=source))


def _alone(handle: Handle, access: Access) -> None:
    """Leave the write-ahead log, which only the file's sole user can, and keep everybody out until the end."""
    try:
        with access.faults.named():
            mode = handle.connection.pragma("journal_mode", "delete")
            handle.connection.pragma("locking_mode", "exclusive")
            # The journal's end is the new key's beginning: it has to reach the disk before anybody hears of that.
            handle.connection.pragma("synchronous", "extra")
            handle.connection.execute("BEGIN EXCLUSIVE").fetchall()
            handle.connection.execute("COMMIT").fetchall()
    except Busy:
        mode = "wal"
    if mode != "delete":
        raise Busy(str(access.path), access.busy_seconds, alone=True)


def _fill(source: apsw.Connection, access: Access, copy: Access) -> None:
    target = connect(copy, writing=True)
    try:
        with access.faults.named():
            source.execute("BEGIN").fetchall()
            try:
                source.execute("SELECT COUNT(*) FROM sqlite_master").fetchall()  # from now on it is one state
                with target.connection.backup("main", source, "main") as backup:
                    while not backup.done:
                        backup.step(_PAGES)
            finally:
                source.execute("ROLLBACK").fetchall()
    finally:
        target.close()


def _prove(access: Access) -> None:
    """Read every page and index. Raise DamagedFile."""
    check_header(access)
    handle = connect(access, writing=True)
    try:
        recognize(handle, access, migrations()[-1].number)
        keep_log(handle, access)
        _refuse_faults(handle, access)
    finally:
        handle.close()


def _refuse_faults(handle: Handle, access: Access) -> None:
    """Read every page and index. Raise DamagedFile."""
    with access.faults.named():
        faults = [*faults_in(handle)]
    if faults:
        raise DamagedFile(str(access.path))


def _name(path: Path, goal: Path) -> None:
    """The copy under its name, on the disk; whoever made a file of that name meanwhile keeps it."""
    try:
        _sync(path)
        os.link(path, goal)
        path.unlink()
        _sync(goal.parent)
    except FileExistsError:
        raise InvalidInput("path", f"{goal} is there already", "choose a name that is free") from None
    except PermissionError as error:
        raise ReadOnly(str(goal)) from error
    except OSError as error:
        raise DiskFull(str(goal), is_copy=True) from error


def _sync(path: Path) -> None:
    if os.name != "posix":
        return  # a handle for reading can't be flushed there, nor can a folder
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
