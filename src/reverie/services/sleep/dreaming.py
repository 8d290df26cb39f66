"""dreaming: what a sleep does once it has a proposal, whoever made it: decide, apply in one transaction, report."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from reverie.domain.audit import Action
from reverie.domain.change import NOTHING_SPENT, Spent
from reverie.domain.settings import Settings
from reverie.domain.sleep import Rejected, SleepRecord, SleepReport
from reverie.domain.text import normalized
from reverie.errors import Paused, ReverieError
from reverie.ports.bill import billed
from reverie.ports.store import Unit
from reverie.services.evidence import plain_relations
from reverie.services.runtime import Desk, Lease, anything_forgotten, clean, entry, is_paused, read_again
from reverie.services.sleep.applying import Applying, Job
from reverie.services.sleep.gathering import Gathered
from reverie.services.sleep.planning import Plan
from reverie.services.sleep.sleeps import applied
from reverie.services.soul import refresh

UNREAD = "sleep.unread"

_log = logging.getLogger("reverie.sleep")
_MOST_NOTES, _LONGEST_NOTE = 20, 300
_IDS_A_NOTE = 6


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Dream:
    """What came of a night before anything is written. ``unread``: ids of the texts that the mind left out; ``round``:
    2 where it answers the question about what was refused, of a night that was slept on with the first answer.
    """

    gathered: Gathered
    plan: Plan
    spent: Spent = NOTHING_SPENT
    notes: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    round: int = 1


@dataclass(frozen=True, slots=True)
class Sleeper:
    """One sleep of one agent: ``mind_id`` proposes, ``actor`` signs the audit log."""

    desk: Desk
    agent_id: str
    mind_id: str
    actor: str
    started: datetime
    id: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", self.desk.ids(self.started))

    def nothing(self, *, dry_run: bool = False, remaining: int = 0) -> SleepReport:
        """The report of a sleep that read nothing."""
        record = SleepRecord(
            id=self.id, mind=self.mind_id, started_at=self.started, ended_at=self.desk.clock(), episodes=()
        )
        return SleepReport(sleep=record, remaining=remaining, dry_run=dry_run)

    def decided(self, unit: Unit, dream: Dream) -> tuple[SleepReport, Applying]:
        """What is to be done with the bank as it is in this unit."""
        job = Job(id=self.id, actor=self.actor, now=self.desk.clock())
        applying = Applying(self.desk, unit, dream.gathered, dream.plan, job)
        applying.resolve()
        if hushed := _may_tell_forgotten(unit, dream):
            applying.entries = [replace(one, reason=None) for one in applying.entries]
        record = SleepRecord(
            id=self.id, mind=self.mind_id, started_at=self.started, ended_at=job.now,
            episodes=_read(dream, applying),
            clusters=len(dream.gathered.night.clusters) if dream.round == 1 else 0, spent=dream.spent,
            rejected=_refused(dream, applying),
            notes=(*_told_unread(dream.unread), *(() if hushed else dream.notes)),
        )  # fmt: skip
        refused = _refusal(self.desk.settings, unit, applying)
        remaining = unit.episodes.count_unconsolidated() - (0 if refused else len(record.episodes))
        changes = applied(applying.entries, applying.memories)
        report = SleepReport(sleep=record, changes=changes, remaining=remaining, refused=refused)
        return report, applying

    def apply(self, lease: Lease, dream: Dream, unit: Unit) -> SleepReport:
        """What the one transaction does. Raises Paused, JobRunning: another has the lease by now."""
        if is_paused(unit):
            raise Paused(self.agent_id)
        self.desk.begin(unit, self.agent_id)
        report, applying = self.decided(unit, dream)
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

    def portrayed(self, report: SleepReport) -> SleepReport:
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


def _read(dream: Dream, applying: Applying) -> tuple[str, ...]:
    """The episodes that it reads: none the second time, when they were read already."""
    if dream.round > 1:
        return ()
    return tuple(one for one in dream.gathered.spoken if one in applying.episodes)


def _refused(dream: Dream, applying: Applying) -> tuple[Rejected, ...]:
    every = (one for _, one in sorted(applying.rejected.items()))
    return tuple(every if dream.round == 1 else (replace(one, round=dream.round) for one in every))


def _told_unread(ids: Sequence[str]) -> tuple[str, ...]:
    """The notes that name what could not be read, some ids in each."""
    parts = [ids[start : start + _IDS_A_NOTE] for start in range(0, len(ids), _IDS_A_NOTE)]
    return tuple(f"{len(ids)} could not be read and were left out: {', '.join(part)}" for part in parts)


def _may_tell_forgotten(unit: Unit, dream: Dream) -> bool:
    """Whether the mind's own words may tell what was forgotten since it was shown it."""
    return unit.agents.rev() != dream.gathered.rev and anything_forgotten(unit)


@read_again
def waiting(desk: Desk, agent_id: str) -> int:
    """How many episodes wait to be read."""
    with desk.reading(agent_id) as unit:
        return unit.episodes.count_unconsolidated()


def _refusal(settings: Settings, unit: Unit, applying: Applying) -> str | None:
    """Why the whole is refused: it would change too much of what was known before."""
    count = len(applying.at_stake)
    if count <= settings.sleep.max_memories:
        return None
    every = sum(unit.memories.counts().values())
    if count <= settings.sleep.max_share * every:
        return None
    return (
        f"it would change {count} of {every} memories, more than {settings.sleep.max_share:.0%} of the bank and more"
        f" than {settings.sleep.max_memories}"
    )


def sound_notes(settings: Settings, notes: object) -> tuple[str, ...]:
    """The mind's notes as they may be stored: some, short and without secrets."""
    if not isinstance(notes, tuple | list):
        return ()
    texts: Sequence[str] = [
        normalized(note[:_LONGEST_NOTE]) for note in notes[:_MOST_NOTES] if type(note) is str
    ]
    return tuple(text for text in (clean(settings, one).text.strip() for one in texts) if text)
