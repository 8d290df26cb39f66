"""Postings as arrays: unsorted occurrences as they come in, and the sorted segment they are merged into."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from reverie.store.sqlite.appendable import Appendable

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, kw_only=True, slots=True)
class Occurrences:
    """Postings in order of arrival, three columns of one length: term, row, how often it stands there."""

    keys: Appendable
    rows: Appendable
    tfs: Appendable

    @classmethod
    def empty(cls) -> Self:
        """No postings."""
        return cls(
            keys=Appendable.empty(np.int64), rows=Appendable.empty(np.int32), tfs=Appendable.empty(np.float32)
        )

    def __len__(self) -> int:
        return len(self.keys)

    def append(self, keys: NDArray[np.int64], rows: NDArray[np.int32]) -> Self:
        """These and one for each distinct pair of `keys` and `rows`; `rows` ascends, and is new here."""
        order = np.argsort(keys, kind="stable")
        keys, rows = keys[order], rows[order]
        first = np.ones(len(keys), np.bool_)
        first[1:] = (keys[1:] != keys[:-1]) | (rows[1:] != rows[:-1])
        starts = np.flatnonzero(first)
        tfs = np.diff(starts, append=len(keys)).astype(np.float32)
        return type(self)(
            keys=self.keys.append(keys[starts]), rows=self.rows.append(rows[starts]), tfs=self.tfs.append(tfs)
        )

    def find(self, key: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return rows and term frequencies of one term; read every key."""
        at = np.flatnonzero(self.keys.rows == key)
        return self.rows.rows[at], self.tfs.rows[at]


@dataclass(frozen=True, kw_only=True, slots=True)
class Segment:
    """Postings by term: those of keys[i] lie in rows and tfs from starts[i] to starts[i + 1], rows ascending.

    A key is the 64-bit hash of a term; `keys` ascends.
    """

    keys: NDArray[np.int64]
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    tfs: NDArray[np.float32]

    @classmethod
    def empty(cls) -> Self:
        """No postings."""
        return cls(
            keys=np.empty(0, np.int64),
            starts=np.zeros(1, np.int64),
            rows=np.empty(0, np.int32),
            tfs=np.empty(0, np.float32),
        )

    def __len__(self) -> int:
        return len(self.rows)

    def find(self, key: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Return rows and term frequencies of one term, as views."""
        at = int(self.keys.searchsorted(key))
        if at == len(self.keys) or self.keys[at] != key:
            return self.rows[:0], self.tfs[:0]
        part = slice(self.starts[at], self.starts[at + 1])
        return self.rows[part], self.tfs[part]

    def merged(self, tail: Occurrences) -> Self:
        """These postings and those of `tail`, whose rows all lie above the rows here; linear in these."""
        order = np.argsort(tail.keys.rows, kind="stable")
        tail_keys = tail.keys.rows[order]
        new_keys, first = np.unique(tail_keys, return_index=True)
        added = np.diff(first, append=len(tail_keys))
        at = np.searchsorted(self.keys, new_keys)
        known = at < len(self.keys)
        known[known] = self.keys[at[known]] == new_keys[known]

        sizes = np.diff(self.starts)
        ends = self.starts[at + known]  # behind the term's own postings, or before the next term's
        where = np.repeat(ends, added)
        sizes = np.insert(sizes, at[~known], 0)
        keys = np.insert(self.keys, at[~known], new_keys[~known])
        sizes[np.searchsorted(keys, new_keys)] += added
        return type(self)(
            keys=keys,
            starts=_starts(sizes),
            rows=np.insert(self.rows, where, tail.rows.rows[order]),
            tfs=np.insert(self.tfs, where, tail.tfs.rows[order]),
        )

    def renumbered(self, row_of: NDArray[np.int32]) -> Self:
        """Return each row r as row_of[r], and without the postings of rows where that is negative; order is kept."""
        rows = row_of.take(self.rows)
        stays = rows >= 0
        owner = np.repeat(np.arange(len(self.keys)), np.diff(self.starts))
        sizes = np.bincount(owner[stays], minlength=len(self.keys))
        alive = sizes > 0
        return type(self)(
            keys=self.keys[alive], starts=_starts(sizes[alive]), rows=rows[stays], tfs=self.tfs[stays]
        )


def _starts(sizes: NDArray[np.intp]) -> NDArray[np.int64]:
    starts = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=starts[1:])
    return starts
