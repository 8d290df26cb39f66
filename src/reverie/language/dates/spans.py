"""Spans of local calendar time: days, weeks, months, seasons and feasts of a year."""

from __future__ import annotations

import calendar
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import MappingProxyType

DAY = timedelta(days=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """From ``since`` up to ``until``, both local times without a zone. ``certainty`` as in ``when.Window``."""

    since: datetime
    until: datetime
    certainty: float = 1.0

    @property
    def days(self) -> int:
        """Its length in whole days."""
        return (self.until - self.since).days

    def less_sure(self, factor: float) -> Span:
        """Return the same span, its certainty times ``factor``."""
        return replace(self, certainty=self.certainty * factor)


def midnight(moment: datetime) -> datetime:
    """Return the beginning of the moment's day."""
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def day(moment: datetime, offset: int = 0) -> Span:
    """Return the whole day that lies ``offset`` days after the moment's."""
    start = midnight(moment) + offset * DAY
    return Span(since=start, until=start + DAY)


def week(moment: datetime, offset: int = 0) -> Span:
    """Return a week from Monday to Sunday, ``offset`` weeks after the moment's."""
    start = midnight(moment) + (7 * offset - moment.weekday()) * DAY
    return Span(since=start, until=start + 7 * DAY)


def weekend(moment: datetime, offset: int = 0) -> Span:
    """Return Saturday and Sunday at the end of the week that lies ``offset`` weeks after the moment's."""
    end = week(moment, offset).until
    return Span(since=end - 2 * DAY, until=end)


def month(year: int, number: int) -> Span:
    """Return a month; ``number`` may lie outside 1 to 12 and then means a month of another year."""
    start = _month_start(year, number)
    return Span(since=start, until=_month_start(year, number + 1))


def year(number: int) -> Span:
    """Return a year."""
    return Span(since=datetime(number, 1, 1), until=datetime(number + 1, 1, 1))  # noqa: DTZ001  # local


def moved(moment: datetime, unit: str, count: int) -> datetime:
    """Return the moment ``count`` hours, days, weeks, months or years later; the 31st becomes a shorter month's last
    day.
    """
    if unit in _FIXED:
        return moment + count * _FIXED[unit]
    start = _month_start(moment.year, moment.month + count * (12 if unit == "year" else 1))
    return moment.replace(
        year=start.year,
        month=start.month,
        day=min(moment.day, calendar.monthrange(start.year, start.month)[1]),
    )


def beside(anchor: Span, unit: str, fewest: int, most: int) -> Span:
    """Return what lies ``fewest`` to ``most`` units after the anchor (before, where they are negative).

    Days are exact; "two weeks ago" may be three days off, months and years half their length.
    """
    slack = _SLACK[unit]
    return Span(
        since=moved(anchor.since, unit, fewest) - slack, until=moved(anchor.until, unit, most) + slack
    )


def third(span: Span, place: int) -> Span:
    """Return the early (0), middle (1) or late (2) third of a span, in whole days."""
    return Span(
        since=span.since + span.days * place // 3 * DAY,
        until=span.since + span.days * (place + 1) // 3 * DAY,
        certainty=span.certainty,
    )


def half(span: Span, place: int) -> Span:
    """Return the first (0) or second (1) half of a span, in whole days."""
    middle = span.since + span.days // 2 * DAY
    bounds = (span.since, middle, span.until)
    return Span(since=bounds[place], until=bounds[place + 1], certainty=span.certainty)


def weekday_before(moment: datetime, number: int, *, itself: bool = False) -> Span:
    """Return the last day with this number (Monday is 0) before the moment's day; with ``itself`` that may be it."""
    back = (moment.weekday() - number) % 7
    return day(moment, -(back or (0 if itself else 7)))


def nth_weekday(year: int, month_number: int, weekday: int, place: int) -> datetime:
    """Return the ``place``-th (from 1; −1 is the last) such day of a month."""
    span = month(year, month_number)
    if place < 0:
        return weekday_before(span.until, weekday).since
    return span.since + ((weekday - span.since.weekday()) % 7 + 7 * (place - 1)) * DAY


def season(name: str, number: int) -> tuple[Span, ...]:
    """Return a season of a year, by months, in the northern half of the world; a year has two winters."""
    first = SEASONS[name]
    starts = (first,) if first < 12 else (0, 12)
    return tuple(
        Span(since=month(number, start).since, until=month(number, start + 2).until) for start in starts
    )


def feast(name: str, number: int) -> Span:
    """Return a feast's days in a year."""
    before, after, when = FEASTS[name]
    start = when(number)
    return Span(since=start - before * DAY, until=start + (after + 1) * DAY)


SEASONS: Mapping[str, int] = MappingProxyType(
    {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
)
"""The first month of each season."""


def _fixed(month_number: int, day_number: int) -> Callable[[int], datetime]:
    return lambda number: month(number, month_number).since + (day_number - 1) * DAY


def _nth(month_number: int, weekday: int, place: int) -> Callable[[int], datetime]:
    return lambda number: nth_weekday(number, month_number, weekday, place)


def _easter(number: int) -> datetime:
    """Return western Easter Sunday (the anonymous Gregorian computus, Nature 1876)."""
    golden, (century, rest) = number % 19, divmod(number, 100)
    corrected = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - century // 4 - corrected + 15) % 30
    to_sunday = (32 + 2 * (century % 4) + 2 * (rest // 4) - epact - rest % 4) % 7
    late = (golden + 11 * epact + 22 * to_sunday) // 451
    number_of_month, day_before = divmod(epact + to_sunday - 7 * late + 114, 31)
    return month(number, number_of_month).since + day_before * DAY


FEASTS: Mapping[str, tuple[int, int, Callable[[int], datetime]]] = MappingProxyType(
    {
        "christmas": (1, 1, _fixed(12, 25)),
        "christmas eve": (0, 0, _fixed(12, 24)),
        "christmas day": (0, 0, _fixed(12, 25)),
        "boxing day": (0, 0, _fixed(12, 26)),
        "new year's eve": (0, 0, _fixed(12, 31)),
        "new year's day": (0, 0, _fixed(1, 1)),
        "new year's": (1, 0, _fixed(1, 1)),
        "valentine's day": (0, 0, _fixed(2, 14)),
        "st patrick's day": (0, 0, _fixed(3, 17)),
        "easter": (2, 1, _easter),
        "mother's day": (0, 0, _nth(5, 6, 2)),
        "memorial day": (0, 0, _nth(5, 0, -1)),
        "father's day": (0, 0, _nth(6, 6, 3)),
        "independence day": (0, 0, _fixed(7, 4)),
        "labor day": (0, 0, _nth(9, 0, 1)),
        "halloween": (0, 0, _fixed(10, 31)),
        "thanksgiving": (0, 3, _nth(11, 3, 4)),
        "black friday": (0, 0, lambda number: nth_weekday(number, 11, 3, 4) + DAY),
    }
)
"""Days before, days after, and the day itself in a year. Days that differ by country are those of the USA."""

_FIXED: Mapping[str, timedelta] = MappingProxyType(
    {
        "minute": timedelta(minutes=1),
        "hour": timedelta(hours=1),
        "day": DAY,
        "week": 7 * DAY,
        "fortnight": 14 * DAY,
    }
)
_SLACK: Mapping[str, timedelta] = MappingProxyType(
    {
        "minute": timedelta(minutes=15),
        "hour": timedelta(minutes=30),
        "day": timedelta(),
        "week": 3 * DAY,
        "fortnight": 3 * DAY,
        "month": 15 * DAY,
        "year": 183 * DAY,
    }
)


def _month_start(year_number: int, number: int) -> datetime:
    years, place = divmod(number - 1, 12)
    return datetime(year_number + years, place + 1, 1)  # noqa: DTZ001  # local
