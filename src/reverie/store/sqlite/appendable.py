"""An array that grows at its end while older readers keep reading: the ground that snapshots share."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Self

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

_SPARE = 8  # a grown buffer holds one eighth more than it needs: small banks stay small, copying stays rare


class _Buffer:
    """Memory that several values look at. What lies below `used` is never written again."""

    __slots__ = ("array", "lock", "used")

    def __init__(self, array: NDArray[Any], used: int) -> None:
        self.array = array
        self.used = used
        self.lock = threading.Lock()


class Appendable:
    """The first `len(self)` rows of a shared buffer; immutable as seen through any one value.

    `append` returns a longer value. It writes into spare capacity that no older value can see, or copies
    when there is none, or when another value has grown from the same point already. Appending a few
    rows to n costs O(few) amortised. Readers need no lock; `rows` is a read-only view.
    """

    __slots__ = ("_buffer", "rows")

    def __init__(self, buffer: _Buffer, length: int) -> None:
        self._buffer = buffer
        self.rows: NDArray[Any] = buffer.array[:length]
        self.rows.flags.writeable = False

    @classmethod
    def empty(cls, dtype: DTypeLike, width: int | None = None) -> Self:
        """No rows of `dtype`: numbers, or with `width` given, vectors of that length."""
        return cls(_Buffer(np.empty((0,) if width is None else (0, width), dtype), 0), 0)

    @classmethod
    def of(cls, array: NDArray[Any]) -> Self:
        """Return the rows of `array`, which the caller gives away: nobody may write to it afterwards."""
        return cls(_Buffer(array, len(array)), len(array))

    def __len__(self) -> int:
        return len(self.rows)

    def append(self, values: NDArray[Any]) -> Self:
        """These rows and then `values`, of the same row shape; self stays as it is."""
        old, length = self._buffer, len(self.rows)
        total = length + len(values)
        with old.lock:
            if old.used == length and total <= len(old.array):
                old.array[length:total] = values
                old.used = total
                return type(self)(old, total)
        room = total + (total // _SPARE if length else 0)  # a first, bulk append gets exactly what it needs
        array = np.empty((room, *self.rows.shape[1:]), self.rows.dtype)
        array[:length] = self.rows
        array[length:total] = values
        return type(self)(_Buffer(array, total), total)
