"""A user's own secret in a file: there whole or not at all, and readable by its owner alone."""

from __future__ import annotations

import os
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

if sys.platform != "win32":
    import fcntl

_MOST_BYTES = 65_536


def put_once(path: Path, text: str) -> None:
    """Write ``text`` beside ``path`` and link it into place. Whoever comes second, or is killed, leaves the first file
    alone. The folder is made if it isn't there. All of it is on the disk when this returns. Raises OSError, ValueError
    (a path that no file can have).
    """
    _put(path, text, replaces=False)


def put(path: Path, text: str) -> None:
    """As ``put_once``, but what was there before is replaced."""
    _put(path, text, replaces=True)


def _put(path: Path, text: str, *, replaces: bool) -> None:
    made = [folder for folder in path.parents if not folder.exists()]
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if replaces:
            draft.replace(path)
        else:
            with suppress(FileExistsError):  # another process was first: its secret is the secret
                os.link(draft, path)
    finally:
        draft.unlink(missing_ok=True)
    for folder in dict.fromkeys((path.parent, *(one.parent for one in made))):
        sync(folder)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Let nobody else who asks so change the file meanwhile, in this process or another. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle = os.open(path.with_name(f".{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if sys.platform != "win32":
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def sync(path: Path) -> None:
    """Flush a file, or the names in a folder, to the disk. Raises OSError."""
    if os.name != "posix":
        return  # a handle for reading can't be flushed there, nor can a folder
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def read(path: Path) -> str:
    """Return what stands in the file, or the beginning of a file too long for a secret. Raises OSError, ValueError."""
    with path.open("rb") as file:
        return file.read(_MOST_BYTES).decode("ascii").strip()


def open_to_others(path: Path) -> bool:
    """Return whether anybody but its owner may read or write the file. Raises OSError, ValueError."""
    return os.name == "posix" and bool(stat.S_IMODE(path.stat().st_mode) & 0o077)


def why(error: OSError | ValueError) -> str:
    """Return what went wrong with a file, without its path."""
    return error.strerror or "no reason given" if isinstance(error, OSError) else "no file has such a name"
