"""Days as narratives write them: "7 March 2026", and from one to another "1–13 March 2026"."""

from __future__ import annotations

from datetime import date, datetime

from reverie.domain.time import END_OF_DAY

_MONTHS = "January February March April May June July August September October November December".split()
_MONTH = rf"(?:{'|'.join(_MONTHS)})"
DAY = rf"\d{{1,2}} {_MONTH} \d{{4}}"
"""The pattern of a day with its year."""
SPAN = rf"(?:\d{{1,2}}(?: {_MONTH}(?: \d{{4}})? |)(?:\u2013|to) ?)?{DAY}"
"""The pattern of what ``span_text`` writes."""


def day_text(moment: date, *, year: bool = True) -> str:
    """Return the day in the time zone that the moment is given in, with its year or without."""
    return f"{moment.day} {_MONTHS[moment.month - 1]}{f' {moment.year}' if year else ''}"


def due_text(moment: datetime) -> str:
    """Return when something falls due, in the time zone that the moment is given in: "7 March 2026, 09:00"; the day
    alone where it has until the end of it.
    """
    is_end = (moment.hour, moment.minute) == (END_OF_DAY.hour, END_OF_DAY.minute)
    return day_text(moment) if is_end else f"{day_text(moment)}, {moment:%H:%M}"


def span_text(first: datetime, last: datetime) -> str:
    """Write the span from the first day to the last, each in its own time zone; what they share is said once."""
    if first.date() == last.date():
        return day_text(last)
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}\u2013{day_text(last)}"
    return f"{day_text(first, year=first.year != last.year)} \u2013 {day_text(last)}"
