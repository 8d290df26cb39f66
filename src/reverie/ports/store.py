"""Store: where banks lie. One unit of work a transaction, one repository an aggregate.

Laws that hold on every engine (``tests/contract`` proves them):

- A unit sees and changes one agent's bank and no other. Whatever its filter, no call returns another
  agent's row.
- ``write`` is all or nothing: it commits when its block ends well, and rolls back on any exception; once it
  has
  returned, every other process sees all of it, and a crash loses none of it (as far as
  ``Settings.store.synchronous`` promises).
- Writers of one file or agent wait for each other; who waits longer than ``busy_seconds`` gets Busy and has
  changed nothing.
- ``read`` sees one state throughout, and never waits for a writer.
- A store returns what it was given, for any text, to the microsecond and the last bit of a vector.
- Ids and names sort by their code points (as UTF-8 bytes), whatever the language of the machine.
- Vectors are finite; others are InvalidInput.
- An id that isn't there is left out of a mapping, is None, or changes nothing, as each docstring says;
  never an error of the engine.
- Sequences may be of any length (engines split what their limits don't allow), and empty ones do nothing.
- Engine exceptions never leave a store: they come as ``reverie.errors``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol, TypeVar

from reverie.ports.aggregates import Agents, Audit, Conversations, Episodes, Memories, Tombstones
from reverie.ports.aggregates import Vector as Vector
from reverie.ports.fresh import Fresh
from reverie.ports.items import Items
from reverie.ports.rest import Jobs, Nights, Outbox, Portraits, Sleeps, Undo, Usage
from reverie.ports.society import Diary, Links, Relationships, Summaries
from reverie.ports.transfer import Transfer
from reverie.ports.upkeep import Counters, Digests, Dues, Goals, Procedures, Soul, Watermarks

Result = TypeVar("Result")


@dataclass(frozen=True, kw_only=True, slots=True)
class StoreInfo:
    """What a store is: for ``stats``. ``bytes`` counts the file with its log, or what the tables occupy."""

    engine: str
    where: str
    encrypted: bool
    schema: int
    synchronous: str
    bytes: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Due:
    """An agent of which something is due, since ``at``."""

    agent_id: str
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class DueCounts:
    """Of how many agents something is ``due``, since when of the one that waits longest, and how many jobs and
    conversations are ``dead``.
    """

    due: int
    oldest: datetime | None
    dead: int


class Unit(Protocol):
    """One transaction over one agent's bank."""

    @property
    def agents(self) -> Agents:
        """The agent itself."""
        ...

    @property
    def conversations(self) -> Conversations:
        """Its rooms."""
        ...

    @property
    def episodes(self) -> Episodes:
        """What was said."""
        ...

    @property
    def memories(self) -> Memories:
        """What was kept."""
        ...

    @property
    def audit(self) -> Audit:
        """The log of changes."""
        ...

    @property
    def tombstones(self) -> Tombstones:
        """What was forgotten."""
        ...

    @property
    def soul(self) -> Soul:
        """Who the agent is."""
        ...

    @property
    def procedures(self) -> Procedures:
        """Its workflows' steps and outcomes."""
        ...

    @property
    def goals(self) -> Goals:
        """Which goals were achieved."""
        ...

    @property
    def dues(self) -> Dues:
        """When goals fall due."""
        ...

    @property
    def watermarks(self) -> Watermarks:
        """How far background jobs have come."""
        ...

    @property
    def counters(self) -> Counters:
        """What was counted."""
        ...

    @property
    def digests(self) -> Digests:
        """Summaries of messages."""
        ...

    @property
    def sleeps(self) -> Sleeps:
        """What it slept on."""
        ...

    @property
    def jobs(self) -> Jobs:
        """Who runs its jobs."""
        ...

    @property
    def usage(self) -> Usage:
        """What models cost."""
        ...

    @property
    def portraits(self) -> Portraits:
        """How a model portrays it."""
        ...

    @property
    def nights(self) -> Nights:
        """What its host's model was asked."""
        ...

    @property
    def outbox(self) -> Outbox:
        """Writes that wait for an embedder."""
        ...

    @property
    def fresh(self) -> Fresh:
        """Another embedder's vectors."""
        ...

    @property
    def undo(self) -> Undo:
        """Ways back."""
        ...

    @property
    def diary(self) -> Diary:
        """Its diary."""
        ...

    @property
    def relationships(self) -> Relationships:
        """How it sees others."""
        ...

    @property
    def items(self) -> Items:
        """What programs keep in it."""
        ...

    @property
    def summaries(self) -> Summaries:
        """What its summaries stand for."""
        ...

    @property
    def links(self) -> Links:
        """Its neural links."""
        ...

    @property
    def transfer(self) -> Transfer:
        """All its rows as they are, for moving house."""
        ...


class Store(Protocol):
    """Banks in one file or database. Thread-safe; one per process and file."""

    def read(self, agent_id: str) -> AbstractContextManager[Unit]:
        """Return a unit that sees one state and can't write."""
        ...

    def write(self, agent_id: str, *, wait: float | None = None) -> AbstractContextManager[Unit]:
        """Return a unit that may write; the agent's row must be ``put`` before anything else is written. Not to be
        nested. ``wait``: seconds to wait for other writers, where that is less than ``busy_seconds``.
        """
        ...

    def transact(self, agent_id: str, work: Callable[[Unit], Result], *, wait: float | None = None) -> Result:
        """Does ``work`` in a unit as ``write`` gives it, commits, and returns what it returned.

        Where the engine is a server that can go away, or refuses two transactions at once, the work is done again
        from the beginning in a new transaction, for as long as a writer waits: so it must have no other effect than
        on its unit. However often it was begun, it takes effect once or not at all, also if only the news of its
        success was lost.
        """
        ...

    def transact_both(self, agent_id: str, other_id: str, work: Callable[[Unit, Unit], Result]) -> Result:
        """``transact`` over two agents at once: ``work`` gets a unit for each, and both commit together or not at all.

        The only call that reaches two banks. Each unit sees and changes its own agent's rows alone. Raise InvalidInput
        where both are one agent.
        """
        ...

    def agent_ids(self) -> Sequence[str]:
        """All agents that have written, sorted."""
        ...

    def due_agents(self, now: datetime, limit: int) -> Sequence[Due]:
        """Return the agents of which something is due (``Agents.note_due``) and that no worker holds, longest overdue
        first. Found by an index: it costs what it returns, however many agents there are.
        """
        ...

    def due_counts(self, now: datetime) -> DueCounts:
        """Count them all, those that are held too, and what is dead."""
        ...

    def dead_jobs(self, limit: int) -> Sequence[tuple[str, str]]:
        """Return the agents' jobs that are dead, or read a conversation that is, as (agent's id, job), sorted."""
        ...

    def info(self) -> StoreInfo:
        """Return what this store is."""
        ...

    def scour(self) -> bool:
        """After a forget: sees that what was deleted is left in no log or spare page. False where some may be: a
        reader holds it there until the next call, or the engine leaves it to the server's own care.
        """
        ...

    def backup(self, to: Path) -> Path | None:
        """Writes one state of all banks to a new file, under the same key, proven by reading it back; where it lies.

        Others read and write meanwhile. None, and nothing is written, where the banks lie in no file. Raise
        InvalidInput (something is there), DiskFull, ReadOnly, DamagedFile.
        """
        ...

    def catch_up(self) -> None:
        """Does now what the engine would do in the background to make searches fast, after a large import, say."""
        ...

    def check(self) -> Iterator[str]:
        """Verifies every page and index; yields a line for each fault, nothing when all is well."""
        ...

    def close(self) -> None:
        """Closes connections. Safe to call twice. Using the store later raises Closed."""
        ...
