"""Run a job once at a time on an agent, on this machine or any other; what fails rests for a while."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from types import TracebackType
from typing import Self

from reverie.domain.job import LEASE, MOST_REST, NEVER
from reverie.domain.time import to_utc
from reverie.errors import CapReached, Closed, InvalidInput, JobRunning, ReverieError, StoreError
from reverie.ports.store import Unit
from reverie.services.runtime.desk import Desk
from reverie.services.runtime.holders import holder_name, is_gone, process_here
from reverie.services.runtime.pace import Stopped

_FIRST_BACK_OFF = timedelta(minutes=5)
_MOST_DOUBLINGS = 12
_FAIL_SECONDS = 1.0  # a failure is noted only where that takes no long wait
_BEAT_SECONDS = LEASE.total_seconds() / 3

_log = logging.getLogger("reverie.leasing")


class Lease:
    """The right to run a job, as a context: whatever is raised in it gives the lease back and parks the job, with a
    pause that doubles with each failure from 5 minutes to a day; a reached limit parks it until some of it is free, a
    day at most. What failed ``Settings.worker.tries`` times is dead: it rests for good. While it is held a thread
    renews it, however long what is done in it takes.

    An interruption (``Stopped``, a signal) and a lost lease are no failures. Raise JobRunning where another holds it;
    a process of this machine that was killed holds nothing.
    """

    def __init__(self, desk: Desk, agent_id: str, job: str) -> None:
        self._desk, self._agent_id, self._job = desk, agent_id, job
        self._most = desk.settings.worker.tries
        self.holder = holder_name(desk.ids(desk.clock()))
        self._ended = False
        self._left = threading.Event()
        self._heart = threading.Thread(target=self._beat, name="reverie-lease", daemon=True)

    def __enter__(self) -> Self:
        self._hold(self._take_first)
        self._heart.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._left.set()
        self._heart.join()
        if kind is None:
            if not self._ended:
                self._desk.store.transact(self._agent_id, self._release)
            return
        with suppress(ReverieError):  # what was raised first is what the caller must see; the lease expires
            self._desk.store.transact(self._agent_id, partial(self._give_up, error), wait=_FAIL_SECONDS)

    def renew(self) -> None:
        """Hold it for another while. Raise JobRunning where another had it meanwhile, even if that one is done."""
        self._hold(self._take_again)

    def end(self, unit: Unit, at: datetime, *, left: str | None = None) -> None:
        """It ended well, in the transaction that keeps what it made. ``left``: what the next one is to go on with.
        Raise JobRunning, which undoes all of that, where another has the lease by now.
        """
        if not unit.jobs.done(self._job, self.holder, at, left=left):
            raise running(unit, self._agent_id, self._job, at)

    def ended(self) -> None:
        """``end`` was committed."""
        self._ended = True

    def park(self, note: str) -> datetime:
        """Give it back, and let the job rest; return until when."""
        return self._desk.store.transact(self._agent_id, lambda unit: self._park(None, note, unit))

    def _beat(self) -> None:
        """Renew it now and then, until it is left or lost; what can't be written now is tried at the next beat."""
        while not self._left.wait(_BEAT_SECONDS):
            try:
                self._desk.store.transact(self._agent_id, self._take_again, wait=_FAIL_SECONDS)
            except Closed:
                return
            except StoreError:
                continue

    def _hold(self, take: Callable[[Unit], JobRunning | None]) -> None:
        held = self._desk.store.transact(self._agent_id, take)
        if held is not None:
            raise held

    def _take_first(self, unit: Unit) -> JobRunning | None:
        return self._take(unit)

    def _take(self, unit: Unit) -> JobRunning | None:
        """Return None where it is ours now, else whose it is."""
        now = self._desk.clock()
        if take(unit, self._job, self.holder, now=now, until=now + LEASE):
            return None
        return running(unit, self._agent_id, self._job, now)

    def _take_again(self, unit: Unit) -> JobRunning | None:
        if unit.jobs.get(self._job).holder == self.holder:
            return self._take(unit)
        return running(unit, self._agent_id, self._job, self._desk.clock())

    def _release(self, unit: Unit) -> None:
        unit.jobs.release(self._job, self.holder)

    def _give_up(self, error: BaseException | None, unit: Unit) -> None:
        if isinstance(error, Stopped | JobRunning) or not isinstance(error, Exception):
            self._release(unit)
            return
        until = self._park(error, type(error).__name__, unit)
        if until == NEVER:
            _log.error("%s failed once more and is dead until a retry: %s", self._job, type(error).__name__)
            return
        _log.warning("%s failed and rests until %s: %s", self._job, until.isoformat(), type(error).__name__)

    def _park(self, error: BaseException | None, note: str, unit: Unit) -> datetime:
        state, now = unit.jobs.get(self._job), self._desk.clock()
        until = now + min(_FIRST_BACK_OFF * (1 << min(state.failures, _MOST_DOUBLINGS)), MOST_REST)
        self._release(unit)
        free_at = _free_at(error) if isinstance(error, CapReached) else None
        if free_at is not None:  # it has done nothing wrong: only others were faster
            until = min(free_at, now + MOST_REST)
            unit.jobs.rest(self._job, parked_until=until, note=note)
            return until
        if state.failures + 1 >= self._most:
            until = NEVER
        unit.jobs.fail(self._job, parked_until=until, note=note)
        return until


def take(unit: Unit, job: str, holder: str, *, now: datetime, until: datetime) -> bool:
    """Take or renew a lease, also that of a process of this machine that was killed. False where another holds it."""
    if unit.jobs.take(job, holder, now=now, until=until):
        return True
    held_by = unit.jobs.get(job).holder
    if held_by is None or not is_gone(held_by):
        return False
    unit.jobs.release(job, held_by)
    return unit.jobs.take(job, holder, now=now, until=until)


def running(unit: Unit, agent_id: str, job: str, now: datetime) -> JobRunning:
    """Return the error that another holds the job: until when, and in which process of this machine, if it is one."""
    state = unit.jobs.get(job)
    process = None if state.holder is None else process_here(state.holder)
    return JobRunning(agent_id, job, (state.until or now).isoformat(), process=process)


def _free_at(error: CapReached) -> datetime | None:
    if error.free_at is None:
        return None
    try:
        return to_utc(error.free_at)
    except InvalidInput:
        return None
