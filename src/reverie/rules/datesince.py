"""Since when a statement says that something is so: "since 2019", "I started in January", "we moved last week".

Only what looks back says it: "since" with a time behind it, or a past tense with one in the same clause. Which day is
meant by "on Friday", "at Easter" or "20 to 29 May" in any other statement says nothing of how long it has been so.
"""

from __future__ import annotations

import re
from collections.abc import Set
from datetime import datetime, timedelta, tzinfo

from reverie.rules.dates import moments
from reverie.rules.datesaid import HABIT_WORDS, PARTS_OF_DAYS, is_past
from reverie.rules.terms import terms
from reverie.rules.when import Window

_SURE = 0.5
_DAY = timedelta(days=1)
_MOST_READ = 4_000
_CLAUSE = re.compile(
    r"(?<=[.!?;])\s+|(?:,|;)? (?:and|but|so) (?=(?:i|i'm|i've|we|we're|she|he|they|it|my|her|his|their|our|the)\b)"
    r"|, (?=(?:i|i'm|i've|we|we're|she|she's|he|he's|they|they're|it's|my|her|his|their|our)\b)"
    r"|,? (?=(?:because|which|who|where|when|while|until|before|after|if|as)\b)",
    re.IGNORECASE,
)
_SINCE = re.compile(r"\b(?:ever )?since\b(?=\s+\S)", re.IGNORECASE)
_DAYS = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_HABIT = re.compile(
    rf"(?:\bon )?\b{_DAYS} (?:{'|'.join(sorted(PARTS_OF_DAYS))})\b|\b(?:{'|'.join(sorted(HABIT_WORDS))}) {_DAYS}\b",
    re.IGNORECASE,
)


def begun(text: str, about: Set[str], time: datetime, zone: tzinfo) -> datetime | None:
    """Since when what a text says is so, as it was said at ``time`` (with a zone); None where it doesn't say.

    ``about``: terms of what the statement is about; of several clauses the one that has some of them counts, of others
    none does. Never raises for any text.
    """
    clauses = [one for one in _CLAUSE.split(text[:_MOST_READ].replace("\u2019", "'")) if one and one.strip()]
    own = [one for one in clauses if not about.isdisjoint(terms(one))] if about else clauses
    if not own and len(clauses) == 1:
        own = clauses
    if not about and len(clauses) > 1:
        return None
    found = {window.since for clause in own for window in _looking_back(clause, time, zone)}
    return found.pop() if len(found) == 1 else None


def _looking_back(clause: str, time: datetime, zone: tzinfo) -> list[Window]:
    bare = _HABIT.sub(" ", clause)
    since = _SINCE.search(bare)
    if since is not None:
        bare = bare[since.start() :]
    elif not is_past(bare):
        return []
    windows = [one for one in moments(bare, time, zone) if one.certainty >= _SURE]
    return [one for one in windows if one.since < time and one.until - time <= _DAY]
