"""Which goals are due about now, and how that is told. Both change with the agent's local day alone: a prompt that is
made twice on one day is the same, and its cache holds.
"""

from __future__ import annotations

from datetime import UTC, datetime, time, tzinfo

from reverie.domain.time import DAY
from reverie.language.dates import due_text

MOST_DUE = 5
OVERDUE_DAYS = 7
"""What has been due for longer enters no prompt for that."""


def today_begins(now: datetime, zone: tzinfo) -> datetime:
    """Return when the local day begins, in UTC."""
    return _midnight(now, zone, 0)


def about_now(now: datetime, zone: tzinfo) -> tuple[datetime, datetime]:
    """Return from when (inclusive) to when (exclusive) what is due enters a prompt, in UTC: OVERDUE_DAYS before the
    local day to the end of the next one.
    """
    return _midnight(now, zone, -OVERDUE_DAYS), _midnight(now, zone, 2)


def due_label(at: datetime, now: datetime, zone: tzinfo) -> str:
    """Return when something falls due, in the agent's zone."""
    since = "overdue since" if at < today_begins(now, zone) else "due"
    return f"{since} {due_text(at.astimezone(zone))}"


def _midnight(now: datetime, zone: tzinfo, days: int) -> datetime:
    day = now.astimezone(zone).date() + days * DAY
    return datetime.combine(day, time(), tzinfo=zone).astimezone(UTC)
