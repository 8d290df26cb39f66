"""Run a sleep once it has a proposal, whoever made it: decide, apply in one transaction, report."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reverie.domain.audit import Action
from reverie.domain.change import NOTHING_SPENT, Spent
from reverie.domain.settings import Settings
from reverie.domain.sleep import Rejected, SleepRecord, SleepReport
from reverie.domain.text import normalized
from reverie.errors import ReverieError
from reverie.ports.bill import billed
from reverie.ports.store import Unit
from reverie.services.evidence import plain_relations
from reverie.services.runtime import Desk, Job, Lease, anything_forgotten, batches, clean, read_again
from reverie.services.sleep.applying import Applying
from reverie.services.sleep.gathering import Gathered
from reverie.services.sleep.planning import Plan
from reverie.services.sleep.sleeps import applied
from reverie.services.soul import refresh

UNREAD = "sleep.unread"

_log = logging.getLogger("reverie.sleep")
_MOST_NOTES, _LONGEST_NOTE = 20, 300
_IDS_A_NOTE = 6


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Prepared:
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
class SleepRun:
    """One sleep of one agent, to which ``mind_id`` proposes the changes."""

    job: Job
    mind_id: str

    def nothing(self, *, dry_run: bool = False, remaining: int = 0) -> SleepReport:
        """Return the report of a sleep that read nothing."""
        job = self.job
        record = SleepRecord(
            id=job.id, mind=self.mind_id, started_at=job.started, ended_at=job.desk.clock(), episodes=()
        )
        return SleepReport(sleep=record, remaining=remaining, dry_run=dry_run)

    def decided(self, unit: Unit, night: Prepared) -> tuple[SleepReport, Applying]:
        """Decide what is to be done with the bank as it is in this unit."""
        job, now = self.job, self.job.desk.clock()
        applying = Applying(job, unit, night.gathered, night.plan, now)
        applying.resolve()
        if forgets := _may_tell_forgotten(unit, night):
            applying.entries = [replace(one, reason=None) for one in applying.entries]
        record = SleepRecord(
            id=job.id, mind=self.mind_id, started_at=job.started, ended_at=now,
            episodes=_read(night, applying),
            clusters=len(night.gathered.night.clusters) if night.round == 1 else 0, spent=night.spent,
            rejected=_refused(night, applying),
            notes=(*_told_unread(night.unread), *(() if forgets else night.notes)),
        )  # fmt: skip
        refused = _refusal(job.desk.settings, unit, applying)
        remaining = unit.episodes.count_unconsolidated() - (0 if refused else len(record.episodes))
        changes = applied(applying.entries, applying.memories)
        report = SleepReport(sleep=record, changes=changes, remaining=remaining, refused=refused)
        return report, applying

    def apply(self, lease: Lease, night: Prepared, unit: Unit) -> SleepReport:
        """Do what the one transaction does. Raise Paused, JobRunning: another has the lease by now."""
        self.job.begin(unit)
        report, applying = self.decided(unit, night)
        if report.refused is not None:
            return report
        record = report.sleep
        forgets = _may_tell_forgotten(unit, night)  # asked before the writes, which change the revision
        applying.write()
        if forgets:
            plain_relations(unit)
        counts = Counter(str(change.act) for change in report.changes)
        after = {"episodes": len(record.episodes), **counts}
        unit.audit.add([self.job.entry(Action.SLEEP, record.id, record.ended_at, after=after)])
        unit.episodes.consolidate(record.episodes, record.ended_at)
        unit.sleeps.add(record)
        unit.counters.add({UNREAD: len(night.unread)})
        lease.end(unit, record.ended_at)
        return report

    def portrayed(self, report: SleepReport) -> SleepReport:
        """Refresh the portrait; return the report with what that cost and its notes, in the bank too."""
        with billed() as beside:
            notes = refresh(self.job.desk, self.job.agent_id)
        if beside.spent == NOTHING_SPENT and not notes:
            return report
        try:
            self.job.desk.store.transact(
                self.job.agent_id, lambda unit: unit.sleeps.add_after(self.job.id, beside.spent, notes)
            )
        except ReverieError as error:  # what the sleep did stands
            _log.warning("the cost of the portrait could not be kept: %s", type(error).__name__)
        record = report.sleep
        return replace(
            report, sleep=replace(record, spent=record.spent + beside.spent, notes=(*record.notes, *notes))
        )


def _read(night: Prepared, applying: Applying) -> tuple[str, ...]:
    """Return the episodes that it reads: none the second time, when they were read already."""
    if night.round > 1:
        return ()
    return tuple(one for one in night.gathered.spoken if one in applying.episodes)


def _refused(night: Prepared, applying: Applying) -> tuple[Rejected, ...]:
    every = (one for _, one in sorted(applying.rejected.items()))
    return tuple(every if night.round == 1 else (replace(one, round=night.round) for one in every))


def _told_unread(ids: Sequence[str]) -> tuple[str, ...]:
    """Return the notes that name what could not be read, some ids in each."""
    parts = batches(ids, _IDS_A_NOTE)
    return tuple(f"{len(ids)} could not be read and were left out: {', '.join(part)}" for part in parts)


def _may_tell_forgotten(unit: Unit, night: Prepared) -> bool:
    """Return whether the mind's own words may tell what was forgotten since it was shown it."""
    return unit.agents.rev() != night.gathered.rev and anything_forgotten(unit)


@read_again
def waiting(desk: Desk, agent_id: str) -> int:
    """Return how many episodes wait to be read."""
    with desk.reading(agent_id) as unit:
        return unit.episodes.count_unconsolidated()


def _refusal(settings: Settings, unit: Unit, applying: Applying) -> str | None:
    """Return why the whole is refused: it would change too much of what was known before."""
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


def clean_notes(settings: Settings, notes: object) -> tuple[str, ...]:
    """Return the mind's notes as they may be stored: some, short and without secrets."""
    if not isinstance(notes, tuple | list):
        return ()
    texts: Sequence[str] = [
        normalized(note[:_LONGEST_NOTE]) for note in notes[:_MOST_NOTES] if type(note) is str
    ]
    return tuple(text for text in (clean(settings, one).text.strip() for one in texts) if text)
