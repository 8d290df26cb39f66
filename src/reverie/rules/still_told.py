"""Which of the texts that are left tell of what was forgotten still: the assistant's "Noted: 50 micrograms of …".

A text does that has in one sentence half of the words that tell something, or any of those that are rare in the bank.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from reverie.rules.forgetting import sentences
from reverie.rules.terms import terms

SHARE = 0.5
"""Of the telling words (and two of them): a sentence that has so many says the same otherwise."""
RARE_TEXTS, RARE_SHARE = 3, 0.005
"""A word is rare that at most so many of the texts that are left have, or this share of them."""
FEW = 20
"""Of more texts that went at once, or of more words, a single word says nothing: somewhere each is said again."""


def still_telling(gone: Sequence[frozenset[str]], left: Mapping[str, str], count: int) -> tuple[str, ...]:
    """The keys of those of the texts that are left (in their order) that tell of one of those that went, which are
    given by what tells something of each (``forgetting.telling``). ``count``: how many are left in all; those that
    aren't given have none of the words.
    """
    told = {key: frozenset(terms(text)) for key, text in left.items()}
    frequency = Counter(term for one in told.values() for term in one)
    most = max(RARE_TEXTS, int(RARE_SHARE * count))
    rare = {
        term
        for one in (gone if len(gone) <= FEW else ())
        for term in (one if len(one) <= FEW else ())
        if frequency[term] <= most
    }
    return tuple(
        key
        for key, text in left.items()
        if not rare.isdisjoint(told[key])
        or any(_says(frozenset(terms(part)), gone) for part in sentences(text))
    )


def _says(part: frozenset[str], gone: Sequence[frozenset[str]]) -> bool:
    return any((shared := len(part & one)) >= 2 and shared >= SHARE * len(one) for one in gone)
