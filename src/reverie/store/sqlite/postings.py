"""BM25 over an inverted index in memory: immutable values that share what they have in common."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Self

import numpy as np

from reverie.memory.scoring import BM25, DEFAULT, idf, weights
from reverie.store.sqlite.appendable import Appendable
from reverie.store.sqlite.segment import Occurrences, Segment

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

_GONE, _PAST, _COUNTED = 0, 1, 2  # what a row is: erased, scored only, or scored and counted

_TAIL_LEAST = 2048  # postings that the tail may hold, at least, before it is merged
_TAIL_SHARE = 32  # and otherwise one for so many sorted ones: a query reads the whole tail


class Postings:
    """Which terms stand in which of the rows 0..n-1, and how well each row answers a query, by BM25.

    A row is *counted* (it makes the statistics: number of texts, mean length, document frequencies), *past*
    (scored like any other, but no part of the statistics: an old wording) or *gone* (neither; score 0).
    The statistics are integers over the rows as they are now, and a row's score is summed in float64 in the
    order of the sorted terms. So two indexes with the same living rows give the same scores, bit for bit,
    whatever history led there.

    A sorted segment holds most postings, a short unsorted tail the newest ones; when the tail has grown, an
    `append` merges it. Terms are known by Python's 64-bit hash of their text and not kept: two of 100,000
    terms share one with a chance below 10⁻⁹, and a forgotten word leaves no text behind. Memory: 8 bytes a
    posting, 16 in the tail, 16 for each distinct term, 5 a row.

    Values may be read from any number of threads; every verb that changes something returns a new value.
    """

    __slots__ = ("_gone", "_lengths", "_parameters", "_segment", "_states", "_tail", "n_docs", "total_length")

    def __init__(
        self,
        *,
        segment: Segment,
        tail: Occurrences,
        lengths: Appendable,
        states: Appendable,
        n_docs: int,
        total_length: int,
        gone: int,
        parameters: BM25,
    ) -> None:
        self._segment, self._tail = segment, tail
        self._lengths, self._states = lengths, states
        self.n_docs = n_docs  # counted rows
        self.total_length = total_length  # terms in the counted rows, repetitions included
        self._gone = gone
        self._parameters = parameters

    @classmethod
    def empty(cls, parameters: BM25 = DEFAULT) -> Self:
        """No rows yet; scores will use the constants of `parameters`."""
        return cls(
            segment=Segment.empty(),
            tail=Occurrences.empty(),
            lengths=Appendable.empty(np.float32),
            states=Appendable.empty(np.uint8),
            n_docs=0,
            total_length=0,
            gone=0,
            parameters=parameters,
        )

    def __len__(self) -> int:
        """Return how many rows there are, past and gone ones included."""
        return len(self._states)

    def append(self, docs: Sequence[Sequence[str]], counted: Sequence[bool] | None = None) -> Self:
        """These rows and one for each of `docs`, a text's terms in any order with repetitions.

        `counted` says for each whether it is counted (True, the default for all) or past. Raise
        ValueError if its length isn't that of `docs`.
        """
        if counted is not None and len(counted) != len(docs):
            raise ValueError(f"{len(docs)} texts came with {len(counted)} flags that say whether they count")
        lengths = np.fromiter(map(len, docs), np.int64, len(docs))
        keys = np.fromiter(map(hash, chain.from_iterable(docs)), np.int64, int(lengths.sum()))
        rows = np.arange(len(self), len(self) + len(docs), dtype=np.int32)
        segment, tail = self._segment, self._tail.append(keys, rows.repeat(lengths))
        if len(tail) > max(_TAIL_LEAST, len(segment) // _TAIL_SHARE):
            segment, tail = segment.merged(tail), Occurrences.empty()
        states = np.full(len(docs), _COUNTED, np.uint8)
        if counted is not None:
            states[~np.asarray(counted, np.bool_)] = _PAST
        return type(self)(
            segment=segment,
            tail=tail,
            lengths=self._lengths.append(lengths.astype(np.float32)),
            states=self._states.append(states),
            n_docs=self.n_docs + int(np.count_nonzero(states == _COUNTED)),
            total_length=self.total_length + int(lengths[states == _COUNTED].sum()),
            gone=self._gone,
            parameters=self._parameters,
        )

    def without(self, rows: ArrayLike) -> Self:
        """Return the same rows, of which `rows` are gone: out of the statistics, and scored 0 from now on.

        Rows that are gone already may be among them. Raise IndexError for a row that isn't there.
        """
        chosen = self._checked(rows)
        states: NDArray[np.uint8] = self._states.rows.copy()
        before = states[chosen]
        counted = chosen[before == _COUNTED]
        states[chosen] = _GONE
        return type(self)(
            segment=self._segment,
            tail=self._tail,
            lengths=self._lengths,
            states=Appendable.of(states),
            n_docs=self.n_docs - len(counted),
            total_length=self.total_length - int(self._lengths.rows[counted].sum(dtype=np.float64)),
            gone=self._gone + int(np.count_nonzero(before)),
            parameters=self._parameters,
        )

    def compact(self, keep_rows: ArrayLike) -> Self:
        """Only `keep_rows`; row i of the result is the i-th smallest of them, with the state that it had.

        What the others held is freed. Raise IndexError for a row that isn't there.
        """
        keep = self._checked(keep_rows)
        row_of = np.full(len(self), -1, np.int32)
        row_of[keep] = np.arange(len(keep), dtype=np.int32)
        lengths, states = self._lengths.rows[keep], self._states.rows[keep]
        counted = states == _COUNTED
        return type(self)(
            segment=self._segment.merged(self._tail).renumbered(row_of),
            tail=Occurrences.empty(),
            lengths=Appendable.of(lengths),
            states=Appendable.of(states),
            n_docs=int(np.count_nonzero(counted)),
            total_length=int(lengths[counted].sum(dtype=np.float64)),
            gone=int(np.count_nonzero(states == _GONE)),
            parameters=self._parameters,
        )

    def scores(self, terms: Iterable[str]) -> NDArray[np.float32]:
        """Return every row's BM25 score for the distinct `terms`, shape (n,); 0 if it shares none or is gone."""
        found = [self._posted(term) for term in sorted(set(terms))]
        rows = np.concatenate([part for part, _ in found]) if found else np.empty(0, np.int32)
        if not len(rows):
            return np.zeros(len(self), np.float32)
        tfs = np.concatenate([part for _, part in found])
        sizes = [len(part) for part, _ in found]
        states = None if self.n_docs == len(self) else self._states.rows.take(rows)
        idfs = np.array(self._idfs(sizes, states), np.float32).repeat(sizes)
        mean = self.total_length / self.n_docs if self.n_docs else 0.0
        parts = weights(tfs, self._lengths.rows.take(rows), idfs, mean, self._parameters)
        if self._gone and states is not None:
            parts *= states != _GONE
        return np.bincount(rows, weights=parts, minlength=len(self)).astype(np.float32)

    def group_scores(
        self, terms: Iterable[str], groups: NDArray[np.integer], parameters: BM25
    ) -> NDArray[np.float32]:
        """Return the BM25 score of each group of rows taken as one text, for the distinct `terms`; shape (groups,).

        `groups` (n,) numbers each row's group from 0. Only counted rows make up the texts.
        """
        counted = self._states.rows == _COUNTED
        members = groups if self.n_docs == len(self) else groups[counted]
        own = self._lengths.rows if self.n_docs == len(self) else self._lengths.rows[counted]
        lengths = np.bincount(members, weights=own)
        total = int(np.count_nonzero(np.bincount(members)))
        scores = np.zeros(len(lengths))
        mean = float(own.sum(dtype=np.float64)) / total if total else 0.0
        for term in sorted(set(terms)):
            rows, tfs = self._posted(term)
            keep = counted[rows]
            tf = np.bincount(groups[rows[keep]], weights=tfs[keep], minlength=len(lengths))
            hit = np.flatnonzero(tf)
            scores[hit] += weights(
                tf[hit].astype(np.float32),
                lengths[hit].astype(np.float32),
                idf(total, len(hit), parameters),
                mean,
                parameters,
            )
        return scores.astype(np.float32)

    def _posted(self, term: str) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        key = hash(term)
        rows, tfs = self._segment.find(key)
        late_rows, late_tfs = self._tail.find(key)
        if not len(late_rows):
            return rows, tfs
        return np.concatenate((rows, late_rows)), np.concatenate((tfs, late_tfs))

    def _idfs(self, sizes: Sequence[int], states: NDArray[np.uint8] | None) -> list[float]:
        """Return the idf of terms with `sizes` postings each, one after another; `states` unless all rows count."""
        if states is None:
            return [idf(self.n_docs, size, self._parameters) for size in sizes]
        counted = np.split(states == _COUNTED, np.cumsum(sizes[:-1]))
        return [idf(self.n_docs, int(np.count_nonzero(part)), self._parameters) for part in counted]

    def _checked(self, rows: ArrayLike) -> NDArray[np.intp]:
        checked = np.unique(np.asarray(rows, np.intp))
        if checked.size and (checked[0] < 0 or checked[-1] >= len(self)):
            raise IndexError(f"rows must lie in 0..{len(self) - 1}")
        return checked
