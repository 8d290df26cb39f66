"""Times: timezone-aware UTC inside, whatever ISO 8601 or datetime a caller gives outside."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

from reverie.errors import InvalidInput
from reverie.errors.showing import shown, typed

Clock = Callable[[], datetime]
"""Tells the time now, timezone-aware."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)
MICROS_PER_DAY = 86_400_000_000
END_OF_DAY = time(23, 59)
"""When what is due on a day, without a time, falls due."""
_FIRST, _LAST = datetime(2, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)


def micros(moment: datetime) -> int:
    """Return microseconds since 1970 (negative before), exactly."""
    return (moment - EPOCH) // timedelta(microseconds=1)


def from_micros(value: int) -> datetime:
    """Return the UTC moment of ``micros``."""
    return EPOCH + timedelta(0, 0, value)


def to_utc(value: object, *, zone: tzinfo = UTC, field: str = "time") -> datetime:
    """Return a datetime or ISO 8601 text as UTC. What names no zone is read in ``zone`` (the agent's).

    A date without a time is its midnight. Raise InvalidInput for anything else.
    """
    if isinstance(value, str):
        value = _parsed(value, field)
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day, tzinfo=zone)
    if not isinstance(value, datetime):
        raise InvalidInput(field, f"{typed(value)} is not a time", "give a datetime or ISO 8601 text")
    if value.tzinfo is None:
        value = value.replace(tzinfo=zone)
    try:
        return value.astimezone(UTC)
    except OverflowError:
        raise InvalidInput(
            field, "it lies outside the years 1 to 9999 in UTC", "give a time inside them"
        ) from None


def due_to_utc(value: object, *, zone: tzinfo = UTC, field: str = "due") -> datetime:
    """Return when something falls due as UTC, of what ``to_utc`` takes. A date without a time is due at END_OF_DAY in
    ``zone``. Raise InvalidInput, also within a year of the calendar's ends.
    """
    day = value if isinstance(value, date) and not isinstance(value, datetime) else _date_in(value)
    due = to_utc(value if day is None else datetime.combine(day, END_OF_DAY), zone=zone, field=field)
    check_moment(due, field)
    return due


def _date_in(value: object) -> date | None:
    """Return the date that a text is; None for any other value."""
    if not isinstance(value, str):
        return None
    try:
        return date.fromisoformat(value.strip())
    except ValueError:
        return None


def check_moment(value: object, field: str) -> None:
    """Check when something was said or is true, in whatever zone. Raise InvalidInput for what ``to_utc`` refuses, and
    within a year of the calendar's ends: there "yesterday" has no date, and some zones have none at all.
    """
    if not _FIRST <= to_utc(value, field=field) < _LAST:
        raise InvalidInput(
            field,
            "it lies outside the years 2 to 9998",
            "give a time inside them, or none where it is not known",
        )


def _parsed(text: str, field: str) -> datetime:
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError:
        raise InvalidInput(
            field, "this text is not an ISO 8601 time", "write it like 2026-11-20T09:30:00+01:00"
        ) from None


def zone_of(name: object) -> ZoneInfo:
    """Return the time zone of an IANA name such as ``Europe/Budapest``. Raise InvalidInput for an unknown one."""
    if not isinstance(name, str) or not name:
        raise InvalidInput("time_zone", "it is not a name", "give an IANA name such as Europe/Budapest")
    try:
        return ZoneInfo(name)
    except (
        KeyError,
        ValueError,
        OSError,
    ):  # ZoneInfoNotFoundError is a KeyError; a directory's name an OSError
        raise InvalidInput(
            "time_zone",
            f"{shown(name)} is not in the time zone database",
            "give an IANA name such as Europe/Budapest",
        ) from None
