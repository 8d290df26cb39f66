"""A row of the table of what lasts: how it is read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

_PASSES = 0.2
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_BREAK = re.compile(r"\s*\n\s*")
_DAYS = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_PARTS: Mapping[str, str] = MappingProxyType(
    {
        "my": r"(?:my|our|his|her|their|[\w-]+'s?)",
        "is": r"(?:am|is|are|was|were|be|been|being|[\w]+'(?:m|s|re))",
        "an": r"(?:an?|my|our|his|her|their|the|this|two|three|some)",
        "kin": (
            r"(?:wife|husband|partner|spouse|girlfriend|boyfriend|fianc\u00e9e?|mother|mom|mum|mama|father|dad|papa|parents?"
            r"|sister|brother|siblings?|son|daughter|kids?|child|children|baby|twins?|grand(?:mother|ma|father|pa|parents?"
            r"|son|daughter|kids?|children)|aunt|uncle|cousin|niece|nephew|in-laws|family|best friend|friend|flatmate"
            r"|roommate|neighbou?r|godmother|godfather|godson|goddaughter|step(?:son|daughter|mother|father|mum|mom|dad))s?"
        ),
        "when": (
            rf"(?:\b(?:{_MONTHS}|{_DAYS}s?|tomorrow|tonight|next|in \d+ (?:days|weeks|months|years)"
            rf"|this (?:spring|summer|autumn|fall|winter|weekend|year|month|week|{_DAYS}|{_MONTHS})"
            r"|(?:by|at) the end of|(?:19|20)\d\d|\d{1,2}(?::\d\d| ?[ap]m| o'clock)|\d{1,2}(?:st|nd|rd|th)"
            r"|christmas|easter|new year)\b)"
        ),
    }
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One way to tell of something. ``worth`` is the importance in (0, 1) that it usually has.

    It fits a text in small letters that holds one of ``words`` and ``says`` near the beginning of a clause, and has no
    more words than ``most`` (0: any number). ``of_anyone``: it matters of whomever it is told.
    """

    name: str
    worth: float
    words: frozenset[str]
    says: re.Pattern[str]
    most: int
    of_anyone: bool

    @property
    def passes(self) -> bool:
        """Whether what it tells of is over soon: a mood, a reaction, a request."""
        return self.worth < _PASSES


def row(
    name: str, worth: float, words: str, says: str = "", *, most: int = 0, of_anyone: bool = False
) -> Row:
    """A row; in ``says`` the parts {my}, {is}, {an}, {kin} and {when} stand for patterns, and it may be broken into
    lines. Without it the words are enough.
    """
    single = words.split()
    pattern = _written(says) if says else rf"\b(?:{'|'.join(map(re.escape, single))})\b"
    return Row(
        name=name,
        worth=worth,
        words=frozenset(single),
        says=re.compile(pattern),
        most=most,
        of_anyone=of_anyone,
    )


def _written(says: str) -> str:
    for name, part in _PARTS.items():
        says = says.replace(f"{{{name}}}", part)
    return rf"\b(?:{_BREAK.sub('', says)})"
