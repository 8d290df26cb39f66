"""The word "there" made a name, where the sentence before it names one place.

Of "I moved to Lisbon. I love it there." the second sentence becomes "I love it in Lisbon."
"""

from __future__ import annotations

import re

from reverie.rules.datewords import MONTHS

_CALLED = r"(?:[A-Z\u00c0-\u00de][\w'-]+)(?: [A-Z\u00c0-\u00de][\w'-]+){0,2}"
_PLACE = re.compile(rf"\b(?:in|to|at|from|near|around) ({_CALLED})")
_THERE = re.compile(
    r"\b(?:(?P<way>from|near|around|to)\s+|(?:over|up|down|out)\s+)?there"
    r"(?=\s*(?:[.,;]|$|\s(?:and|but|since|because|for|now|too|with|until|in)\b))"
)
_DAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday christmas easter".split())


def placed(text: str, before: str) -> str:
    """The text with "there" at the end of a clause replaced by the place that ``before`` names, if that is one."""
    names = {name for name in _PLACE.findall(before) if not _is_time(name)}
    if len(names) != 1:
        return text
    name = names.pop()
    return _THERE.sub(lambda found: f"{found['way'] or 'in'} {name}", text)


def _is_time(name: str) -> bool:
    first = name.split()[0].casefold()
    return first in MONTHS or first in _DAYS
