"""The order of hits beyond their scores: what repeats a better hit steps back, what is newer comes before the older.

Both change the score by a term of their own, so that a hit's terms still add up to what orders it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reverie.language import MAX_TERM, ascii_words, terms, terms_of, words_of
from reverie.memory.dedupe import texts_differ

REPEATED = 0.5
"""What is left of the score of a hit whose text nearly repeats a better one's."""
SAME_WORDS = 0.8
"""The share of distinct words that two texts have in common (Jaccard) from which on they repeat each other."""
NEWER_GAP = 0.05
"""By so much the older of two near memories may score better and still come after the newer one: both answer alike.
Not where the question's own words are in the older alone: who asks for 61.3 kilos doesn't mean today's weight."""
STEP = 1e-6
LOOKED_AT = 10
"""So many of the best hits are looked at for something later that tells of the same."""
LATER = 0.05
"""At most so much does a later hit take from an older one."""
FEWER_WORDS = 0.01
"""A difference in the term lexical that is more than one in length makes."""
_SHARPNESS = 4

_MOST_COMPARED = 200  # hits; in a longer list the rest are taken as they are
_READ = 2_000  # characters of each
_MOST_LOOKED_AT = 200  # pairs that share their words: of templates by the hundred the first are enough


@dataclass(frozen=True, kw_only=True, slots=True)
class Pair:
    """Two hits about the same thing, by their places. ``surely``: one contradicts or replaces the other, else they are
    merely near; ``named``: the older has words of the question that the newer lacks.
    """

    older: int
    newer: int
    surely: bool
    named: bool = False


def repeated(texts: Sequence[str], by: Sequence[str | None] | None = None) -> frozenset[int]:
    """Return places of the texts that nearly repeat an earlier one: SAME_WORDS in common, and nothing that the
    duplicates' guard knows (a number, a negation, a name …) tells them apart. Only a text's beginning is read. ``by``,
    as long as ``texts``, says who said each: what another one says is no repetition.
    """
    beginnings = [text[:_READ] for text in texts[:_MOST_COMPARED]]
    rough = [_rough(text) for text in beginnings]
    words: dict[int, frozenset[str]] = {}
    found: set[int] = set()
    looked = 0
    for place, text in enumerate(beginnings):
        for other in _alike(rough, place):
            if other in found or (by is not None and by[place] != by[other]):
                continue
            for each in (place, other):
                if each not in words:
                    words[each] = _terms(beginnings[each], rough[each])
            if not _share_words(words[place], words[other]):
                continue
            looked += 1
            if looked > _MOST_LOOKED_AT:
                return frozenset(found)
            if texts_differ(text, beginnings[other]) is None:
                found.add(place)
                break
    return frozenset(found)


def lifts(scores: Sequence[float], pairs: Collection[Pair]) -> Mapping[int, float]:
    """Return what is to be added to the scores of newer hits so that each stands just before the older one."""
    lifted = list(scores)
    for _ in pairs:  # a chain of corrections takes as many rounds as it has links
        moved = False
        for pair in pairs:
            gap = lifted[pair.older] - lifted[pair.newer]
            near = scores[pair.older] - scores[pair.newer] <= NEWER_GAP
            if gap > -STEP / 2 and (pair.surely or (near and not pair.named)):
                lifted[pair.newer] = lifted[pair.older] + STEP
                moved = True
        if not moved:
            break
    return {
        place: new - old for place, (new, old) in enumerate(zip(lifted, scores, strict=True)) if new > old
    }


def outdated(
    scores: Sequence[float], words: Sequence[float], times: Sequence[int], alike: NDArray[np.float32]
) -> Sequence[float]:
    """Return what a later hit that tells of the same takes from each hit's score: at most LATER, where it scores as
    well as the best and means the same. ``words``: the term lexical of each, since one that lacks words of the question
    that the older has takes nothing from it; ``times``: when each was learned; ``alike``: the cosines of the hits,
    shape (n, n).
    """
    if len(scores) < 2:
        return [0.0] * len(scores)
    score, time = np.asarray(scores, np.float64), np.asarray(times)
    share = np.clip(score / max(score.max(), STEP), 0.0, 1.0)
    against = np.clip(alike, 0.0, 1.0).astype(np.float64) * share[None, :] ** _SHARPNESS
    against[time[None, :] <= time[:, None]] = 0.0
    lexical = np.asarray(words, np.float64)
    against[lexical[None, :] < lexical[:, None] - FEWER_WORDS] = 0.0
    taken: list[float] = (-LATER * against.max(axis=1)).tolist()
    return taken


def _rough(text: str) -> frozenset[str] | None:
    """Return a text's distinct words as they are written; None beyond ASCII, where some texts are written without
    spaces.
    """
    if not text.isascii():
        return None
    words = frozenset(ascii_words(text.lower()))
    if "'" not in text and max(map(len, words), default=0) > MAX_TERM:
        return frozenset(words_of(text))  # as terms have them: cut
    return words


def _terms(text: str, rough: frozenset[str] | None) -> frozenset[str]:
    return frozenset(terms(text) if rough is None or "'" in text else terms_of([*rough]))


def _alike(rough: Sequence[frozenset[str] | None], place: int) -> Sequence[int]:
    """Return the places before this one but for those where fewer than six in ten words as they are written are the
    same.
    """
    one = rough[place]
    if one is None:
        return range(place)
    size = len(one)
    return [
        other
        for other, two in enumerate(rough[:place])
        if two is None or 10 * len(one & two) >= 6 * (size if size > len(two) else len(two))
    ]


def _share_words(one: frozenset[str], other: frozenset[str]) -> bool:
    shared = len(one & other)
    return shared > 0 and shared >= SAME_WORDS * (len(one) + len(other) - shared)
