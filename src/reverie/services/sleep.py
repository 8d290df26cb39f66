"""sleep: what was said becomes what is known (s3): gather, cluster, ask the mind, check, apply in one transaction.

No mind is trusted: each change is checked by itself, and what would change too much is refused as a whole. Nothing is
destroyed: every change stands in the audit log under the sleep's id, and can be undone. ``docs/why/sleep.md``.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial

from reverie.domain.audit import Action
from reverie.domain.change import NOTHING_SPENT, Proposal, Refusal, Spent, joined
from reverie.domain.job import SLEEP
from reverie.domain.query import Filter
from reverie.domain.settings import Settings
from reverie.domain.sleep import SleepRecord, SleepReport
from reverie.domain.text import checked_switch, normalized
from reverie.errors import CapReached, InvalidInput, MindFailed, Paused, ReverieError
from reverie.ports.bill import billed
from reverie.ports.mind import Mind
from reverie.ports.store import Unit
from reverie.ports.unread import unread_within
from reverie.services.applying import Applying, Job
from reverie.services.asking import asked
from reverie.services.changes import entry
from reverie.services.desk import Desk, Progress, read_again
from reverie.services.evidenced import plain_relations
from reverie.services.gathering import Gathered, gather
from reverie.services.leasing import Lease
from reverie.services.pace import Pace, Stopped
from reverie.services.pause import check_awake, is_paused
from reverie.services.planning import Plan, planned
from reverie.services.portrait import refresh
from reverie.services.redact import clean
from reverie.services.requoting import requote
from reverie.services.sleeps import applied
from reverie.services.supporting import Supported, supported
from reverie.services.tombstones import anything_forgotten
from reverie.services.validating import validated

UNREAD = "sleep.unread"

_log = logging.getLogger("reverie.sleep")
_MOST_NOTES, _LONGEST_NOTE = 20, 300
_IDS_A_NOTE = 6
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
    """Sleeps on the next batch of episodes that no sleep has read (``Settings.sleep_batch``), and reports.

    ``dry_run``: everything but the last step; nothing is written, and the report tells what would be. ``stop`` is a
    background thread's: with it the work gives way to callers, and ends with nothing changed once it is set.
    ``respect_park``: nothing is done while an earlier failure rests; that is the background's, a caller may try anew.

    What fails changes nothing: the next sleep reads the same episodes. Raises InvalidInput where there is no mind,
    Paused, JobRunning, MindFailed, CapReached, EmbedderMismatch, and what an embedder or the store raises.
    """
    mind = _mind(desk)
    checked_switch(dry_run, "dry_run")
    check_awake(desk, agent_id)
    started = desk.clock()
    if not _is_waited_for(desk, agent_id, respect_park=respect_park):
        return _nothing(desk, mind, started, dry_run=dry_run, remaining=_waiting(desk, agent_id))
    pace = Pace(desk.stirred, stop)
    one = _Sleep(desk, agent_id, mind, actor, started, pace)
    try:
        if not dry_run:
            with pace.work():
                requote(desk, agent_id, actor=actor, breathe=pace.breathe)
        return one.tried() if dry_run else one.slept()
    except Stopped:
        return _nothing(desk, mind, started, dry_run=dry_run, remaining=_waiting(desk, agent_id))


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
        if state.last_at is not None and _is_within(now - state.last_at, settings.sleep_every_seconds):
            return False
        if unit.episodes.count_unconsolidated() < settings.sleep_least:
            return False
        heard = [
            *unit.episodes.list(Filter(), limit=1, newest_first=True),
            *unit.episodes.unconsolidated(settings.sleep_batch),  # what is said late may tell of long ago
        ]
    return not any(_is_within(now - one.observed_at, settings.sleep_idle_seconds) for one in heard)


def _is_within(span: timedelta, seconds: float) -> bool:
    """Whether so much time is not over yet; of a clock that was ahead nothing is told."""
    return timedelta(0) <= span < timedelta(seconds=seconds)


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class _Dream:
    """What came of a night before anything is written. ``unread``: ids of the texts that the mind left out."""

    gathered: Gathered
    plan: Plan
    spent: Spent
    notes: tuple[str, ...]
    unread: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Sleep:
    """One sleep of one agent."""

    desk: Desk
    agent_id: str
    mind: Mind
    actor: str
    started: datetime
    pace: Pace
    id: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", self.desk.ids(self.started))

    def tried(self) -> SleepReport:
        """What it would do."""
        dream = self._dreamt(lambda: None)
        if dream is None:
            return _nothing(self.desk, self.mind, self.started, dry_run=True)
        with self.desk.store.read(self.agent_id) as unit:
            report, _ = self._decided(unit, dream)
        return replace(report, dry_run=True)

    def slept(self) -> SleepReport:
        """Holds the lease from the first look to the last write."""
        if not _waiting(self.desk, self.agent_id):
            return _nothing(self.desk, self.mind, self.started)
        with Lease(self.desk, self.agent_id, SLEEP) as lease:
            dream = self._dreamt(lease.renew)
            if dream is None:
                return _nothing(self.desk, self.mind, self.started)
            report = self.desk.store.transact(self.agent_id, partial(self._apply, lease, dream))
            if report.refused is not None:
                lease.park("refused")
            lease.ended()
        if report.refused is not None:
            return report
        return self._portrayed(report)

    def _portrayed(self, report: SleepReport) -> SleepReport:
        """The report with what the portrait cost and left to be known, in the bank too."""
        with billed() as beside:
            notes = refresh(self.desk, self.agent_id)
        if beside.spent == NOTHING_SPENT and not notes:
            return report
        try:
            self.desk.store.transact(
                self.agent_id, lambda unit: unit.sleeps.add_after(self.id, beside.spent, notes)
            )
        except ReverieError as error:  # what the sleep did stands
            _log.warning("the cost of the portrait could not be kept: %s", type(error).__name__)
        record = report.sleep
        return replace(
            report, sleep=replace(record, spent=record.spent + beside.spent, notes=(*record.notes, *notes))
        )

    def _dreamt(self, renew: Callable[[], None]) -> _Dream | None:
        """Everything up to the transaction; None where there is nothing to read. Raises Stopped."""
        with self.pace.work(), billed() as beside, unread_within() as unread:
            gathered = gather(self.desk, self.agent_id, self.started)
            if gathered is None:
                return None
            self._breathe(renew)
            proposal = self._proposed(gathered, renew)
            self._breathe(renew)
            found, proposal = self._checked(gathered, proposal)
            self._breathe(renew)
            plan = planned(self.desk, gathered, found, self.started)
            self._breathe(renew)
        spent = _sound_spent(proposal.spent) + beside.spent
        notes = _sound_notes(self.desk.settings, proposal.notes)
        return _Dream(gathered=gathered, plan=plan, spent=spent, notes=notes, unread=tuple(unread))

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

    def _decided(self, unit: Unit, dream: _Dream) -> tuple[SleepReport, Applying]:
        """What is to be done with the bank as it is in this unit."""
        job = Job(id=self.id, actor=self.actor, now=self.desk.clock())
        applying = Applying(self.desk, unit, dream.gathered, dream.plan, job)
        applying.resolve()
        if hushed := _may_tell_forgotten(unit, dream):
            applying.entries = [replace(one, reason=None) for one in applying.entries]
        record = SleepRecord(
            id=self.id, mind=self.mind.id, started_at=self.started, ended_at=job.now,
            episodes=tuple(one for one in dream.gathered.spoken if one in applying.episodes),
            clusters=len(dream.gathered.night.clusters), spent=dream.spent,
            rejected=tuple(one for _, one in sorted(applying.rejected.items())),
            notes=(*_told_unread(dream.unread), *(() if hushed else dream.notes)),
        )  # fmt: skip
        refused = _refusal(self.desk.settings, unit, applying)
        remaining = unit.episodes.count_unconsolidated() - (0 if refused else len(record.episodes))
        changes = applied(applying.entries, applying.memories)
        report = SleepReport(sleep=record, changes=changes, remaining=remaining, refused=refused)
        return report, applying

    def _apply(self, lease: Lease, dream: _Dream, unit: Unit) -> SleepReport:
        """The one transaction."""
        if is_paused(unit):
            raise Paused(self.agent_id)
        self.desk.begin(unit, self.agent_id)
        report, applying = self._decided(unit, dream)
        if report.refused is not None:
            return report
        record = report.sleep
        hushed = _may_tell_forgotten(unit, dream)  # asked before the writes, which change the revision
        applying.write()
        if hushed:
            plain_relations(unit)
        counts = Counter(str(change.act) for change in report.changes)
        made = entry(
            self.desk, Action.SLEEP, record.id, actor=self.actor, at=record.ended_at,
            after={"episodes": len(record.episodes), **counts},
        )  # fmt: skip
        unit.audit.add([replace(made, job=record.id)])
        unit.episodes.consolidate(record.episodes, record.ended_at)
        unit.sleeps.add(record)
        unit.counters.add({UNREAD: len(dream.unread)})
        lease.end(unit, record.ended_at)
        return report


def _told_unread(ids: Sequence[str]) -> tuple[str, ...]:
    """The notes that name what could not be read, some ids in each."""
    parts = [ids[start : start + _IDS_A_NOTE] for start in range(0, len(ids), _IDS_A_NOTE)]
    return tuple(f"{len(ids)} could not be read and were left out: {', '.join(part)}" for part in parts)


def _may_tell_forgotten(unit: Unit, dream: _Dream) -> bool:
    """Whether the mind's own words may tell what was forgotten since it was shown it."""
    return unit.agents.rev() != dream.gathered.rev and anything_forgotten(unit)


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


@read_again
def _waiting(desk: Desk, agent_id: str) -> int:
    """How many episodes wait to be read."""
    with desk.reading(agent_id) as unit:
        return unit.episodes.count_unconsolidated()


def _nothing(
    desk: Desk, mind: Mind, started: datetime, *, dry_run: bool = False, remaining: int = 0
) -> SleepReport:
    """The report of a sleep that read nothing."""
    record = SleepRecord(
        id=desk.ids(started), mind=mind.id, started_at=started, ended_at=desk.clock(), episodes=()
    )
    return SleepReport(sleep=record, remaining=remaining, dry_run=dry_run)


def _refusal(settings: Settings, unit: Unit, applying: Applying) -> str | None:
    """Why the whole is refused: it would change too much of what was known before."""
    count = len(applying.at_stake)
    if count <= settings.sleep_most:
        return None
    every = sum(unit.memories.counts().values())
    if count <= settings.sleep_most_share * every:
        return None
    return (
        f"it would change {count} of {every} memories, more than {settings.sleep_most_share:.0%} of the bank and more"
        f" than {settings.sleep_most}"
    )


def _sound_spent(spent: object) -> Spent:
    """What the mind says that it cost, where these are numbers."""
    if not isinstance(spent, Spent):
        return Spent()
    values = {
        name: getattr(spent, name) for name in ("calls", "input_tokens", "output_tokens", "micro_dollars")
    }
    fits = all(type(value) is int and 0 <= value <= _MOST_SPENT for value in values.values())
    return Spent(**values) if fits else Spent()


def _sound_notes(settings: Settings, notes: object) -> tuple[str, ...]:
    """The mind's notes as they may be stored: some, short and without secrets."""
    if not isinstance(notes, tuple | list):
        return ()
    texts: Sequence[str] = [
        normalized(note[:_LONGEST_NOTE]) for note in notes[:_MOST_NOTES] if type(note) is str
    ]
    return tuple(text for text in (clean(settings, one).text.strip() for one in texts) if text)
