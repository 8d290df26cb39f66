"""Bounded reading of a file or a pipe, which may have no end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from reverie.errors import InvalidInput

MOST_BYTES = 256 << 20
_MIB = 1 << 20


def lines_of(stream: BinaryIO) -> Iterator[bytes]:
    """Yield its lines, as they are read. Raises InvalidInput at one of more than ``MOST_BYTES``."""
    while line := stream.readline(MOST_BYTES + 1):
        if len(line) > MOST_BYTES:
            raise _too_long("a line of it")
        yield line


def whole(lines: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the lines, for a caller that keeps all of them. Raises InvalidInput where they exceed ``MOST_BYTES``."""
    left = MOST_BYTES
    for line in lines:
        left -= len(line)
        if left < 0:
            raise _too_long("it")
        yield line


def text_of(stream: BinaryIO, most_bytes: int) -> bytes:
    """Return all of it. Raises InvalidInput where that is more than ``most_bytes``."""
    read = stream.read(most_bytes + 1)
    if len(read) > most_bytes:
        raise InvalidInput("TEXT", f"it is longer than {most_bytes:,} bytes", "shorten it")
    return read


def _too_long(what: str) -> InvalidInput:
    return InvalidInput("FILE", f"{what} is longer than {MOST_BYTES // _MIB} MiB", "split the file")
