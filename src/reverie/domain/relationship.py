"""Relationship: how an agent sees one other, agent or person (s4)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

RELATIONSHIP_TYPES = (
    "ally", "rival", "mentor", "student", "friend", "romantic_partner", "family", "colleague", "neutral", "enemy",
)  # fmt: skip
"""The types that are known; a caller may use others."""
NEUTRAL = "neutral"
MAX_RATIONALE_BYTES = 4_096


@dataclass(frozen=True, kw_only=True, slots=True)
class View:
    """How the agent saw ``other`` from ``at`` on: type, ``trust`` in [-1, 1], emotional tone, why, and notes."""

    id: str
    other: str
    at: datetime
    type: str = NEUTRAL
    trust: float = 0.0
    tone: str | None = None
    rationale: str | None = None
    notes: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Meetings:
    """What conversations tell of somebody: how many messages are theirs, in how many conversations, when the first of
    these began and when the last of them was spoken in.
    """

    other: str
    messages: int
    conversations: int
    first_at: datetime
    last_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Relationship:
    """How an agent sees one other.

    ``type``, ``trust`` in [-1, 1], ``tone``, ``rationale`` and ``notes`` were assigned at ``assigned_at``; where nobody
    has assigned anything yet (None) they are neutral. ``interaction_count`` (messages of the other in the agent's own
    conversations), ``first_met_at`` and ``last_met_at`` come from conversations by themselves; 0 and None where the two
    never spoke.
    """

    other: str
    type: str = NEUTRAL
    trust: float = 0.0
    tone: str | None = None
    rationale: str | None = None
    notes: str | None = None
    assigned_at: datetime | None = None
    interaction_count: int = 0
    first_met_at: datetime | None = None
    last_met_at: datetime | None = None
