"""JobState: who runs a background job of an agent, and how it went."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

SLEEP = "sleep"
HOUSEKEEPING = "housekeeping"
SELF_CARE = "self-care"

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
