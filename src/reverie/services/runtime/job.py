"""Run background work on an agent: what every job shares stands here, and what a job does is a plain function.

A ``Job`` gives way to callers, holds the lease and parks what fails, tells how far it is, and signs the audit log.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import TypeVar

from reverie.domain.audit import Action, AuditEntry
from reverie.errors import JobRunning, Paused
from reverie.ports.store import Unit
from reverie.services.runtime.change_records import entry
from reverie.services.runtime.desk import Desk, Progress, read_again
from reverie.services.runtime.guarded_calls import tried
from reverie.services.runtime.leasing import Lease
from reverie.services.runtime.pace import Pace
from reverie.services.runtime.pause import is_paused

Result = TypeVar("Result")

_log = logging.getLogger("reverie.jobs")


class Job:
    """One job under way on one agent. ``actor`` signs what it writes into the audit log: with ``entry`` under the job's
    ``id``, by which a revert undoes it, else with ``note``.

    ``stop`` is a background thread's: with it the job gives way to callers, and ends at the next checkpoint once it is
    set. ``progress`` is told how many items are done, and of how many.
    """

    def __init__(
        self, desk: Desk, agent_id: str, *, actor: str = "", stop: threading.Event | None = None,
        progress: Progress | None = None,
    ) -> None:  # fmt: skip
        self.desk, self.agent_id, self.actor = desk, agent_id, actor
        self.started: datetime = desk.clock()
        self._pace = Pace(desk.dirty, stop)
        self._progress = progress
        self._lease: Lease | None = None

    @cached_property
    def id(self) -> str:
        """The id of this run: of a sleep or a self-care."""
        return self.desk.ids(self.started)

    @property
    def stopped(self) -> bool:
        """Whether it is to end."""
        return self._pace.stopped

    @property
    def is_watched(self) -> bool:
        """Whether anybody listens to the progress."""
        return self._progress is not None

    def work(self) -> AbstractContextManager[None]:
        """Wrap a piece of work, whose computing the next checkpoint or rest makes up for."""
        return self._pace.work()

    def rest(self) -> None:
        """Give way to callers between two pieces of work."""
        self._pace.rest()

    @contextmanager
    def lease(self, name: str) -> Iterator[Lease]:
        """Hold the lease of that job from here on; whatever is raised gives it back, and parks the job. Raise
        JobRunning.
        """
        with Lease(self.desk, self.agent_id, name) as lease:
            self._lease = lease
            try:
                yield lease
            finally:
                self._lease = None

    def checkpoint(self) -> None:
        """Give way to callers, and renew the lease. Raise Stopped, JobRunning."""
        self._pace.checkpoint()
        self.renew()

    def renew(self) -> None:
        """Renew the lease, if the job holds one. Raise JobRunning."""
        if self._lease is not None:
            self._lease.renew()

    def read(self, look: Callable[[Unit], Result]) -> Result:
        """Return what ``look`` finds in a unit that reads; it looks again if the store is briefly out of reach."""
        return _read(self.desk, self.agent_id, look)

    def tell(self, done: int, total: int) -> None:
        """Tell the progress."""
        if self._progress is not None:
            self._progress(min(done, total), total)

    def begin(self, unit: Unit) -> None:
        """Begin a transaction that stores what the job made. Raise Paused, EmbedderMismatch."""
        if is_paused(unit):
            raise Paused(self.agent_id)
        self.desk.begin(unit, self.agent_id)

    def entry(
        self, action: Action, target: str, at: datetime, *, before: Mapping[str, object] | None = None,
        after: Mapping[str, object] | None = None, reason: str | None = None,
    ) -> AuditEntry:  # fmt: skip
        """Return an audit entry under the job's id, by which the job can be undone."""
        return replace(self.note(action, target, at, before=before, after=after, reason=reason), job=self.id)

    def note(
        self, action: Action, target: str, at: datetime, *, before: Mapping[str, object] | None = None,
        after: Mapping[str, object] | None = None, reason: str | None = None,
    ) -> AuditEntry:  # fmt: skip
        """Return an audit entry of what stays when a job is undone."""
        return entry(
            self.desk, action, target, actor=self.actor, at=at, before=before, after=after, reason=reason
        )


@read_again
def _read(desk: Desk, agent_id: str, look: Callable[[Unit], Result]) -> Result:
    with desk.reading(agent_id) as unit:
        return look(unit)


def agents_until(desk: Desk, agents: Iterable[str] | None, stop: threading.Event | None) -> Iterator[str]:
    """Yield these agents, or all, until ``stop`` is set."""
    for agent_id in desk.store.agent_ids() if agents is None else agents:
        if stop is not None and stop.is_set():
            return
        yield agent_id


def attempted(call: Callable[[], Result], failure: str) -> Result | None:
    """Return what one agent's job gives; None where it fails, which is logged without contents: the others go on.

    A job that another process runs, or whose agent was paused just now, is no failure. Raise Closed.
    """
    result = tried(call)
    if not isinstance(result, Exception):
        return result
    if not isinstance(result, JobRunning | Paused):
        _log.warning("%s: %s", failure, type(result).__name__)
    return None
