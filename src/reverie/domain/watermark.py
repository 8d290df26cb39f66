"""Watermark: how far a background job has come in a conversation."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from reverie.domain.job import NEVER


@dataclass(frozen=True, kw_only=True, slots=True)
class Watermark:
    """``position`` is that of the first episode that the job has not seen yet (0: none seen). ``failures`` counts
    tries since then that failed, one after the other; until ``parked_until`` nobody tries again.
    """

    job: str
    conversation: str
    position: int = 0
    failures: int = 0
    parked_until: datetime | None = None

    @property
    def is_dead(self) -> bool:
        """Whether it failed so often that nobody tries by itself any more."""
        return self.parked_until == NEVER


@dataclass(frozen=True, kw_only=True, slots=True)
class Behind:
    """A conversation that holds more than its watermark has seen: ``next_position`` is what its next episode takes."""

    watermark: Watermark
    next_position: int
    last_at: datetime
