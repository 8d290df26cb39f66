"""Likeness: which of many vectors are near to which of many others, exactly, at a fraction of the products.

With P the projection onto a few orthonormal directions and R what is left of a unit vector, a·b = Pa·Pb + Ra·Rb, and by
Cauchy and Schwarz Ra·Rb <= |Ra||Rb|. So the vectors (Pa, |Ra|) have a product that is never smaller than the cosine:
what stays below the threshold there is not looked at again, and no pair is lost. The directions are those along which a
sample of the vectors lies (the leading eigenvectors of its products); they decide only how much is sorted out.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

DIRECTIONS = 31
_SLACK = np.float32(1e-4)  # of single precision
_AT_ONCE = 64  # rows compared at once: their products stay in the processor's cache
_EXACT = 65_536  # pairs at once


class Likeness:
    """Some vectors of length one, shape (n, dimensions), to which others are compared."""

    def __init__(self, known: Floats) -> None:
        self._known = known
        self._directions = np.ascontiguousarray(_leading(known).astype(np.float32))
        self._short = np.ascontiguousarray(self._shortened(known).T)

    def near(self, others: Floats, least: float) -> Iterator[tuple[int, int, float]]:
        """Yield every pair whose cosine is ``least`` or more: the row of ``others``, that of the known ones, the
        cosine. In order of the rows of ``others``.
        """
        least_short = np.float32(least) - _SLACK
        products = np.empty((_AT_ONCE, len(self._known)), np.float32)
        for start in range(0, len(others), _AT_ONCE):
            some = others[start : start + _AT_ONCE]
            short = np.matmul(self._shortened(some), self._short, out=products[: len(some)])
            # Flat: for two dimensions the look through them takes longer than the products.
            rows, places = np.divmod(np.flatnonzero(short >= least_short), len(self._known))
            for first in range(0, len(rows), _EXACT):
                left, right = rows[first : first + _EXACT], places[first : first + _EXACT]
                cosines = np.einsum("ij,ij->i", some[left], self._known[right])
                for at in np.flatnonzero(cosines >= np.float32(least)).tolist():
                    yield start + int(left[at]), int(right[at]), float(cosines[at])

    def _shortened(self, vectors: Floats) -> Floats:
        """Return (P, |R|) of each."""
        along = vectors @ self._directions
        squares = np.einsum("ij,ij->i", vectors, vectors) - np.einsum("ij,ij->i", along, along)
        return np.hstack([along, np.sqrt(squares.clip(min=0.0))[:, None]]).astype(np.float32, copy=False)


def _leading(known: Floats) -> NDArray[np.float64]:
    """Return the directions, one a column."""
    if (
        2 * len(known) < known.shape[1]
    ):  # of a few vectors the products with one another are fewer, and take less time
        return np.linalg.svd(known.astype(np.float64), full_matrices=False)[2][:DIRECTIONS].T
    return np.linalg.eigh((known.T @ known).astype(np.float64))[1][:, -DIRECTIONS:]
