"""Files that commands read and write: input bounded, output whole or not at all and for its owner alone."""

from __future__ import annotations

import errno
import os
import secrets
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from reverie.doors.cli.command import Door
from reverie.doors.formats.bounded import lines_of, text_of
from reverie.errors import DiskFull, InvalidInput

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_NEWLY = os.O_WRONLY | os.O_CREAT | os.O_EXCL


@contextmanager
def read_file(name: str, door: Door, holds: str = "messages") -> Iterator[Iterator[bytes]]:
    """Yield the lines of a file, or of standard input for ``-``. ``holds`` tells people what it should hold. Raises
    InvalidInput.
    """
    with _stream(name, door, f"{holds}, one JSON object a line", f"a file of {holds}") as stream:
        yield lines_of(stream)


def read_text(name: str, door: Door, what: str, most_bytes: int, field: str = "FILE") -> str:
    """Return the text of a file, or of standard input for ``-``. Raises InvalidInput."""
    with _stream(name, door, what, f"a file with {what}") as stream:
        read = text_of(stream, most_bytes)
    try:
        return read.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInput(field, "it is not UTF-8 text", "store it as UTF-8") from None


@contextmanager
def _stream(name: str, door: Door, what: str, remedy: str) -> Iterator[BinaryIO]:
    if name == "-":
        if sys.stdin.isatty():
            door.out.say(f"reading {what}; end with Ctrl-D")
        yield sys.stdin.buffer
        return
    with ExitStack() as stack:
        try:
            stream = stack.enter_context(Path(name).open("rb"))
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is no path"
            raise InvalidInput(
                "FILE", f"{name!r:.300} can't be read ({reason})", f"give {remedy}, or -"
            ) from None
        yield stream


@contextmanager
def private_file(path: Path, *, overwrite: bool) -> Iterator[BinaryIO]:
    """Yield a file that only its owner can read, and that exists once the block has ended well. Raises InvalidInput
    where one exists, unless it is to be overwritten, and where it can't be made; DiskFull.
    """
    if not is_a_name(path):
        raise InvalidInput("FILE", f"{str(path)!r:.300} is no name of a file", "name another")
    if path.exists() and not path.is_file():
        raise InvalidInput("FILE", f"{str(path)!r:.300} is no regular file", "name another")
    if not overwrite and path.exists():
        raise _exists(path)
    if not path.parent.is_dir():
        folder = f"{str(path.parent)!r:.300}"
        raise InvalidInput("FILE", f"the folder {folder} does not exist", "make it, or name another")
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
    """Return whether a file can have that path: NUL, or half a character, stands in none."""
    with suppress(OSError):
        try:
            path.lstat()
        except ValueError:
            return False
    return True


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Report what goes wrong with the draft by the name that was asked for. Raises InvalidInput."""
    try:
        yield
    except FileExistsError:
        raise _exists(path) from None
    except OSError as error:
        if error.errno in _FULL:
            raise
        problem = f"{str(path)!r:.300} can't be made ({error.strerror})"
        raise InvalidInput("FILE", problem, "name a place that you may write to") from None


def _exists(path: Path) -> InvalidInput:
    return InvalidInput("FILE", f"{str(path)!r:.300} is there already", "name another, or add --force")
