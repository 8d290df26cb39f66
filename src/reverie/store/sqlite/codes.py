"""Vectors as int8 codes: how they are made, and their exact dot products by numkong."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numkong
import numpy as np

from reverie.errors import InvalidInput

if TYPE_CHECKING:
    from numpy.typing import NDArray

_HALF = 127  # the largest int8 code
FINE = 2 * _HALF
"""A step of one code is so many steps of the next finer one."""

_BLOCK_ROWS = 4096  # rows whose products with many queries stay in the processor's cache
_sum = np.add.reduce  # what np.sum comes to, in half its time
_ROUNDING = 1e-5  # covers float32 rounding in scores and bounds, which is below 1e-6

Peaks = TypeVar("Peaks", np.float64, "NDArray[np.float64]")


@dataclass(frozen=True, kw_only=True, slots=True)
class Query:
    """A query in three int8 codes, q = scale·(c0 + c1/254 + c2/254²): float32 loses nothing in them.

    ``codes`` has shape (3, dimensions); ``error`` is the length of what the first code alone leaves out.
    """

    codes: NDArray[np.int8]
    scale: float
    error: float

    @classmethod
    def of(cls, vector: NDArray[np.float32]) -> Self:
        """Return the codes of a vector of any length."""
        wide = vector.astype(np.float64)
        peak = float(_finite(np.abs(wide).max()))
        if peak == 0:
            return cls(codes=np.zeros((3, vector.size), np.int8), scale=0.0, error=0.0)
        scale = float(peak / sqrt(_sum(wide * wide)) / _HALF)
        steps = np.empty((3, vector.size))
        wide *= _HALF / peak
        np.rint(wide, steps[0])
        wide -= steps[0]
        error = scale * sqrt(_sum(wide * wide))
        for step in steps[1:]:
            wide *= FINE
            np.rint(wide, step)
            wide -= step
        return cls(codes=steps.astype(np.int8), scale=scale, error=error)

    @classmethod
    def each(cls, matrix: NDArray[np.float32]) -> list[Self]:
        """``of`` for each row, shape (n, dimensions), all at once."""
        wide = matrix.astype(np.float64)
        peaks = _finite(np.abs(wide).max(axis=1, initial=0.0))
        if not peaks.all():
            return [cls.of(row) for row in matrix]
        scales = peaks / np.sqrt(_sum(wide * wide, axis=1)) / _HALF
        steps = np.empty((len(matrix), 3, matrix.shape[1]))
        wide *= (_HALF / peaks)[:, None]
        np.rint(wide, steps[:, 0])
        wide -= steps[:, 0]
        errors = scales * np.sqrt(_sum(wide * wide, axis=1))
        for place in (1, 2):
            wide *= FINE
            np.rint(wide, steps[:, place])
            wide -= steps[:, place]
        codes = steps.astype(np.int8)
        return [
            cls(codes=one, scale=scale, error=error)
            for one, scale, error in zip(codes, scales.tolist(), errors.tolist(), strict=True)
        ]

    def margin(self, errors: NDArray[np.float32]) -> NDArray[np.float32]:
        """By how much at most the scan is off for rows whose coarse codes leave out these lengths."""
        return errors * np.float32(1 + self.error) + np.float32(self.error + _ROUNDING)


def _steps(vectors: NDArray[np.float32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Unit vectors counted in steps of their own scale, in [-127, 127], and the scales."""
    wide = vectors.astype(np.float64)
    peaks = _finite(np.abs(wide).max(axis=1))
    lengths = np.sqrt(np.sum(wide * wide, axis=1))
    safe = np.where(peaks > 0, peaks, 1.0)
    scales = np.where(peaks > 0, peaks / np.where(peaks > 0, lengths, 1.0) / _HALF, 0.0)
    wide *= (_HALF / safe)[:, None]
    return wide, scales


def _finite(peaks: Peaks) -> Peaks:
    if not np.isfinite(peaks).all():
        raise InvalidInput("vector", "holds NaN or infinite numbers", "mend the embedder that made it")
    return peaks


def encode(vectors: NDArray[np.float32]) -> tuple[NDArray[Any], ...]:
    """Coarse codes, fine codes, scales, and the length of what the coarse codes leave out, row by row."""
    steps, scales = _steps(vectors)
    hi = np.rint(steps)
    steps -= hi
    steps *= FINE
    lo = np.rint(steps)
    errors = np.sqrt(np.sum(lo * lo, axis=1)) / FINE * scales
    return hi.astype(np.int8), lo.astype(np.int8), scales.astype(np.float32), errors.astype(np.float32)


def dots_of(codes: NDArray[np.int8], matrix: NDArray[np.int8]) -> NDArray[Any]:
    """Integer dot products, exact, shape (len(codes), len(matrix)), as int32 or float64.

    numkong accumulates in int32, refuses a matrix without rows, and releases the GIL. Codes packed together
    take a fifth of the time that they take one by one; a single one is faster unpacked.
    """
    if len(codes) == 1 and len(matrix):
        return _shaped(numkong.cdist(codes, matrix, "dot"), (1, len(matrix)))
    dots = np.empty((len(codes), len(matrix)), np.int32)
    packed = numkong.dots_pack(codes)
    for at in range(0, len(matrix), _BLOCK_ROWS):
        part = matrix[at : at + _BLOCK_ROWS]
        dots[:, at : at + _BLOCK_ROWS] = _shaped(numkong.dots_packed(part, packed), (len(part), len(codes))).T
    return dots


def _shaped(tensor: object, expected: tuple[int, int]) -> NDArray[Any]:
    dots = np.asarray(tensor)
    if dots.shape != expected:
        raise RuntimeError(f"numkong gave dot products of shape {dots.shape}, expected {expected}")
    return dots


def by_place(dots: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the dot products of a Query's three codes, joined like digits: the value at the place of the first."""
    joined: NDArray[np.float64] = dots[0] + (dots[1] + dots[2] / FINE) / FINE
    return joined
