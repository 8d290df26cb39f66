"""A file that only its owner can read, whole or not at all."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from reverie.errors import DiskFull, InvalidInput

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_NEWLY = os.O_WRONLY | os.O_CREAT | os.O_EXCL


@contextmanager
def private_file(path: Path, *, overwrite: bool) -> Iterator[BinaryIO]:
    """A file that only its owner can read, and that is there once the block has ended well. Raises InvalidInput where
    one is there already, unless it is to be overwritten, and where it can't be made; DiskFull.
    """
    if not is_a_name(path):
        raise InvalidInput("FILE", f"{str(path)!r:.300} is no name of a file", "name another")
    if path.exists() and not path.is_file():
        raise InvalidInput("FILE", f"{str(path)!r:.300} is no regular file", "name another")
    if not overwrite and path.exists():
        raise _there(path)
    if not path.parent.is_dir():
        raise InvalidInput(
            "FILE", f"the folder {str(path.parent)!r:.300} does not exist", "make it, or name another"
        )
    draft = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        with _naming(path):
            handle = os.open(draft, _NEWLY, 0o600)
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        with _naming(path):
            if overwrite:
                draft.replace(path)
            else:
                os.link(draft, path)  # which replaces nothing, however late another came
    except OSError as error:
        if error.errno in _FULL:
            raise DiskFull(str(path), is_copy=True) from None
        raise
    finally:
        draft.unlink(missing_ok=True)


def is_a_name(path: Path) -> bool:
    """Whether a file can have that path: NUL, or half a character, stands in none."""
    with suppress(OSError):
        try:
            path.lstat()
        except ValueError:
            return False
    return True


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """What goes wrong with the file beside it is told of the file that was asked for. Raises InvalidInput."""
    try:
        yield
    except FileExistsError:
        raise _there(path) from None
    except OSError as error:
        if error.errno in _FULL:
            raise
        raise InvalidInput(
            "FILE",
            f"{str(path)!r:.300} can't be made ({error.strerror})",
            "name a place that you may write to",
        ) from None


def _there(path: Path) -> InvalidInput:
    return InvalidInput("FILE", f"{str(path)!r:.300} is there already", "name another, or add --force")
