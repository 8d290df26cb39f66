"""The aggregates of a bank beside its messages and memories; ``ports.store`` has the laws that hold for all."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from reverie.domain.goal import Achieved
from reverie.domain.procedure import Run, Steps
from reverie.domain.soul import SoulEntry
from reverie.domain.watermark import Behind, Watermark


class Soul(Protocol):
    """Who the agent is."""

    def add(self, entry: SoulEntry) -> None:
        """Add an entry."""
        ...

    def list(self) -> Sequence[SoulEntry]:
        """Return all entries, oldest first."""
        ...

    def remove(self, id: str) -> None:
        """Take an entry away; an id that isn't there changes nothing."""
        ...


class Procedures(Protocol):
    """What memories of kind workflow have beside their row; gone with the memory."""

    def put(self, steps: Steps) -> None:
        """Store name and steps of a stored memory with the counts given, or replace them."""
        ...

    def get(self, ids: Collection[str]) -> Mapping[str, Steps]:
        """Return those that are there, by the memory's id."""
        ...

    def named(self, name: str) -> Steps | None:
        """Return the procedure of that name, compared casefolded."""
        ...

    def list(self) -> Sequence[Steps]:
        """All, in order of name (casefolded)."""
        ...

    def record(self, memory_id: str, run: Run) -> None:
        """Add an outcome and count it."""
        ...

    def runs(self, memory_id: str, *, limit: int = 100) -> Sequence[Run]:
        """Return the latest outcomes, oldest of them first."""
        ...

    def drop_notes(self, since: datetime | None, until: datetime | None) -> None:
        """Take the notes off outcomes of ``since`` (inclusive) to ``until`` (exclusive); the outcomes stay."""
        ...


class Goals(Protocol):
    """Which memories of kind goal were achieved; gone with the memory."""

    def achieve(self, achieved: Achieved) -> None:
        """Note it; one that is noted already stays as it is."""
        ...

    def reopen(self, memory_id: str) -> None:
        """Take the note away."""
        ...

    def achieved(self, ids: Collection[str] | None = None) -> Mapping[str, Achieved]:
        """Return those of these memories that were achieved, by id; of all for None."""
        ...

    def count_open(self) -> int:
        """Return how many active, unsuperseded memories of kind goal were not achieved."""
        ...

    def drop_notes(self, since: datetime | None, until: datetime | None) -> None:
        """Take the notes off what was achieved from ``since`` (inclusive) to ``until`` (exclusive)."""
        ...


class Dues(Protocol):
    """When goals fall due; gone with the memory."""

    def put(self, memory_id: str, at: datetime) -> None:
        """Set it, or replace what is there."""
        ...

    def remove(self, memory_id: str) -> None:
        """Take it away; where there is none, nothing is changed."""
        ...

    def get(self, ids: Collection[str]) -> Mapping[str, datetime]:
        """Return those of these memories that fall due, by id."""
        ...

    def between(self, since: datetime | None, until: datetime | None) -> Mapping[str, datetime]:
        """Return what falls due from ``since`` (inclusive) to ``until`` (exclusive), soonest first."""
        ...


class Watermarks(Protocol):
    """How far background jobs have come, by job and conversation; gone with the conversation. No bump of rev."""

    def get(self, job: str, conversation: str) -> Watermark:
        """Return the watermark; one at 0 where there is none."""
        ...

    def behind(self, job: str, *, now: datetime, limit: int = 100) -> Sequence[Behind]:
        """Conversations that hold more than the job has seen, and neither rest ``now`` nor are dead, longest silent
        first.
        """
        ...

    def advance(self, job: str, conversation: str, *, seen: int, position: int) -> bool:
        """Moves the watermark from ``seen`` to ``position`` (compare and set) and clears its failures; False, and
        nothing is changed, where it isn't at ``seen``.
        """
        ...

    def fail(self, job: str, conversation: str, *, seen: int, parked_until: datetime) -> bool:
        """Count a failure and park the conversation; False, and nothing is changed, where it isn't at ``seen``."""
        ...

    def next_try(self, job: str) -> datetime | None:
        """Return when the first of those that are behind, and parked, may be tried again; None where none is."""
        ...

    def count_behind(self, job: str) -> int:
        """In how many conversations there is something that the job has not seen."""
        ...

    def failing(self, job: str) -> Sequence[Watermark]:
        """Return those with failures, in order of conversation."""
        ...


class Counters(Protocol):
    """Numbers that only grow, by name. Additive, so that any number of processes may count. No bump of rev."""

    def add(self, counts: Mapping[str, int]) -> None:
        """Add to each."""
        ...

    def all(self) -> Mapping[str, int]:
        """Return all of them, in order of name."""
        ...


class Digests(Protocol):
    """Summaries of messages, kept so that the same history isn't summarized twice. A cache: no bump of rev, and any
    forget empties it.
    """

    def get(self, keys: Collection[bytes]) -> Mapping[bytes, str]:
        """Return the texts that are kept, by key."""
        ...

    def put(self, key: bytes, text: str, at: datetime) -> None:
        """Keep a text under a key (32 bytes), replacing another; of the agent's the latest 1,000 stay."""
        ...

    def clear(self) -> None:
        """Drop all."""
        ...
