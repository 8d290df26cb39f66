"""Tell whether one statement takes another's place: the same thing of the same one, told otherwise since.

A logistic regression on five features of a pair, fitted on the sentences of the labelled talks;
``python -m tools.judges.pairs`` measures it on quotations, and fitting it on these was less precise. It is sure of few:
what isn't linked stands beside the old statement, and the newer one ranks first.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reverie.language import terms
from reverie.minds.local.changing import says_changed

SHORTLIST = 5
"""Older statements that are compared with a new one: the nearest by cosine."""
SURE = 0.95
"""Least probability for a link."""
WEIGHTS = (7.724, 4.329, 1.49, 6.51, 0.071)
BIAS = -7.258
_NAME = re.compile(r"(?<=[a-z,;:] )[A-Z][a-z]+")
_MOST_NAMES = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """A statement with its vector, of length 1."""

    text: str
    vector: NDArray[np.float32]


def features(old: Told, new: Told, lead: float) -> tuple[float, ...]:
    """Return what a pair shows. ``lead``: by how much the old one is nearer to the new one than the next on the
    shortlist; below 0 for one that isn't the nearest.
    """
    before, after = frozenset(terms(old.text)), frozenset(terms(new.text))
    names = frozenset(_NAME.findall(old.text)) & frozenset(_NAME.findall(new.text))
    return (
        float(old.vector @ new.vector),
        lead,
        float(says_changed(new.text)),
        len(before & after) / max(len(before | after), 1),
        float(min(len(names), _MOST_NAMES)),
    )


def shortlisted(new: Told, older: Sequence[Told]) -> list[tuple[int, tuple[float, ...]]]:
    """Return the places of the older statements that are nearest to a new one, with the features of each pair."""
    if not older:
        return []
    cosines = np.stack([one.vector for one in older]) @ new.vector
    order = np.argsort(-cosines, kind="stable")[:SHORTLIST].tolist()
    found = []
    for rank, place in enumerate(order):
        other = order[1] if not rank and len(order) > 1 else order[0]
        lead = float(cosines[place] - cosines[other]) if len(order) > 1 else 0.0
        found.append((place, features(older[place], new, lead)))
    return found


def replaced(new: Told, older: Sequence[Told]) -> int | None:
    """Return the place of the older statement that the new one surely takes the place of, if there is one."""
    sure = [(likely_of(seen), place) for place, seen in shortlisted(new, older)]
    likely, place = max(sure, default=(0.0, 0))
    return place if likely >= SURE else None


def likely_of(seen: Sequence[float]) -> float:
    """Return how likely a pair with these features is a statement and what takes its place."""
    odds = BIAS + sum(weight * value for weight, value in zip(WEIGHTS, seen, strict=True))
    return 1 / (1 + math.exp(-odds))
