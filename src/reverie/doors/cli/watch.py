"""How moments are shown: in the agent's time zone, with the offset."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING

from reverie.domain.memory import Memory
from reverie.domain.time import to_utc, zone_of
from reverie.doors.cli import words

if TYPE_CHECKING:
    from reverie.client import Agent


@dataclass(frozen=True, kw_only=True, slots=True)
class Watch:
    """``now`` and the agent's ``zone``; ``about`` is the moment that a question is about, where it isn't now."""

    now: datetime
    zone: tzinfo
    about: datetime | None = None

    @classmethod
    def of(cls, agent: Agent, *, as_of: str | None = None) -> Watch:
        """Return the agent's; ``as_of`` is read as its recall reads it."""
        zone = zone_of(agent.profile.time_zone)
        about = None if as_of is None else to_utc(as_of, zone=zone, field="as_of")
        return cls(now=datetime.now(UTC), zone=zone, about=about)

    def time(self, moment: datetime | None) -> str:
        """Return it to the second, as ISO 8601, so that --since and --as-of understand it; a dash for an open end."""
        return "–" if moment is None else self._local(moment).isoformat(timespec="seconds")

    def day(self, moment: datetime | None) -> str:
        """Return the date alone for the beginning of a day (as --since reads a date), else as ``time``."""
        if moment is None:
            return "–"
        local = self._local(moment)
        midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
        return local.date().isoformat() if local == midnight else self.time(moment)

    def clock(self, moment: datetime, day: str) -> str:
        """Return the time of day, ``09:30``; with the date before it where that isn't ``day`` (YYYY-MM-DD)."""
        local = self._local(moment)
        time = local.strftime("%H:%M")
        return time if local.date().isoformat() == day else f"{local.date().isoformat()} {time}"

    def ago(self, moment: datetime) -> str:
        """Return ``2 days ago (2026-11-18T09:30:00+01:00)``."""
        return f"{words.age(moment, self.now)} ({self.time(moment)})"

    def validity(self, memory: Memory) -> str | None:
        """Return until when a memory was true, or from when it will be, where it isn't at the moment in question."""
        about = self.about or self.now
        if memory.valid_to is not None and memory.valid_to <= about:
            return f"true until {self.day(memory.valid_to)}"
        if memory.valid_from is not None and memory.valid_from > about:
            return f"true from {self.day(memory.valid_from)}"
        return None

    def _local(self, moment: datetime) -> datetime:
        try:
            return moment.astimezone(self.zone)
        except OverflowError:  # at the ends of the calendar some zones have no date
            return moment.astimezone(UTC)
