"""Put a bank in order, once a week or when asked (s2): promote what recurs, merge duplicates, archive what is stale.

Nothing is deleted, and nothing is made stronger than its evidence. Confidence that fades with time is computed when it
is read, so there is nothing to write for it. Each step plans outside the transaction and looks again inside it; an
interruption keeps what was done, and the next call goes on. ``docs/why/housekeeping.md``.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from reverie.domain.audit import Action
from reverie.domain.housekept import Housekept
from reverie.domain.memory import Memory, State
from reverie.memory.change import is_stale, kept_for, last_seen
from reverie.memory.decay import FADE_FLOOR, faded_confidence
from reverie.ports.store import Unit
from reverie.services.runtime import Desk, Job, Progress, Stopped, batches, changed, check_awake
from reverie.services.upkeep.findings import Findings
from reverie.services.upkeep.merging import COMPARED, is_compared, merge
from reverie.services.upkeep.promoting import promote

_PAGE = 1_000
_STALE = "stale"
_EARLY = "it was archived by a clock that was ahead"


def housekeeping(
    desk: Desk,
    agent_id: str,
    *,
    actor: str,
    progress: Progress | None = None,
    stop: threading.Event | None = None,
) -> Housekept:
    """Put one agent's bank in order, and return the report. Twice in a row does as much as once.

    ``progress`` is called anew for each of the three steps. ``stop`` is a background thread's: with it the work gives
    way to callers, and ends between two batches once it is set; what was done is kept, and reported as not complete.
    Raise Paused, EmbedderMismatch, StoreError.
    """
    check_awake(desk, agent_id)
    desk.touches.flush()  # what was just recalled is not stale
    job, findings = Job(desk, agent_id, actor=actor, stop=stop, progress=progress), Findings()
    desk.check_embedder(agent_id, job.read(lambda unit: unit.agents.embedder()))
    try:
        with job.work():
            for step in (promote, merge, _tidy):
                step(job, findings)
    except Stopped:
        findings.complete = False
    return findings.report()


def _tidy(job: Job, findings: Findings) -> None:
    """Archive what is stale, page by page. Being recalled brings nothing back from the archive; but what was archived
    at a time that is still to come was archived by a clock that was wrong, unless it is now that the clock is. Raise
    Stopped.
    """
    desk, after = job.desk, None
    counts = job.read(lambda unit: unit.memories.counts())
    total = sum(count for (_, state), count in counts.items() if state in COMPARED.states)
    while page := job.read(partial(_page, after=after, now=desk.clock())):
        job.checkpoint()
        now = desk.clock()
        stale = [memory.id for memory, kept in page if _weigh(memory, kept, now, desk, findings)]
        findings.archived += _moved(job, stale, State.ARCHIVED)
        after = page[-1][0].id
        findings.memories += len(page)
        job.tell(findings.memories, total)
    if 2 * findings.later <= findings.memories:
        findings.restored += _moved(job, findings.early, State.ACTIVE)


def _weigh(memory: Memory, kept: str | None, now: datetime, desk: Desk, findings: Findings) -> bool:
    """Return whether it is to be archived; count what else the report tells of it."""
    stale = is_stale(memory, now, desk.settings.housekeeping.archive_below)
    findings.later += last_seen(memory) > now
    if memory.state is State.ACTIVE:
        confidence = faded_confidence(memory.confidence, memory.fades_from, now)
        findings.faded += confidence < memory.confidence
        findings.unsure += confidence < FADE_FLOOR
        if stale and kept is not None:
            findings.passed_over[f"stale, but kept as {kept}"] += 1
        return stale and kept is None
    if _is_early(memory, kept, now, desk):
        findings.early.append(memory.id)
    return False


def _is_early(memory: Memory, kept: str | None, now: datetime, desk: Desk) -> bool:
    """Return whether it was archived in time to come, and needn't be now."""
    if memory.updated_at <= now or last_seen(memory) > now:
        return False
    return kept is not None or not is_stale(memory, now, desk.settings.housekeeping.archive_below)


def _moved(job: Job, ids: Sequence[str], state: State) -> Sequence[str]:
    """Return the ids of those that still belong in this state, and are there now."""
    done: list[str] = []
    for some in batches(ids, job.desk.settings.store.batch):
        done += job.desk.store.transact(job.agent_id, partial(_move, job, some, state))
    return done


def _move(job: Job, ids: Sequence[str], state: State, unit: Unit) -> Sequence[str]:
    desk, now = job.desk, job.desk.clock()
    log, done = [], list[str]()
    reason = _STALE if state is State.ARCHIVED else _EARLY
    for memory, kept in _with_reasons(unit, list(unit.memories.get(ids).values())):
        if not is_compared(memory) or memory.state is state:
            continue
        if state is State.ARCHIVED:
            belongs = kept is None and is_stale(memory, now, desk.settings.housekeeping.archive_below)
        else:
            belongs = _is_early(memory, kept, now, desk) and _was_archived_after(unit, memory.id, now)
        if not belongs:
            continue
        new = replace(memory, state=state, updated_at=now)
        unit.memories.update(new)
        before, after = changed(memory, new)
        log.append(job.note(Action.ARCHIVE, memory.id, now, before=before, after=after, reason=reason))
        done.append(memory.id)
    unit.audit.add(log)
    return done


def _was_archived_after(unit: Unit, memory_id: str, now: datetime) -> bool:
    """Return whether a housekeeping archived it, and signed that with a time that is still to come."""
    moves = [one for one in unit.audit.list(target=memory_id, limit=_PAGE) if one.action is Action.ARCHIVE]
    return bool(moves) and moves[-1].at > now and moves[-1].reason == _STALE


def _page(unit: Unit, after: str | None, now: datetime) -> Sequence[tuple[Memory, str | None]]:
    """Return active and archived memories, each with why it would be kept; superseded ones are left as they are."""
    return _with_reasons(unit, unit.memories.list(COMPARED, limit=_PAGE, after=after, now=now))


def _with_reasons(unit: Unit, memories: Sequence[Memory]) -> Sequence[tuple[Memory, str | None]]:
    ids = [memory.id for memory in memories]
    steps, achieved = unit.procedures.get(ids), unit.goals.achieved(ids)
    summaries, dues = unit.summaries.get(ids), unit.dues.get(ids)
    return [
        (
            memory,
            kept_for(
                memory,
                proven=memory.id in steps and steps[memory.id].proven,
                achieved=memory.id in achieved,
                summary=memory.id in summaries,
                due=memory.id in dues,
            ),
        )
        for memory in memories
    ]
