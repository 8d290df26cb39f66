"""The bank's file before SQLite has it: a usable path, made private, and its first bytes."""

from __future__ import annotations

import errno
import os
import stat
import threading
from contextlib import suppress
from pathlib import Path

import apsw

from reverie.errors import DiskFull, InvalidInput, NoBank, ReadOnly, StoreError
from reverie.errors.showing import typed

PLAIN_HEADER = b"SQLite format 3\0"
SIDES = ("-wal", "-shm", "-journal", "-rekey")
"""What a bank's name has added in the names of its side files: SQLite's own, and that of an interrupted rekey."""

# Closing any descriptor of a file drops all locks that this process holds on it (POSIX): so the descriptor
# that makes a file must be closed before a connection of this process can exist, and headers are read through
# SQLite, which knows its own locks.
_MAKING = threading.Lock()


def checked_path(path: object) -> Path:
    """Return the absolute path of a bank. Raise InvalidInput for what can't be a file in an existing folder."""
    if not isinstance(path, str | os.PathLike):
        raise InvalidInput("path", f"{typed(path)} is not a path", "give a str or a pathlib.Path")
    text = os.fspath(path)
    if not isinstance(text, str) or not text or "\0" in text or text == ":memory:":
        raise InvalidInput("path", "it names no file", "give the path of the bank's file")
    try:
        resolved = Path(text).resolve()
        is_folder, has_folder = resolved.is_dir(), resolved.parent.is_dir()
        irregular = resolved.exists() and not resolved.is_file()
    except (OSError, RuntimeError, ValueError):
        raise InvalidInput("path", "it can't be followed", "give the path of the bank's file") from None
    if is_folder:
        raise InvalidInput("path", f"{resolved} is a folder", "give the path of a file inside it")
    if irregular:
        raise _irregular(resolved)
    if not has_folder:
        raise InvalidInput(
            "path", f"the folder {resolved.parent} does not exist", "make it, or choose another path"
        )
    return resolved


def refuse_side(path: Path, field: str, bank: Path | None = None) -> None:
    """Raise InvalidInput where the side file of a bank belongs, that of ``bank`` or of a file that is there: SQLite or
    a change of keys would overwrite or remove what lies there.
    """
    owner = _owner(path, bank)
    if owner is not None:
        raise InvalidInput(field, f"{path} belongs to the file {owner}", "choose another name")


def _owner(path: Path, bank: Path | None) -> Path | None:
    """Return the file whose side file that would be. Case is disregarded, as some file systems do."""
    with suppress(OSError, RuntimeError, ValueError):  # others tell that a place can't be followed
        own = None if bank is None else str(bank.resolve()).casefold()
        for place in (path.parent.resolve() / path.name, path.resolve()):
            for side in SIDES:
                if place.name[-len(side) :].casefold() == side != place.name.casefold():
                    owner = place.with_name(place.name[: -len(side)])
                    if owner.is_file() or str(owner.resolve()).casefold() == own:
                        return owner
    return None


def refuse_sides(path: Path) -> None:
    """Raise InvalidInput where a new bank would be another's side file, or has others' files where its own belong."""
    refuse_side(path, "path")
    for taken in (one for side in SIDES if os.path.lexists(one := f"{path}{side}")):
        if not path.exists():  # else it was made meanwhile, and this belongs to it
            raise InvalidInput(
                "path", f"{taken} lies where a side file of {path} belongs", "choose another name, or move it"
            )


def make_private(path: Path) -> None:
    """Make an empty file that its owner alone may read, unless there is a file; its log takes over the mode.

    Raise ReadOnly, DiskFull or InvalidInput.
    """
    if not path.exists():
        refuse_sides(path)
    with _MAKING:
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        except FileExistsError:
            return
        except OSError as error:
            raise os_fault(error, path) from error


def header(path: Path) -> bytes:
    """Return the first 16 bytes; fewer if the file is shorter. A link to a file is followed, as ``checked_path`` does.

    Raise NoBank, InvalidInput for what is no regular file (opening a pipe would wait for ever), StoreError.
    """
    system = next(name for name in apsw.vfs_names() if not name.startswith("multipleciphers"))
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_MAIN_DB
    resolved = _regular(path)
    try:
        file = apsw.VFSFile(system, str(resolved), [flags, 0])
        try:
            return bytes(file.xRead(min(16, file.xFileSize()), 0)) if file.xFileSize() else b""
        finally:
            file.xClose()
    except apsw.Error as error:
        allowed = os.access(resolved, os.R_OK)
        raise _unreadable(resolved, "the system refused" if allowed else "permission denied") from error


def _regular(path: Path) -> Path:
    """Return where the file really lies: SQLite opens no links by itself."""
    try:
        resolved = path.resolve()
        mode = resolved.stat().st_mode
    except FileNotFoundError:
        raise NoBank(str(path)) from None
    except (OSError, RuntimeError) as error:
        why = error.strerror if isinstance(error, OSError) else None
        raise _unreadable(path, why or "its link leads nowhere") from error
    if not stat.S_ISREG(mode):
        raise _irregular(resolved)
    return resolved


def _irregular(path: Path) -> InvalidInput:
    return InvalidInput("path", f"{path} is not a regular file", "give the path of a bank's file")


def _unreadable(path: Path, why: str) -> StoreError:
    return StoreError(
        f"{path} can't be read ({why}); make it a readable file of yours, or choose another path"
    )


def os_fault(error: OSError, path: Path) -> StoreError | InvalidInput:
    """Return the error of ours for a file that the system didn't make."""
    match error.errno:
        case errno.EACCES | errno.EPERM | errno.EROFS:
            return ReadOnly(str(path))
        case errno.ENOSPC | errno.EDQUOT:
            return DiskFull(str(path))
        case errno.ENAMETOOLONG | errno.EINVAL:
            return InvalidInput("path", "the file system takes no such name", "choose another path")
        case _:
            return StoreError(f"{path} can't be made ({error.strerror}); choose another path")
