"""A text at a glance: what it tells of, which sorts of values it has, who is in it. Read word by word, so that a recall
can look at its best hits.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from reverie.rules import glance_words as known
from reverie.rules.marks import held_in, lowered
from reverie.rules.terms import MAX_TERM, STOP_WORDS, label_terms, terms_of, words_of

_CACHED_WORDS = 1 << 15
_CLOCK = re.compile(r"\d(?<!\w\d)\d?(?:[:.]\d\d| ?[ap]m\b)")
_CLIPPED = frozenset(
    "don doesn isn aren wasn weren didn couldn wouldn shouldn hasn haven hadn ain ve ll re".split()
)
"""What an apostrophe leaves of a word that says nothing."""
_DULL = STOP_WORDS | _CLIPPED | frozenset("abcdefghijklmnopqrstuvwxyz")
_AFTER_NAMES = frozenset("is was sings quit left".split())
"""One of these follows a name with which a sentence begins."""
_NONE: frozenset[str] = frozenset()


class Glance(NamedTuple):
    """``terms``: stems of all its words that aren't stop words; ``topics``: of those that tell what it is about, with
    one for what is said in several ways; ``values``: days, months, and words with digits in them; ``sorts``: of its
    values, names left out; ``names``, in small letters; ``kin``: which relatives it names; ``held``: its words
    as ``rules.marks`` has them.
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
    low = lowered(text)
    held = held_in(low)
    names = _names(text, held)
    words = (held if held is not None and low.isascii() else _split(low)) - _DULL
    seen = [*map(_word, words - names if names else words)]
    topics = frozenset([topic for _, about, _ in seen for topic in about])
    if names:
        seen += map(_word, words & names)
    few = [rare for _, _, rare in seen if rare is not None]
    sorts = [sort for rare in few for sort in rare.sorts]
    if "number" in sorts and _CLOCK.search(low):
        sorts.append("time")
    return Glance(
        frozenset([stem for stems, _, _ in seen for stem in stems]),
        topics,
        frozenset([rare.value for rare in few if rare.value is not None]),
        frozenset(sorts),
        names,
        frozenset([kin for rare in few for kin in rare.kin]),
        held,
    )


def _names(text: str, held: frozenset[str] | None) -> frozenset[str]:
    """Words in a capital that can be names."""
    found: list[str] = known.NAME.findall(text)
    if held is None or not _AFTER_NAMES.isdisjoint(held):
        found += known.OPENING.findall(text)
    if not found:
        return _NONE
    return frozenset([name.lower().removesuffix("'s") for name in found]) - known.NO_NAMES


def _split(low: str) -> frozenset[str]:
    return frozenset(part for word in words_of(low) for part in word.split("'"))


class _Rare(NamedTuple):
    """What few words have. ``value``: the word itself where it is one."""

    sorts: tuple[str, ...]
    kin: tuple[str, ...]
    value: str | None


_NUMBER = ("number",)


@lru_cache(_CACHED_WORDS)
def _word(word: str) -> tuple[tuple[str, ...], tuple[str, ...], _Rare | None]:
    """The terms and topics of a word in small letters that isn't dull, and what few have."""
    if word.isascii():
        if not word.isalpha():  # a number, or a name with one in it
            return (word,), (), _Rare(_NUMBER, (), word)
        terms, sorts = tuple(terms_of([word[:MAX_TERM]])), _SORTS_OF.get(word, ())
    else:
        terms, sorts = label_terms(word), _SORTS_OF.get(word, ())
        if any(sign.isdigit() for sign in word):
            sorts = (*sorts, "number")
    is_value = bool(sorts) and not _VALUES.isdisjoint(sorts)
    kin = (known.KIN[word],) if word in known.KIN else ()
    says = not is_value and word not in known.EMPTY
    topics = tuple([known.FAMILY.get(term, term) for term in terms]) if says else ()
    return terms, topics, _Rare(sorts, kin, word if is_value else None) if sorts or kin else None


_VALUES = frozenset({"number", "day", "month"})
_SORTS: Mapping[str, frozenset[str]] = {
    "day": known.DAYS,
    "month": known.MONTHS,
    "date": known.MONTHS,
    "time": frozenset({"noon", "midnight", "half", "quarter"}),
    "number": frozenset(known.NUMBERS) - {"one", "first"},
    **known.CLASSES,
}
_SORTS_OF: Mapping[str, tuple[str, ...]] = {
    word: tuple(sort for sort, members in _SORTS.items() if word in members)
    for word in frozenset().union(*_SORTS.values())
}
