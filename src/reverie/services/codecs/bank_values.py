"""What stands in the lines of an export, where that is more than one of the domain's values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from reverie.domain.agent import Agent
from reverie.domain.episode import Episode
from reverie.domain.goal import Achieved
from reverie.domain.memory import Memory, Version
from reverie.domain.procedure import Run, Steps
from reverie.ports.aggregates import Vector


@dataclass(frozen=True, kw_only=True, slots=True)
class Header:
    """The first line. ``embedder`` and ``dimensions`` are those of the bank's vectors, None while it has none."""

    format: str
    version: int
    agent: str
    exported_at: datetime
    embedder: str | None
    dimensions: int | None
    vectors: bool
    log: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Profile:
    """The agent (its name stands in the header), and the secret of its tombstones."""

    agent: Agent
    secret: bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class Room:
    """What a conversation has beside its messages."""

    id: str
    channel: str
    next_position: int


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptEpisode:
    """A message, with its vector where the file has it."""

    episode: Episode
    vector: Vector | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptVersion:
    """A replaced wording, likewise."""

    version: Version
    vector: Vector | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptMemory:
    """A memory with all that hangs on it but its edges."""

    memory: Memory
    versions: tuple[KeptVersion, ...] = ()
    steps: Steps | None = None
    runs: tuple[Run, ...] = ()
    achieved: Achieved | None = None
    due: datetime | None = None
    vector: Vector | None = None

    @property
    def id(self) -> str:
        """Return the memory's id."""
        return self.memory.id

    @property
    def texts(self) -> tuple[str, ...]:
        """Return what is to be embedded where the file has no vectors: the essence, and the past ones."""
        past = (each.version.essence for each in self.versions if each.vector is None)
        return (*(() if self.vector is not None else (self.memory.essence,)), *past)
