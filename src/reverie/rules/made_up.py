"""Made up: what is a story, a role, a supposition or a dream, and no telling of somebody's life.

One word proves nothing: "the second story of our house", "the form has a character limit", "I suppose" and "I can't
imagine" are said in earnest. So sentences are read, each by what it sets up. Inside a story or a role goes on what
stands behind; an order to tell one marks itself and what is plainly told of its people; a supposition holds for the
sentences behind it that say "would". What is vital (``rules.vital``) is told in earnest anywhere but in a story.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum, auto

from reverie.rules.sentences import Sentence, sentences
from reverie.rules.vital import vital

_FORM = r"(?:short stor(?:y|ies)|bedtime story|novel|novella|screenplay|poem|fairy ?tale|fan ?fic(?:tion)?)"
_WORK = rf"(?:{_FORM}|story)"
_ONE = r"(?:my|a|an|the|this|our|another)"
_FIRST = r"^(?:(?:ok(?:ay)?|so|now|well|hey|hi|and|but|just|please|right|alright|then|thanks)[,:!]? )*"
_MAKE = r"(?:write|compose|draft|make up|invent|continue|rewrite|tell)(?: me| us| him| her| the kids)?"
_PLAY = r"\b(?:let's|let us|can we|could we|shall we|start a|begin a|in (?:this|our))"
_SOMEBODY = (
    r"(?:i|we|you|he|she|they|it|there|somebody|someone|the|my|our|an?|[a-z]+ (?:is|has|was|lives|works))"
)
_STORY = re.compile(
    "|".join(
        (
            # It is announced
            rf"\bhere(?:'s| is| comes) (?:the (?:start|beginning|opening|rest|draft) of )?{_ONE} (?:\w+ )?{_FORM}\b",
            # It is told inside of one
            rf"\bin {_ONE} (?:new |own )?{_WORK}\b(?! (?:club|group|class|course|contest|prize|app|book|time|line))",
            rf"\b(?:the|my|this|our) {_WORK} (?:is|are) (?:about|set in)\b",
            r"\b(?:main|title|fictional) characters?\b|\bcharacter (?:called|named|sheet|backstory|arc)\b",
            r"\bprotagonists?\b",
            r"\bmy character(?:'s)? (?:is|has|name|lives|works|wants|loves|grew|goes|drives|can|comes)\b",
            r"^chapter (?:\d+|one|two|three|four|five)\b|^once upon a time\b",
            # It is played
            rf"{_PLAY} role-?play\b(?! (?:training|exercise|at work))|^role-?play\b|\brole-?play as\b",
            rf"{_FIRST}(?:let's |let us |can (?:you|we) |could (?:you|we) )?pretend\b",
            r"\bin an ideal world\b",
        )
    ),
    re.IGNORECASE,
)
_POSITED = re.compile(
    "|".join(
        (
            rf"{_FIRST}(?:let's |let us |try to )?imagine (?:i|we|you|he|she|they|it|there|that (?=\w)|some\w+)\b",
            rf"{_FIRST}(?:let's |let us )?suppos(?:e|ing)\b(?! you (?:know|heard|saw|remember))",
            rf"{_FIRST}(?:let's|let us) (?:say|assume) (?:that )?{_SOMEBODY}\b(?!.* now\b)",
            r"\b(?<!not )(?<!longer )hypothetical(?:ly)?\b|\b(?<!non-)fictional\b",
        )
    ),
    re.IGNORECASE,
)
_ORDERED = re.compile(
    rf"(?:{_FIRST}|\b(?:you|please|let's) ){_MAKE}(?: {_ONE})? (?:\w+ ){{0,3}}?(?:{_WORK}|lyrics|song)\b(?! app\b)",
    re.IGNORECASE,
)
_GIVEN = re.compile(r"\b(?:continue|rewrite)\b", re.IGNORECASE)
"""What is ordered of a story that stands behind the order."""
_DREAM = re.compile(
    r"\b(?:dreamt|dreamed)\b(?! of (?:\w+ing|an?|the|this|that)\b)|\bin (?:my|a|the) dream\b",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    rf"{_FIRST}(?:(?P<own>what if (?:i|we)\b)|what if|imagine (?!my|our|his|her|their|how|the look|being)|if only)\b"
    rf"|{_FIRST}(?:for example|e\.g\.),? (?:imagine|say|suppose|if)\b",
    re.IGNORECASE,
)
_AS_IF = re.compile(
    r"\b(?:i|we|you|he|she|they|it|that|there)(?:'d| would| could| might)\b(?! (?:been|had)\b)", re.IGNORECASE
)
"""What goes on from a supposition."""
_IN_EARNEST = re.compile(
    r"^\W*(?:by the way|btw|anyway|in real life|irl|seriously|but seriously|back to reality)\b", re.IGNORECASE
)
_NOW = re.compile(
    r"\b(?:i'm|i am|we're|we are|i've|we've|(?:i|we) (?:have|work|live|start))\b", re.IGNORECASE
)
_OWN_NOW = re.compile(
    r"(?:and |then |so )?(?:i|we)(?: also)? [a-z]+(?<!ed)\b(?!.*\b(?:now|since)\b)", re.IGNORECASE
)
_ENDS_DREAM = re.compile(r"\b(?:now|anyway|by the way|btw|since|these days|new)\b", re.IGNORECASE)
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|im|ive|we|we're|we've|my|our|me|us)\b", re.IGNORECASE)
_OF_THEM = re.compile(
    r"(?:and |but |then )?(?:he|she|they|it|his|her|their|its|the)(?:'\w+)?\b", re.IGNORECASE
)


class _Inside(Enum):
    """What stands around a sentence that isn't told in earnest."""

    NOTHING = auto()
    STORY = auto()
    POSITED = auto()  # "Suppose I sold the house."
    GIVEN = auto()  # "Continue this story."
    ORDERED = auto()  # "Write me a poem."
    DREAM = auto()
    SUPPOSED = auto()  # "What if he never pays?"
    SUPPOSED_OF_ONESELF = auto()  # "What if I moved?"


_AFTER_BREAK = {
    _Inside.POSITED: _Inside.POSITED,
    _Inside.SUPPOSED: _Inside.SUPPOSED,
    _Inside.SUPPOSED_OF_ONESELF: _Inside.SUPPOSED,
}
"""What still holds behind a sentence that doesn't go on from it."""


def made_up(read: Sequence[Sentence]) -> frozenset[int]:
    """Which of a message's sentences aren't told in earnest: their places in ``read``."""
    found: set[int] = set()
    inside = _Inside.NOTHING
    for place, one in enumerate(read):
        opened = _opened(one.text)
        if _IN_EARNEST.match(one.text):
            inside = _Inside.NOTHING
        elif opened is not _Inside.NOTHING or _goes_on(inside, one.text):
            found.add(place)
        else:
            inside = _AFTER_BREAK.get(inside, _Inside.NOTHING)
        if opened is not _Inside.NOTHING and inside not in (_Inside.STORY, _Inside.POSITED):
            inside = opened
        if place in found and inside is not _Inside.STORY and vital(one.text):
            found.remove(place)
    return frozenset(found)


def _opened(text: str) -> _Inside:
    """What a sentence sets up."""
    if _STORY.search(text):
        return _Inside.STORY
    if _ORDERED.search(text):
        return _Inside.GIVEN if _GIVEN.search(text) else _Inside.ORDERED
    if _POSITED.search(text):
        return _Inside.POSITED
    if _DREAM.search(text):
        return _Inside.DREAM
    supposed = _SUPPOSED.search(text)
    if supposed is None:
        return _Inside.NOTHING
    return _Inside.SUPPOSED_OF_ONESELF if supposed["own"] else _Inside.SUPPOSED


def _goes_on(inside: _Inside, text: str) -> bool:
    """Whether a sentence goes on from what was set up before it."""
    match inside:
        case _Inside.STORY:
            return True
        case _Inside.POSITED:
            return _ENDS_DREAM.search(text) is None
        case _Inside.GIVEN:
            return _FIRST_PERSON.search(text) is None
        case _Inside.ORDERED:
            return _OF_THEM.match(text) is not None and _FIRST_PERSON.search(text) is None
        case _Inside.DREAM:
            return not (_ENDS_DREAM.search(text) or _NOW.search(text))
        case _Inside.SUPPOSED:
            return _AS_IF.search(text) is not None
        case _Inside.SUPPOSED_OF_ONESELF:
            return _AS_IF.search(text) is not None or _OWN_NOW.match(text) is not None
        case _Inside.NOTHING:
            return False


def is_made_up(text: str) -> bool:
    """Whether a message isn't told in earnest: at least half of its sentences aren't."""
    read = sentences(text)
    return 2 * len(made_up(read)) > len(read)
