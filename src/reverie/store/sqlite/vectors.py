"""Unit vectors in memory, two bytes a dimension, searched exactly: an int8 scan by numkong, a rescore."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import numpy as np

from reverie.errors import InvalidInput
from reverie.store.sqlite.appendable import Appendable
from reverie.store.sqlite.codes import FINE, Query, by_place, dots_of, encode
from reverie.store.sqlite.greatest import kth, kth_at_least

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import ArrayLike, NDArray

Found = tuple["NDArray[np.intp]", "NDArray[np.float32]"]
"""Rows with their cosines."""

_ENCODE_ROWS = 512  # rows that are encoded together: the temporaries stay in the processor's cache
_RESCORE_ROWS = 8192  # rows that are rescored together: bounds the copy that a gather makes
_GATHER_BELOW = 0.25  # a selection smaller than this share of the rows is copied out, a larger one masked
_TOGETHER = 32  # queries that are scanned together: bounds the memory that their scores take


class Vectors:
    """An immutable matrix of unit vectors over rows 0..n-1, that grows by sharing memory with older values.

    Each vector x is kept as x ≈ s·(hi + lo/254), two int8 codes and one float32 scale. The coarse codes alone
    are scanned; the coarse and fine codes together give the *cosine of a row*: off from float32 by at most
    (max|x| / 127 / 508)·√d, as a rule 2e-6 (over a million pairs of 384 dimensions never more than 8e-6).
    `cosines` and `top` return that number, computed in exact integer arithmetic, so it depends on neither the
    neighbours of a row nor the way it was selected. Memory: 2·d + 8 bytes a row.

    Values may be read from any number of threads; `append` and `compact` return new values.
    """

    __slots__ = ("_errors", "_hi", "_lo", "_scales", "dimensions")

    def __init__(self, hi: Appendable, lo: Appendable, scales: Appendable, errors: Appendable) -> None:
        self._hi, self._lo, self._scales, self._errors = hi, lo, scales, errors
        self.dimensions: int = hi.rows.shape[1]

    @classmethod
    def empty(cls, dimensions: int) -> Self:
        """No vectors yet, of `dimensions` ≥ 1 numbers each. Raise InvalidInput for fewer."""
        if dimensions < 1:
            raise InvalidInput("dimensions", f"{dimensions} is below 1", "use the embedder's number")
        codes = Appendable.empty(np.int8, dimensions)
        floats = Appendable.empty(np.float32)
        return cls(codes, codes, floats, floats)

    def __len__(self) -> int:
        return len(self._hi)

    def append(self, matrix: ArrayLike) -> Self:
        """These rows and then those of `matrix`, float of shape (n, dimensions), each scaled to length 1.

        A row of zeros stays zero: its cosine with anything is 0. Raise InvalidInput for another shape,
        and for NaN or infinite numbers.
        """
        added = np.asarray(matrix, np.float32)
        if added.ndim != 2 or added.shape[1] != self.dimensions:
            raise InvalidInput("vectors", f"of shape {added.shape}", f"give (n, {self.dimensions})")
        columns = (self._hi, self._lo, self._scales, self._errors)
        blocks = [encode(added[at : at + _ENCODE_ROWS]) for at in range(0, len(added), _ENCODE_ROWS)]
        if not blocks:
            return self
        joined = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
        return type(self)(*(column.append(values) for column, values in zip(columns, joined, strict=True)))

    def compact(self, keep_rows: ArrayLike) -> Self:
        """Only `keep_rows`, distinct and in this order; row i of the result is row keep_rows[i] of self.

        Raise IndexError for a row that isn't there.
        """
        keep = self._checked(keep_rows)
        columns = (self._hi, self._lo, self._scales, self._errors)
        return type(self)(*(Appendable.of(column.rows[keep]) for column in columns))

    def prepared(self, query: ArrayLike | Query) -> Query:
        """Return the query, shape (dimensions,), in codes: what is asked several times is encoded once.

        Raise InvalidInput for another shape, and for NaN or infinite numbers.
        """
        if isinstance(query, Query):
            return query
        vector = np.asarray(query, np.float32)
        if vector.shape != (self.dimensions,):
            raise InvalidInput("query", f"of shape {vector.shape}", f"give ({self.dimensions},)")
        return Query.of(vector)

    def prepared_each(self, queries: Sequence[ArrayLike | Query] | NDArray[np.float32]) -> list[Query]:
        """``prepared`` for each of many, all at once where they are the rows of one matrix."""
        if isinstance(queries, np.ndarray) and queries.ndim == 2 and queries.shape[1] == self.dimensions:
            return Query.each(queries.astype(np.float32, copy=False))
        return [self.prepared(query) for query in queries]

    def cosines(self, query: ArrayLike | Query, rows: ArrayLike) -> NDArray[np.float32]:
        """Return the cosine of `query`, shape (dimensions,), with each of `rows`, in their order; in [-1, 1].

        Raise InvalidInput for a query of another shape, or with NaN or infinite numbers; IndexError for a
        row that isn't there.
        """
        return self._rescore(self.prepared(query), self._checked(rows))

    def top(self, query: ArrayLike | Query, k: int, mask: NDArray[np.bool_] | None = None) -> Found:
        """Return the `k` rows nearest to `query` with their cosines, nearest first, of equals the lower row first.

        Where given, only rows that `mask` (bool, shape (n,)) allows take part; fewer than `k` come back if
        fewer do. Exact: no row that was left out has a greater cosine, since everything within the scan's
        error of the k-th is rescored. Raise as `cosines` does, and ValueError for a mask of another shape.
        """
        return next(self.top_each([query], k, mask))

    def top_and(
        self, query: ArrayLike | Query, k: int, mask: NDArray[np.bool_], others: NDArray[np.intp]
    ) -> tuple[NDArray[np.intp], NDArray[np.float32], NDArray[np.float32]]:
        """Return what `top` finds, and the cosines of `others` beside it: both rescored at once take half as long."""
        asked = self.prepared(query)
        chosen, allowed = self._selection(mask)
        if k <= 0 or not len(self) or chosen is not None:
            rows, found = next(self.top_each([asked], k, mask))
            return rows, found, self._rescore(asked, others)
        (scores,) = self._scans([asked], None)
        near = _candidates(asked, scores, self._errors.rows, k, allowed, None)
        found = self._rescore(asked, np.concatenate((near, others)))
        own = found[: len(near)]
        best = np.lexsort((near, -own))[:k]
        return near[best], own[best], found[len(near) :]

    def top_each(
        self,
        queries: Sequence[ArrayLike | Query] | NDArray[np.float32],
        k: int,
        mask: NDArray[np.bool_] | None = None,
        *,
        least: float | None = None,
    ) -> Iterator[Found]:
        """Yield what `top` finds for each of `queries`, where given only with a cosine of at least `least`.

        Many queries together take a fraction of the time, and with a high `least` nearly nothing is rescored.
        """
        asked = self.prepared_each(queries)
        chosen, allowed = self._selection(mask)
        taking_part = len(chosen) if chosen is not None else len(self)
        if k <= 0 or taking_part == 0:
            for _ in asked:
                yield np.empty(0, np.intp), np.empty(0, np.float32)
        elif chosen is not None and taking_part <= max(4 * k, 64):
            for one in asked:
                yield self._best(one, chosen, k, least)
        else:
            errors = self._errors.rows if chosen is None else self._errors.rows[chosen]
            for one, scores in zip(asked, self._scans(asked, chosen), strict=True):
                near = _candidates(one, scores, errors, k, allowed, least)
                yield self._best(one, near if chosen is None else chosen[near], k, least)

    def _best(self, asked: Query, rows: NDArray[np.intp], k: int, least: float | None) -> Found:
        found = self._rescore(asked, rows)
        if least is not None:
            enough = found >= np.float64(least)  # not rounded to float32, as a float would be
            rows, found = rows[enough], found[enough]
        best = np.lexsort((rows, -found))[:k]
        return rows[best], found[best]

    def _selection(
        self, mask: NDArray[np.bool_] | None
    ) -> tuple[NDArray[np.intp] | None, NDArray[np.bool_] | None]:
        """Return the rows to gather, or else the mask to lay over a full scan; None twice if all rows take part."""
        if mask is None:
            return None, None
        if mask.dtype != np.bool_ or mask.shape != (len(self),):
            raise ValueError(f"expected a mask of {len(self)} booleans, not {mask.dtype} {mask.shape}")
        few = np.count_nonzero(mask) < _GATHER_BELOW * len(self)
        return (np.flatnonzero(mask), None) if few else (None, mask)

    def _scans(
        self, asked: Sequence[Query], chosen: NDArray[np.intp] | None
    ) -> Iterator[NDArray[np.float32]]:
        """Yield for each query the cosines by the coarse codes alone."""
        hi = self._hi.rows if chosen is None else self._hi.rows.take(chosen, axis=0)
        scales = self._scales.rows if chosen is None else self._scales.rows[chosen]
        for at in range(0, len(asked), _TOGETHER):
            some = asked[at : at + _TOGETHER]
            codes = np.stack([one.codes[0] for one in some])
            for one, dots in zip(some, dots_of(codes, hi), strict=True):
                scores: NDArray[np.float32] = dots.astype(np.float32)
                scores *= scales
                scores *= np.float32(one.scale)
                yield scores

    def _rescore(self, asked: Query, rows: NDArray[np.intp]) -> NDArray[np.float32]:
        found = np.empty(len(rows), np.float32)
        for at in range(0, len(rows), _RESCORE_ROWS):
            part = rows[at : at + _RESCORE_ROWS]
            coarse = dots_of(asked.codes, self._hi.rows.take(part, axis=0))
            fine = dots_of(asked.codes, self._lo.rows.take(part, axis=0))
            dots = by_place(coarse) + by_place(fine) / FINE
            dots *= self._scales.rows[part] * asked.scale
            found[at : at + _RESCORE_ROWS] = np.minimum(np.maximum(dots, -1.0), 1.0)
        return found

    def _checked(self, rows: ArrayLike) -> NDArray[np.intp]:
        checked = np.asarray(rows, np.intp).reshape(-1)
        if checked.size and (checked.min() < 0 or checked.max() >= len(self)):
            raise IndexError(f"rows must lie in 0..{len(self) - 1}")
        return checked


def _candidates(
    asked: Query,
    scores: NDArray[np.float32],
    errors: NDArray[np.float32],
    k: int,
    allowed: NDArray[np.bool_] | None,
    least: float | None,
) -> NDArray[np.intp]:
    """Return every place whose cosine may be among the `k` greatest, judged by the scan and its error bound.

    With q = q1 + q', x = x1 + x' (coarse part and rest): |q·x - q1·x1| ≤ |q'|·|x1| + |q|·|x'| by
    Cauchy and Schwarz, and |x1| ≤ 1 + |x'|, |q| = 1. The lengths of the rests are known. The greatest of
    them judges all rows at little cost; those that it lets through are judged by their own.
    """
    widest = asked.margin(errors.max())
    if least is not None:
        bar = np.float32(least) - widest
    else:
        if allowed is not None:
            scores = np.where(allowed, scores, np.float32(-np.inf))
        bar = kth_at_least(scores, k) - 2 * widest
    near = (scores >= bar).nonzero()[0]
    if allowed is not None:
        near = near[allowed[near]]
    if len(near) > k:
        found, margin = scores[near], asked.margin(errors[near])
        near = near[found + margin >= kth(found - margin, k)]
    return near
