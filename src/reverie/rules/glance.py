"""A text at a glance: what it tells of, which sorts of values it has, who is in it. Read word by word, so that a recall
can look at its best hits; ``rules.slots`` reads as much more closely, and takes five times as long.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from reverie.rules import slots_words as known
from reverie.rules.marks import held_in
from reverie.rules.terms import STOP_WORDS, label_terms, words_of

_CACHED_WORDS = 1 << 15
_CLOCK = re.compile(r"\d(?<!\w\d)\d?(?:[:.]\d\d| ?[ap]m\b)")
_CLIPPED = frozenset(
    "don doesn isn aren wasn weren didn couldn wouldn shouldn hasn haven hadn ain ve ll re".split()
)
"""What an apostrophe leaves of a word that says nothing."""
_NONE: frozenset[str] = frozenset()


class Glance(NamedTuple):
    """``terms``: stems of all its words that aren't stop words; ``topics``: of those that tell what it is about, with
    one for what is said in several ways; ``values``: days, months, and words with digits in them; ``sorts``: of its
    values, names left out; ``names``, in small letters; ``kin``: which relatives it names; ``held``: its words, None
    where it isn't ASCII.
    """

    terms: frozenset[str]
    topics: frozenset[str]
    values: frozenset[str]
    sorts: frozenset[str]
    names: frozenset[str]
    kin: frozenset[str]
    held: frozenset[str] | None


def glance(text: str) -> Glance:
    """What a text shows at a glance. Time is linear in its length."""
    low = text.lower()
    held = held_in(low)
    names = _names(text)
    terms: set[str] = set()
    topics: set[str] = set()
    values: set[str] = set()
    sorts: set[str] = set()
    kin: set[str] = set()
    for word in _split(low) if held is None else held:
        known_of = _word(word)
        terms.update(known_of.terms)
        sorts.update(known_of.sorts)
        if known_of.kin:
            kin.add(known_of.kin)
        if known_of.is_value:
            values.add(word)
        elif word not in names:
            topics.update(known_of.topics)
    if "number" in sorts and _CLOCK.search(low):
        sorts.add("time")
    return Glance(
        terms=frozenset(terms), topics=frozenset(topics), values=frozenset(values), sorts=frozenset(sorts),
        names=names, kin=frozenset(kin), held=held,
    )  # fmt: skip


def _names(text: str) -> frozenset[str]:
    """Words in a capital that can be names."""
    found = known.NAME.findall(text) + known.OPENING.findall(text)
    if not found:
        return _NONE
    return frozenset(name.lower().removesuffix("'s") for name in found) - known.NO_NAMES


def _split(low: str) -> frozenset[str]:
    return frozenset(part for word in words_of(low) for part in word.split("'"))


class _Word(NamedTuple):
    terms: tuple[str, ...]
    topics: tuple[str, ...]
    sorts: tuple[str, ...]
    kin: str
    is_value: bool


@lru_cache(_CACHED_WORDS)
def _word(word: str) -> _Word:
    """What is known of a word in small letters."""
    if len(word) == 1 and not word.isdigit() and word.isascii():
        return _Word((), (), (), "", is_value=False)
    sorts = (*(sort for sort, words in _SORTS.items() if word in words), *known.CLASSES_OF.get(word, ()))
    if any(sign.isdigit() for sign in word):
        sorts = (*sorts, "number")
    is_value = not {"number", "day", "month"}.isdisjoint(sorts)
    terms = () if word in STOP_WORDS or word in _CLIPPED else label_terms(word)
    says = terms and not is_value and word not in known.EMPTY
    topics = tuple(known.FAMILY.get(term, term) for term in terms) if says else ()
    return _Word(terms, topics, sorts, known.KIN.get(word, ""), is_value)


_SORTS = {
    "day": known.DAYS,
    "month": known.MONTHS,
    "date": known.MONTHS,
    "time": frozenset({"noon", "midnight", "half", "quarter"}),
    "number": frozenset(known.NUMBERS) - {"one", "first"},
}
