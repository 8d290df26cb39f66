"""Judge what nobody has judged yet."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

import numpy as np

from reverie.domain.audit import Action
from reverie.domain.job import BACKFILL, JobState
from reverie.domain.memory import Memory
from reverie.domain.outcome import Backfilled
from reverie.errors import InvalidInput
from reverie.ports.aggregates import Memories, Vector
from reverie.ports.mind import Mind, teaches
from reverie.ports.store import Unit
from reverie.services.remember import judgements, with_judgement
from reverie.services.runtime import Desk, Job, Progress, changed, first_forgotten

Judged = Mapping[str, tuple[Memory, Memory]]
"""By id: the memory that was read, and the same with what was judged."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Lacking:
    """Which memories a pass is for, page by page, and how many there are."""

    ids: Callable[[Memories, int, str | None], Sequence[str]]
    count: Callable[[Memories], int]


_FEELING = _Lacking(
    ids=lambda memories, limit, after: memories.unfelt(limit=limit, after=after),
    count=lambda memories: memories.count_unfelt(),
)


def _thinking(mind: Mind) -> _Lacking:
    """Return what that mind may judge."""
    lessons = teaches(mind)
    return _Lacking(
        ids=lambda memories, limit, after: memories.unjudged(limit=limit, after=after, lessons=lessons),
        count=lambda memories: memories.count_unjudged(lessons=lessons),
    )


_UNDER_WAY = "under way"
_DIMENSIONS = ("emotions", "lesson", "importance")


def backfill(
    desk: Desk,
    agent_id: str,
    *,
    actor: str,
    progress: Progress | None = None,
    stop: threading.Event | None = None,
) -> Backfilled:
    """Judge emotions, lesson and importance of the agent's memories that lack one, of any state, from their essences.

    In batches of ``Settings.store.batch``, each a transaction with its audit entries; version, confidence and counters
    stay. It looks for what is unjudged, so after an interruption it goes on where it was. A lesson is lacking only
    where the mind gives lessons. A memory that is revised or judged meanwhile by somebody else is left as they left
    it. ``stop`` ends it early, between two batches, once it is set. Raise InvalidInput where nobody judges,
    EmbedderMismatch, JobRunning.
    """
    passes = _passes(desk)
    if not passes:
        raise InvalidInput(
            "Settings.remember.emotions",
            "it is off and there is no mind: nobody judges here",
            "open the bank with either",
        )
    job = Job(desk, agent_id, actor=actor, stop=stop, progress=progress)
    total = _lacking(job, passes, sum)
    if not total:
        return Backfilled(judged=0, left=0)
    done: set[str] = set()
    seen = 0
    with job.lease(BACKFILL) as lease:
        desk.store.transact(agent_id, partial(_begin, desk))
        for lacking in passes:
            after: str | None = None
            while not job.stopped and (found := _judged(job, lacking, after)):
                done.update(desk.store.transact(agent_id, partial(_keep, job, found)))
                seen, after = seen + len(found), max(found)
                job.tell(seen, total)
        left = _UNDER_WAY if job.stopped else None
        desk.store.transact(agent_id, lambda unit: lease.end(unit, desk.clock(), left=left))
        lease.ended()
    return Backfilled(judged=len(done), left=_lacking(job, passes, max))


def _begin(desk: Desk, unit: Unit) -> None:
    """Note that it is under way: should this process die, a worker goes on."""
    unit.jobs.note(BACKFILL, _UNDER_WAY)
    unit.agents.note_due(desk.clock())


def due_at(desk: Desk, state: JobState, now: datetime) -> datetime | None:
    """Return when one that is under way is to go on by itself; None where none is."""
    return state.free_at(now) if state.note is not None and _passes(desk) else None


def _passes(desk: Desk) -> Sequence[_Lacking]:
    return [*([_FEELING] if desk.feel else []), *([_thinking(desk.mind)] if desk.mind else [])]


def _lacking(job: Job, passes: Sequence[_Lacking], taken: Callable[[Iterable[int]], int]) -> int:
    return job.read(lambda unit: taken(one.count(unit.memories) for one in passes))


def _judged(job: Job, lacking: _Lacking, after: str | None) -> Judged:
    """Return the next batch behind that id; empty at the end. Its vectors are read, not made anew."""
    desk = job.desk

    def look(unit: Unit) -> tuple[Sequence[str], Mapping[str, Memory], Mapping[str, Vector]]:
        desk.check_embedder(job.agent_id, unit.agents.embedder())
        ids = lacking.ids(unit.memories, desk.settings.store.batch, after)
        return ids, unit.memories.get(ids), unit.memories.vectors(ids)

    ids, there, vectors = job.read(look)
    if not ids:
        return {}
    known = [there[id] for id in ids]
    filled = list(known)
    rows = [row for row, memory in enumerate(known) if memory.emotions is None]
    if rows:
        felt = desk.felt([known[row].essence for row in rows], np.stack([vectors[ids[row]] for row in rows]))
        for row, emotions in zip(rows, felt, strict=True):
            filled[row] = replace(known[row], emotions=emotions)
    made = judgements(desk, filled)
    filled = [with_judgement(memory, judgement) for memory, judgement in zip(filled, made, strict=True)]
    return dict(zip(ids, zip(known, filled, strict=True), strict=True))


def _keep(job: Job, judged: Judged, unit: Unit) -> Sequence[str]:
    """Write what is still so; return the ids of those that got something."""
    now = job.desk.clock()
    there = unit.memories.get(judged)
    log = []
    for id, (read, filled) in judged.items():
        known = there.get(id)
        if known is None or known.essence != read.essence:
            continue
        given = {
            name: getattr(filled, name)
            for name in _DIMENSIONS
            if getattr(known, name) is None and getattr(filled, name) is not None
        }
        if "lesson" in given and first_forgotten(unit, [given["lesson"]]) is not None:
            del given["lesson"]
        if not given:
            continue
        new = replace(known, **given, updated_at=now)
        unit.memories.update(new)
        before, after = changed(known, new)
        log.append(job.note(Action.JUDGE, id, now, before=before, after=after, reason="backfill"))
    unit.audit.add(log)
    return [one.target for one in log]
