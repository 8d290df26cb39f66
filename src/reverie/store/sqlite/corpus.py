"""A corpus in memory: vectors, postings and columns of the memories or episodes of one bank, row by row."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray

from reverie.domain.kinds import Kind
from reverie.domain.memory import State
from reverie.store.sqlite.codes import Query
from reverie.store.sqlite.columns import Ids, Mask, Ragged, Rows, Table, any_of
from reverie.store.sqlite.greatest import kth_at_least
from reverie.store.sqlite.postings import Postings
from reverie.store.sqlite.threads import Threads
from reverie.store.sqlite.vectors import Found, Vectors

VERSION_BITS = 20
CURRENT = (1 << VERSION_BITS) - 1
"""The place of the current wording behind all past ones, in the low bits of a row's `order`."""

_DEAD_LEAST = 1_000  # rows that may lie dead before a corpus is tidied, at least, and
_DEAD_SHARE = 4  # one part in so many

MEMORY_COLUMNS: Mapping[str, DTypeLike] = {
    "order": np.int64,
    "facet": np.min_scalar_type(len(Kind) * len(State) * 4 - 1),
    "version": np.int32,
    "importance": np.float32,
    "confidence": np.float32,
    "reinforcement_count": np.int64,
    "fades_from": np.int64,
    "time": np.int64,
    "believed_from": np.int64,
    "believed_to": np.int64,
    "valid_from": np.int64,
    "valid_to": np.int64,
    "emotions": np.int32,
    "scope": np.int32,
    "review": np.bool_,
}
"""`time` is created_at; `facet` is kind, state, superseded and past in one number, tested by one look-up."""

EPISODE_COLUMNS: Mapping[str, DTypeLike] = {
    "order": np.int64,
    "time": np.int64,
    "importance": np.float32,
    "position": np.int32,
    "conversation": np.int32,
    "channel": np.int32,
    "speaker": np.int32,
    "role": np.int8,
    "traits": np.int8,
}
"""`conversation`, `channel` and `speaker` are numbers of names (speaker −1: nobody named), `role` the place
in Role, `traits` the bits ASKS and SAYS_WHEN."""

ASKS, SAYS_WHEN = 1, 2


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Batch:
    """Rows to append. `terms` are what is found by words, `labels` and `words` sets of keys (see Corpus)."""

    numbers: Mapping[str, NDArray[Any]]
    ids: Sequence[str]
    terms: Sequence[Sequence[str]]
    labels: Sequence[Collection[int]]
    words: Sequence[Collection[int]]
    vectors: NDArray[np.float32]
    counted: Sequence[bool]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Corpus:
    """Rows 0..n-1 in the order of their loading, of which those not `alive` were changed or deleted since.

    A row's number depends on that history; its `order` (number in the file, then version) does not, so what
    leaves a corpus is ordered, and ties are broken, by `order`. `labels` are hashes of (field, casefolded
    label), `words` those of the terms in topics and entities. `last` is the greatest `order` ever seen,
    `dead` counts rows.
    """

    numbers: Table
    ids: Ids
    labels: Ragged
    words: Ragged
    vectors: Vectors
    postings: Postings
    alive: Mask
    last: int = -1
    dead: int = 0
    threads: Threads = field(default_factory=Threads.empty)

    @classmethod
    def empty(cls, columns: Mapping[str, DTypeLike], dimensions: int) -> Self:
        """No rows yet of these number columns, with vectors of `dimensions`."""
        return cls(
            numbers=Table.empty(columns),
            ids=Ids.empty(),
            labels=Ragged.empty(),
            words=Ragged.empty(),
            vectors=Vectors.empty(dimensions),
            postings=Postings.empty(),
            alive=np.zeros(0, np.bool_),
        )

    def __len__(self) -> int:
        return len(self.alive)

    def column(self, name: str) -> NDArray[Any]:
        """Return a number column, shape (n,), read-only."""
        return self.numbers[name]

    def append(self, batch: Batch) -> Self:
        """These rows and the batch's, which replace living rows of the same `order`."""
        if not batch.ids:
            return self
        order = batch.numbers["order"]
        kept = self._without_order(order)
        numbers = self.numbers.append(batch.numbers)
        return replace(
            kept,
            numbers=numbers,
            ids=self.ids.append(batch.ids),
            labels=self.labels.append(batch.labels),
            words=self.words.append(batch.words),
            vectors=self.vectors.append(batch.vectors),
            postings=kept.postings.append(batch.terms, batch.counted),
            alive=np.concatenate((kept.alive, np.ones(len(order), np.bool_))),
            last=max(self.last, int(order.max())),
            threads=_threads(self.threads, numbers),
        )

    def _without_order(self, order: NDArray[np.int64]) -> Self:
        known = order[order <= self.last]  # what is new lies behind all that was seen, as a rule
        return self.without(any_of(self.column("order"), known.tolist())) if len(known) else self

    def without(self, gone: Mask) -> Self:
        """Return the same rows, of which those in the mask are dead."""
        rows = np.flatnonzero(gone & self.alive)
        if not len(rows):
            return self
        alive = self.alive.copy()
        alive[rows] = False
        return replace(self, alive=alive, postings=self.postings.without(rows), dead=self.dead + len(rows))

    def tidied(self) -> Self:
        """Without its dead rows, once they are many; a copy of rows, nothing is read from the file."""
        if self.dead <= max(_DEAD_LEAST, len(self) // _DEAD_SHARE):
            return self
        return self.only(np.flatnonzero(self.alive))

    def only(self, keep: Rows) -> Self:
        """Only the living rows `keep`, ascending, renumbered from 0."""
        numbers = self.numbers.take(keep)
        return replace(
            self,
            numbers=numbers,
            ids=self.ids.take(keep),
            labels=self.labels.take(keep),
            words=self.words.take(keep),
            vectors=self.vectors.compact(keep),
            postings=self.postings.compact(keep),
            alive=np.ones(len(keep), np.bool_),
            dead=0,
            threads=_threads(Threads.empty(), numbers),
        )

    def beside(self, rows: Rows, offset: int) -> Rows:
        """Of each episode the living row ``offset`` messages behind it in its conversation; −1 where none is."""
        found = self.threads.find(self.column("conversation"), self.column("position"), rows, offset)
        found[(found >= 0) & ~self.alive[found]] = -1
        return found

    def nearest(self, vector: NDArray[np.float32] | Query, limit: int, mask: Mask) -> Found:
        """Return the `limit` rows of the mask nearest to `vector`, best first, with cosines; ties by `order`."""
        return next(self.nearest_each([vector], limit, mask))

    def nearest_and(
        self, asked: Query, limit: int, mask: Mask, others: Rows
    ) -> tuple[Rows, NDArray[np.float32], NDArray[np.float32]]:
        """Return what `nearest` finds, and the cosines of `others`."""
        rows, cosines, more = self.vectors.top_and(asked, limit + 1, mask, others)
        if 0 < limit < len(rows) and cosines[limit - 1] == cosines[-1]:  # the last place is tied
            return *self.nearest(asked, limit, mask), more
        best = np.lexsort((self.column("order")[rows], -cosines))[:limit]
        return rows[best], cosines[best], more

    def nearest_each(
        self,
        vectors: Sequence[NDArray[np.float32] | Query] | NDArray[np.float32],
        limit: int,
        mask: Mask,
        *,
        least: float | None = None,
    ) -> Iterator[Found]:
        """`nearest` for each of many, where given only with a cosine of at least `least`."""
        asked = self.vectors.prepared_each(vectors)
        wanted = limit + 1  # one more shows whether the last place is tied
        found = self.vectors.top_each(asked, wanted, mask, least=least)
        for one, (rows, cosines) in zip(asked, found, strict=True):
            more = wanted
            while len(rows) == more and cosines[limit - 1] == cosines[-1]:
                more *= 4
                rows, cosines = next(self.vectors.top_each([one], more, mask, least=least))
            best = np.lexsort((self.column("order")[rows], -cosines))[:limit]
            yield rows[best], cosines[best]

    def best(self, scores: NDArray[np.float32], limit: int, mask: Mask) -> Rows:
        """Return the `limit` rows of the mask with the greatest scores above 0, in no order; ties by `order`."""
        rows = (scores > 0).nonzero()[0]
        rows = rows[mask[rows]]
        return self._greatest(rows, scores[rows], limit, later=False)

    def greatest(self, rows: Rows, values: NDArray[Any], limit: int) -> Rows:
        """Return the `limit` of these rows with the greatest values, in no order; ties by `order`."""
        return self._greatest(rows, values, limit, later=False)

    def latest(self, limit: int, mask: Mask) -> Rows:
        """Return the `limit` rows of the mask with the latest `time`, in no order; of equals those stored last."""
        rows = np.flatnonzero(mask)
        return self._greatest(rows, self.column("time")[rows], limit, later=True)

    def _greatest(self, rows: Rows, values: NDArray[Any], limit: int, *, later: bool) -> Rows:
        """Return the `limit` rows with the greatest values, of equals those `later` or earlier in order."""
        if len(rows) <= limit or limit < 1:
            return rows[: max(limit, 0)]
        enough = np.flatnonzero(values >= kth_at_least(values, limit))
        order = self.column("order")[rows[enough]]
        best = np.lexsort((order if later else -order, values[enough]))[-limit:]
        return rows[enough[best]]

    def places(self, rows: Rows) -> Rows:
        """Return the places of these distinct rows in the order of storing."""
        return np.argsort(self.column("order")[rows])


def _threads(known: Threads, numbers: Table) -> Threads:
    if "position" not in numbers:
        return known
    return known.grown(numbers["conversation"], numbers["position"])
