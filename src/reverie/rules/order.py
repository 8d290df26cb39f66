"""The order of hits beyond their scores: what repeats a better hit steps back, what is newer comes before the older.

Both change the score by a term of their own, so that a hit's terms still add up to what orders it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from reverie.rules.dedupe import differs
from reverie.rules.terms import terms

REPEATED = 0.5
"""What is left of the score of a hit whose text nearly repeats a better one's."""
SAME_WORDS = 0.8
"""The share of distinct words that two texts have in common (Jaccard) from which on they repeat each other."""
NEWER_GAP = 0.05
"""By so much the older of two near memories may score better and still come after the newer one: both answer alike."""
STEP = 1e-6

_MOST_COMPARED = 200  # hits; in a longer list the rest are taken as they are


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """Two hits about the same thing, by their places. ``surely``: one contradicts or replaces the other, else they are
    merely near.
    """

    older: int
    newer: int
    surely: bool


def repeated(texts: Sequence[str]) -> frozenset[int]:
    """Places of the texts that nearly repeat an earlier one: SAME_WORDS in common, and nothing that the duplicates'
    guard knows (a number, a negation, a name …) tells them apart.
    """
    rough = [frozenset(text.casefold().split()) for text in texts[:_MOST_COMPARED]]
    found: set[int] = set()
    for place, words in enumerate(rough):
        for other in range(place):
            if other not in found and _alike(words, rough[other]) and _repeats(texts[place], texts[other]):
                found.add(place)
                break
    return frozenset(found)


def lifts(scores: Sequence[float], pairs: Collection[Pair]) -> Mapping[int, float]:
    """What is to be added to the scores of newer hits so that each stands just before the older one."""
    lifted = list(scores)
    for _ in pairs:  # a chain of corrections takes as many rounds as it has links
        moved = False
        for pair in pairs:
            gap = lifted[pair.older] - lifted[pair.newer]
            near = scores[pair.older] - scores[pair.newer] <= NEWER_GAP
            if gap > -STEP / 2 and (pair.surely or near):
                lifted[pair.newer] = lifted[pair.older] + STEP
                moved = True
        if not moved:
            break
    return {
        place: new - old for place, (new, old) in enumerate(zip(lifted, scores, strict=True)) if new > old
    }


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether it is worth to look closely: half of the words as they are written are the same."""
    return 3 * len(one & other) >= len(one) + len(other)


def _repeats(first: str, second: str) -> bool:
    one, other = frozenset(terms(first)), frozenset(terms(second))
    shared, all_words = len(one & other), len(one | other)
    return bool(all_words) and shared >= SAME_WORDS * all_words and differs(first, second) is None
