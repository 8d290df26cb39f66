"""What kind of utterance a text is: whether it asks, whether it says when, and whether a question asks for a time, or
for what was so before.

A message that only asks is seldom the answer; the one behind it often is. And who asks "when" is helped by what says
"last week". Both are read off the words alone, so that every engine reads them alike.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from reverie.language.lexical_terms import terms

ASKING = r"""[\x3f\uff1f\u061f]["'\u201d\u2019)\] \t\r\n]*(\Z|\[)"""
"""A regular expression, in the common part of Python's and PostgreSQL's: a question mark at the end of what was said,
or before what was put behind it in brackets."""

TIME_TERMS: frozenset[str] = frozenset(
    terms(
        """yesterday today tomorrow tonight ago last next week weekend month year night fortnight
        monday tuesday wednesday thursday friday saturday sunday
        january february april june july august september october november december"""
    )
)
"""Stemmed words by which a text says when something was or will be; "may" and "march" mean too much else."""

_ASKING = re.compile(ASKING)
_ASKS_WHEN = re.compile(
    r"\b(?:when|how\s+(?:long|recently)|(?:what|which)\s+(?:date|day|week|month|year|time))\b", re.IGNORECASE
)

_ASKS_BEFORE = re.compile(
    r"\b(?:used\s+to|before|previous(?:ly)?|former(?:ly)?|original(?:ly)?|earlier|back\s+then|at\s+first|no\s+longer"
    r"|(?<!how )old)\b",
    re.IGNORECASE,
)


def asks(text: str) -> bool:
    """Return whether a text ends in a question."""
    return bool(_ASKING.search(text))


def says_when(found: Collection[str]) -> bool:
    """Return whether one of a text's terms (``language.lexical_terms.terms``) says when."""
    return not TIME_TERMS.isdisjoint(found)


def asks_when(question: str) -> bool:
    """Return whether a question asks for a time: when, how long, which year."""
    return bool(_ASKS_WHEN.search(question))


def asks_before(question: str) -> bool:
    """Return whether a question asks for what was so once: "used to", "before", "previous". English words alone are
    known.
    """
    return bool(_ASKS_BEFORE.search(question))
