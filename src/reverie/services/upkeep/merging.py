"""Merge memories that say the same, by the law by which ``remember`` knows a duplicate.

Pairs are looked for outside the transaction, and looked at again inside it; each transaction is bounded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

import numpy as np

from reverie.domain.audit import Action, AuditEntry
from reverie.domain.housekept import Merged
from reverie.domain.memory import MERGED, NEAR, Connection, Memory, State
from reverie.domain.query import Filter
from reverie.memory.change import MergeSide, merge_obstacle, merged, precedence, superseded
from reverie.memory.dedupe import is_reworded
from reverie.ports.store import Unit
from reverie.services.runtime import Desk, Job, batches, changed, merge_sides, read_again, version_of
from reverie.services.upkeep.findings import Findings

COMPARED = Filter(states=frozenset({State.ACTIVE, State.ARCHIVED}))
_NEAREST = 16

Near = dict[str, dict[str, float]]
"""By id what is near to a memory, with cosines."""


def merge(job: Job, findings: Findings) -> None:
    """Merge duplicates among active and archived memories; ``findings`` grows with each transaction.

    Of very many that are near to each other the nearest are looked at first, and the others again once these are one.
    Raise Stopped.
    """
    desk = job.desk
    every = wanted = job.read(lambda unit: unit.memories.ids(COMPARED, now=desk.clock()))
    while wanted:
        near, crowded = _near(job, wanted)
        standing = job.read(partial(_standing, ids=near))
        plan, reasons = _planned(standing, near, desk.clock())
        before = len(findings.merged)
        for part in batches(plan, desk.settings.store.batch):
            job.checkpoint()
            findings.merged += _apply(job, part, standing)
        if wanted is every:
            findings.passed_over += reasons
        gone = {pair.merged for pair in findings.merged}
        wanted = [id for id in crowded if id not in gone] if len(findings.merged) > before else ()


def _near(job: Job, ids: Sequence[str]) -> tuple[Near, Sequence[str]]:
    """Return who is near to whom, both ways; and those that may have more near them than were looked at."""
    near: Near = {}
    crowded: list[str] = []
    size = job.desk.settings.store.batch
    for start in range(0, len(ids), size):
        job.checkpoint()
        some = ids[start : start + size]
        for id, found in _nearest(job.desk, job.agent_id, some):
            if len(found) == _NEAREST:
                crowded.append(id)
            for other, cosine in found:
                if other != id:
                    near.setdefault(id, {})[other] = near.setdefault(other, {})[id] = cosine
        job.tell(start + len(some), len(ids))
    return near, crowded


@read_again
def _nearest(
    desk: Desk, agent_id: str, ids: Sequence[str]
) -> Sequence[tuple[str, Sequence[tuple[str, float]]]]:
    """Return what is nearest to each memory, with cosines."""
    with desk.reading(agent_id) as unit:
        vectors = unit.memories.vectors(ids)
    there = [id for id in ids if id in vectors]
    if not there:
        return ()
    found = desk.search.view(agent_id).nearest(
        np.stack([vectors[id] for id in there]), filter=COMPARED, now=desk.clock(), limit=_NEAREST,
        least=desk.settings.remember.duplicate_cosine,
    )  # fmt: skip
    return list(zip(there, found, strict=True))


def _planned(
    standing: Mapping[str, MergeSide], near: Near, now: datetime
) -> tuple[Sequence[Merged], Counter[str]]:
    """Return which memory takes in which: the best first, so that nothing is merged through a third that isn't like
    both.

    What is trusted alike comes first, since it decides what the survivor tells of itself to the others.
    """
    reasons: Counter[str] = Counter()
    plan: list[Merged] = []
    gone: set[str] = set()
    order = {id: place for place, id in enumerate(sorted(standing, key=lambda id: precedence(standing[id])))}
    for id in order:
        if id in gone:
            continue
        survivor = standing[id]
        others = [other for other in near[id] if order.get(other, -1) > order[id] and other not in gone]
        for other in sorted(others, key=lambda one: (_trust_differs(standing, id, one), -near[id][one], one)):
            why = merge_obstacle(survivor, standing[other])
            if why is not None:
                reasons[f"near, but apart by {why}"] += 1
                continue
            survivor = replace(survivor, memory=merged(survivor.memory, standing[other].memory, now))
            gone.add(other)
            plan.append(Merged(survivor=id, merged=other, similarity=min(near[id][other], 1.0)))
    return plan, reasons


def _trust_differs(standing: Mapping[str, MergeSide], one: str, other: str) -> bool:
    return standing[one].memory.source_trust is not standing[other].memory.source_trust


def _standing(unit: Unit, ids: Collection[str]) -> Mapping[str, MergeSide]:
    summaries = unit.summaries.get(ids)
    return {
        id: one
        for id, one in merge_sides(unit, ids).items()
        if is_compared(one.memory) and id not in summaries
    }


def is_compared(memory: Memory) -> bool:
    """Return whether housekeeping looks at it: active or archived, and not superseded."""
    return memory.state in COMPARED.states and memory.superseded_by is None


def _apply(job: Job, plan: Sequence[Merged], standing: Mapping[str, MergeSide]) -> Sequence[Merged]:
    """Merge what is still so. A memory that got another wording since is left for the next time."""
    planned = {id: standing[id].memory for pair in plan for id in (pair.survivor, pair.merged)}
    return job.desk.store.transact(job.agent_id, lambda unit: _Writer(job, unit, planned).write(plan))


class _Writer:
    """One transaction's merges."""

    def __init__(self, job: Job, unit: Unit, planned: Mapping[str, Memory]) -> None:
        self._job, self._unit = job, unit
        self._now: datetime = job.desk.clock()
        self._before = _standing(unit, planned)
        self._known = {
            id: one for id, one in self._before.items() if planned[id].essence == one.memory.essence
        }
        self._log: list[AuditEntry] = []

    def write(self, plan: Sequence[Merged]) -> Sequence[Merged]:
        done: list[Merged] = []
        for pair in plan:
            survivor, other = self._known.get(pair.survivor), self._known.get(pair.merged)
            if survivor is None or other is None or merge_obstacle(survivor, other) is not None:
                continue
            self._known[pair.survivor] = replace(
                survivor, memory=merged(survivor.memory, other.memory, self._now)
            )
            self._take_in(other.memory, pair.survivor)
            del self._known[pair.merged]
            done.append(pair)
        taken: dict[str, list[str]] = {}
        for pair in done:
            taken.setdefault(pair.survivor, []).append(pair.merged)
        for id, others in taken.items():
            self._save(self._known[id].memory, f"said the same as {', '.join(others)}")
        self._unit.audit.add(self._log)
        return done

    def _take_in(self, other: Memory, survivor: str) -> None:
        """Its touches and edges go over to the survivor."""
        if other.touches:
            at = other.last_touched_at or other.last_reinforced_at
            self._unit.memories.touch({survivor: (other.touches, at)})
        for edge in self._unit.memories.connections([other.id]):
            if edge.relation not in (NEAR, MERGED) and survivor not in (edge.source, edge.target):
                ours = edge.source == other.id
                self._unit.memories.connect(
                    replace(edge, source=survivor) if ours else replace(edge, target=survivor)
                )
        self._unit.memories.connect(
            Connection(source=survivor, target=other.id, relation=MERGED, created_at=self._now)
        )
        self._save(superseded(other, survivor, self._now), f"said the same as {survivor}")

    def _save(self, new: Memory, reason: str) -> None:
        old = self._before[new.id].memory
        if is_reworded(old, new):
            since = max(self._now, old.believed_from)  # of a clock that went backwards
            new = replace(new, version=old.version + 1, believed_from=since)
            self._unit.memories.add_version(version_of(old, since))
        self._unit.memories.update(new)
        before, after = changed(old, new)
        self._log.append(
            self._job.note(Action.MERGE, new.id, self._now, before=before, after=after, reason=reason)
        )
