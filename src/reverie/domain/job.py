"""JobState: who runs a background job of an agent, and how it went."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

SLEEP = "sleep"
HOUSEKEEPING = "housekeeping"
SELF_CARE = "self-care"

LEASE = timedelta(minutes=10)
"""No lease is longer; a holder that says nothing for so long is taken for dead."""

MOST_REST = timedelta(hours=24)
"""No job rests longer after a failure."""

MOST_AHEAD = timedelta(minutes=10)
"""So far clocks of machines that share a bank may differ. What lies further ahead than anything can, was written by a
clock that was ahead, and counts for nothing: else it would hold for as long as that clock was wrong.
"""

EVERYONE = " "
"""The reserved agent id of rows that count over all agents; no agent can have this name."""


@dataclass(frozen=True, kw_only=True, slots=True)
class JobState:
    """A job of one agent.

    ``holder`` runs it, and nobody else may before ``until``; ``last_at``: when it last ended well; ``failures`` counts
    tries since then that failed, and ``note`` says why the last one did (no contents); before ``parked_until`` nothing
    tries by itself.
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
        return self.parked_until is not None and now < self.parked_until <= now + MOST_REST + MOST_AHEAD
