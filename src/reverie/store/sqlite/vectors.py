"""Unit vectors in memory, two bytes a dimension, searched exactly: an int8 scan by numkong, a rescore."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numkong
import numpy as np

from reverie.errors import InvalidInput
from reverie.store.sqlite.appendable import Appendable

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_HALF = 127  # the largest int8 code; a step of the fine code is 1/254 of a step of the coarse one
_FINE = 2 * _HALF
_ENCODE_ROWS = 512  # rows that are encoded together: the temporaries stay in the processor's cache
_RESCORE_ROWS = 8192  # rows that are rescored together: bounds the copy that a gather makes
_GATHER_BELOW = 0.25  # a selection smaller than this share of the rows is copied out, a larger one masked
_ROUNDING = 1e-5  # covers float32 rounding in scores and bounds, which is below 1e-6
_FOLD = 64  # rows a bucket when a threshold is looked for


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
        """No vectors yet, of `dimensions` ≥ 1 numbers each. Raises InvalidInput for fewer."""
        if dimensions < 1:
            raise InvalidInput("dimensions", f"{dimensions} is below 1", "use the embedder's number")
        codes = Appendable.empty(np.int8, dimensions)
        floats = Appendable.empty(np.float32)
        return cls(codes, codes, floats, floats)

    def __len__(self) -> int:
        return len(self._hi)

    def append(self, matrix: ArrayLike) -> Self:
        """These rows and then those of `matrix`, float of shape (n, dimensions), each scaled to length 1.

        A row of zeros stays zero: its cosine with anything is 0. Raises InvalidInput for another shape,
        and for NaN or infinite numbers.
        """
        added = np.asarray(matrix, np.float32)
        if added.ndim != 2 or added.shape[1] != self.dimensions:
            raise InvalidInput("vectors", f"of shape {added.shape}", f"give (n, {self.dimensions})")
        columns = (self._hi, self._lo, self._scales, self._errors)
        blocks = [_encode(added[at : at + _ENCODE_ROWS]) for at in range(0, len(added), _ENCODE_ROWS)]
        if not blocks:
            return self
        joined = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
        return type(self)(*(column.append(values) for column, values in zip(columns, joined, strict=True)))

    def compact(self, keep_rows: ArrayLike) -> Self:
        """Only `keep_rows`, distinct and in this order; row i of the result is row keep_rows[i] of self.

        Raises IndexError for a row that isn't there.
        """
        keep = self._checked(keep_rows)
        columns = (self._hi, self._lo, self._scales, self._errors)
        return type(self)(*(Appendable.of(column.rows[keep]) for column in columns))

    def cosines(self, query: ArrayLike, rows: ArrayLike) -> NDArray[np.float32]:
        """The cosine of `query`, shape (dimensions,), with each of `rows`, in their order; in [-1, 1].

        Raises InvalidInput for a query of another shape, or with NaN or infinite numbers; IndexError for a
        row that isn't there.
        """
        return self._rescore(self._query(query), self._checked(rows))

    def all_cosines(self, query: ArrayLike) -> NDArray[np.float32]:
        """The cosine of `query` with every row by the coarse codes alone, shape (n,): fast and approximate.

        The error is below max|x|/254·√d for either side, 0.015 in all for 384 dimensions; typically
        5e-4. Raises as `cosines` does.
        """
        return self._scan(self._query(query), None)

    def top(
        self,
        query: ArrayLike,
        k: int,
        mask: NDArray[np.bool_] | None = None,
        rows: ArrayLike | None = None,
    ) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
        """The `k` rows nearest to `query` with their cosines, nearest first, of equals the lower row first.

        Where given, only rows that `mask` (bool, shape (n,)) allows and that stand in `rows` (distinct) take
        part; fewer than `k` come back if fewer do. Exact: no row that was left out has a greater cosine,
        since everything within the scan's error of the k-th is rescored. Raises as `cosines` does, and
        ValueError for a mask of another shape.
        """
        asked = self._query(query)
        chosen, allowed = self._selection(mask, rows)
        taking_part = len(chosen) if chosen is not None else len(self)
        if k <= 0 or taking_part == 0:
            return np.empty(0, np.intp), np.empty(0, np.float32)
        if chosen is None or taking_part > max(4 * k, 64):
            chosen = self._candidates(asked, k, chosen, allowed)
        found = self._rescore(asked, chosen)
        best = np.lexsort((chosen, -found))[:k]
        return chosen[best], found[best]

    def _selection(
        self, mask: NDArray[np.bool_] | None, rows: ArrayLike | None
    ) -> tuple[NDArray[np.intp] | None, NDArray[np.bool_] | None]:
        """The rows to gather, or else the mask to lay over a full scan; None twice if all rows take part."""
        if mask is not None and (mask.dtype != np.bool_ or mask.shape != (len(self),)):
            raise ValueError(f"expected a mask of {len(self)} booleans, not {mask.dtype} {mask.shape}")
        chosen: NDArray[np.intp] | None = None
        if rows is not None:
            chosen = self._checked(rows)
            chosen = chosen if mask is None else chosen[mask[chosen]]
        elif mask is not None and np.count_nonzero(mask) < _GATHER_BELOW * len(self):
            chosen = np.flatnonzero(mask)
        if chosen is None or len(chosen) < _GATHER_BELOW * len(self):
            return chosen, mask if chosen is None else None
        allowed = np.zeros(len(self), np.bool_)
        allowed[chosen] = True
        return None, allowed

    def _candidates(
        self, asked: _Query, k: int, chosen: NDArray[np.intp] | None, allowed: NDArray[np.bool_] | None
    ) -> NDArray[np.intp]:
        """Every row whose cosine may be among the `k` greatest, judged by the scan and its error bound.

        With q = q1 + q', x = x1 + x' (coarse part and rest): |q·x - q1·x1| ≤ |q'|·|x1| + |q|·|x'| by
        Cauchy and Schwarz, and |x1| ≤ 1 + |x'|, |q| = 1. The lengths of the rests are known.
        """
        upper = self._scan(asked, chosen)
        errors = self._errors.rows if chosen is None else self._errors.rows[chosen]
        margin = errors * np.float32(1 + asked.error)
        margin += np.float32(asked.error + _ROUNDING)
        lower = upper - margin
        upper += margin
        if allowed is None:
            near = np.flatnonzero(upper >= _kth_at_least(lower, k))
        else:
            lower = np.where(allowed, lower, np.float32(-np.inf))
            near = np.flatnonzero((upper >= _kth_at_least(lower, k)) & allowed)
        if len(near) > k:  # the first threshold was a cheap one from below; now the exact one over a few rows
            near = near[upper[near] >= _kth(lower[near], k)]
        return near if chosen is None else chosen[near]

    def _scan(self, asked: _Query, chosen: NDArray[np.intp] | None) -> NDArray[np.float32]:
        hi = self._hi.rows if chosen is None else self._hi.rows.take(chosen, axis=0)
        scales = self._scales.rows if chosen is None else self._scales.rows[chosen]
        scores: NDArray[np.float32] = _dots(asked.codes[:1], hi)[0].astype(np.float32)
        scores *= scales
        scores *= np.float32(asked.scale)
        return scores

    def _rescore(self, asked: _Query, rows: NDArray[np.intp]) -> NDArray[np.float32]:
        found = np.empty(len(rows), np.float32)
        for at in range(0, len(rows), _RESCORE_ROWS):
            part = rows[at : at + _RESCORE_ROWS]
            coarse = _dots(asked.codes, self._hi.rows.take(part, axis=0))
            fine = _dots(asked.codes, self._lo.rows.take(part, axis=0))
            dots = _by_place(coarse) + _by_place(fine) / _FINE
            dots *= self._scales.rows[part] * asked.scale
            found[at : at + _RESCORE_ROWS] = np.clip(dots, -1.0, 1.0)
        return found

    def _query(self, query: ArrayLike) -> _Query:
        vector = np.asarray(query, np.float32)
        if vector.shape != (self.dimensions,):
            raise InvalidInput("query", f"of shape {vector.shape}", f"give ({self.dimensions},)")
        return _Query.of(vector)

    def _checked(self, rows: ArrayLike) -> NDArray[np.intp]:
        checked = np.asarray(rows, np.intp).reshape(-1)
        if checked.size and (checked.min() < 0 or checked.max() >= len(self)):
            raise IndexError(f"rows must lie in 0..{len(self) - 1}")
        return checked


@dataclass(frozen=True, kw_only=True, slots=True)
class _Query:
    """A query in three int8 codes, q = scale·(c0 + c1/254 + c2/254²): float32 loses nothing in them."""

    codes: NDArray[np.int8]
    scale: float
    error: float  # the length of what the first code alone leaves out

    @classmethod
    def of(cls, vector: NDArray[np.float32]) -> Self:
        steps, scales = _steps(vector[None])
        codes = np.empty((3, vector.size), np.int8)
        rest = steps[0]
        left_out = rest - np.rint(rest)
        for place in range(3):
            codes[place] = np.rint(rest)
            rest = (rest - codes[place]) * _FINE
        scale = float(scales[0])
        return cls(codes=codes, scale=scale, error=scale * float(np.sqrt(np.sum(left_out**2))))


def _steps(vectors: NDArray[np.float32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Unit vectors counted in steps of their own scale, in [-127, 127], and the scales."""
    if not np.isfinite(vectors).all():
        raise InvalidInput("vector", "holds NaN or infinite numbers", "mend the embedder that made it")
    wide = vectors.astype(np.float64)
    peaks = np.abs(wide).max(axis=1)
    lengths = np.sqrt(np.sum(wide * wide, axis=1))
    safe = np.where(peaks > 0, peaks, 1.0)
    scales = np.where(peaks > 0, peaks / np.where(peaks > 0, lengths, 1.0) / _HALF, 0.0)
    wide *= (_HALF / safe)[:, None]
    return wide, scales


def _encode(vectors: NDArray[np.float32]) -> tuple[NDArray[Any], ...]:
    """Coarse codes, fine codes, scales, and the length of what the coarse codes leave out, row by row."""
    steps, scales = _steps(vectors)
    hi = np.rint(steps)
    steps -= hi
    steps *= _FINE
    lo = np.rint(steps)
    errors = np.sqrt(np.sum(lo * lo, axis=1)) / _FINE * scales
    return hi.astype(np.int8), lo.astype(np.int8), scales.astype(np.float32), errors.astype(np.float32)


def _dots(codes: NDArray[np.int8], matrix: NDArray[np.int8]) -> NDArray[np.float64]:
    """Integer dot products, exact in float64, shape (len(codes), len(matrix)).

    numkong accumulates in int32 and hands back float64; it refuses a matrix without rows, releases the GIL.
    """
    if not len(matrix):
        return np.empty((len(codes), 0), np.float64)
    dots = np.asarray(numkong.cdist(codes, matrix, "dot"))
    expected = (len(codes), len(matrix))
    if dots.shape != expected:
        raise RuntimeError(f"numkong gave dot products of shape {dots.shape}, expected {expected}")
    return dots.astype(np.float64, copy=False)


def _by_place(dots: NDArray[np.float64]) -> NDArray[np.float64]:
    """Three rows of dot products joined like digits: the value at the place of the first."""
    joined: NDArray[np.float64] = dots[0] + (dots[1] + dots[2] / _FINE) / _FINE
    return joined


def _kth(values: NDArray[np.float32], k: int) -> np.float32:
    """The k-th greatest of `values`, or the least when there are fewer."""
    at = max(len(values) - k, 0)
    kth: np.float32 = np.partition(values, at)[at]
    return kth


def _kth_at_least(values: NDArray[np.float32], k: int) -> np.float32:
    """A number that at least `k` of `values` reach (all, if there are fewer): near the k-th, much cheaper.

    It is the k-th greatest of the maxima of disjoint buckets: k buckets, hence k values, reach it.
    """
    width = len(values) // _FOLD
    if width < 4 * k:
        return _kth(values, k)
    return _kth(values[: width * _FOLD].reshape(_FOLD, width).max(axis=0), k)
