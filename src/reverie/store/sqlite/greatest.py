"""The greatest of many numbers: thresholds that let few rows through, so that only those need sorting."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_FOLD = 64  # at most so many numbers share a bucket
_BUCKETS = 4  # so many buckets for each number wanted: few of the greatest meet in one


def kth(values: NDArray[Any], k: int) -> Any:
    """Return the k-th greatest of `values`, or the least when there are fewer."""
    at = max(len(values) - k, 0)
    return np.partition(values, at)[at]


def kth_at_least(values: NDArray[Any], k: int) -> Any:
    """Return a number that at least `k` of `values` reach (all, if there are fewer): near the k-th, much cheaper.

    It is the k-th greatest of the maxima of disjoint buckets: k buckets, hence k values, reach it.
    """
    fold = min(len(values) // (_BUCKETS * k), _FOLD)
    if fold < 2:
        return kth(values, k)
    width = len(values) // fold
    return kth(values[: width * fold].reshape(fold, width).max(axis=0), k)
