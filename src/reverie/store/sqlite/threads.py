"""Which messages stand beside which: rows found by their place in a conversation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TAIL_LEAST = 2048  # rows that may wait unsorted, at least, and
_TAIL_SHARE = 32  # otherwise one for so many sorted ones: a question sorts the waiting ones anew


@dataclass(frozen=True, slots=True, eq=False)
class Threads:
    """Rows by conversation and position: those below ``upto`` sorted, the newest ones looked through at each question.

    Immutable. Of rows with one place, a message that was stored anew, the last one counts.
    """

    keys: NDArray[np.int64]
    rows: NDArray[np.int32]
    upto: int

    @classmethod
    def empty(cls) -> Self:
        """No rows yet."""
        return cls(np.empty(0, np.int64), np.empty(0, np.int32), 0)

    def grown(self, conversation: NDArray[np.int32], position: NDArray[np.int32]) -> Self:
        """Return the same for columns of more rows: sorted once enough of them wait."""
        length = len(conversation)
        if length - self.upto <= max(_TAIL_LEAST, self.upto // _TAIL_SHARE):
            return self
        keys = _key(conversation, position)
        order = np.argsort(keys, kind="stable").astype(np.int32)
        return type(self)(keys[order], order, length)

    def find(
        self,
        conversation: NDArray[np.int32],
        position: NDArray[np.int32],
        rows: NDArray[np.intp],
        offset: int,
    ) -> NDArray[np.intp]:
        """Return for each of ``rows`` the row that stands ``offset`` messages behind it (before it, where negative) in
        its conversation, −1 where none does. The columns are of all rows.
        """
        wanted = _key(conversation[rows], position[rows] + offset)
        late = _key(conversation[self.upto :], position[self.upto :])
        order = np.argsort(late, kind="stable")
        found = _last(late[order], order + self.upto, wanted)
        missing = np.flatnonzero(found < 0)
        if len(missing) and len(self.keys):
            found[missing] = _last(self.keys, self.rows, wanted[missing])
        return found


def _key(conversation: NDArray[np.int32], position: NDArray[np.int32]) -> NDArray[np.int64]:
    return (conversation.astype(np.int64) << 32) | (position.astype(np.int64) & 0xFFFFFFFF)


def _last(keys: NDArray[np.int64], rows: NDArray[np.integer], wanted: NDArray[np.int64]) -> NDArray[np.intp]:
    """Return the last row of each wanted key among sorted keys, −1 where there is none."""
    found = np.full(len(wanted), -1, np.intp)
    if len(keys):
        places = keys.searchsorted(wanted, side="right") - 1
        hit = (places >= 0) & (keys[places] == wanted)
        found[hit] = rows[places[hit]]
    return found
