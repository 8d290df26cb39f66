"""Moments that lie ahead, as people name them of what is to be done: "tomorrow at nine", "Thursday", "in two hours".

The dates are those of the grammar, read forwards: what is left unsaid is the next that comes, not the last that was.
Only a day, or a time on it, is a moment; "next week" and "in May" are none. A weekday is the next such day after
today. A day without a time ends at 23:59, a part of a day at its end; an hour without "am" or "pm" is 7 in the morning
to 6 in the evening.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import islice

from reverie.domain.time import END_OF_DAY
from reverie.language.dates import spans
from reverie.language.dates.points import YEAR_UNSAID, DateMatch, DateReader, count, simple
from reverie.language.dates.words import NUMBERS, UNITS, DateToken, tokens

_MOST_TOKENS = 256
_MOST_MOMENTS = 8
_FARTHEST_UNSAID = timedelta(days=300)
"""A day without its year that lies farther ahead is one that is just over."""
_LONGEST = timedelta(hours=25)
_EXACT = {"minute": timedelta(minutes=1), "hour": timedelta(hours=1)}
_BEHIND = frozenset(
    "from of since after before last past every each most until till between and or to".split()
)
"""A day behind one of these is no date of its own."""
_GOES_ON = frozenset({"or", "-", "\u2013", "through", "until", "week"})
_LATE = frozenset({"afternoon", "evening", "night", "tonight"})
_FIRST_HOUR, _NOON = 7, 12  # of a working day, of what is said without "am" or "pm"

_HOURS = "|".join(
    word for word, value in NUMBERS.items() if 1 <= value <= _NOON and len(word) > 2 and word != "couple"
)
_CLOCK = re.compile(
    r"(?:\s{0,3},)?\s{0,3}(?P<at>\b(?:at|by) )?(?:(?P<noon>noon|midday)"
    rf"|(?P<hour>\d{{1,2}}|{_HOURS})(?:[:.](?P<minute>[0-5]\d))?"
    r"(?: ?(?P<half>[ap])(?:m\b|\.m\.)| ?o['\u2019]clock)?)"
    r"(?: (?:in the (?P<part>morning|afternoon|evening)|at (?P<night>night))\b)?"
    r"(?![\w:/%-]|[.,]\d)",
    re.IGNORECASE,
)
_AFTER_HOUR = re.compile(
    r"\s{0,3}(?:$|[,.;:!?)\u2013\u2014-]|(?:to|that|about|on|tomorrow|today|tonight|sharp|please|this|next|i|we"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b)",
    re.IGNORECASE,
)
"""What may stand behind a bare hour; else the number may count something."""
_UNREAD = re.compile(
    r"(?:\s{0,3},)?\s{0,3}(?i:(?:at|by|around|about) (?:about |around )?(?:\d|half\b|quarter\b"
    rf"|(?:{_HOURS})\b))|\s?\(?(?:UTC|GMT|Z|[A-Z]{{1,4}}T)\b"
)
"""A time, or the zone of one, that isn't read; without it the moment would be another."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Ahead:
    """A moment in UTC, and the characters that name it."""

    start: int
    end: int
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class _Day:
    """A local day or part of one, the characters that name it, and what part it is."""

    start: int
    end: int
    until: datetime
    date: datetime
    part: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Hour:
    """A time of day, and the characters that name it. ``open``: whether it may mean twelve hours later, too."""

    start: int
    end: int
    hour: int
    minute: int
    open: bool


def moments_ahead(text: str, now: datetime, zone: tzinfo = UTC) -> tuple[Ahead, ...]:
    """Return the moments that a sentence names, in its order and as seen at ``now`` (with a zone); days begin and end
    in ``zone``. An hour that the clock leaves out is as much later, of one that comes twice the first is meant.

    Never raises for any text; what lies outside the years 1 to 9999 is left out.
    """
    try:
        local = now.astimezone(zone).replace(tzinfo=None)
    except OverflowError:  # within hours of the year 1 or 9999
        return ()
    reader = DateReader(tokens=list(islice(tokens(text), _MOST_TOKENS)), now=local, ahead=True)
    return tuple(islice(_moments(text, reader, now, zone), _MOST_MOMENTS))


def _moments(text: str, reader: DateReader, now: datetime, zone: tzinfo) -> Iterator[Ahead]:
    behind = 0
    for place, token in enumerate(reader.tokens):
        if token.start < behind:
            continue
        try:
            found = _moment(text, reader, place, now, zone)
        except (OverflowError, ValueError):  # outside the years 1 to 9999
            continue
        if found is not None:
            yield found
            behind = found.end


def _moment(text: str, reader: DateReader, place: int, now: datetime, zone: tzinfo) -> Ahead | None:
    """Return the moment that begins at a token."""
    if reader.low(place - 1) in _BEHIND and reader.low(place) not in ("today", "tomorrow", "tonight"):
        return None
    span = _span_from_now(reader, place, now)
    if span is not None:
        return span
    day = _day(text, reader, place)
    if day is not None:
        hour = _hour(text, day.end, day.part)
        local = _at(day, hour, reader.now)
        return _ahead(text, day.start, hour.end if hour else day.end, local, zone)
    hour = _hour(text, reader.token(place).start, "", begins=True)
    if hour is None:
        return None
    behind = next((at for at in range(place, len(reader.tokens)) if reader.token(at).start >= hour.end), None)
    behind_on = None if behind is None else behind + (reader.low(behind) == "on")
    day = None if behind_on is None else _day(text, reader, behind_on)
    if day is not None:
        hour = _hour(text, hour.start, day.part, begins=True) or hour
        local = _at(day, hour, reader.now)
        return _ahead(text, hour.start, day.end, local, zone)
    return _ahead(text, hour.start, hour.end, _next(hour, reader.now), zone)


def _ahead(text: str, start: int, end: int, local: datetime, zone: tzinfo) -> Ahead | None:
    if _UNREAD.match(text, end):
        return None
    return Ahead(start=start, end=end, at=local.replace(tzinfo=zone).astimezone(UTC))


def _span_from_now(reader: DateReader, place: int, now: datetime) -> Ahead | None:
    """Read "in 20 minutes", "in an hour": to the second."""
    amount = _amount(reader, place)
    if amount is None or amount[2] not in _EXACT:
        return None
    end, number, unit = amount
    at = now.astimezone(UTC).replace(microsecond=0) + number * _EXACT[unit]
    return Ahead(start=reader.token(place).start, end=reader.token(end - 1).end, at=at)


def _amount(reader: DateReader, place: int) -> tuple[int, int, str] | None:
    """Read "in two days": where it ends, how many, and of what."""
    if reader.low(place) != "in":
        return None
    amount = count(reader, place + 1)
    if amount is None or amount[1] != amount[2] or not amount[1]:
        return None
    end, number, _ = amount
    unit = UNITS.get(reader.low(end))
    return None if unit is None else (end + 1, number, unit)


def _day(text: str, reader: DateReader, place: int) -> _Day | None:
    """Read the day, or the part of one, that begins at a token."""
    amount = _amount(reader, place)
    if amount is not None and amount[2] not in _EXACT:
        day = spans.day(spans.moved(reader.now, amount[2], amount[1]))
        return _made(text, reader, place, DateMatch(end=amount[0], spans=(day,)))
    at = place + (reader.low(place) == "the")
    if [reader.low(at + turn) for turn in range(3)] == ["day", "after", "tomorrow"]:
        return _made(text, reader, place, DateMatch(end=at + 3, spans=(spans.day(reader.now, 2),)))
    found = simple(reader, at)
    return None if found is None else _made(text, reader, place, found)


def _made(text: str, reader: DateReader, place: int, found: DateMatch) -> _Day | None:
    """Return what was read as a day; None where it is longer, has two readings, or may be just over."""
    [span, *others] = found.spans
    last = reader.token(found.end - 1)
    if others or span.certainty < YEAR_UNSAID or span.until - span.since > _LONGEST or _owns(text, last):
        return None
    if reader.low(found.end) in _GOES_ON:
        return None
    if span.certainty < 1 and span.since - reader.now > _FARTHEST_UNSAID:
        return None
    part = last.low if span.until - span.since < timedelta(hours=23) else ""
    return _Day(
        start=reader.token(place).start, end=last.end, until=span.until, date=spans.midnight(span.since), part=part
    )  # fmt: skip


def _owns(text: str, token: DateToken) -> bool:
    """Return whether it is a possessive, as in "Thursday's meeting"."""
    return text[token.start : token.end].lower().replace("\u2019", "'").endswith("'s")


def _hour(text: str, start: int, part: str, *, begins: bool = False) -> _Hour | None:
    """Read a time of day at a place; ``part`` of the day, where that is known."""
    found = _CLOCK.match(text, start)
    if found is None:
        return None
    bare = not (found["half"] or found["noon"] or found["minute"])
    if not found["at"] and bare:
        return None
    if bare and not (found["part"] or found["night"]) and not _AFTER_HOUR.match(text, found.end()):
        return None
    if begins and found.start() != start:
        return None
    read = _clock(found, part)
    if read is None:
        return None
    hour, minute, is_open = read
    return _Hour(start=start, end=found.end(), hour=hour, minute=minute, open=is_open)


def _clock(found: re.Match[str], part: str) -> tuple[int, int, bool] | None:
    """Return hour, minute, and whether it may mean twelve hours later, too; None for no time."""
    if found["noon"]:
        return _NOON, 0, False
    said = found["hour"].lower()
    hour, minute = int(said) if said.isdecimal() else NUMBERS[said], int(found["minute"] or 0)
    part = (found["part"] or found["night"] or part).lower()
    if found["half"]:
        late = found["half"].lower() == "p"
        return (hour % _NOON + late * _NOON, minute, False) if 1 <= hour <= _NOON else None
    if hour > _NOON or not hour or said.startswith("0"):
        return (hour, minute, False) if hour < 24 else None
    if part in _LATE:
        return (hour % _NOON + _NOON, minute, False) if part != "night" or hour >= _FIRST_HOUR - 1 else None
    if part:
        return hour % _NOON, minute, False
    return (hour if _FIRST_HOUR <= hour <= _NOON else hour + _NOON), minute, True


def _at(day: _Day, hour: _Hour | None, now: datetime) -> datetime:
    """Return the local time on a day."""
    if hour is None:
        return min(day.until, datetime.combine(day.date, END_OF_DAY))
    local = day.date.replace(hour=hour.hour, minute=hour.minute)
    later = day.date.replace(hour=(hour.hour + _NOON) % 24, minute=hour.minute)
    return later if hour.open and local <= now < later else local


def _next(hour: _Hour, now: datetime) -> datetime:
    """Return when the clock next shows a time that is said without a day."""
    first = spans.midnight(now)
    hours = {hour.hour, (hour.hour + _NOON) % 24} if hour.open else {hour.hour}
    turns = (
        first + turn * spans.DAY + timedelta(hours=one, minutes=hour.minute)
        for turn in (0, 1)
        for one in sorted(hours)
    )
    return next(local for local in turns if local > now)
