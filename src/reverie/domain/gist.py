"""Gist: a memory as far as prompts are made from it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from reverie.domain.kinds import Kind, Priority
from reverie.domain.memory import UNCONFIRMED, Origin, Quoted
from reverie.domain.trust import SourceTrust


@dataclass(frozen=True, kw_only=True, slots=True)
class Gist:
    """The fields of a Memory that say what stands in a block for a prompt, and whether: read for many at a time."""

    id: str
    essence: str
    lesson: str | None = None
    kind: Kind
    priority: Priority
    scope: tuple[str, ...] = ()
    origin: Origin
    source_trust: SourceTrust
    reinforcement_count: int = 1
    last_reinforced_at: datetime
    touches: int = 0
    last_touched_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    learned_from: str | None = None
    quoted: Quoted | None = None
    needs_review: bool = False

    @property
    def mark(self) -> str:
        """See ``Memory.mark``."""
        return UNCONFIRMED if self.needs_review else ""
