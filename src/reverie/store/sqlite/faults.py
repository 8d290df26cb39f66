"""What SQLite raises, in the words of ``reverie.errors``.

Texts of the engine are never passed on: some quote the statement or its values.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import apsw

from reverie.errors import Busy, DamagedFile, DiskFull, InvalidInput, ReadOnly, ReverieError, StoreError

_DAMAGE = {apsw.SQLITE_IOERR_DATA, apsw.SQLITE_IOERR_CORRUPTFS, apsw.SQLITE_IOERR_SHORT_READ}
_FULL_BELOW = 1 << 20  # bytes


@dataclass(frozen=True, slots=True)
class Faults:
    """Names an engine's exceptions for one file."""

    path: Path
    busy_seconds: float

    @contextmanager
    def named(self) -> Iterator[None]:
        """Whatever the engine raises inside comes out as one of ours."""
        try:
            yield
        except (apsw.Error, UnicodeEncodeError, OverflowError) as error:
            raise self.of(error) from error

    def of(self, error: Exception) -> ReverieError:
        """Return the exception of ours for one of the engine's."""
        where = str(self.path)
        match error:
            case apsw.BusyError() | apsw.LockedError():
                return Busy(where, self.busy_seconds)
            case apsw.CorruptError() | apsw.NotADBError():
                return DamagedFile(where)
            case apsw.FullError():
                return DiskFull(where)
            case apsw.ReadOnlyError() | apsw.CantOpenError() | apsw.PermissionsError():
                return ReadOnly(where)
            case apsw.ConstraintError():
                return InvalidInput("row", "its id, ref, position or version is taken", "give each its own")
            case UnicodeEncodeError():
                return InvalidInput("text", "it holds a lone surrogate", "pass it through normalized(…)")
            case OverflowError():
                return InvalidInput("number", "it does not fit 64 bits", "give a smaller one")
            case apsw.IOError():
                return self._of_io(error)
            case _:
                return StoreError(f"{where}: SQLite refused ({type(error).__name__}); please report this")

    def _of_io(self, error: apsw.Error) -> ReverieError:
        # A full disk is not always told as one: a log's index that can't grow is an input/output error.
        code = getattr(error, "extendedresult", 0)
        if code in _DAMAGE:
            return DamagedFile(str(self.path))
        try:
            free = shutil.disk_usage(self.path.parent).free
        except OSError:
            free = _FULL_BELOW
        if free < _FULL_BELOW:
            return DiskFull(str(self.path))
        return StoreError(
            f"{self.path}: the operating system failed to read or write it (SQLite code {code});"
            " this write was undone: look after the disk, then repeat it"
        )
