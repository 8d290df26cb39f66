"""SoulEntry: a core belief, value, fear or conviction (s4)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

MAX_SOUL_BYTES = 4_096


@dataclass(frozen=True, kw_only=True, slots=True)
class SoulEntry:
    """One anchor of who the agent is. Permanent: nothing summarizes, fades, archives, merges or rewrites it; only a
    deliberate call adds or removes one.
    """

    id: str
    text: str
    created_at: datetime
