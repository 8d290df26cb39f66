"""What is to be imported, as documents: a file, the files of a folder or a zip, lines, or values of a program."""

from __future__ import annotations

import io
import os
import stat
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast
from zipfile import BadZipFile, ZipFile, is_zipfile

from reverie.domain.message import MAX_AT_ONCE
from reverie.errors import InvalidInput
from reverie.errors.showing import shown
from reverie.services.exchange.foreign import json_values
from reverie.services.exchange.foreign.items import Skip, broken

Line = bytes | str | Mapping[str, object]
Source = str | os.PathLike[str] | Mapping[str, object] | Iterable[Line]
"""A path; lines of a file; or values that were read already."""

MOST_TEXT = 256 << 20
"""Bytes of a document that is read as a whole: WhatsApp, Markdown, plain text."""
_HEAD = 1 << 18
_MOST_FILES = 1_000_000
_ZIP = ".zip"
_ZIPPED = (b"PK\x03\x04", b"PK\x05\x06")
UNKNOWN = "file of no known kind"
SUFFIXES = frozenset({".json", ".jsonl", ".ndjson", ".md", ".markdown", ".txt"})


@dataclass(frozen=True, kw_only=True)
class Text:
    """A document of bytes, read once: its ``head`` first, then the rest."""

    name: str
    head: bytes
    rest: BinaryIO
    size: int = 0
    modified: datetime | None = None
    alone: bool = True
    """Whether the source holds no other."""

    @property
    def position(self) -> int:
        """Return how many bytes were read of it, as far as that can be told."""
        try:
            return self.rest.tell()
        except (OSError, ValueError):  # closed, or no file
            return 0

    def values(self) -> Iterator[json_values.Placed | Skip]:
        """Yield its JSON values."""
        return json_values.values(self._reader())

    def text(self) -> str:
        """Return all of it. Raises InvalidInput where that is more than ``MOST_TEXT`` bytes, or no UTF-8."""
        read = self._reader()
        raw = b"".join(iter(lambda: read(1 << 20), b"")) if self.size <= MOST_TEXT else b""
        if self.size > MOST_TEXT or len(raw) > MOST_TEXT:
            raise InvalidInput("source", f"it is longer than {MOST_TEXT >> 20} MiB", "split the file")
        try:
            return raw.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            problem = f"byte {error.start + 1} is not UTF-8"
            raise InvalidInput("source", problem, "save the file as UTF-8") from None

    def looked_into(self, most: int) -> Text:
        """Return the document with a head of so many bytes."""
        with _readable():
            return replace(self, head=self.head + self.rest.read(most - len(self.head)))

    def _reader(self) -> json_values.Read:
        head = io.BytesIO(self.head)

        def read(size: int) -> bytes:
            with _readable():
                return head.read(size) or self.rest.read(size)

        return read


@dataclass(frozen=True, kw_only=True)
class Values:
    """Values that a program gives."""

    name: str
    given: Iterable[object]
    size: int = 0
    position: int = 0
    modified: datetime | None = None
    alone: bool = True

    def values(self) -> Iterator[json_values.Placed | Skip]:
        """Yield them."""
        for number, value in enumerate(self.given, 1):
            if number > MAX_AT_ONCE:
                raise InvalidInput(
                    "source", f"it holds more than {MAX_AT_ONCE:,} values", "give fewer at once"
                )
            yield from json_values.contained(f"item {number}", value)


Document = Text | Values


def documents(source: object) -> Iterator[Document | Skip]:
    """Yield what a source holds, one after the other: each is to be read before the next; and what was passed over.
    Raises InvalidInput.
    """
    if isinstance(source, Mapping):
        yield Values(name="", given=[source])
    elif isinstance(source, str | os.PathLike):
        yield from _of_path(source)
    elif isinstance(source, Iterable) and not isinstance(source, bytes | bytearray):
        yield _of_lines(iter(source))
    else:
        raise InvalidInput("source", f"{shown(source)} is no source", "give a path, or lines")


def size_of(source: object) -> int:
    """Return how many bytes a path holds; 0 for what is no path or can't be looked at."""
    if not isinstance(source, str | os.PathLike):
        return 0
    try:
        path = Path(source)
        files = _files(path) if path.is_dir() else [path]
        return sum(_size(one) for one in files if isinstance(one, Path))
    except (OSError, TypeError, ValueError, BadZipFile):
        return 0


def _size(path: Path) -> int:
    if path.is_file() and path.suffix.lower() == _ZIP and is_zipfile(path):
        with ZipFile(path) as archive:
            return sum(archive.getinfo(name).file_size for name in _wanted(archive))
    return path.stat().st_size


def _of_path(source: str | os.PathLike[str]) -> Iterator[Document | Skip]:
    with _readable():
        path = Path(source)
        if not path.is_dir():
            yield from _of_file(path, path.name, alone=True)
            return
        for file in _files(path):
            if isinstance(file, Skip):
                yield file
            else:
                name = file.relative_to(path).as_posix()
                yield from _or_broken(name, _of_file(file, name, alone=False))


def _or_broken(name: str, found: Iterator[Document | Skip]) -> Iterator[Document | Skip]:
    """Yield what is found, or that it can't be read."""
    try:
        yield from found
    except InvalidInput as error:
        yield broken(name, error.problem)


def _of_file(file: Path, name: str, *, alone: bool) -> Iterator[Document | Skip]:
    """Yield a file, or what a zip holds; it is open only while it is read, and only once: it may be a pipe."""
    with _readable(), file.open("rb") as stream:
        head, there = stream.read(_HEAD), file.stat()
        if head.startswith(_ZIPPED):
            yield from _of_zip(stream, name, alone=alone)
            return
        if alone and not head:
            raise _empty()
        yield Text(
            name=name, head=head, rest=stream, size=there.st_size, alone=alone,
            modified=datetime.fromtimestamp(max(there.st_mtime, 0), UTC),
        )  # fmt: skip


def _files(folder: Path) -> list[Path | Skip]:
    """Return the files of a folder that a reader may know, by name, and what else is in it. Hidden ones
    aren't even counted.
    """
    found: list[Path | Skip] = []
    passed = Counter[str]()

    def locked(error: OSError) -> None:
        where = Path(error.filename).relative_to(folder).as_posix()
        found.append(broken(where, f"the folder can't be read ({error.strerror})"))

    for place, folders, names in os.walk(folder, onerror=locked):
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        for file in (Path(place) / name for name in sorted(names) if not name.startswith(".")):
            if _is_special(file):
                passed["link or pipe"] += 1
            elif file.suffix.lower() in (*SUFFIXES, _ZIP):
                found.append(file)
            else:
                passed[UNKNOWN] += 1
        if len(found) > _MOST_FILES:
            raise InvalidInput(
                "source", f"the folder holds more than {_MOST_FILES:,} files", "give a part of it"
            )
    return [*found, *(Skip(reason=reason, count=count) for reason, count in passed.items())]


def _is_special(file: Path) -> bool:
    try:
        return not stat.S_ISREG(file.lstat().st_mode)
    except OSError:  # who opens it says why
        return False


def _of_zip(stream: BinaryIO, its_name: str, *, alone: bool) -> Iterator[Document | Skip]:
    """Yield the files of a zip. ``alone``: the source holds nothing else."""
    with ZipFile(stream) as archive:
        names = sorted(_wanted(archive))
        if not names:
            raise InvalidInput("source", "the zip holds no file of a known kind", "give the export itself")
        for name in names:
            only = alone and len(names) == 1
            found = _of_member(archive, name, its_name, alone=only)
            yield from found if only else _or_broken(name if alone else f"{its_name}/{name}", found)
        if others := sum(not one.is_dir() for one in archive.infolist()) - len(names):
            yield Skip(reason=UNKNOWN, count=others)


def _of_member(archive: ZipFile, name: str, its_name: str, *, alone: bool) -> Iterator[Document]:
    is_chat = PurePosixPath(name).name == "_chat.txt"  # WhatsApp's, which the zip's name names
    with _readable(), archive.open(name) as stream:
        yield Text(
            name=str(PurePosixPath(its_name).with_suffix(".txt")) if is_chat else name,
            head=stream.read(_HEAD), rest=cast(BinaryIO, stream), size=archive.getinfo(name).file_size, alone=alone,
        )  # fmt: skip


def _wanted(archive: ZipFile) -> list[str]:
    """Return the conversations of an export where there are any, else every file that a reader may know."""
    names = [
        name
        for name, path in ((one, PurePosixPath(one)) for one in archive.namelist())
        if path.suffix.lower() in SUFFIXES and not path.name.startswith(".") and "__MACOSX" not in name
    ]
    chats = [name for name in names if PurePosixPath(name).name.startswith("conversations")]
    return chats or names


def _of_lines(lines: Iterator[object]) -> Document:
    first = next(lines, None)
    if first is None:
        raise _empty()
    if not isinstance(first, bytes | str):
        return Values(name="", given=chain([first], lines))
    rest = io.BufferedReader(_Lines(chain([first], lines)))
    return Text(name="", head=rest.read(_HEAD), rest=rest)


class _Lines(io.RawIOBase):
    """Lines as a stream."""

    def __init__(self, lines: Iterator[object]) -> None:
        self._lines, self._left = lines, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # the only buffer that is handed in
        while not self._left:
            line = next(self._lines, None)
            if line is None:
                return 0
            if not isinstance(line, bytes | str):
                raise InvalidInput("source", f"{shown(line)} is no line", "give bytes or text alone")
            raw = line.encode("utf-8", "surrogatepass") if isinstance(line, str) else bytes(line)
            self._left = raw if raw.endswith(b"\n") else raw + b"\n"
        count = min(len(buffer), len(self._left))
        buffer[:count], self._left = self._left[:count], self._left[count:]
        return count


def _empty() -> InvalidInput:
    return InvalidInput("source", "it is empty", "give what the other program wrote")


@contextmanager
def _readable() -> Iterator[None]:
    """Raise InvalidInput where a file or a zip can't be read. It names no path: somebody may give a secret as one."""
    try:
        yield
    except OSError as error:
        problem = f"it can't be read ({error.strerror or type(error).__name__})"
        raise InvalidInput("source", problem, _FILE) from None
    except InvalidInput:
        raise
    except ValueError:
        raise InvalidInput("source", "it is no path", _FILE) from None
    except (BadZipFile, zlib.error, EOFError, RuntimeError) as error:
        problem = f"the zip can't be read ({type(error).__name__})"
        raise InvalidInput("source", problem, "unpack it, and give the file in it") from None


_FILE = "give a file or a folder that you may read"
