"""revert: undoes one sleep, or one self-care, exactly, or one change of a sleep, from what the audit log has of it.

Afterwards the bank is what it was before (``services.exchange.export.canonical`` is equal), recalls and what was
forgotten since aside: what it learned is gone, without a tombstone; what it changed is as it was; its episodes are to
be slept on again. Where one change is undone, the rest of the night stands, and its episodes stay slept on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from reverie.domain.audit import UNDONE, Action, AuditEntry
from reverie.domain.ids import checked_name
from reverie.domain.job import LEASE, SELF_CARE, SLEEP
from reverie.domain.sleep import Reverted, SleepRecord
from reverie.domain.text import checked_switch
from reverie.errors import InvalidInput, NotFound, NotRevertible
from reverie.ports.store import Unit
from reverie.services.aggregates import audit_log
from reverie.services.runtime import Desk, entry, holder_name, read_again, running, take
from reverie.services.sleep.rollback import Rollback, apply, rollback
from reverie.services.sleep.sleeps import ACTS, CARING
from reverie.services.soul import rewrite


def revert(
    desk: Desk,
    agent_id: str,
    job_id: str,
    *,
    actor: str,
    change: str | None = None,
    force: bool = False,
    dry_run: bool = False,
    job: str = SLEEP,
) -> Reverted:
    """Undo the sleep (or another ``job`` that signs its audit entries with its id), or one ``change`` of the sleep, in
    one transaction.

    ``force`` takes later changes that depend on it back too; ``dry_run`` changes nothing and shows what would be. Raise
    NotFound, InvalidInput (it was undone already; its record is gone), NotRevertible (later changes depend on it, and
    not ``force``; or a forget left nothing of what it changed, with ``force`` too), JobRunning (a sleep runs just now).
    """
    checked_name(job_id, job)
    if change is not None:
        checked_name(change, "change")
    checked_switch(force, "force")
    checked_switch(dry_run, "dry_run")
    if dry_run:
        with desk.reading(agent_id) as unit:
            record, plan = _planned(unit, job, job_id, change, force=force)
            done = _report(unit, job_id, change, record, plan, len(_there(unit, plan)), dry_run=True)
            return _with_later(unit, done, _later(unit, job_id, plan))

    def write(unit: Unit) -> Reverted:
        record, plan = _planned(unit, job, job_id, change, force=force)
        holder = _take(desk, unit, agent_id, job)
        later = _later(unit, job_id, plan)
        edges = apply(desk, unit, plan, actor)
        done = _with_later(unit, _report(unit, job_id, change, record, plan, edges, dry_run=False), later)
        now = desk.clock()
        awake = {id for one in (*_awoken(record, change), *later) for id in one.episodes}
        unit.episodes.consolidate([*unit.episodes.get(awake)], None)
        unit.agents.note_due(now)
        unit.portraits.clear()  # it may tell of what is undone, and so may the file
        if change is None and record is not None:
            unit.sleeps.note_reverted(job_id, now)
        unit.audit.add(_entries(desk, done, plan, actor, now))
        unit.jobs.release(job, holder)
        return done

    done = desk.store.transact(agent_id, write)
    return replace(done, elsewhere=rewrite(desk, agent_id))


@read_again
def job_of(desk: Desk, agent_id: str, job_id: str) -> str:
    """Return which job that id is of: a sleep, or a self-care, as the audit log tells. Raise InvalidInput."""
    checked_name(job_id, "id")
    with desk.reading(agent_id) as unit:
        if unit.sleeps.get(job_id) is None and unit.audit.list(job=job_id, actions=CARING, limit=1):
            return SELF_CARE
    return SLEEP


def _planned(
    unit: Unit, job: str, job_id: str, change: str | None, *, force: bool
) -> tuple[SleepRecord | None, Rollback]:
    record, entries = unit.sleeps.get(job_id), [*audit_log(unit, job=job_id)]
    _check(job, job_id, record, entries)
    if change is not None:
        _check_change(change, entries)
    plan = rollback(unit, entries, change)
    if plan.lost or (plan.why and not force):
        raise NotRevertible(change or job_id, (*plan.lost, *plan.why), is_lost=bool(plan.lost))
    return record, plan


def _check(job: str, job_id: str, record: SleepRecord | None, entries: Sequence[AuditEntry]) -> None:
    actions = {one.action for one in entries}
    if record is None and not entries:
        raise NotFound(job, job_id)
    was_undone = any(one.action is Action.REVERT and one.target == job_id for one in entries)
    if was_undone or (record is not None and record.reverted_at is not None):
        raise InvalidInput(job, f"{job_id!r} was undone already", "undo another")
    if record is None and Action.SLEEP in actions:
        raise InvalidInput(
            job, f"the record of {job_id!r} is gone: everything was forgotten since", "there is nothing to undo"
        )  # fmt: skip


def _check_change(id: str, entries: Sequence[AuditEntry]) -> None:
    found = next((one for one in entries if one.id == id), None)
    if found is None:
        raise NotFound("change", id)
    if found.action not in ACTS:
        raise InvalidInput(
            "change", f"{id!r} is no change of a sleep", "a self-care is undone as a whole: leave `change` out"
        )  # fmt: skip
    if any(id in one.undoes for one in entries):
        raise InvalidInput("change", f"{id!r} was undone already", "undo another")


def _awoken(record: SleepRecord | None, change: str | None) -> Sequence[SleepRecord]:
    """Return the sleep whose episodes are to be slept on again: a whole one's."""
    return [] if record is None or change is not None else [record]


def _entries(desk: Desk, done: Reverted, plan: Rollback, actor: str, now: datetime) -> Sequence[AuditEntry]:
    """Return what the log is told: that the job was undone, or of each memory which of its changes were; also of those
    that were dropped along with it.
    """
    counts = {
        "removed": len(done.removed), "restored": len(done.restored), "edges": done.edges, "episodes": done.episodes,
        "dropped": len(done.dropped),
    }  # fmt: skip
    undone: dict[tuple[str, str | None], list[str]] = {}
    for one in (*(plan.ours if done.change is not None else ()), *plan.others):
        undone.setdefault((one.target, one.job), []).append(one.id)
    told = [
        replace(entry(desk, Action.REVERT, target, actor=actor, at=now, after={UNDONE: ids}), job=job)
        for (target, job), ids in undone.items()
    ]
    if done.change is None:
        told.append(
            replace(entry(desk, Action.REVERT, done.id, actor=actor, at=now, after=counts), job=done.id)
        )
    return told


def _take(desk: Desk, unit: Unit, agent_id: str, job: str) -> str:
    """Hold the lease, so that no such job reads what is being undone. Raise JobRunning."""
    now = desk.clock()
    holder = holder_name(desk.ids(now))
    if not take(unit, job, holder, now=now, until=now + LEASE):
        raise running(unit, agent_id, job, now)
    return holder


def _there(unit: Unit, plan: Rollback) -> Sequence[tuple[str, str, str]]:
    """Return which of the job's edges are there still."""
    known = unit.memories.connections({edge.source for edge in plan.edges})
    made = {(edge.source, edge.target, edge.relation) for edge in plan.edges}
    return [key for one in known if (key := (one.source, one.target, one.relation)) in made]


def _later(unit: Unit, job_id: str, plan: Rollback) -> Sequence[SleepRecord]:
    """Return the later sleeps some of whose changes are dropped, too: what they read is to be slept on again, else it
    would be lost from what is known.
    """
    touched = {*plan.removed, *plan.changes}
    found, before = list[SleepRecord](), None
    while plan.dropped and (page := unit.sleeps.list(before=before)):
        for sleep in page:
            if sleep.id <= job_id:
                return found
            told = {one.target for one in audit_log(unit, job=sleep.id)}
            if sleep.reverted_at is None and not told.isdisjoint(touched):
                found.append(sleep)
        before = page[-1].id
    return found


def _with_later(unit: Unit, done: Reverted, later: Sequence[SleepRecord]) -> Reverted:
    """Return the report with what the later sleeps read."""
    if not later:
        return done
    lines = tuple(f"what sleep {one.id} changed of these; its messages are slept on again" for one in later)
    awake = unit.episodes.get({id for one in later for id in one.episodes})
    return replace(done, episodes=done.episodes + len(awake), dropped=(*done.dropped, *lines))


def _report(
    unit: Unit,
    job_id: str,
    change: str | None,
    record: SleepRecord | None,
    plan: Rollback,
    edges: int,
    *,
    dry_run: bool,
) -> Reverted:
    awake = {id for one in _awoken(record, change) for id in one.episodes}
    return Reverted(
        id=job_id, change=change, removed=tuple(plan.removed), restored=tuple(sorted(plan.changes)),
        edges=edges + plan.covered, episodes=len(unit.episodes.get(awake)), dropped=tuple(plan.dropped),
        dry_run=dry_run,
    )  # fmt: skip
