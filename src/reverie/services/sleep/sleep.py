"""sleep: what was said becomes what is known (s3): gather, ask the mind, check, apply in one transaction.

No mind is trusted: each change is checked by itself, and what would change too much is refused as a whole. Nothing is
destroyed: every change stands in the audit log under the sleep's id, and can be undone. ``docs/why/sleep.md``.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

from reverie.domain.change import Proposal, Refusal, Spent, joined
from reverie.domain.job import SLEEP
from reverie.domain.query import Filter
from reverie.domain.sleep import SleepReport
from reverie.domain.text import checked_switch
from reverie.errors import CapReached, InvalidInput, MindFailed
from reverie.ports.bill import billed
from reverie.ports.mind import Mind
from reverie.ports.unread import unread_within
from reverie.services.runtime import (
    Desk,
    Lease,
    Pace,
    Progress,
    Stopped,
    asked,
    check_awake,
    is_paused,
    read_again,
    requote,
)
from reverie.services.sleep.dreaming import UNREAD as UNREAD
from reverie.services.sleep.dreaming import Dream, Sleeper, sound_notes, waiting
from reverie.services.sleep.gathering import Gathered, gather
from reverie.services.sleep.planning import planned
from reverie.services.sleep.supporting import Supported, supported
from reverie.services.sleep.validating import validated

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
    """Sleeps on the next batch of episodes that no sleep has read (``Settings.sleep.batch``), and reports.

    ``dry_run``: everything but the last step; nothing is written, and the report tells what would be. ``stop`` is a
    background thread's: with it the work gives way to callers, and ends with nothing changed once it is set.
    ``respect_park``: nothing is done while an earlier failure rests; that is the background's, a caller may try anew.

    What fails changes nothing: the next sleep reads the same episodes. Raises InvalidInput where there is no mind,
    Paused, JobRunning, MindFailed, CapReached, EmbedderMismatch, and what an embedder or the store raises.
    """
    mind = _mind(desk)
    checked_switch(dry_run, "dry_run")
    check_awake(desk, agent_id)
    sleeper = Sleeper(desk, agent_id, mind.id, actor, desk.clock())
    if not _is_waited_for(desk, agent_id, respect_park=respect_park):
        return sleeper.nothing(dry_run=dry_run, remaining=waiting(desk, agent_id))
    pace = Pace(desk.stirred, stop)
    one = _Sleep(desk, agent_id, mind, sleeper, pace)
    try:
        if not dry_run:
            with pace.work():
                requote(desk, agent_id, actor=actor, breathe=pace.breathe)
        return one.tried() if dry_run else one.slept()
    except Stopped:
        return sleeper.nothing(dry_run=dry_run, remaining=waiting(desk, agent_id))


def sleep_through(
    desk: Desk,
    agent_id: str,
    *,
    actor: str,
    stop: threading.Event | None = None,
    progress: Progress | None = None,
) -> tuple[SleepReport, ...]:
    """Sleeps until nothing is left to read; the reports of the sleeps that read something, in order.

    Ends where a sleep is refused as a whole, whose report is the last one, and where ``stop`` is set. ``progress`` is
    told how many episodes are done. Raises as ``sleep`` does; what earlier sleeps changed stands.
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
    """Whether the agent is to sleep by itself now: it is idle, its last sleep is long enough ago, enough waits to be
    read (``Settings.sleep_*``), and it is neither paused nor resting after a failure.
    """
    if desk.mind is None:
        return False
    settings, now = desk.settings, desk.clock()
    with desk.store.read(agent_id) as unit:
        if unit.agents.get() is None or is_paused(unit) or unit.transfer.under_way() is not None:
            return False
        state = unit.jobs.get(SLEEP)
        if state.rests(now):
            return False
        if state.last_at is not None and _is_within(now - state.last_at, settings.sleep.every):
            return False
        if unit.episodes.count_unconsolidated() < settings.sleep.min_episodes:
            return False
        heard = [
            *unit.episodes.list(Filter(), limit=1, newest_first=True),
            *unit.episodes.unconsolidated(settings.sleep.batch),  # what is said late may tell of long ago
        ]
    return not any(_is_within(now - one.observed_at, settings.sleep.idle) for one in heard)


def _is_within(span: timedelta, seconds: float) -> bool:
    """Whether so much time is not over yet; of a clock that was ahead nothing is told."""
    return timedelta(0) <= span < timedelta(seconds=seconds)


@dataclass(frozen=True, slots=True)
class _Sleep:
    """One sleep with a mind of ours."""

    desk: Desk
    agent_id: str
    mind: Mind
    sleeper: Sleeper
    pace: Pace

    def tried(self) -> SleepReport:
        """What it would do."""
        dream = self._dreamt(lambda: None)
        if dream is None:
            return self.sleeper.nothing(dry_run=True)
        with self.desk.store.read(self.agent_id) as unit:
            report, _ = self.sleeper.decided(unit, dream)
        return replace(report, dry_run=True)

    def slept(self) -> SleepReport:
        """Holds the lease from the first look to the last write."""
        if not waiting(self.desk, self.agent_id):
            return self.sleeper.nothing()
        with Lease(self.desk, self.agent_id, SLEEP) as lease:
            dream = self._dreamt(lease.renew)
            if dream is None:
                return self.sleeper.nothing()
            report = self.desk.store.transact(self.agent_id, partial(self.sleeper.apply, lease, dream))
            if report.refused is not None:
                lease.park("refused")
            lease.ended()
        if report.refused is not None:
            return report
        return self.sleeper.portrayed(report)

    def _dreamt(self, renew: Callable[[], None]) -> Dream | None:
        """Everything up to the transaction; None where there is nothing to read. Raises Stopped."""
        with self.pace.work(), billed() as beside, unread_within() as unread:
            gathered = gather(self.desk, self.agent_id, self.sleeper.started)
            if gathered is None:
                return None
            self._breathe(renew)
            proposal = self._proposed(gathered, renew)
            self._breathe(renew)
            found, proposal = self._checked(gathered, proposal)
            self._breathe(renew)
            plan = planned(self.desk, gathered, found, self.sleeper.started)
            self._breathe(renew)
        spent = _sound_spent(proposal.spent) + beside.spent
        notes = sound_notes(self.desk.settings, proposal.notes)
        return Dream(gathered=gathered, plan=plan, spent=spent, notes=notes, unread=tuple(unread))

    def _breathe(self, renew: Callable[[], None]) -> None:
        self.pace.breathe()
        renew()

    def _proposed(self, gathered: Gathered, renew: Callable[[], None]) -> Proposal:
        """What the mind makes of the night. Raises MindFailed where that is no proposal at all, CapReached."""
        night = replace(gathered.night, go_on=renew)
        with billed():  # the proposal itself says what it cost
            answer: object = asked(self.mind, partial(self.mind.consolidate, night))
        if not isinstance(answer, Proposal) or not isinstance(answer.changes, tuple | list):
            raise MindFailed(self.mind.id, "its answer is no proposal")
        return answer

    def _checked(self, gathered: Gathered, proposal: Proposal) -> tuple[Supported, Proposal]:
        """What holds of the proposal; what doesn't goes back to the mind once, with the reasons."""
        settings = self.desk.settings
        found = supported(self.desk, gathered, validated(proposal.changes, gathered, settings))
        refused = {place: one for place, one in found.rejected.items() if place < len(proposal.changes)}
        if proposal.reconsider is None or not refused:
            return found, proposal
        refusals = [Refusal(place=place, reason=one.reason) for place, one in sorted(refused.items())]
        try:
            with billed():
                again: object = asked(self.mind, partial(proposal.reconsider, refusals))
        except (MindFailed, CapReached) as error:
            note = f"what was refused could not be asked again ({type(error).__name__})"
            return found, replace(proposal, notes=(*proposal.notes, note))
        if not isinstance(again, Proposal) or not isinstance(again.changes, tuple | list):
            return found, proposal
        both = joined(
            replace(proposal, spent=_sound_spent(proposal.spent)),
            replace(again, spent=_sound_spent(again.spent)),
        )
        found = supported(
            self.desk, gathered, validated(both.changes, gathered, settings, skip=refused.keys())
        )
        later = {
            place: replace(one, round=2) if place >= len(proposal.changes) else one
            for place, one in found.rejected.items()
        }
        return replace(found, rejected={**refused, **later}), both


def _mind(desk: Desk) -> Mind:
    if desk.mind is None:
        raise InvalidInput(
            "Settings.mind", "it is none: nobody thinks here", "open the bank with a mind to sleep"
        )
    return desk.mind


@read_again
def _is_waited_for(desk: Desk, agent_id: str, *, respect_park: bool) -> bool:
    """False where an earlier failure rests and that counts."""
    if not respect_park:
        return True
    with desk.store.read(agent_id) as unit:
        return not unit.jobs.get(SLEEP).rests(desk.clock())


def _sound_spent(spent: object) -> Spent:
    """What the mind says that it cost, where these are numbers."""
    if not isinstance(spent, Spent):
        return Spent()
    values = {
        name: getattr(spent, name) for name in ("calls", "input_tokens", "output_tokens", "micro_dollars")
    }
    fits = all(type(value) is int and 0 <= value <= _MOST_SPENT for value in values.values())
    return Spent(**values) if fits else Spent()
