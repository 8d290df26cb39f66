"""Forms of sentences in which somebody asks to be reminded, or states when something is due. English alone, but for
dates in digits.

A false reminder is worse than a missed one, so the form must say for certain that the date is that of the reminder or
the deadline: it stands right behind "remind me" or "due", or ends the request. What has a condition, a doubt or a
recurrence, tells of the past or is another's word is left unread. ``docs/due.md`` lists the forms.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, tzinfo

from reverie.language.dates import Ahead, moments_ahead
from reverie.services.observe.statement_forms import AT, MOST_READ, OPENING, reports, small

_ANY_FORM = re.compile(r"\bremind|\bdue\b|\bdeadline\b", re.IGNORECASE)
_ASK = r"(?:(?:can|could|would|will) you )?(?:please )?(?:remember to )?"
_ME = r"(?:remind (?:me|us)|(?:set|add|make|create) (?:me |us )?(?:a|another) reminder(?: for (?:me|us))?)\b"
_REMIND = re.compile(rf"{AT}{_ASK}{_ME}")
_REMIND_THEN = re.compile(rf"[ ,]{{0,3}}{_ASK}{_ME}")
_ABOUT = re.compile(r"(?: please)?(?: to| about|:) ?")
_ABOUT_OR_THAT = re.compile(rf"{_ABOUT.pattern}|(?: please)? that ")
_LEAD = re.compile(r"[ ,]{0,3}(?:(?:for|on|by|at) )?")
_THEN_ABOUT = re.compile(
    r"(?: please)?[ ,]{0,3}(?:to|about|that|of|i|i'm|we|it|it's|my|our|the)\b|(?: please)? ?:"
)
_AT_END = re.compile(r"[ ,]{0,3}(?:please|pls|thanks|thank you)?[\s.!?)*_]{0,8}$")
_OPENED = re.compile(rf"^{OPENING}(?:(?:on|by|at) )?")
_OF_OTHERS = frozenset({"for", "of", "from"})
_CLAUSE_WITHIN = re.compile(
    r"\b(?:that|what|who|whom|which|where|when|why|how|because|was|were|had|did|said)\b"
)
"""A date behind one of these may be another's: "remind me to tell Ann that we met on Friday"."""

_DUE = re.compile(
    r"\b(?:deadline|due date)\b[\w' -]{0,60}?(?: is| will be|:) |\bdue(?: back)?(?: on| by| at|:)? "
)
_DUE_ENDS = re.compile(
    r"\s{0,3}(?:$|[,.;:!?)\u2013\u2014-]|(?:and|but|so|because|please|at the latest|latest)\b)"
)
_STATED = re.compile(r"(?:now |set for )?(?:(?:on|by|at) )?")
_UNSURE = re.compile(
    r"\b(?:if|unless|whether|until|in case|once|when(?:ever)?|might|may|maybe|perhaps|probably|could|would|should"
    r"|every|each|always|never|daily|weekly|monthly|yearly|annually|(?:mon|tues|wednes|thurs|fri|satur|sun)days"
    r"|mornings|afternoons|evenings|half past|quarter (?:past|to))\b"
)
_UNSURE_ASKED = re.compile(r"\b(?:can|could|would|will) you\b")
_NOT_DUE = re.compile(
    r"\b(?:not|no|never|none|nothing|anything|was|were|been|what|which|who|used to)\b|n't\b"
)
_QUOTING = re.compile(r"[\"\u201c\u201d\u201e\u00ab\u00bb`]|^\s{0,3}>")


def has_due_form(text: str) -> bool:
    """Return whether a word of a form stands in a text: a quick look at a whole message."""
    return _ANY_FORM.search(text) is not None


def due_at(sentence: str, said: datetime, zone: tzinfo) -> datetime | None:
    """Return when what a sentence asks to be reminded of, or says is due, falls due, in UTC; None for any other
    sentence. ``said``: when; ``zone``: the one that it was meant in. Of several due dates the first to come counts.
    Time is linear.
    """
    text = small(sentence)
    if len(sentence) > MOST_READ or not has_due_form(text) or _QUOTING.search(text) or reports(text):
        return None
    if _UNSURE.search(_UNSURE_ASKED.sub("", text)):
        return None
    named = moments_ahead(sentence, said, zone)
    if not named:
        return None
    reminded = _reminded(text, named)
    if reminded is not None or text.rstrip().endswith("?"):
        return reminded
    return min(_stated(text, named), default=None)


def _reminded(text: str, named: Sequence[Ahead]) -> datetime | None:
    """Return when a reminder is asked for."""
    first, last = named[0], named[-1]
    opened = _OPENED.match(text)
    if opened is not None and first.start <= opened.end():
        asked = _REMIND_THEN.match(text, first.end)
        is_alone = asked is not None and _ABOUT_OR_THAT.match(text, asked.end()) and first is last
        return first.at if is_alone else None
    asked = _REMIND.search(text)
    if asked is None:
        return None
    lead = _LEAD.match(text, asked.end())
    if lead is not None:
        right_behind = next((one for one in named if one.start in (asked.end() + 1, lead.end())), None)
        if right_behind is not None:
            return right_behind.at if _THEN_ABOUT.match(text, right_behind.end) else None
    about = _ABOUT.match(text, asked.end())
    if about is None or len(named) > 1:
        return None
    between = text[about.end() : last.start]
    words = between.split()
    if not words or words[-1] in _OF_OTHERS or _CLAUSE_WITHIN.search(between):
        return None
    return last.at if _AT_END.match(text, last.end) else None


def _stated(text: str, named: Sequence[Ahead]) -> Sequence[datetime]:
    """Return when something is said to be due."""
    found = []
    for form in _DUE.finditer(text):
        if _NOT_DUE.search(text, 0, form.end()):
            return ()
        lead = _STATED.match(text, form.end())
        starts = {form.end(), form.end() if lead is None else lead.end()}
        found += [one.at for one in named if one.start in starts and _DUE_ENDS.match(text, one.end)]
    return found
