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
_DULL = STOP_WORDS | _CLIPPED | frozenset("abcdefghijklmnopqrstuvwxyz")
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
    terms: list[str] = []
    topics: list[str] = []
    values: list[str] = []
    sorts: list[str] = []
    kin: list[str] = []
    for word in (_split(low) if held is None else held) - _DULL:
        stems, about, rare = _word(word)
        terms += stems
        if about and word not in names:
            topics += about
        if rare is not None:
            sorts += rare.sorts
            kin += rare.kin
            if rare.is_value:
                values.append(word)
    if "number" in sorts and _CLOCK.search(low):
        sorts.append("time")
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


class _Rare(NamedTuple):
    """What few words have."""

    sorts: tuple[str, ...] = ()
    kin: tuple[str, ...] = ()
    is_value: bool = False


_NUMBER = _Rare(sorts=("number",), is_value=True)


@lru_cache(_CACHED_WORDS)
def _word(word: str) -> tuple[tuple[str, ...], tuple[str, ...], _Rare | None]:
    """The terms and topics of a word in small letters that isn't dull, and what few have."""
    if word.isascii() and not word.isalpha():  # a number, or a name with one in it
        return (word,), (), _NUMBER
    sorts = (*(sort for sort, words in _SORTS.items() if word in words), *known.CLASSES_OF.get(word, ()))
    if any(sign.isdigit() for sign in word):
        sorts = (*sorts, "number")
    is_value = not {"number", "day", "month"}.isdisjoint(sorts)
    kin = (known.KIN[word],) if word in known.KIN else ()
    terms = label_terms(word)
    says = not is_value and word not in known.EMPTY
    topics = tuple(known.FAMILY.get(term, term) for term in terms) if says else ()
    return terms, topics, _Rare(sorts, kin, is_value) if sorts or kin else None


_SORTS = {
    "day": known.DAYS,
    "month": known.MONTHS,
    "date": known.MONTHS,
    "time": frozenset({"noon", "midnight", "half", "quarter"}),
    "number": frozenset(known.NUMBERS) - {"one", "first"},
}
