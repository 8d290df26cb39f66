"""Turn what was said into what is known (s3): gather, ask the mind, check, apply in one transaction.

No mind is trusted: each change is checked by itself, and what would change too much is refused as a whole. Nothing is
destroyed: every change stands in the audit log under the sleep's id, and can be undone. ``docs/why/sleep.md``.
"""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from reverie.domain.change import Proposal, Refusal, Spent, joined
from reverie.domain.job import SLEEP, JobState
from reverie.domain.query import Filter
from reverie.domain.sleep import SleepReport
from reverie.domain.text import checked_switch
from reverie.errors import CapReached, MindFailed
from reverie.ports.bill import billed
from reverie.ports.mind import Mind
from reverie.ports.store import Unit
from reverie.ports.unread import unread_within
from reverie.services.runtime import (
    Desk,
    Job,
    Progress,
    Stopped,
    asked,
    check_awake,
    is_paused,
    read_again,
    thinking_mind,
)
from reverie.services.sleep.gathering import Gathered, gather
from reverie.services.sleep.planning import planned
from reverie.services.sleep.run import UNREAD as UNREAD
from reverie.services.sleep.run import Prepared, SleepRun, clean_notes, waiting
from reverie.services.sleep.supporting import Supported, checked

_MOST_SPENT = 10**15


def sleep(
    desk: Desk,
    agent_id: str,
    *,
    actor: str,
    dry_run: bool = False,
    stop: threading.Event | None = None,
    respect_park: bool = False,
) -> SleepReport:
    """Sleep on the next batch of episodes that no sleep has read (``Settings.sleep.batch``), and return the report.

    ``dry_run``: everything but the last step; nothing is written, and the report tells what would be. ``stop`` is a
    background thread's: with it the work gives way to callers, and ends with nothing changed once it is set.
    ``respect_park``: nothing is done while an earlier failure rests; that is the background's, a caller may try anew.

    What fails changes nothing: the next sleep reads the same episodes. Raise InvalidInput where there is no mind,
    Paused, JobRunning, MindFailed, CapReached, EmbedderMismatch, and what an embedder or the store raises.
    """
    mind = thinking_mind(desk, "to sleep")
    checked_switch(dry_run, "dry_run")
    check_awake(desk, agent_id)
    run = SleepRun(Job(desk, agent_id, actor=actor, stop=stop), mind.id)
    if respect_park and _is_resting(desk, agent_id):
        return run.nothing(dry_run=dry_run, remaining=waiting(desk, agent_id))
    try:
        return _tried(run, mind) if dry_run else _slept(run, mind)
    except Stopped:
        return run.nothing(dry_run=dry_run, remaining=waiting(desk, agent_id))


def sleep_through(
    desk: Desk,
    agent_id: str,
    *,
    actor: str,
    stop: threading.Event | None = None,
    progress: Progress | None = None,
) -> tuple[SleepReport, ...]:
    """Sleep until nothing is left to read; return the reports of the sleeps that read something, in order.

    Ends where a sleep is refused as a whole, whose report is the last one, and where ``stop`` is set. ``progress`` is
    told how many episodes are done. Raise as ``sleep`` does; what earlier sleeps changed stands.
    """
    reports: list[SleepReport] = []
    done = 0
    while report := sleep(desk, agent_id, actor=actor, stop=stop):
        reports.append(report)
        done += len(report.sleep.episodes)
        if progress is not None:
            progress(done, done + report.remaining)
        if report.refused is not None or not report.remaining or (stop is not None and stop.is_set()):
            break
    return tuple(reports)


@read_again
def due(desk: Desk, agent_id: str) -> bool:
    """Return whether the agent is to sleep by itself now: it is idle, its last sleep is long enough ago, enough waits
    to be read (``Settings.sleep``), and it is neither paused nor resting after a failure.
    """
    now = desk.clock()
    with desk.store.read(agent_id) as unit:
        if unit.agents.get() is None or is_paused(unit) or unit.transfer.under_way() is not None:
            return False
        state = unit.jobs.get(SLEEP)
        at = None if state.rests(now) else due_at(desk, unit, replace(state, until=None), now)
    return at is not None and at <= now


def due_at(
    desk: Desk, unit: Unit, state: JobState, now: datetime, *, goes_on: bool = False
) -> datetime | None:
    """Return when to sleep by itself, as things stand; None where too little waits, or nobody sleeps here. ``goes_on``:
    a night is under way, which goes on until all is read.
    """
    at, settings = state.free_at(now), desk.settings.sleep
    waiting = unit.episodes.count_unconsolidated()
    if desk.mind is None or at is None or waiting < (1 if goes_on else settings.min_episodes):
        return None
    if goes_on:
        return at
    if state.last_at is not None and _is_within(now - state.last_at, settings.every):
        at = max(at, state.last_at + timedelta(seconds=settings.every))
    if at > now:
        return at  # then it is looked at again
    heard = [
        *unit.episodes.list(Filter(), limit=1, newest_first=True),
        *unit.episodes.unconsolidated(settings.batch),  # what is said late may tell of long ago
    ]
    idle = timedelta(seconds=settings.idle)
    said = (one.observed_at for one in heard if _is_within(now - one.observed_at, settings.idle))
    return max((now, *(moment + idle for moment in said)))


def _is_within(span: timedelta, seconds: float) -> bool:
    """Return whether so much time is not over yet; of a clock that was ahead nothing is told."""
    return timedelta(0) <= span < timedelta(seconds=seconds)


def _tried(run: SleepRun, mind: Mind) -> SleepReport:
    """Return what it would do."""
    night = _prepared(run, mind)
    if night is None:
        return run.nothing(dry_run=True)
    with run.job.desk.store.read(run.job.agent_id) as unit:
        report, _ = run.decided(unit, night)
    return replace(report, dry_run=True)


def _slept(run: SleepRun, mind: Mind) -> SleepReport:
    """Hold the lease from the first look to the last write."""
    job = run.job
    if not waiting(job.desk, job.agent_id):
        return run.nothing()
    with job.lease(SLEEP) as lease:
        night = _prepared(run, mind)
        if night is None:
            return run.nothing()
        report = job.desk.store.transact(job.agent_id, partial(run.apply, lease, night))
        if report.refused is not None:
            lease.park("refused")
        lease.ended()
    return report if report.refused is not None else run.portrayed(report)


def _prepared(run: SleepRun, mind: Mind) -> Prepared | None:
    """Do everything up to the transaction; None where there is nothing to read. Raise Stopped."""
    job = run.job
    with job.work(), billed() as beside, unread_within() as unread:
        gathered = gather(job.desk, job.agent_id, job.started)
        if gathered is None:
            return None
        job.checkpoint()
        proposal = _proposed(job, mind, gathered)
        job.checkpoint()
        found, proposal = _checked(job.desk, mind, gathered, proposal)
        job.checkpoint()
        plan = planned(job.desk, gathered, found, job.started)
        job.checkpoint()
    spent = _clean_spent(proposal.spent) + beside.spent
    notes = clean_notes(job.desk.settings, proposal.notes)
    return Prepared(gathered=gathered, plan=plan, spent=spent, notes=notes, unread=tuple(unread))


def _proposed(job: Job, mind: Mind, gathered: Gathered) -> Proposal:
    """Return what the mind makes of the night. Raise MindFailed where that is no proposal at all, CapReached."""
    night = replace(gathered.night, go_on=job.renew)
    with billed():  # the proposal itself says what it cost
        answer: object = asked(mind, partial(mind.consolidate, night))
    if not isinstance(answer, Proposal) or not isinstance(answer.changes, tuple | list):
        raise MindFailed(mind.id, "its answer is no proposal")
    return answer


def _checked(desk: Desk, mind: Mind, gathered: Gathered, proposal: Proposal) -> tuple[Supported, Proposal]:
    """Return what holds of the proposal; what doesn't goes back to the mind once, with the reasons."""
    found = checked(desk, gathered, proposal.changes)
    refused = {place: one for place, one in found.rejected.items() if place < len(proposal.changes)}
    if proposal.reconsider is None or not refused:
        return found, proposal
    refusals = [Refusal(place=place, reason=one.reason) for place, one in sorted(refused.items())]
    try:
        with billed():
            again: object = asked(mind, partial(proposal.reconsider, refusals))
    except (MindFailed, CapReached) as error:
        note = f"what was refused could not be asked again ({type(error).__name__})"
        return found, replace(proposal, notes=(*proposal.notes, note))
    if not isinstance(again, Proposal) or not isinstance(again.changes, tuple | list):
        return found, proposal
    both = joined(*(replace(one, spent=_clean_spent(one.spent)) for one in (proposal, again)))
    found = checked(desk, gathered, both.changes, skip=refused.keys())
    later = {
        place: replace(one, round=2) if place >= len(proposal.changes) else one
        for place, one in found.rejected.items()
    }
    return replace(found, rejected={**refused, **later}), both


@read_again
def _is_resting(desk: Desk, agent_id: str) -> bool:
    """Return whether an earlier failure rests."""
    with desk.store.read(agent_id) as unit:
        return unit.jobs.get(SLEEP).rests(desk.clock())


def _clean_spent(spent: object) -> Spent:
    """Return what the mind says that it cost, where these are numbers."""
    if not isinstance(spent, Spent):
        return Spent()
    values = {
        name: getattr(spent, name) for name in ("calls", "input_tokens", "output_tokens", "micro_dollars")
    }
    fits = all(type(value) is int and 0 <= value <= _MOST_SPENT for value in values.values())
    return Spent(**values) if fits else Spent()
