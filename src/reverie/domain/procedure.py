"""Procedure: a named workflow, with how it went (s2)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from reverie.domain.memory import Memory

MAX_STEPS = 100
MAX_STEP_BYTES = 2_048


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """One outcome of a procedure: when it was followed, whether it succeeded, and what there is to say of it."""

    id: str
    at: datetime
    succeeded: bool
    note: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Steps:
    """What a procedure has beside its memory: ``name`` (one an agent, compared casefolded), ordered ``steps``, and
    how often it succeeded and failed.
    """

    memory_id: str
    name: str
    steps: tuple[str, ...]
    success_count: int = 0
    failure_count: int = 0

    @property
    def proven(self) -> bool:
        """Whether it ever succeeded."""
        return self.success_count > 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Procedure:
    """A memory of kind workflow with its steps. The memory's essence is ``name: first step; second step …``."""

    memory: Memory
    steps: Steps

    @property
    def id(self) -> str:
        """The memory's id."""
        return self.memory.id

    @property
    def name(self) -> str:
        """Its name."""
        return self.steps.name
