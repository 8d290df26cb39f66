"""What has an activation."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from reverie.domain.kinds import Priority


class Active(Protocol):
    """The fields that activation is reckoned from: of a Memory, or of its Gist."""

    @property
    def priority(self) -> Priority:
        """The rank that weighs in it."""
        ...

    @property
    def reinforcement_count(self) -> int:
        """How often there was evidence for it, its birth included."""
        ...

    @property
    def last_reinforced_at(self) -> datetime:
        """The last time."""
        ...

    @property
    def touches(self) -> int:
        """How many recalls returned it."""
        ...

    @property
    def last_touched_at(self) -> datetime | None:
        """The last time."""
        ...
