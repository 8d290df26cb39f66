"""housekeeping: once a week, or when asked (s2): promotes what recurs, merges duplicates, archives what is stale.

Nothing is deleted, and nothing is made stronger than its evidence. Confidence that fades with time is reckoned when
it is read, so there is nothing to write for it. Each step plans outside the transaction and looks again inside it;
an interruption keeps what was done, and the next call goes on. ``docs/why/housekeeping.md``.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial

from reverie.domain.audit import Action
from reverie.domain.housekept import Housekept
from reverie.domain.memory import Memory, State
from reverie.memory.change import is_stale, kept_for, last_seen
from reverie.memory.decay import FADE_FLOOR, faded_confidence
from reverie.ports.store import Unit
from reverie.services.runtime import (
    Desk,
    Pace,
    Progress,
    Stopped,
    changed,
    check_awake,
    entry,
    read_again,
    requote,
)
from reverie.services.upkeep.merging import COMPARED, Merging, is_compared, merge
from reverie.services.upkeep.promoting import Promoting, promote

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
    """Puts one agent's bank in order, and reports. Twice in a row does as much as once.

    ``progress`` is called anew for each of the three steps. ``stop`` is a background thread's: with it the work gives
    way to callers, and ends between two batches once it is set; what was done is kept, and reported as not complete.
    Raises Paused, EmbedderMismatch, StoreError.
    """
    check_awake(desk, agent_id)
    desk.touches.flush()  # what was just recalled is not stale
    _check(desk, agent_id)
    promoting, merging, tidying = Promoting(), Merging(), _Tidying()
    pace, complete = Pace(desk.stirred, stop), True
    try:
        with pace.work():
            requote(desk, agent_id, actor=actor, breathe=pace.breathe)
            promote(desk, agent_id, actor=actor, into=promoting, pace=pace, progress=progress)
            merge(desk, agent_id, actor=actor, into=merging, pace=pace, progress=progress)
            _tidy(desk, agent_id, actor=actor, into=tidying, pace=pace, progress=progress)
    except Stopped:
        complete = False
    apart = {f"near, but apart by {reason}": count for reason, count in merging.kept_apart.items()}
    stale = {f"stale, but kept as {reason}": count for reason, count in tidying.kept.items()}
    recurs = {f"recurs, but {reason}": count for reason, count in promoting.passed_over.items()}
    if promoting.stopped is not None:
        recurs[f"not promoted: {promoting.stopped}"] = 1
    return Housekept(
        merged=tuple(merging.merged),
        archived=tuple(tidying.archived),
        restored=tuple(tidying.restored),
        promoted=tuple(promoting.promoted),
        memories=tidying.memories,
        episodes=promoting.episodes,
        faded=tidying.faded,
        unsure=tidying.unsure,
        passed_over=dict(sorted((recurs | apart | stale).items())),
        unread=tuple(promoting.unread),
        complete=complete and promoting.complete,
    )


@read_again
def _check(desk: Desk, agent_id: str) -> None:
    with desk.reading(agent_id) as unit:
        desk.check_embedder(agent_id, unit.agents.embedder())


@dataclass(slots=True)
class _Tidying:
    """What came of it so far. ``early``: what may have been archived too early; ``later``: how many memories have seen
    a later time than now.
    """

    archived: list[str] = field(default_factory=list)
    restored: list[str] = field(default_factory=list)
    early: list[str] = field(default_factory=list)
    kept: Counter[str] = field(default_factory=Counter)
    memories: int = 0
    later: int = 0
    faded: int = 0
    unsure: int = 0


def _tidy(
    desk: Desk, agent_id: str, *, actor: str, into: _Tidying, pace: Pace, progress: Progress | None
) -> None:
    """Archives what is stale, page by page. Being recalled brings nothing back from the archive; but what was archived
    at a time that is still to come was archived by a clock that was wrong, unless it is now that the clock is. Raises
    Stopped.
    """
    after: str | None = None
    total = _count(desk, agent_id)
    while page := _page(desk, agent_id, after):
        pace.breathe()
        now = desk.clock()
        stale = [memory.id for memory, kept in page if _weigh(memory, kept, now, desk, into)]
        into.archived += _moved(desk, agent_id, stale, State.ARCHIVED, actor)
        after = page[-1][0].id
        into.memories += len(page)
        if progress is not None:
            progress(min(into.memories, total), total)
    if 2 * into.later <= into.memories:
        into.restored += _moved(desk, agent_id, into.early, State.ACTIVE, actor)


def _weigh(memory: Memory, kept: str | None, now: datetime, desk: Desk, into: _Tidying) -> bool:
    """Whether it is to be archived; counts what else is to be known of it."""
    stale = is_stale(memory, now, desk.settings.housekeeping.archive_below)
    into.later += last_seen(memory) > now
    if memory.state is State.ACTIVE:
        confidence = faded_confidence(memory.confidence, memory.fades_from, now)
        into.faded += confidence < memory.confidence
        into.unsure += confidence < FADE_FLOOR
        if stale and kept is not None:
            into.kept[kept] += 1
        return stale and kept is None
    if _is_early(memory, kept, now, desk):
        into.early.append(memory.id)
    return False


def _is_early(memory: Memory, kept: str | None, now: datetime, desk: Desk) -> bool:
    """Whether it was archived in time to come, and needn't be now."""
    if memory.updated_at <= now or last_seen(memory) > now:
        return False
    return kept is not None or not is_stale(memory, now, desk.settings.housekeeping.archive_below)


def _moved(desk: Desk, agent_id: str, ids: Sequence[str], state: State, actor: str) -> Sequence[str]:
    """Ids of those that still belong in this state, and are there now."""
    done: list[str] = []
    for start in range(0, len(ids), desk.settings.store.batch):
        some = ids[start : start + desk.settings.store.batch]
        done += desk.store.transact(agent_id, partial(_move, desk, some, state, actor))
    return done


def _move(desk: Desk, ids: Sequence[str], state: State, actor: str, unit: Unit) -> Sequence[str]:
    now = desk.clock()
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
        log.append(
            entry(
                desk,
                Action.ARCHIVE,
                memory.id,
                actor=actor,
                at=now,
                before=before,
                after=after,
                reason=reason,
            )
        )
        done.append(memory.id)
    unit.audit.add(log)
    return done


def _was_archived_after(unit: Unit, memory_id: str, now: datetime) -> bool:
    """Whether a housekeeping archived it, and signed that with a time that is still to come."""
    moves = [one for one in unit.audit.list(target=memory_id, limit=_PAGE) if one.action is Action.ARCHIVE]
    return bool(moves) and moves[-1].at > now and moves[-1].reason == _STALE


@read_again
def _count(desk: Desk, agent_id: str) -> int:
    with desk.reading(agent_id) as unit:
        counts = unit.memories.counts()
    return sum(count for (_, state), count in counts.items() if state in COMPARED.states)


@read_again
def _page(desk: Desk, agent_id: str, after: str | None) -> Sequence[tuple[Memory, str | None]]:
    """Active and archived memories, each with why it would be kept; superseded ones are left as they are."""
    with desk.reading(agent_id) as unit:
        found = unit.memories.list(COMPARED, limit=_PAGE, after=after, now=desk.clock())
        return _with_reasons(unit, found)


def _with_reasons(unit: Unit, memories: Sequence[Memory]) -> Sequence[tuple[Memory, str | None]]:
    ids = [memory.id for memory in memories]
    steps, achieved = unit.procedures.get(ids), unit.goals.achieved(ids)
    summaries = unit.summaries.get(ids)
    return [
        (
            memory,
            kept_for(
                memory,
                proven=memory.id in steps and steps[memory.id].proven,
                achieved=memory.id in achieved,
                summary=memory.id in summaries,
            ),
        )
        for memory in memories
    ]
