"""Which of the texts that are left tell of what was forgotten still: the assistant's "Noted: 50 micrograms of …".

A text does that has in one sentence half of the words that tell something, or any of those that are rare in the bank;
or a sentence that repeats one that went, everyday words or not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from reverie.language import STOP_WORDS, WEAK, terms
from reverie.memory.forgetting.traces import HOLDS_SHARE, sentences, telling

SHARE = 0.5
"""Of the telling words (and two of them): a sentence that has so many says the same otherwise."""
RARE_TEXTS, RARE_SHARE = 3, 0.005
"""A word is rare that at most so many of the texts that are left have, or this share of them."""
FEW = 20
"""Of more texts that went at once, or of more words, a single word says nothing: somewhere each is said again."""
FEWEST, FEWEST_WEAK = 2, 3
"""So many words in common make a repetition; so many if all of them are weak."""


@cache
def _stemmed(words: frozenset[str]) -> frozenset[str]:
    """Return the terms of these words. Stemming them is a tenth of a command's start, so it waits for a forget."""
    return frozenset(term for word in words for term in terms(word))


@dataclass(frozen=True, kw_only=True, slots=True)
class Gone:
    """A text that went: its telling terms, and for each sentence its distinct terms in order, without stop words and
    names.
    """

    telling: frozenset[str]
    sentences: tuple[tuple[str, ...], ...]


def gone_of(text: str, names: Set[str] = frozenset()) -> Gone:
    """Read a text that went. ``names``: the terms of the names of who speaks."""
    parts = (dict.fromkeys(terms(part)) for part in sentences(text))
    said = (
        tuple(term for term in part if term not in names and term not in _stemmed(STOP_WORDS))
        for part in parts
    )
    return Gone(telling=telling(text, names), sentences=tuple(filter(None, said)))


def still_telling(gone: Sequence[Gone], left: Mapping[str, str], count: int) -> tuple[str, ...]:
    """Return the keys of those of the texts that are left (in their order) that tell of one of those that went.
    ``count``: how many are left in all; those that aren't given have none of the words.
    """
    told = {key: frozenset(terms(text)) for key, text in left.items()}
    frequency = Counter(term for one in told.values() for term in one)
    most = max(RARE_TEXTS, int(RARE_SHARE * count))
    own = [one.telling for one in gone if one.telling]
    rare = {term for one in own if len(own) <= FEW and len(one) <= FEW for term in one}
    rare |= {
        one[0] for each in gone for one in each.sentences if len(gone) <= FEW and len(one) == 1
    } - _stemmed(WEAK)
    rare = {term for term in rare if frequency[term] <= most}
    repeated = _Repeated(gone)
    return tuple(
        key
        for key, text in left.items()
        if not rare.isdisjoint(told[key])
        or any(_says(frozenset(part), own) or repeated.by(part) for part in map(terms, sentences(text)))
    )


def _says(part: frozenset[str], gone: Sequence[frozenset[str]]) -> bool:
    return any((shared := len(part & one)) >= 2 and shared >= SHARE * len(one) for one in gone)


class _Repeated:
    """The sentences that went, to see which of those that are left repeat one: they have three quarters of its words,
    or half of them and two of these side by side. A telling word counts twice.
    """

    def __init__(self, gone: Sequence[Gone]) -> None:
        self._telling = frozenset[str]().union(*(one.telling for one in gone))
        self._having: dict[str, list[tuple[str, ...]]] = {}
        for said in dict.fromkeys(one for each in gone for one in each.sentences):
            for term in said:
                self._having.setdefault(term, []).append(said)

    def by(self, part: Sequence[str]) -> bool:
        """Return whether a sentence of these terms, in order, repeats one that went."""
        words, pairs = frozenset(part), frozenset(pairwise(part))
        found = Counter(said for term in words for said in self._having.get(term, ()))
        return any(count >= FEWEST and self._is_repeated(said, words, pairs) for said, count in found.items())

    def _is_repeated(self, said: tuple[str, ...], words: frozenset[str], pairs: Set[tuple[str, str]]) -> bool:
        shared = words.intersection(said)
        if len(shared) < FEWEST_WEAK and shared <= _stemmed(WEAK):
            return False
        share = self._weight(shared) / self._weight(said)
        return share >= HOLDS_SHARE or (share >= SHARE and not pairs.isdisjoint(pairwise(said)))

    def _weight(self, some: Iterable[str]) -> int:
        return sum(2 if term in self._telling else 1 for term in some)
