"""Two texts laid side by side for the duplicates' guard: the words that they share, and what either has more of."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from reverie.memory.dedupe.reading import Token
from reverie.memory.dedupe.words import same

_MOST_COMPARED = 2000  # pairs of words; beyond it no synonyms are looked for


@dataclass(frozen=True, kw_only=True, slots=True)
class Alignment:
    """``pairs``: where each shared word stands in the left and the right text, in the left text's order."""

    left: Sequence[Token]
    right: Sequence[Token]
    pairs: Sequence[tuple[int, int]]

    @property
    def over(self) -> tuple[list[Token], list[Token]]:
        """The words that only the left text has, and only the right."""
        here, there = {one for one, _ in self.pairs}, {other for _, other in self.pairs}
        return (
            [token for place, token in enumerate(self.left) if place not in here],
            [token for place, token in enumerate(self.right) if place not in there],
        )


def align(left: Sequence[Token], right: Sequence[Token]) -> Alignment:
    """Pairs equal words in their order, then words that say the same."""
    where: dict[str, list[int]] = defaultdict(list)
    for place in reversed(range(len(right))):
        where[right[place].key].append(place)
    pairs = []
    ours = []
    for here, token in enumerate(left):
        if where.get(token.key):
            pairs.append((here, where[token.key].pop()))
        else:
            ours.append(here)
    theirs = sorted(place for places in where.values() for place in places)
    for here in ours if len(ours) * len(theirs) <= _MOST_COMPARED else ():
        there = next((one for one in theirs if same(left[here].key, right[one].key)), None)
        if there is not None:
            pairs.append((here, there))
            theirs.remove(there)
    return Alignment(left=left, right=right, pairs=sorted(pairs))


def longest_rise(values: Sequence[int]) -> int:
    """The length of a longest increasing subsequence, by patience sorting."""
    tops: list[int] = []
    for value in values:
        pile = bisect_left(tops, value)
        tops[pile : pile + 1] = [value]
    return len(tops)
