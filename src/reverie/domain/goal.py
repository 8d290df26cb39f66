"""Goal: what the agent or its people want to reach (s3): a memory of kind goal, open or achieved, and perhaps due."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from reverie.domain.memory import Memory


@dataclass(frozen=True, kw_only=True, slots=True)
class Achieved:
    """That a goal was reached: when, and what there is to say of it."""

    memory_id: str
    at: datetime
    note: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Goal:
    """A goal; open while ``achieved`` is None. ``due``: when it falls due, in UTC; None where it has no such time."""

    memory: Memory
    achieved: Achieved | None = None
    due: datetime | None = None

    @property
    def id(self) -> str:
        """The memory's id."""
        return self.memory.id

    @property
    def is_open(self) -> bool:
        """Whether it is still to be reached."""
        return self.achieved is None
