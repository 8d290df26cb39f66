"""Times: moments as people read them, in the agent's time zone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo

from reverie.client import Agent
from reverie.domain.time import to_utc, zone_of
from reverie.doors.cli import words


@dataclass(frozen=True, kw_only=True, slots=True)
class Times:
    """``now`` and the agent's ``zone``."""

    now: datetime
    zone: tzinfo

    @classmethod
    def of(cls, agent: Agent) -> Times:
        """Return the agent's."""
        return cls(now=datetime.now(UTC), zone=zone_of(agent.profile.time_zone))

    def age(self, moment: datetime) -> str:
        """Return ``2 days ago``, or ``in 3 hours``."""
        return words.age(moment, self.now)

    def full(self, moment: datetime) -> str:
        """Return ``14 Mar 2026, 18:10``."""
        local = self.local(moment)
        return f"{local.day} {local:%b} {local.year}, {local:%H:%M}"

    def day(self, moment: datetime) -> str:
        """Return ``Sat 14 Mar 2026``."""
        local = self.local(moment)
        return f"{local:%a} {local.day} {local:%b} {local.year}"

    def clock(self, moment: datetime) -> str:
        """Return ``18:10``."""
        return f"{self.local(moment):%H:%M}"

    def iso(self, moment: datetime) -> str:
        """Return it as ISO 8601, to the second."""
        return self.local(moment).isoformat(timespec="seconds")

    def read(self, text: str, field: str) -> datetime | None:
        """Return the moment of a date or a time as somebody typed it; None for nothing. Raises InvalidInput."""
        return to_utc(text, zone=self.zone, field=field) if text else None

    def local(self, moment: datetime) -> datetime:
        """Return it in the agent's zone."""
        try:
            return moment.astimezone(self.zone)
        except OverflowError:  # at the ends of the calendar some zones have no date
            return moment.astimezone(UTC)


def day_behind(day: str) -> str | None:
    """Return the day behind a date, since a range is without its end; what is no date stays as it is."""
    try:
        return (date.fromisoformat(day) + timedelta(days=1)).isoformat() if day else None
    except (ValueError, OverflowError):
        return day
