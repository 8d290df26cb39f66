"""Summarize batches of memories: read, tell, and in one transaction look again, write, cover (s4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from functools import partial

import numpy as np

from reverie.domain.audit import Action, AuditEntry
from reverie.domain.memory import Memory, Origin, State
from reverie.domain.summary import Load, Summary
from reverie.domain.time import zone_of
from reverie.domain.trust import least_trusted
from reverie.language import labels
from reverie.memory.change import said_in
from reverie.memory.decay import faded_confidence
from reverie.memory.quoting import (
    StandsFor,
    name_counts,
    narrative_body,
    narrative_head,
    stands_for,
    who_said,
)
from reverie.ports.mind import Mind
from reverie.ports.search import Floats
from reverie.ports.store import Unit
from reverie.services.runtime import Desk, Job, plain
from reverie.services.upkeep.narratives import Care, Source, mean, most_frequent

_LEAST_SUMMARIES = 2
_FURTHER = 8
"""So many batches are looked through for one of memories that hold in the same places."""
_BELIEVED = 0.3
_SHARE = 3
"""A summary is at most one part in so many of what it stands for."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class _Picked:
    """A batch as it was read, in the order of time, with the vectors (n, dimensions)."""

    memories: Sequence[Memory]
    vectors: Floats
    spans: Mapping[str, Summary]
    zone: tzinfo = UTC

    @property
    def tokens(self) -> int:
        return sum(weight(one) for one in self.memories)

    @property
    def begin(self) -> datetime:
        return min(self._span(one)[0] for one in self.memories)

    @property
    def end(self) -> datetime:
        return max(self._span(one)[1] for one in self.memories)

    def shown(self, now: datetime) -> tuple[Sequence[Memory], Floats]:
        """As a mind reads them, with their vectors: on the agent's days; of summaries, those that came by a link too,
        what a mind has told; and without what is hardly believed any more, unless that is most of it.
        """
        sure = [
            place
            for place, one in enumerate(self.memories)
            if faded_confidence(one.confidence, one.fades_from, now) >= _BELIEVED
        ]
        if 2 * len(sure) < len(self.memories):
            sure = [*range(len(self.memories))]
        return [self._as_read(self.memories[place]) for place in sure], self.vectors[sure]

    def _as_read(self, one: Memory) -> Memory:
        at = (one.valid_from or one.created_at).astimezone(self.zone)
        until = None if one.valid_to is None else one.valid_to.astimezone(self.zone)
        said = None if one.quoted is None else replace(one.quoted, at=one.quoted.at.astimezone(self.zone))
        here = replace(one, valid_from=at, valid_to=until, quoted=said)
        if one.id not in self.spans:
            return here
        return replace(here, essence=narrative_body(one.essence), origin=Origin.SELF_CARE)

    def head(self, fits: Callable[[str], bool]) -> str:
        """Return the summary's first line."""
        what = sum((self._stands_for(one) for one in self.memories), StandsFor.none)
        named = name_counts(_who(one) for one in self.memories)
        told = Counter[str]() if self.spans else named  # in how many summaries somebody occurs tells nothing
        begin, end = self.begin.astimezone(self.zone), self.end.astimezone(self.zone)
        return narrative_head(begin, end, what, told, fits, summaries=len(self.spans))

    def _stands_for(self, one: Memory) -> StandsFor:
        span = self.spans.get(one.id)
        if span is None:
            return StandsFor(observations=1)
        known = stands_for(one.essence)
        if known is not None:
            return known
        of_room = span.conversation is not None or bool(one.source_episodes)
        return StandsFor(messages=span.items) if of_room else StandsFor(observations=span.items)

    def _span(self, one: Memory) -> tuple[datetime, datetime]:
        known = self.spans.get(one.id)
        time = one.valid_from or one.created_at
        return (time, time) if known is None else (known.began_at, known.ended_at)


def _who(one: Memory) -> Sequence[str]:
    """Who said it, or whom it names."""
    if one.quoted is not None:
        return [who_said(one.quoted.role, one.quoted.speaker)]
    return one.entities or labels(one.essence).entities


def weight(memory: Memory) -> int:
    """Its tokens, as ``Summaries.load`` counts them."""
    return sum(-(-len(text.encode()) // 3) for text in (memory.essence, memory.lesson or ""))


def next_sort(desk: Desk, load: Load, *, first: bool) -> bool | None:
    """Return what is to be summarized next: details (False), summaries (True), nothing (None). A first batch is taken
    of what is there; others while there is too much of it, and summaries last.
    """
    over = load.tokens >= desk.settings.self_care.target
    if load.details >= desk.settings.self_care.min_observations and load.details and (first or over):
        return False
    return True if over and load.summaries >= _LEAST_SUMMARIES else None


def summarize(care: Care, mind: Mind) -> None:
    """Make summaries batch by batch, until little enough is left or nothing to batch. Raise Paused, Stopped,
    JobRunning, MindFailed, CapReached.
    """
    job, desk = care.job, care.job.desk
    for _ in care.tries():
        load, first = job.read(lambda unit: unit.summaries.load()), not care.batches
        sort = next_sort(desk, load, first=first)
        if sort is None:
            return
        picked = job.read(partial(_picked, job, summaries=sort))
        if not picked.memories and not sort:
            care.scattered = True
            if next_sort(desk, replace(load, details=0), first=False):
                picked = job.read(partial(_picked, job, summaries=True))
        if not picked.memories:
            return
        made = care.summary(mind, partial(_source, care, picked))
        if made is not None:
            care.batches.append(made)
            care.summarized += len(picked.memories)


def _picked(job: Job, unit: Unit, *, summaries: bool) -> _Picked:
    """Return the next batch: memories that hold in the same places, since a summary holds where all of them do."""
    settings = job.desk.settings
    size = settings.self_care.batch
    least = _LEAST_SUMMARIES if summaries else settings.self_care.min_observations
    job.desk.check_embedder(job.agent_id, unit.agents.embedder())
    memories = _alike(unit, unit.summaries.next_up(size, summaries=summaries), least)
    if not memories:
        further = unit.summaries.next_up(_FURTHER * size, summaries=summaries)
        memories = _alike(unit, further, least)[:size] if len(further) > size else []
    ids = [one.id for one in memories]
    vectors = unit.memories.vectors(ids)
    spans = unit.summaries.get(ids) if summaries else {}
    agent = unit.agents.get()
    stacked = np.stack([vectors[id] for id in ids]) if ids else np.zeros((0, 1), np.float32)
    zone = UTC if agent is None else zone_of(agent.time_zone)
    return _Picked(memories=memories, vectors=stacked, spans=spans, zone=zone)


def _alike(unit: Unit, ids: Sequence[str], least: int) -> Sequence[Memory]:
    """In their order, those of the scope that most of them have; none where that are too few."""
    known = unit.memories.get(ids)
    groups: dict[frozenset[str], list[Memory]] = {}
    for id in ids:
        groups.setdefault(frozenset(known[id].scope), []).append(known[id])
    best: list[Memory] = max(groups.values(), key=len, default=[])
    return best if len(best) >= least else []


def _source(care: Care, picked: _Picked) -> Source:
    shown, vectors = picked.shown(care.job.desk.clock())
    return Source(
        most=care.length(picked.tokens, _SHARE),
        head=picked.head,
        tell=lambda mind, left: mind.narrate(shown, max_tokens=left, vectors=vectors),
        said=[said_in(one) for one in shown],
        zone=picked.zone,
        given=_given(care.job.desk, picked),
        write=partial(_write, care, picked),
    )


def _given(desk: Desk, picked: _Picked) -> dict[str, object]:
    """Return what a summary takes over from what it stands for, which all holds in the same places."""
    some, now = picked.memories, desk.clock()
    return {
        "confidence": mean(faded_confidence(one.confidence, one.fades_from, now) for one in some) or 0.0,
        "importance": mean(one.importance for one in some),
        "scope": tuple(sorted(some[0].scope)),
        "topics": most_frequent(one.topics for one in some),
        "entities": most_frequent(one.entities for one in some),
        "source_trust": least_trusted(one.source_trust for one in some),
        "valid_from": picked.begin,
    }


def _write(care: Care, picked: _Picked, unit: Unit) -> Callable[[Memory], None] | None:
    ids = [one.id for one in picked.memories]
    there = unit.memories.get(ids)
    if any(one.id not in there or not _is_same(one, there[one.id]) for one in picked.memories):
        return None

    def rest(memory: Memory) -> None:
        now = memory.created_at
        unit.summaries.add(
            Summary(
                memory_id=memory.id, job=care.job.id, items=len(ids), began_at=picked.begin, ended_at=picked.end,
                created_at=now,
            )
        )  # fmt: skip
        unit.summaries.cover(memory.id, ids, now)
        log = [care.birth(Action.SUMMARIZE, memory, items=len(ids))]
        unit.audit.add([*log, *(_covered(care, there[id], memory) for id in ids)])

    return rest


def _covered(care: Care, one: Memory, by: Memory) -> AuditEntry:
    before = {"state": str(one.state), "updated_at": plain(one.updated_at)}
    after = {"state": str(State.SUMMARIZED), "updated_at": plain(by.created_at), "summary": by.id}
    return care.job.entry(Action.SUMMARIZE, one.id, by.created_at, before=before, after=after)


def _is_same(one: Memory, now: Memory) -> bool:
    """Return whether a memory is still as it was read, as far as a narrative depends on it."""
    names = (
        "essence", "kind", "state", "superseded_by", "pinned", "source_trust", "scope", "valid_from", "valid_to",
        "needs_review",
    )  # fmt: skip
    return all(getattr(one, name) == getattr(now, name) for name in names)
