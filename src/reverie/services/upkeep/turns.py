"""Workers' turns: an agent's due work is done under one lease, and the next agent is found by an index.

``agents.due_at`` tells when something of an agent is due, at the latest: what makes something due lowers it, in the
same statement or transaction, and the turn's last transaction, which looks at all that is there, sets it anew. So
nothing is lost between the two, whoever writes meanwhile. A worker that was killed leaves ``due_at`` in the past and a
lease that runs out. ``docs/why/workers.md``.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from time import monotonic
from typing import TypeVar
from zlib import crc32

from reverie.domain.change import NOTHING_SPENT
from reverie.domain.job import BACKFILL, EVERYONE, HOUSEKEEPING, REEMBEDDING, SELF_CARE, SLEEP, WORKER
from reverie.domain.time import DAY
from reverie.domain.turned import Backlog, DeadJob, DeadJobs, Turned
from reverie.errors import EmbedderMismatch, JobRunning, Paused
from reverie.ports.store import Unit
from reverie.services.loop import JOB as LOOP
from reverie.services.loop import loop
from reverie.services.observe import outbox
from reverie.services.runtime import Desk, Lease, holder_name, is_paused, read_again, tried
from reverie.services.sleep import sleep as sleeping
from reverie.services.upkeep import backfill, reembed, schedules, selfcare

OUTBOX = "outbox"
"""The name of the job that stores what waited for an embedder."""

_FETCHED = 64
_LOST_IN_A_ROW = 2
_PASSED_SECONDS = 5.0
_GOES_ON = "night"
_AGAIN = timedelta(seconds=5)
"""What is due again at once after a turn that was not cut short, waits so long: nothing may keep a worker spinning."""
_OUTBOX_PAUSE = timedelta(minutes=1)
_ANOTHERS_PAUSE = timedelta(minutes=5)
"""So long waits an agent whose vectors are another embedder's: perhaps for a worker that has that one."""
_MOST_AHEAD = timedelta(days=15)

Result = TypeVar("Result")

_log = logging.getLogger("reverie.worker")


def turns(desk: Desk, *, actor: str, stop: threading.Event, agent_id: str | None = None) -> Iterator[Turned]:
    """Do what is due, agent by agent, and yield what was done: until nothing is due, or ``stop`` is set. Of all agents
    the one that has waited longest comes first; with ``agent_id`` it is that one alone. Any number of processes may do
    so at once. Raise Closed, and what the store raises when it is asked who is due.
    """
    if agent_id is not None:
        while not stop.is_set() and _is_due(desk, agent_id):
            done = turn(desk, agent_id, actor=actor, stop=stop)
            if done is None:
                return
            yield done
        return
    passed: dict[str, float] = {}  # of whom another was faster, and when they are looked at again
    while not stop.is_set():
        passed = {id: at for id, at in passed.items() if at > monotonic()}
        due = desk.store.due_agents(desk.clock(), _FETCHED + len(passed))
        found = [one.agent_id for one in due if one.agent_id not in passed]
        if not found:
            return
        # Of workers that ask at the same moment each begins at another place.
        place = crc32(holder_name("").encode()) % len(found)
        lost = 0
        for id in (*found[place:], *found[:place]):
            done = turn(desk, id, actor=actor, stop=stop)
            if done is not None:
                lost = 0
                yield done
            elif not stop.is_set():
                passed[id] = monotonic() + _PASSED_SECONDS
                lost += 1
            if stop.is_set() or lost >= _LOST_IN_A_ROW:
                break


def turn(desk: Desk, agent_id: str, *, actor: str, stop: threading.Event) -> Turned | None:
    """Do what is due of the agent, for about ``Settings.worker.turn`` seconds; return what was done. None where another
    holds it, nothing is due any more, or nothing could be done. Raise Closed.
    """
    work = _Turn(desk=desk, actor=actor, stop=stop, done=Turned(agent_id=agent_id))
    result = tried(work.run)
    if not isinstance(result, Exception):
        return work.done
    if not work.is_held and not isinstance(result, JobRunning):
        _log.warning("an agent's turn could not begin: %s", type(result).__name__)
    return work.done if work.done.done or work.done.failed else None


@read_again
def backlog(desk: Desk) -> Backlog:
    """Return what waits for workers, over all agents."""
    now = desk.clock()
    counts = desk.store.due_counts(now)
    with desk.store.read(EVERYONE) as unit:
        spent = sum(unit.usage.since(now - DAY).values(), NOTHING_SPENT)
    lag = 0.0 if counts.oldest is None else (now - counts.oldest).total_seconds()
    return Backlog(due=counts.due, lag=lag, dead=counts.dead, calls=spent.calls)


@read_again
def dead_jobs(desk: Desk, *, limit: int) -> DeadJobs:
    """Return which jobs of which agents aren't tried by themselves any more."""
    found = []
    for agent_id, job in desk.store.dead_jobs(limit):
        with desk.store.read(agent_id) as unit:
            if job == LOOP:
                marks = [one for one in unit.watermarks.failing(job) if one.is_dead]
                failures, note = max((one.failures for one in marks), default=0), None
            else:
                state = unit.jobs.get(job)
                failures, note = state.failures, state.note
        found.append(DeadJob(agent_id=agent_id, job=job, failures=failures, note=note))
    return found


class _Claim(Lease):
    """The lease of an agent's turn: taken only where something is due, so of two workers that both saw it one comes too
    late. Where the turn fails as a whole, the agent is due again once that has rested.
    """

    def _take_first(self, unit: Unit) -> JobRunning | None:
        at, now = unit.agents.due_at(), self._desk.clock()
        if at is None or now < at <= now + _MOST_AHEAD:
            return JobRunning(self._agent_id, WORKER, now.isoformat())
        return self._take(unit)

    def _park(self, error: BaseException | None, note: str, unit: Unit) -> datetime:
        now = self._desk.clock()
        if isinstance(error, EmbedderMismatch):
            self._release(unit)
            until = now + _ANOTHERS_PAUSE
        else:
            until = super()._park(error, note, unit)
        unit.agents.settle_due(min(until, now + _MOST_AHEAD))
        return until


class _Budget(threading.Event):
    """Is set once ``stop`` is, or the time is over: for work that loses nothing by it."""

    def __init__(self, stop: threading.Event, seconds: float) -> None:
        super().__init__()
        self._outer, self._until = stop, monotonic() + seconds

    def is_set(self) -> bool:
        return self._outer.is_set() or monotonic() >= self._until

    def wait(self, timeout: float | None = None) -> bool:
        self._outer.wait(timeout)
        return self.is_set()


@dataclass(kw_only=True, slots=True)
class _Turn:
    """One agent's turn, under way."""

    desk: Desk
    actor: str
    stop: threading.Event
    done: Turned
    is_held: bool = False
    unparked: Exception | None = None
    """What failed and rests nowhere: then the turn as a whole rests."""

    def run(self) -> None:
        """Do it all. Raise JobRunning where it is another's."""
        desk, id = self.desk, self.done.agent_id
        budget = _Budget(self.stop, desk.settings.worker.turn)
        with _Claim(desk, id, WORKER) as lease:
            self.is_held = True
            self.done.is_left = self._nights_go_on()
            mends = self._mends()
            for piece in (
                partial(self._reembed, budget, mends=mends),
                partial(self._flush, budget),
                partial(self._attend, budget),
                partial(self._sleep, budget),
                self._care,
                self._housekeep,
                partial(self._backfill, budget),
            ):
                if budget.is_set():
                    break
                piece()
            if self.unparked is not None:
                raise self.unparked
            desk.store.transact(id, partial(self._settle, lease, is_cut=budget.is_set()))
            lease.ended()

    def _look(self, look: Callable[[Unit], bool]) -> bool:
        """Return what a look finds; False of an agent that is paused, gone, or half copied."""

        @read_again
        def read(desk: Desk) -> bool:
            with desk.store.read(self.done.agent_id) as unit:
                return _is_awake(unit) and look(unit)

        return read(self.desk)

    def _nights_go_on(self) -> bool:
        return self._look(lambda unit: unit.jobs.get(WORKER).note == _GOES_ON)

    def _mends(self) -> bool:
        """Return whether its bank is on its way to this worker's embedder. Raise EmbedderMismatch where its vectors are
        another's, and it is not.
        """
        desk, id = self.desk, self.done.agent_id

        def look(unit: Unit) -> bool:
            known = unit.agents.embedder()
            if known is not None and known[0] != desk.embedder.id and unit.fresh.count(desk.embedder.id):
                return True
            desk.check_embedder(id, known)
            return False

        return self._look(look)

    def _flush(self, budget: threading.Event) -> None:
        with self.desk.store.read(
            self.done.agent_id
        ) as unit:  # a pause doesn't keep messages from being stored
            if not unit.outbox.count(waiting=True):
                return
        flushed = self._tried(OUTBOX, partial(outbox.flush, self.desk, self.done.agent_id, stop=budget))
        if flushed is not None:
            self.done.stored = flushed.stored

    def _attend(self, budget: threading.Event) -> None:
        desk, id = self.desk, self.done.agent_id
        while not budget.is_set() and self._look(
            lambda unit: _is_now(loop.due_at(desk, unit, desk.clock()), desk.clock())
        ):
            found = tried(partial(loop.attend, desk, id, actor=self.actor, stop=budget))
            if isinstance(found, Exception):
                self._failed(LOOP, found)
                return
            self.done.attended += found
            self.done.done += [LOOP] * found.snippets
            self.done.failed += [LOOP] * found.failures
            if not found.snippets:
                return

    def _sleep(self, budget: threading.Event) -> None:
        """Sleep until all is read. Once a sleep has begun, only ``stop`` ends it: what a mind was paid for is kept."""
        desk, id = self.desk, self.done.agent_id

        def look(unit: Unit) -> bool:
            now = desk.clock()
            state = unit.jobs.get(SLEEP)
            return _is_now(sleeping.due_at(desk, unit, state, now, goes_on=self.done.is_left), now)

        while not budget.is_set() and self._look(look):
            call = partial(sleeping.sleep, desk, id, actor=self.actor, stop=self.stop)
            report = self._tried(SLEEP, call, counts=bool)
            if report:
                self.done.slept.append(report)
            if report is None or not self.stop.is_set():
                self.done.is_left = report is not None and report.refused is None and report.remaining > 0
            if not self.done.is_left:
                return

    def _care(self) -> None:
        desk, id = self.desk, self.done.agent_id
        if selfcare.due(desk, id):
            call = partial(selfcare.self_care, desk, id, actor=self.actor, stop=self.stop)
            self.done.cared = self._tried(SELF_CARE, call)
            if self.done.cared is not None and self.done.cared.declined is not None:
                self._leased(SELF_CARE, lambda: None)  # there was nothing to do: it is asked again in an hour

    def _housekeep(self) -> None:
        desk, id = self.desk, self.done.agent_id

        def look(unit: Unit) -> bool:
            now, agent = desk.clock(), unit.agents.get()
            state = unit.jobs.get(HOUSEKEEPING)
            return agent is not None and _is_now(schedules.due_at(unit, agent, state, now), now)

        if self._look(look):
            call = partial(schedules.kept, desk, id, self.actor, self.stop)
            self.done.housekept = self._leased(
                HOUSEKEEPING, call, whole=lambda kept: kept is None or kept.complete
            )

    def _reembed(self, budget: threading.Event, *, mends: bool) -> None:
        if mends:
            self._leased(REEMBEDDING, partial(reembed.reembed, self.desk, self.done.agent_id, stop=budget))

    def _backfill(self, budget: threading.Event) -> None:
        desk, id = self.desk, self.done.agent_id

        def look(unit: Unit) -> bool:
            now = desk.clock()
            return _is_now(backfill.due_at(desk, unit.jobs.get(BACKFILL), now), now)

        if self._look(look):
            self._tried(BACKFILL, partial(backfill.backfill, desk, id, actor=self.actor, stop=budget))

    def _leased(
        self, job: str, call: Callable[[], Result], *, whole: Callable[[Result], bool] = lambda _: True
    ) -> Result | None:
        """Return what a job gives that takes no lease by itself: under one, so that it rests where it fails, or where
        it is not ``whole`` though nobody stopped it.
        """
        desk, id = self.desk, self.done.agent_id

        def work() -> Result:
            with Lease(desk, id, job) as lease:
                result = call()
                if whole(result):
                    desk.store.transact(id, lambda unit: lease.end(unit, desk.clock()))
                    lease.ended()
                elif not self.stop.is_set():
                    lease.park("incomplete")
                    lease.ended()
            return result

        return self._tried(job, work)

    def _tried(
        self, job: str, call: Callable[[], Result], *, counts: Callable[[Result], bool] = lambda _: True
    ) -> Result | None:
        """Return what a job gives; None where it failed. ``counts``: whether that was something done."""
        found = tried(call)
        if isinstance(found, Exception):
            self._failed(job, found)
            return None
        if counts(found):
            self.done.done.append(job)
        return found

    def _failed(self, job: str, error: Exception) -> None:
        """Count it. What another does, or was paused just now, is no failure."""
        if isinstance(error, JobRunning | Paused):
            return
        self.done.failed.append(job)
        _log.warning("%s of an agent failed: %s", job, type(error).__name__)
        if job in (LOOP, OUTBOX):
            self.unparked = error

    def _settle(self, lease: Lease, unit: Unit, *, is_cut: bool) -> None:
        """End the turn, and set when the agent is due next, in one transaction: all that others have written by now is
        looked at, and what they write later finds the time that is set here. Raise JobRunning.
        """
        now = self.desk.clock()
        lease.end(unit, now, left=_GOES_ON if self.done.is_left else None)
        at = due_at(self.desk, unit, now, goes_on=self.done.is_left)
        if at is not None and not is_cut and not self.done.is_left:
            at = max(at, now + _AGAIN)
        unit.agents.settle_due(None if at is None else min(at, now + _MOST_AHEAD))
        self.done.is_left = at is not None and at <= now


def due_at(desk: Desk, unit: Unit, now: datetime, *, goes_on: bool = False) -> datetime | None:
    """Return when the next thing of the agent is due, as things stand; None where nothing is."""
    agent, jobs = unit.agents.get(), unit.jobs
    flush_at = now + _OUTBOX_PAUSE if unit.outbox.count(waiting=True) else None
    if agent is None or not _is_awake(unit):
        return flush_at
    each = [
        flush_at,
        loop.due_at(desk, unit, now),
        sleeping.due_at(desk, unit, jobs.get(SLEEP), now, goes_on=goes_on),
        selfcare.due_at(desk, unit, agent, jobs.get(SELF_CARE), now),
        schedules.due_at(unit, agent, jobs.get(HOUSEKEEPING), now),
        backfill.due_at(desk, jobs.get(BACKFILL), now),
        (jobs.get(REEMBEDDING).free_at(now) or now) + _ANOTHERS_PAUSE if unit.fresh.under_way() else None,
    ]
    return min((one for one in each if one is not None), default=None)


@read_again
def _is_due(desk: Desk, agent_id: str) -> bool:
    now = desk.clock()
    with desk.store.read(agent_id) as unit:
        at = unit.agents.due_at()
    return at is not None and not now < at <= now + _MOST_AHEAD


def _is_now(at: datetime | None, now: datetime) -> bool:
    return at is not None and at <= now


def _is_awake(unit: Unit) -> bool:
    return unit.agents.get() is not None and not is_paused(unit) and unit.transfer.under_way() is None
