"""Collect what one housekeeping does, so that an interrupted one reports what it did until then."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from reverie.domain.housekept import Housekept, Merged, Promoted


@dataclass(slots=True)
class Findings:
    """What came of it so far: see ``Housekept``. ``early``: memories that may have been archived too early; ``later``:
    how many have seen a later time than now. ``complete``: nothing is left that another try could do here.
    """

    promoted: list[Promoted] = field(default_factory=list)
    merged: list[Merged] = field(default_factory=list)
    archived: list[str] = field(default_factory=list)
    restored: list[str] = field(default_factory=list)
    early: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    passed_over: Counter[str] = field(default_factory=Counter)
    memories: int = 0
    episodes: int = 0
    later: int = 0
    faded: int = 0
    unsure: int = 0
    complete: bool = True

    def report(self) -> Housekept:
        """Return the report."""
        return Housekept(
            merged=tuple(self.merged), archived=tuple(self.archived), restored=tuple(self.restored),
            promoted=tuple(self.promoted), memories=self.memories, episodes=self.episodes, faded=self.faded,
            unsure=self.unsure, passed_over=dict(sorted(self.passed_over.items())), unread=tuple(self.unread),
            complete=self.complete,
        )  # fmt: skip
