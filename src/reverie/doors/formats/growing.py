"""A file that others append to: its lines as they come, also when it is cut off or replaced by a new one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

from reverie.doors.formats.jsonl import NumberedLine

_MOST_AT_ONCE = 4 << 20
_MOST_LINE = 16 << 20
"""A longer line is handed on in pieces: it is no message."""
_REMEMBERED = 64


class GrowingFile:
    """Reads whole lines; what follows the last line's end waits for more.

    A file that is shorter than what was read, or has other bytes there, was truncated or rewritten: it is read from
    its beginning. One that another replaced (log rotation) is read to its end first. Lines are numbered from 1 in
    each. Raises OSError where a file can't be read; one that is gone for the moment is waited for.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO | None = None
        self.restarts = 0
        """How often it began anew."""
        self._offset = self._number = 0
        self._partial = self._before = b""

    def skip(self) -> None:
        """Skip the lines that are there now."""
        while self.lines():
            pass

    def lines(self) -> list[NumberedLine]:
        """Return lines that came since the last call: some, where there are many; none once all are read."""
        if self._file is None and not self._open():
            return []
        found = self._more()
        if found or not self._is_replaced():
            return found
        found = self._more() + self.rest()  # what came between the two looks
        self._close()
        self.restarts += 1
        return found + (self.lines() if self._open() else [])

    def rest(self) -> list[NumberedLine]:
        """Return what follows the last line's end, as the line that it will be if nothing more comes."""
        if not self._partial:
            return []
        self._number += 1
        line, self._partial = (self._number, self._partial), b""
        return [line]

    def close(self) -> None:
        """Close the file."""
        self._close()

    def _open(self) -> bool:
        try:
            self._file = self._path.open("rb")
        except FileNotFoundError:
            return False
        self._begin()
        return True

    def _begin(self) -> None:
        self._offset = self._number = 0
        self._partial = self._before = b""

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
        self._file = None

    def _more(self) -> list[NumberedLine]:
        new = self._read()
        found: list[NumberedLine] = []
        while new and not found:
            *whole, self._partial = (self._partial + new).split(b"\n")
            found = [(self._number + place, line) for place, line in enumerate(whole, 1)]
            self._number += len(whole)
            if len(self._partial) > _MOST_LINE:
                found += self.rest()
            new = b"" if found else self._read()
        return found

    def _read(self) -> bytes:
        """Return the next bytes, after a check of those before them."""
        assert self._file is not None
        self._file.seek(self._offset - len(self._before))
        read = self._file.read(len(self._before) + _MOST_AT_ONCE)
        if not read.startswith(self._before):
            self._begin()
            self.restarts += 1
            self._file.seek(0)
            read = self._file.read(_MOST_AT_ONCE)
        new = read[len(self._before) :]
        self._offset += len(new)
        self._before = read[-_REMEMBERED:]
        return new

    def _is_replaced(self) -> bool:
        """Return whether another file has the name now. No file is no other: a writer may be between the two."""
        assert self._file is not None
        try:
            there = self._path.stat()
        except FileNotFoundError:
            return False
        return not os.path.samestat(there, os.fstat(self._file.fileno()))
