"""What grows stale, and what housekeeping never archives."""

from __future__ import annotations

from datetime import datetime

from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory, Origin
from reverie.memory.decay import activation_of
from reverie.memory.prompt import BASELINE_KINDS, BASELINE_PRIORITIES


def is_stale(memory: Memory, now: datetime, below: float) -> bool:
    """Return whether so little activation is left of it (s2: under 0.1). A clock that went backwards makes nothing
    stale.
    """
    return activation_of(memory, now) < below


def last_seen(memory: Memory) -> datetime:
    """Return the latest time that the memory knows of: it was learned, confirmed or recalled then."""
    touched = memory.last_touched_at or memory.created_at
    return max(memory.created_at, memory.last_reinforced_at, touched)


def kept_for(
    memory: Memory, *, proven: bool, achieved: bool, summary: bool = False, due: bool = False
) -> str | None:
    """Return why a memory is never archived, however stale it is; None where it may be.

    What enters a prompt unasked is not touched by that, and would be gone within a year: what layers A and C rest on,
    and goals that somebody set on purpose, or that have a time at which they fall ``due``, until they are ``achieved``
    (others, which were picked up in passing, may go).
    ``proven``: it is a procedure that succeeded; ``summary``: it answers in place of others, which are out of prompts
    already.
    """
    if memory.pinned:
        return "pinned"
    if memory.kind in BASELINE_KINDS and memory.priority in BASELINE_PRIORITIES:
        return "baseline"
    if summary:
        return "summary"
    if proven:
        return "proven procedure"
    if memory.kind is Kind.GOAL and (due or memory.origin is Origin.COMMIT) and not achieved:
        return "open goal"
    return None
