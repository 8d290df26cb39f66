"""Housekept: what one housekeeping did (s2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True, slots=True)
class Merged:
    """Two memories that said the same: ``merged`` is archived, superseded by ``survivor``; ``similarity`` is their
    cosine.
    """

    survivor: str
    merged: str
    similarity: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Promoted:
    """What was said again and again, and is a memory now. ``episodes`` are those that say it; ``known`` that a memory
    said so already, which these episodes reinforced.
    """

    memory_id: str
    episodes: tuple[str, ...]
    known: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Housekept:
    """The report of a housekeeping. Nothing of it was deleted.

    ``archived``: ids of what had grown stale. ``restored``: ids of what a clock that was ahead had archived too early.
    ``memories`` and ``episodes``: how many were looked at. ``faded``: active memories whose confidence time has
    lowered; ``unsure``: those of them, and others, that are below 0.3 now. ``passed_over``: how often something was
    left as it was, by reason. ``unread``: ids of recurring messages that the mind could not read. ``complete`` False:
    it ended early (the mind failed, the bank was being changed, it was told to stop); the next one goes on.
    """

    merged: tuple[Merged, ...] = ()
    archived: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    promoted: tuple[Promoted, ...] = ()
    memories: int = 0
    episodes: int = 0
    faded: int = 0
    unsure: int = 0
    passed_over: Mapping[str, int] = field(default_factory=dict)
    unread: tuple[str, ...] = ()
    complete: bool = True

    @property
    def changed(self) -> int:
        """How many memories were changed or made."""
        return len(self.merged) + len(self.archived) + len(self.restored) + len(self.promoted)
