"""What is done regularly, by the times at which people tell of doing it: the part of the day, and the day of the week.

That somebody writes in the evening only shows when they write. So a regularity counts only where what else they say
doesn't come at the same times anyway.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import TypeVar

T = TypeVar("T")

FEWEST_DAYS = 4
"""Days on which it must have been told of."""
_FEWEST_WEEKS = 3
_LATEST = 8
"""Only so many of the latest days count: people change."""
_SHARE = 0.75
_OVER_USUAL = 1.25
_FEWEST_OTHERS = 6
_DAYS = ("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays")

_ACTIVITIES: Mapping[str, str] = MappingProxyType(
    {
        r"cod(?:e|ing|ed)|program(?:ming|med)|hacking on|refactor(?:ing|ed)": "codes",
        r"(?:for|my|a|morning|evening|quick|long) run\b|running|jog(?:ging|ged)?|went for a run|ran \d": (
            "goes running"
        ),
        r"yoga": "does yoga",
        r"gym|work(?:ing)? out|workout|lifting|weights": "goes to the gym",
        r"swim(?:ming)?|swam|the pool": "goes swimming",
        r"climb(?:ing|ed)|boulder(?:ing|ed)?": "goes climbing",
        r"cycling|bike ride|biking|my ride\b": "goes cycling",
        r"guitar": "plays the guitar",
        r"piano": "plays the piano",
        r"violin": "plays the violin",
        r"cello": "plays the cello",
        r"drums": "plays the drums",
        r"choir": "sings in the choir",
        r"gaming|playing (?:games|zelda|chess|video games)": "plays games",
        r"cook(?:ing|ed)|baking|baked": "cooks",
        r"reading (?!the|your|this)|my book|read a (?:chapter|few)": "reads",
        r"meditat\w+": "meditates",
        r"writing (?:my|the|a) (?:novel|book|thesis|blog|journal|diary)": "writes",
        r"garden(?:ing|ed)?|allotment": "works in the garden",
        r"study(?:ing)?|studied|revising|revision|homework": "studies",
        r"groceries|grocery": "buys groceries",
        r"laundry": "does the laundry",
        r"hik(?:e|ing|ed)": "goes hiking",
        r"football|soccer": "plays football",
        r"tennis": "plays tennis",
        r"badminton": "plays badminton",
        r"danc(?:ing|e class)": "goes dancing",
        r"paint(?:ing|ed)": "paints",
        r"drawing|sketch(?:ing|ed)": "draws",
        r"call(?:ed|ing)? (?:with )?(?:my )?mum": "calls mum",
        r"call(?:ed|ing)? (?:with )?(?:my )?parents": "calls the parents",
    }
)
_KNOWN = tuple(
    (re.compile(rf"\b(?:{pattern})", re.IGNORECASE), phrase) for pattern, phrase in _ACTIVITIES.items()
)
_OWN = re.compile(
    r"\b(?:i|i'm|i've|i'll|we|we're|my|me)\b|^(?:\W*(?:just|back|off|time|done|finished|about"
    r"|heading|another|evening|morning"
    r"|tonight|ok|okay|right|so|and|early|late|quick|first|still|busy|\w+ing)\b)",
    re.IGNORECASE,
)
_NOT_DONE = re.compile(
    r"\?|\b(?:not|n't|never|skip(?:ped|ping)?|miss(?:ed|ing)?|no|should|would|could|wish|used "
    r"to|instead|hate|quit|stopped|gave up"
    r"|cancel(?:l)?ed|how (?:do|to)|what is|explain|recommend)\b",
    re.IGNORECASE,
)


def activities(text: str) -> tuple[str, ...]:
    """What somebody tells of doing in a message, as said of a third person: "codes"; nothing where it is not done."""
    plain = text[:400].replace("\u2019", "'")
    found: dict[str, None] = {}
    for sentence in re.split(r"(?<=[.!?])\s+|\n", plain):
        if _NOT_DONE.search(sentence) or not _OWN.search(sentence):
            continue
        for pattern, phrase in _KNOWN:
            if pattern.search(sentence):
                found.setdefault(phrase)
    return tuple(found)


def regularity(times: Sequence[datetime], others: Sequence[datetime]) -> str | None:
    """When something is mostly done: "in the evening", "on Tuesdays", "on Tuesday evenings", "at weekends"; None where
    there is no rule in it. ``times`` and ``others`` (when else the same one wrote) are local.
    """
    days: dict[object, datetime] = {}
    for moment in sorted(times):
        days.setdefault(_day(moment), moment)
    latest = list(days.values())[-_LATEST:]
    if len(latest) < FEWEST_DAYS:
        return None
    part = _most(Counter(map(part_of, latest)), Counter(map(part_of, others)), len(latest), len(others))
    weekday = None
    if len({moment.isocalendar()[:2] for moment in latest}) >= _FEWEST_WEEKS:
        counts, usual = (Counter(moment.weekday() for moment in some) for some in (latest, others))
        weekday = _most(counts, usual, len(latest), len(others))
        if (
            weekday is None
            and _share(counts, (5, 6)) >= 0.9
            and (len(others) < _FEWEST_OTHERS or _share(usual, (5, 6)) < 0.6)
        ):
            return f"at weekends{', ' + _in(part) if part else ''}"
    if weekday is not None:
        day = _DAYS[weekday]
        return f"on {day[:-1]} {part}s" if part else f"on {day}"
    return _in(part) if part else None


def part_of(moment: datetime) -> str:
    """The part of the day of a local time."""
    hour = moment.hour + moment.minute / 60
    if 4.5 <= hour < 11.5:
        return "morning"
    if 11.5 <= hour < 17:
        return "afternoon"
    return "evening" if 17 <= hour < 22.5 else "night"


def _in(part: str) -> str:
    return "at night" if part == "night" else f"in the {part}"


def _day(moment: datetime) -> object:
    return moment.date()


def _share(counts: Counter[int], keys: Sequence[int]) -> float:
    return sum(counts[key] for key in keys) / max(1, counts.total())


def _most(counts: Counter[T], usual: Counter[T], size: int, others: int) -> T | None:
    """What most of them are, unless the others mostly are too."""
    value, count = min(counts.items(), key=lambda item: (-item[1], str(item[0])))
    share = count / size
    if share < _SHARE:
        return None
    if others >= _FEWEST_OTHERS and share < min(1.0, _OVER_USUAL * usual[value] / others) + 0.01:
        return None
    return value
