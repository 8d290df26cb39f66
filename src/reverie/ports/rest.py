"""What sleep needs beside messages and memories: its records, jobs' leases, what models cost, the self-portrait, nights
that a host was asked about, writes that wait, and ways back; ``ports.store`` has the laws that hold for all.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from reverie.domain.change import Spent
from reverie.domain.job import JobState
from reverie.domain.memory import Connection
from reverie.domain.queued import QueuedWrite
from reverie.domain.sleep import SleepRecord
from reverie.ports.aggregates import Vector


class Sleeps(Protocol):
    """The sleeps that changed something, or found nothing to change."""

    def add(self, record: SleepRecord) -> None:
        """Keep a record. Bump rev."""
        ...

    def get(self, id: str) -> SleepRecord | None:
        """Return the record, or None."""
        ...

    def list(self, *, limit: int = 100, before: str | None = None) -> Sequence[SleepRecord]:
        """Return records newest first, those before id ``before`` only."""
        ...

    def note_reverted(self, id: str, at: datetime) -> None:
        """Note that it was undone. Bump rev."""
        ...

    def add_after(self, id: str, spent: Spent, notes: Sequence[str]) -> None:
        """Add to a record what its portrait cost and left to be known; nothing where it is gone. Bump rev."""
        ...

    def scrub(self) -> None:
        """Drop the texts of all rejected proposals and all notes: they may say what is being forgotten. Bump rev."""
        ...

    def clear(self) -> None:
        """Drop all records."""
        ...


class Jobs(Protocol):
    """Background jobs of this agent, by name. No bump of rev; not copied to another place."""

    def get(self, job: str) -> JobState:
        """Return how it stands."""
        ...

    def take(self, job: str, holder: str, *, now: datetime, until: datetime) -> bool:
        """Take or renew the lease. False, and nothing is changed, where another holds it beyond ``now``; a lease that
        lies further ahead than ``LEASE`` and ``MOST_AHEAD`` together is none.
        """
        ...

    def release(self, job: str, holder: str) -> None:
        """Give the lease back; nothing where another has it by now."""
        ...

    def done(self, job: str, holder: str, at: datetime, *, left: str | None = None) -> bool:
        """Note that it ended well at that time: forget failures, give the lease back. ``left``: what the next one is
        to go on with, as the job's note. False, and nothing is changed, where the lease is another's by now: then the
        whole transaction is to be undone.
        """
        ...

    def fail(self, job: str, *, parked_until: datetime, note: str) -> None:
        """Count a failure, and park the job."""
        ...

    def note(self, job: str, note: str) -> None:
        """Note what is under way."""
        ...

    def rest(self, job: str, *, parked_until: datetime, note: str) -> None:
        """Park the job, for what is no failure of its own."""
        ...

    def unpark(self) -> int:
        """Let all parked jobs and conversations of this agent be tried again at once; return how many there were."""
        ...

    def free(self, now: datetime) -> int:
        """Give back the leases that lie further ahead than any can; return how many."""
        ...

    def all(self) -> Sequence[JobState]:
        """Return all jobs that were ever taken or failed, in order of name."""
        ...


class Usage(Protocol):
    """What models cost, by minute. Additive. No bump of rev; not copied to another place."""

    def add(self, minute: datetime, spent: Spent) -> None:
        """Add to a minute's; numbers may be negative, to settle what was reserved."""
        ...

    def since(self, moment: datetime) -> Mapping[datetime, Spent]:
        """By minute, oldest first, from this minute on."""
        ...

    def drop_before(self, moment: datetime, *, keep: int) -> None:
        """Drop older minutes, but none of the ``keep`` newest that are there, whatever a clock says."""
        ...


class Portraits(Protocol):
    """Sections of the self-portrait that a model wrote. A cache: no bump of rev, and any forget empties it.

    The files that hold the portrait are noted beside, and stay noted.
    """

    def get(self) -> Mapping[str, str]:
        """Texts by section."""
        ...

    def put(self, sections: Mapping[str, str], at: datetime) -> None:
        """Replace all by these."""
        ...

    def clear(self) -> None:
        """Drop all sections."""
        ...

    def files(self) -> Sequence[str]:
        """Return where portraits were written to, in order."""
        ...

    def note_file(self, path: str, at: datetime) -> None:
        """Note that a portrait is written there."""
        ...


class Nights(Protocol):
    """Nights that the host's model was asked about and hasn't answered yet: ids and numbers, never what was said. No
    bump of rev; neither exported nor copied to another place.
    """

    def put(self, id: str, asked_at: datetime, body: str) -> None:
        """Keep a night, in place of the one of that id where there is one."""
        ...

    def get(self, id: str) -> tuple[datetime, str] | None:
        """Return when it was asked, and its body; None where there is none."""
        ...

    def remove(self, id: str) -> None:
        """Drop a night, if it is there."""
        ...

    def clear(self) -> None:
        """Drop all."""
        ...


class Outbox(Protocol):
    """Writes that wait for an embedder. No bump of rev."""

    def add(self, write: QueuedWrite) -> None:
        """Queue a write: at its ``place``, or without one behind all others, whatever their clocks said."""
        ...

    def list(
        self, *, limit: int = 100, after: str | None = None, waiting: bool = False
    ) -> Sequence[QueuedWrite]:
        """Return writes in order of (place, id), those behind the write of id ``after`` only, which is there.

        ``waiting``: without those that are set aside.
        """
        ...

    def set_aside(self, id: str, failure: str) -> int:
        """Have a write passed over from now on, and say why; return how many that were."""
        ...

    def take_up(self) -> int:
        """Have the writes that were set aside wait again, at their places; return how many there were."""
        ...

    def remove(self, ids: Collection[str]) -> int:
        """Take writes out; return how many were there."""
        ...

    def count(self, *, waiting: bool = False) -> int:
        """Return how many there are; ``waiting``: without those that are set aside."""
        ...

    def clear(self) -> None:
        """Drop all."""
        ...


class Undo(Protocol):
    """What only reverts and forgets do."""

    def drop_version(self, memory_id: str, version: int) -> Vector | None:
        """Take a replaced wording out of the history and give its vector; None where there is none. Bump rev."""
        ...

    def disconnect(self, connection: Connection) -> bool:
        """Remove an edge, whatever its time; False where there was none. Bump rev where there was."""
        ...

    def related_otherwise(self, relations: Collection[str]) -> Sequence[Connection]:
        """Return all edges whose relation is none of these, in order of time."""
        ...

    def superseding(self, ids: Collection[str]) -> Mapping[str, Sequence[str]]:
        """Of these memories those that superseded others, each with the others' ids in order."""
        ...
