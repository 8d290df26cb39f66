"""What reading claims has in common: whether a clause tells what is so, and where its value ends."""

from __future__ import annotations

import re

from reverie.rules.claims_words import NOT_YET, TIME_ENDS, VALUE_ENDS
from reverie.rules.terms import terms

ARTICLE = re.compile(r"^(?:an?|the|my|their|his|her)\s+")
FILLERS = re.compile(r"\b(?:new|current|latest|own|actual|favorite|go-to|main)\b")
"""Words before a thing that don't tell it from another."""
_BEHIND_NAME = re.compile(
    r"\s(?!(?:of|and|the|for|de|du|des|la|le|van|der|von|on|y|e|da|di|at)\s+[A-Z\d])(?=[a-z])(?!\S*[A-Z])"
)
_BEHIND_WORD = re.compile(r"\s(?=(?:off|from|with|for|at|on|by|over|via|until|last|this|done|finished)\b)")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_ANY_MORE = re.compile(r"\b(?:doesn't|don't|isn't|aren't|not)\b.*\bany ?more\b")
_SAME_THING = {
    "manager": "boss",
    "supervisor": "boss",
    "e-mail": "email",
    "mail": "email",
    "mobile": "phone",
    "number": "phone number",
    "cell": "phone",
    "color": "colour",
    "mom": "mum",
    "mother": "mum",
    "father": "dad",
    "fave": "favourite",
    "favorite": "favourite",
}


def is_over(low: str) -> bool:
    """Whether a clause says "not … any more"."""
    return _ANY_MORE.search(low) is not None


def is_so(before: str) -> bool:
    """Whether what follows is told as it is now."""
    return NOT_YET.search(before) is None


def cut_off(raw: str, *, timed: bool = False) -> str:
    """A value to where it ends."""
    cut = (TIME_ENDS if timed else VALUE_ENDS).search(raw)
    return (raw[: cut.start()] if cut else raw).strip()


def name_end(raw: str) -> int:
    """Where a name ends at which a value begins: before the first small word that is no part of names, "the Crawford
    | done", "Honda Jazz | off a student"; without a capital, before a preposition.
    """
    capital = re.match(r"(?:(?:an?|the|their|his|her|my|our) )?(?:[a-z][\w-]* ){0,3}?(?=[A-Z\d])", raw)
    small = (_BEHIND_NAME if capital is not None else _BEHIND_WORD).search(
        raw, capital.end() if capital else 1
    )
    return small.start() if small is not None else len(raw)


def value_of(raw: str, *, timed: bool = False) -> frozenset[str]:
    """A value's stemmed words, to where it ends."""
    raw = cut_off(ARTICLE.sub("", raw.strip()), timed=timed)
    return words_of_value(raw)


def words_of_value(value: str) -> frozenset[str]:
    """Its stemmed words, a number as one: 2,000 is 2000."""
    return frozenset(terms(_THOUSANDS.sub("", value)))


def is_name(text: str) -> bool:
    """Whether a value begins with a capital or a digit, behind its article."""
    bare = ARTICLE.sub("", text.lstrip("\"'\u201c"))
    return bare[:1].isupper() or bare[:1].isdigit()


def kept(thing: list[str]) -> list[str]:
    """The stemmed words of a thing; things that are the same bear the same."""
    return list(dict.fromkeys(terms(" ".join(_SAME_THING.get(word, word) for word in thing)))) or thing
