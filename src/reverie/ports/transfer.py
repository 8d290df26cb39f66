"""Transfer: an agent's rows as they are, so that a bank can be moved whole, between engines too.

Nothing here is a domain value: what one engine reads the other writes, column by column. Laws on every engine:

- The same rows come in the same order and as the same values wherever they lie: text, integers, floats, bytes (a
  vector is its little-endian float32), None.
- What is added to an agent that isn't there yet stays unfinished: no one lists the agent, nobody else can make it, and
  no recall finds what it holds, until ``finish``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from reverie.errors import StoreError

Value = str | int | float | bytes | None
RawRow = tuple[Value, ...]
"""A row's columns without the agent's id, in an order that is the same on every engine."""


class Part(StrEnum):
    """What a table is to a copy of the bank."""

    REVISED = "revised"
    """It changes under a new revision, or is only added to."""
    UNREVISED = "unrevised"
    """It changes at any time, without a revision."""
    CACHE = "cache"
    """It can be made anew, or belongs to the place where it lies, and isn't copied."""
    AGENT = "agent"
    """Its one row makes the agent."""


AGENT = "agents"
"""The table of that row."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Copying:
    """An unfinished copy into a store.

    ``source`` tells the copied agent from others of its name, ``rev`` its revision; ``holder`` is the call that copies
    just now, so that of two calls one gives way.
    """

    source: bytes
    rev: int
    holder: str
    started_at: datetime


def half_copied(agent_id: str) -> StoreError:
    """Return the error for whoever wants to read or make an agent whose copy is under way."""
    return StoreError(
        f"agent {agent_id!r} is being copied into here and is not whole yet;"
        " run the same `reverie copy` again if it was interrupted, or give it up with `reverie forget --everything`"
    )


class Transfer(Protocol):
    """The raw rows of this unit's agent."""

    def tables(self, *parts: Part) -> Sequence[str]:
        """Return the names of the tables of these parts, in the order of copying."""
        ...

    def count(self, table: str) -> int:
        """Return how many rows the agent has there."""
        ...

    def pages(self, table: str) -> Iterator[Sequence[RawRow]]:
        """Return all rows in order, a bounded number at a time: memories and episodes in the order of storing, the
        others by key.
        """
        ...

    def last(self, table: str) -> RawRow | None:
        """Return the last of them, or None."""
        ...

    def columns(self, table: str) -> tuple[str, ...]:
        """Return the names of a row's columns, in their order."""
        ...

    def said_at(self, times: Collection[int]) -> Sequence[tuple[str, int, str | None, str, bool]]:
        """Return the bank's messages of these times (microseconds since 1970): id, time, speaker, content, and whether
        it is the bank's own, not one that came by a neural link.
        """
        ...

    def told_at(self, times: Collection[int]) -> Sequence[tuple[str, int, str, str, bool]]:
        """Return the same of memories made at these times: id, time, kind, essence, whether it is the bank's own."""
        ...

    def order(self, table: str) -> Sequence[str]:
        """Return the ids of all memories, or episodes, in the order of storing."""
        ...

    def among(self, table: str, column: str, values: Collection[str | int]) -> Sequence[RawRow]:
        """Return the rows whose column is one of these values, in any order."""
        ...

    def stamp(self) -> int:
        """Take the agent's next revision, for rows that are about to be added. Raise InvalidInput for an agent that
        isn't there.
        """
        ...

    def add_new(self, table: str, rows: Sequence[RawRow]) -> None:
        """Add rows as ``add`` does, passing over those whose key is taken; for tables without an order of storing."""
        ...

    def add(self, table: str, rows: Sequence[RawRow]) -> None:
        """Append rows as they are; the order of storing is theirs. Raise InvalidInput for a key that is taken."""
        ...

    def clear(self, table: str) -> None:
        """Delete the agent's rows there, and what an index keeps of them."""
        ...

    def under_way(self) -> Copying | None:
        """Return the unfinished copy of this agent, or None."""
        ...

    def hold(self, copying: Copying) -> None:
        """Note an unfinished copy, or that another call now holds it. Raise InvalidInput where the agent is there."""
        ...

    def abandon(self) -> None:
        """End an unfinished copy. Call it once its rows are cleared."""
        ...

    def finish(self, agent: RawRow) -> None:
        """Make the agent: from now on it is there for everyone. Its copy is under way no more."""
        ...
