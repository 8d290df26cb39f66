"""JobState: who runs a background job of an agent, and how it went."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

SLEEP = "sleep"
HOUSEKEEPING = "housekeeping"
SELF_CARE = "self-care"

WORKER = "worker"
"""Whoever holds it does all that is due of the agent, one job after the other."""
BACKFILL = "backfill"
REEMBEDDING = "re-embedding"

LEASE = timedelta(seconds=45)
"""No lease is longer; a holder that says nothing for so long is taken for dead, on whatever machine it was."""

MOST_REST = timedelta(hours=24)
"""No job rests longer after a failure."""

MOST_AHEAD = timedelta(minutes=10)
"""So far clocks of machines that share a bank may differ. What lies further ahead than anything can, was written by a
clock that was ahead, and counts for nothing: else it would hold for as long as that clock was wrong.
"""

NEVER = datetime(9999, 12, 31, tzinfo=UTC)
"""Until then rests what is dead: it failed so often that it isn't tried by itself any more."""

EVERYONE = " "
"""The reserved agent id of rows that count over all agents; no agent can have this name."""


@dataclass(frozen=True, kw_only=True, slots=True)
class JobState:
    """A job of one agent.

    ``holder`` runs it, and nobody else may before ``until``; ``last_at``: when it last ended well; ``failures`` counts
    tries since then that failed, and ``note`` says why the last one did (no contents); before ``parked_until`` nothing
    tries by itself (NEVER: it is dead).
    """

    job: str
    holder: str | None = None
    until: datetime | None = None
    failures: int = 0
    parked_until: datetime | None = None
    last_at: datetime | None = None
    note: str | None = None

    def rests(self, now: datetime) -> bool:
        """Return whether nothing is to be tried by itself at that time."""
        return self.is_dead or (
            self.parked_until is not None and now < self.parked_until <= now + MOST_REST + MOST_AHEAD
        )

    @property
    def is_dead(self) -> bool:
        """Whether it failed so often that nothing tries by itself any more."""
        return self.parked_until == NEVER

    def free_at(self, now: datetime) -> datetime | None:
        """Return when it may be tried by itself: now, or once it has rested and nobody holds it. None where it is
        dead.
        """
        if self.is_dead:
            return None
        at = now
        if self.until is not None and self.until <= now + LEASE + MOST_AHEAD:
            at = max(at, self.until)
        if self.parked_until is not None and self.rests(now):
            at = max(at, self.parked_until)
        return at
