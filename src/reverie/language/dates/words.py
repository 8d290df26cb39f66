"""A text in the tokens that the grammar of dates reads: words, numbers, and dates in digits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

FIRST_YEAR, LAST_YEAR = 1900, 2199


class Sure(Enum):
    """How surely a word is the name of a month or weekday."""

    YES = "nothing else is written like it"
    NAME = "a person's name too, or a short form: needs a word such as 'in' before it, or a number beside it"
    WEAK = "also a common word, in small letters: 'may', 'march'"


@dataclass(slots=True, eq=False)  # not frozen: to make one takes a third, and each word of a question is one
class DateToken:
    """One word, number or sign. ``low`` is small and without possessive 's; ``day`` a number from 1 to 31 that may be
    one of a month, ``year`` one that may be a year; ``dates`` the readings of a date in digits as
    (year, month, day), day 0 for a whole month.
    """

    low: str
    start: int
    end: int
    number: int | None = None
    ordinal: bool = False
    month: int | None = None
    weekday: int | None = None
    sure: Sure = Sure.YES
    dates: tuple[tuple[int, int, int], ...] = ()

    @property
    def day(self) -> int | None:
        """The number, if a month has such a day."""
        return self.number if self.number is not None and 1 <= self.number <= 31 else None

    @property
    def year(self) -> int | None:
        """The number, if it is written as years are."""
        if self.number is None or self.ordinal or self.end - self.start != 4:
            return None
        return self.number if FIRST_YEAR <= self.number <= LAST_YEAR else None


NOTHING = DateToken(low="", start=0, end=0)
"""What stands before the first and behind the last token."""

# A digit belongs to the word before it in Latin letters alone: Chinese writes no space before a date
_TOKEN = re.compile(
    r"(?<![A-Za-z0-9_/.-])(?P<iso>[0-9]{4}([-/])[0-9]{1,2}(?:\2[0-9]{1,2})?)(?![0-9_/-]|\.[0-9])"
    r"|(?<![A-Za-z0-9_/.-])(?P<slashed>[0-9]{1,2}([/.])[0-9]{1,2}\4[0-9]{4})(?![A-Za-z0-9_/-]|\.[0-9])"
    r"|(?P<opaque>[0-9]+(?:[.:/][0-9]+)+)"
    r"|(?<![A-Za-z0-9_])(?P<number>[0-9]{1,9}(?P<suffix>st|nd|rd|th)?)\b"
    r"|(?P<word>[^\W0-9](?:[^\W0-9]|(?<=[A-Za-z0-9_])[0-9])*(?:['\u2019][a-z]+)?)"
    r"|(?P<sign>[^\w\s])"
    r"|[0-9]+",  # too long for a number: eaten whole, or every digit would begin a search
    re.IGNORECASE,
)

MONTHS: Mapping[str, int] = MappingProxyType(
    {
        name: place + 1
        for place, names in enumerate(
            (
                "january jan",
                "february feb",
                "march mar",
                "april apr",
                "may",
                "june jun",
                "july jul",
                "august aug",
                "september sep sept",
                "october oct",
                "november nov",
                "december dec",
            )
        )
        for name in names.split()
    }
)
_MONTHS_ALONE = frozenset({"january", "february", "july", "september", "october", "november", "december"})
_MONTHS_NAMES = frozenset({"april", "june", "august"})
_WEEKDAYS_LONG = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEKDAYS: Mapping[str, int] = MappingProxyType(
    dict(zip(_WEEKDAYS_LONG, range(7), strict=True))
    | {"mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6}
)
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen \
seventeen eighteen nineteen twenty".split()
)
_NTHS = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth \
fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split()
NUMBERS: Mapping[str, int] = MappingProxyType(
    {word: value for value, word in enumerate(_ONES)} | {"thirty": 30, "a": 1, "an": 1, "couple": 2}
)
ORDINALS: Mapping[str, int] = MappingProxyType(
    {word: value for value, word in enumerate(_NTHS)} | {"thirtieth": 30}
)
UNITS: Mapping[str, str] = MappingProxyType(
    {
        f"{unit}{ending}": unit
        for unit in ("minute", "hour", "day", "week", "fortnight", "month", "year")
        for ending in ("", "s")
    }
)


def tokens(text: str) -> Iterator[DateToken]:
    """Yield the text's tokens in order, in time linear in its length."""
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup
        if kind == "word":
            yield _word(found)
        elif kind == "number":
            low, suffix = found.group().lower(), found["suffix"] or ""
            number = int(low[: len(low) - len(suffix)])
            yield DateToken(low, found.start(), found.end(), number=number, ordinal=bool(suffix))
        elif kind in ("iso", "slashed"):
            yield _in_digits(found)
        else:
            yield DateToken(found.group(), found.start(), found.end())


def _word(found: re.Match[str]) -> DateToken:
    raw = found.group()
    low = raw.replace("\u2019", "'").lower().removesuffix("'s")
    if low in MONTHS:
        return DateToken(low, found.start(), found.end(), month=MONTHS[low], sure=_sure_month(raw, low))
    if low in WEEKDAYS:
        short = low not in _WEEKDAYS_LONG
        sure = Sure.YES if not short else Sure.NAME if raw[0].isupper() else Sure.WEAK
        return DateToken(low, found.start(), found.end(), weekday=WEEKDAYS[low], sure=sure)
    return DateToken(low, found.start(), found.end())


def _sure_month(raw: str, low: str) -> Sure:
    if low in _MONTHS_ALONE:
        return Sure.YES
    return Sure.NAME if raw[0].isupper() or low in _MONTHS_NAMES else Sure.WEAK


def _in_digits(found: re.Match[str]) -> DateToken:
    """Return a date in digits. ISO 8601 has one reading, dots put the day first, and slashes may mean either."""
    if found["iso"]:
        parts = [int(part) for part in re.split("[-/]", found["iso"])]
        whole = len(parts) == 3 or "-" in found["iso"]
        readings = [(parts[0], parts[1], parts[2] if len(parts) == 3 else 0)] if whole else []
    else:
        one, two, year = (int(part) for part in re.split("[/.]", found["slashed"]))
        readings = [(year, two, one)] if "." in found["slashed"] else [(year, one, two), (year, two, one)]
    dates = tuple(dict.fromkeys(filter(_may_be, readings)))
    return DateToken(found.group(), found.start(), found.end(), dates=dates)


def _may_be(reading: tuple[int, int, int]) -> bool:
    year, month, day = reading
    return FIRST_YEAR <= year <= LAST_YEAR and 1 <= month <= 12 and 0 <= day <= 31
