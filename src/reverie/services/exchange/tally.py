"""Tally: counts and checksums of raw rows, by the same code for every engine."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Iterable
from typing import Any

from reverie.ports.transfer import RawRow


class Tally:
    """Takes rows in order; tells how many there were and the SHA-256 of their values.

    Each value is written with its type and length, so that no two different sequences of rows are written alike: text
    as UTF-8, floats as their 8 bytes, vectors as the bytes of their float32.
    """

    def __init__(self) -> None:
        self.rows = 0
        self._hash = hashlib.sha256()

    def add(self, rows: Iterable[RawRow]) -> None:
        """Take these rows too."""
        for row in rows:
            self.rows += 1
            self._hash.update(b"".join([_ENCODED[type(value)](value) for value in row]))
            self._hash.update(b"\n")

    @property
    def checksum(self) -> str:
        """Return the SHA-256 of all so far, as 64 hexadecimal digits."""
        return self._hash.hexdigest()

    def agrees_with(self, other: Tally) -> bool:
        """Return whether both were given the same rows in the same order."""
        return (self.rows, self.checksum) == (other.rows, other.checksum)


_ENCODED: dict[type, Callable[[Any], bytes]] = {
    type(None): lambda _: b"n",
    int: lambda value: b"i%d;" % value,
    float: lambda value: b"f" + struct.pack("<d", value + 0.0),  # SQLite keeps -0.0 as 0.0
    str: lambda value: b"t%d:%b" % (len(text := value.encode()), text),
    bytes: lambda value: b"b%d:%b" % (len(value), value),
}
