"""Days as narratives write them: "7 March 2026", and from one to another "1–13 March 2026"."""

from __future__ import annotations

import re
from datetime import UTC, datetime

_MONTHS = "January February March April May June July August September October November December".split()
_MONTH = rf"(?:{'|'.join(_MONTHS)})"
_DAY = rf"\d{{1,2}} {_MONTH}(?: \d{{4}})?"
SPAN = rf"(?:{_DAY} (?:\u2013|to) {_DAY}|\d{{1,2}}\u2013{_DAY}|{_DAY})(?<= \d{{4}})"
"""The pattern of what ``span_text`` writes."""
DAY = _DAY
"""The pattern of what ``day_text`` writes."""
_WRITTEN = re.compile(
    rf"(?P<first>\d{{1,2}})(?: (?P<month>{_MONTH}))?(?: (?P<year>\d{{4}}))?"
    rf"(?: ?(?:\u2013|to) ?(?P<last>\d{{1,2}}) (?P<until>{_MONTH})(?: (?P<end>\d{{4}}))?)?"
)


def day_text(moment: datetime, *, year: bool = True) -> str:
    """The day in the time zone that the moment is given in, with its year or without."""
    return f"{moment.day} {_MONTHS[moment.month - 1]}{f' {moment.year}' if year else ''}"


def span_text(first: datetime, last: datetime) -> str:
    """From the first day to the last, each in its own time zone; what they share is said once."""
    if first.date() == last.date():
        return day_text(last)
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}\u2013{day_text(last)}"
    return f"{day_text(first, year=first.year != last.year)} \u2013 {day_text(last)}"


def span_of(text: str) -> tuple[datetime, datetime] | None:
    """The first and the last day, in UTC, of what ``span_text`` wrote; None of anything else."""
    found = _WRITTEN.fullmatch(text)
    if found is None:
        return None
    year = found["end"] or found["year"]
    month = found["month"] or found["until"]
    if year is None or month is None:
        return None
    first = _moment(found["first"], month, found["year"] or year)
    last = first if found["last"] is None else _moment(found["last"], found["until"], year)
    return None if first is None or last is None or last < first else (first, last)


def day_of(text: str, year: int) -> datetime | None:
    """The day of what ``day_text`` wrote, where it names none in this year; None of anything else."""
    found = _WRITTEN.fullmatch(text)
    if found is None or found["month"] is None or found["last"] is not None:
        return None
    return _moment(found["first"], found["month"], found["year"] or str(year))


def _moment(day: str, month: str, year: str) -> datetime | None:
    try:
        return datetime(int(year), _MONTHS.index(month) + 1, int(day), tzinfo=UTC)
    except ValueError:
        return None
