"""Cluster: which episodes of a night have to do with each other, so that a mind sees them together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reverie.domain.time import MICROS_PER_DAY

MOST = 30
"""A group of more episodes than these is not made: a mind is to see each."""
LIKE = 0.35
"""Mean affinity from which on two groups belong together. In hundreds of LoCoMo's turns, in their order, 45 % of the
pairs that one question needs stand in one group then, and 15 % of all pairs (single link at 0.5: 46 and 26 %)."""
SAME_ROOM = 0.05
"""What being said in one conversation adds to a cosine, within a day,"""
SOON = 0.15
"""and what following each other within moments adds."""

_SOON_MICROS = 5 * 60 * 1_000_000
_NEVER = -np.inf


@dataclass(frozen=True, kw_only=True, slots=True)
class Spoken:
    """What is known of an episode beside its vector. ``time`` is in microseconds since 1970."""

    id: str
    conversation: str
    time: int


def clusters(
    spoken: Sequence[Spoken], vectors: NDArray[np.float32], *, most: int = MOST
) -> Sequence[Sequence[int]]:
    """Groups of places in ``spoken``, each place in one; ``vectors`` (n, dimensions) are of unit length.

    Agglomerative, by average link (Sokal and Michener, 1958): the two groups with the greatest mean affinity (the
    cosine, more for the same conversation and for nearness in time) become one, as long as that is at least LIKE and
    they are no more than ``most`` together. Within a group, and of the groups by their first, the order is that of
    (time, id). The same groups come out whatever the order that they are given in. Takes n² memory, and time.
    """
    order = sorted(range(len(spoken)), key=lambda place: (spoken[place].time, spoken[place].id))
    if not order:
        return []
    merging = _Merging(_affinities([spoken[place] for place in order], vectors[order]), most)
    return [[order[place] for place in group] for group in merging.groups()]


def _affinities(spoken: Sequence[Spoken], vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    rooms = {name: number for number, name in enumerate(sorted({one.conversation for one in spoken}))}
    room = np.array([rooms[one.conversation] for one in spoken])
    time = np.array([one.time for one in spoken], np.int64)
    found = vectors @ vectors.T
    together, apart = room[:, None] == room[None, :], np.abs(time[:, None] - time[None, :])
    found[together & (apart < MICROS_PER_DAY)] += np.float32(SAME_ROOM)
    found[together & (apart < _SOON_MICROS)] += np.float32(SOON - SAME_ROOM)
    np.fill_diagonal(found, _NEVER)
    rounded: NDArray[np.float32] = found.round(5)  # how a sum was rounded must not decide
    return rounded


class _Merging:
    """Groups by their first place. Each row knows its best partner, so that a merge looks at few rows again."""

    def __init__(self, affinity: NDArray[np.float32], most: int) -> None:
        self._affinity, self._most = affinity, most
        self._members: list[list[int]] = [[place] for place in range(len(affinity))]
        self._size = np.ones(len(affinity), np.int64)
        if most <= 1:
            affinity[:] = _NEVER
        self._partner = affinity.argmax(axis=1)
        self._best = affinity.max(axis=1)

    def groups(self) -> list[list[int]]:
        """Merges until nothing belongs together any more."""
        while True:
            one = int(self._best.argmax())
            if not self._best[one] >= LIKE:
                return [sorted(members) for members in self._members if members]
            self._merge(*sorted((one, int(self._partner[one]))))

    def _merge(self, one: int, other: int) -> None:
        affinity, size = self._affinity, self._size
        joined = size[one] + size[other]
        mean = (size[one] * affinity[one] + size[other] * affinity[other]) / joined
        mean[size + joined > self._most] = _NEVER  # and so it stays, since groups only grow
        mean[one] = mean[other] = _NEVER
        affinity[one] = affinity[:, one] = mean
        affinity[other] = affinity[:, other] = _NEVER
        size[one], size[other] = joined, 0
        self._members[one] += self._members[other]
        self._members[other] = []
        stale = np.flatnonzero((self._partner == one) | (self._partner == other))
        for row in {one, other, *stale.tolist()}:
            self._partner[row] = affinity[row].argmax()
            self._best[row] = affinity[row, self._partner[row]]
