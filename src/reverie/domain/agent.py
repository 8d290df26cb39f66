"""Agent: the owner of one bank of memory."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from reverie.domain.ids import checked_name
from reverie.domain.time import zone_of


@dataclass(frozen=True, kw_only=True, slots=True)
class Agent:
    """Who remembers. ``id`` is the tenant boundary: no query crosses it.

    ``principals`` are the people whose word is policy; empty means whoever speaks in role user outside
    shared rooms. ``paused_at``: since when its jobs and capture stand still. Raise InvalidInput for a bad name or an
    unknown time zone.
    """

    id: str
    time_zone: str = "UTC"
    principals: tuple[str, ...] = ()
    home: str | None = None
    location: str | None = None
    created_at: datetime
    paused_at: datetime | None = None

    def __post_init__(self) -> None:
        checked_name(self.id, "agent")
        zone_of(self.time_zone)
        for principal in self.principals:
            checked_name(principal, "principals")
        for field in ("home", "location"):
            value = getattr(self, field)
            if value is not None:
                checked_name(value, field)
