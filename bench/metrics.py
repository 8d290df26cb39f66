"""How good a ranking is: evidence recall, reciprocal rank, nDCG. All in [0, 1]."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence


def recall_at(k: int, ranked: Sequence[str | None], evidence: Collection[str]) -> float:
    """The share of the evidence among the k best. ``evidence`` must not be empty."""
    best = set(ranked[:k])
    return sum(turn in best for turn in evidence) / len(evidence)


def reciprocal_rank(ranked: Sequence[str | None], evidence: Collection[str]) -> float:
    """One over the place of the first evidence; 0 where none is there."""
    return next((1 / place for place, turn in enumerate(ranked, 1) if turn in evidence), 0.0)


def ndcg_at(k: int, ranked: Sequence[str | None], evidence: Collection[str]) -> float:
    """Discounted gain (each evidence counts 1) over that of the best possible order."""
    gain = sum(1 / math.log2(place + 1) for place, turn in enumerate(ranked[:k], 1) if turn in evidence)
    best = sum(1 / math.log2(place + 1) for place in range(1, min(k, len(evidence)) + 1))
    return gain / best


def mean(values: Collection[float]) -> float:
    """The mean; not a number for no values."""
    return sum(values) / len(values) if values else math.nan
