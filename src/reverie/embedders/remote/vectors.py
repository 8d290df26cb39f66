"""Vectors out of a provider's reply: checked, and made unit length."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_NUMBERS = "fiu"  # numpy's kinds


class Unusable(Exception):
    """The reply holds no usable vectors; its text says why, without contents."""


def vectors_of(rows: object, count: int, dimensions: int) -> NDArray[np.float32]:
    """Return the unit vectors, shape (count, dimensions). Raises Unusable."""
    if not isinstance(rows, list) or len(rows) != count:
        told = f"{len(rows)}" if isinstance(rows, list) else "no"
        raise Unusable(f"it gave {told} vectors for {count} texts")
    for row in rows:
        if not isinstance(row, list):
            raise Unusable("what it gave is no list of numbers")
        if len(row) != dimensions:
            raise Unusable(
                f"a vector has {len(row)} dimensions, not {dimensions}; set Settings.embed.dimensions to its own"
            )
    try:
        found = np.asarray(rows)
    except (ValueError, OverflowError):
        raise Unusable("what it gave are no numbers") from None
    if found.dtype.kind not in _NUMBERS or found.shape != (count, dimensions):
        raise Unusable("what it gave are no numbers")
    exact = found.astype(np.float64)
    if not np.isfinite(exact).all():
        raise Unusable("a vector holds NaN or infinity")
    largest = np.abs(exact).max(axis=1, keepdims=True)
    if not largest.all():
        raise Unusable("a vector is all zeros")
    exact /= largest  # so that no square is too large or too small
    exact /= np.linalg.norm(exact, axis=1, keepdims=True)
    return exact.astype(np.float32)
