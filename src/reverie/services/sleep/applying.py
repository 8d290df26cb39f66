"""Apply a sleep's changes in one transaction: what was shown is looked at again, each change is made or refused.

``Applying`` reads and decides; only ``write`` writes, so a dry run shows exactly what a sleep would do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np

from reverie.domain.audit import Action, AuditEntry
from reverie.domain.change import NEW, Connect, Contradict, Fade, Learn, Reinforce, Retire, Revise
from reverie.domain.kinds import Kind, default_priority
from reverie.domain.memory import CONTRADICTS, NEAR, Connection, Memory, Origin, State, Version
from reverie.domain.sleep import Rejected
from reverie.domain.trust import SourceTrust
from reverie.memory.change import (
    LATER,
    NEWER,
    Side,
    Wording,
    faded,
    is_retold,
    keeps_words,
    loser_after,
    reinforced,
    retired,
    revised,
    side_of,
    spared,
    verdict,
)
from reverie.memory.dedupe import kinds_compatible, memories_differ, texts_differ
from reverie.ports.aggregates import Vector
from reverie.ports.store import Unit
from reverie.services.remember import as_duplicate, is_quoted_in_parts, labels, unforgotten
from reverie.services.runtime import (
    Job,
    anything_forgotten,
    changed,
    forgotten,
    numbered,
    plain,
    to_json,
    version_of,
)
from reverie.services.sleep.checks import Refused, ValidChange, ids_of, refusal, texts_of
from reverie.services.sleep.gathering import Gathered
from reverie.services.sleep.planning import Near, Plan, confidence_of, near_again, revision_of

_MOST_LINKS = 8
_KNOWN = "its episodes are the memory's sources already"
_CHANGED = "the memory was changed meanwhile"
_GONE = "an episode that it rests on was forgotten or changed meanwhile"
_FORGOTTEN = "it was forgotten on purpose"
_SAID_BY_ANOTHER = "another change of this night says it"
_SAYS_ALREADY = "another memory says that already"
_REPLACED = "this night replaces the memory"
_REVISED = "this night revises the memory"
_SYMMETRIC = frozenset({NEAR, CONTRADICTS})
_Edge = tuple[str, str, str]


class Applying:
    """One transaction's decisions. ``entries`` tell the changes in the order in which they are made; ``memories`` are
    the touched ones as they stand then; ``episodes`` were shown and are there still; ``at_stake`` are the memories of
    before whose words or standing change, but for those that say all that they said and more of the same message.
    """

    def __init__(self, job: Job, unit: Unit, gathered: Gathered, plan: Plan, now: datetime) -> None:
        self._job, self._desk, self._unit, self._now = job, job.desk, unit, now
        self._gathered, self._plan = gathered, plan
        self.entries: list[AuditEntry] = []
        self.rejected: dict[int, Rejected] = {**plan.supported.partly, **plan.supported.rejected}
        self.memories: dict[str, Memory] = {}
        self.at_stake: set[str] = set()
        self._stated: dict[str, Side] = {}
        self._fresh: dict[str, Vector] = {}
        self._revised: dict[str, Vector] = {}
        self._unrevised: set[str] = set()
        self._said_again: dict[str, datetime] = {}
        self._versions: list[Version] = []
        self._links: list[Connection] = []
        self._named: dict[str, str] = {}  # what "new:0" has become
        same = unit.agents.rev() == plan.rev
        self._near = plan.near if same else near_again(job.desk, gathered.agent.id, plan, now)
        there = unit.episodes.get({*gathered.spoken, *_sources(plan)})
        self.episodes = frozenset(
            id for id, one in there.items() if one.content == gathered.heard[id].content
        )
        self._before = self._read()
        self._edges = self._known_edges()
        self._dead = forgotten(unit, {text for one in plan.supported.valid for text in texts_of(one)})

    def resolve(self) -> None:
        """Decide everything: revisions first, then what is new, then the rest as it was proposed."""
        order = sorted(self._plan.supported.valid, key=lambda one: (_rank(one), one.place))
        for one in order:
            try:
                self._check(one)
                self._make(one)
            except Refused as refused:
                if isinstance(one.change, Revise):
                    self._unrevised.add(one.change.memory_id)
                silent = refused.why == _FORGOTTEN
                self.rejected[one.place] = refusal(
                    self._desk.settings, one.change, refused.why, silent=silent
                )
        if self._unit.agents.rev() != self._gathered.rev and anything_forgotten(self._unit):
            bare = {place: replace(one, text=None) for place, one in self.rejected.items()}
            self.rejected = bare  # it may be what was forgotten

    def write(self) -> None:
        """Write what was decided."""
        memories = self._unit.memories
        if self._fresh:
            memories.add([self.memories[id] for id in self._fresh], np.stack([*self._fresh.values()]))
        for version in self._versions:
            memories.add_version(version)
        for id, old in self._before.items():
            if self.memories[id] != old:
                memories.update(self.memories[id], self._revised.get(id))
        for link in self._links:
            memories.connect(link)
        self._unit.audit.add(self.entries)

    def _read(self) -> Mapping[str, Memory]:
        """Return the named memories and those near to what is new, as they stand."""
        named = {id for one in self._plan.supported.valid for id in ids_of(one) if not id.startswith(NEW)}
        near = {id for some in self._near.values() for id, _ in some}
        found = self._unit.memories.get(named | near)
        self._changed = {id for id in named if id not in found or not self._gathered.still_shows(found[id])}
        steps = [id for id, one in found.items() if one.kind is Kind.WORKFLOW]
        self._procedures = frozenset(self._unit.procedures.get(steps))
        self.memories = dict(found)
        return found

    def _known_edges(self) -> set[_Edge]:
        return {
            (one.source, one.target, one.relation) for one in self._unit.memories.connections(self._before)
        }

    def _check(self, one: ValidChange) -> None:
        """What must hold of any change at this moment. Raise Refused."""
        if not self._dead.isdisjoint(texts_of(one)):
            raise Refused(_FORGOTTEN)
        if any(source.id not in self.episodes for source in one.sources):
            raise Refused(_GONE)
        for id in ids_of(one):
            if id.startswith(NEW) and id not in self._named:
                raise Refused("it names a new memory that was refused")
            if id in self._changed:
                raise Refused(_CHANGED)
            if not isinstance(one.change, Connect) and self._named.get(id, id) in self._procedures:
                raise Refused("it names a procedure, which only its steps change")

    def _make(self, one: ValidChange) -> None:
        match one.change:
            case Learn():
                self._learn(one, one.change)
            case Reinforce():
                self._reinforce(one, one.change)
            case Revise():
                self._revise(one, one.change)
            case Retire():
                self._retire(one, one.change)
            case Contradict():
                self._contradict(one.change)
            case Fade():
                self._fade(one.change)
            case Connect(memory_a=a, memory_b=b, relation=relation):
                source, target = (self._named.get(id, id) for id in (a, b))
                if source == target:
                    raise Refused("both have become one memory")
                if not self._connect(source, target, relation):
                    raise Refused("they are connected so already")

    def _learn(self, one: ValidChange, change: Learn) -> None:
        born, filled = self._plan.born[one.place], self._plan.filled[one.place]
        [filled] = unforgotten(self._unit, [born], [filled])
        vector, name = self._plan.supported.vectors[one.place], f"{NEW}{one.number}"
        for id, other in (*self._revised.items(), *self._fresh.items()):
            if self._is_same(float(other @ vector), self.memories[id], born):
                self._named[name] = id
                raise Refused(_SAID_BY_ANOTHER)
        apart = []
        for id, cosine in self._near[one.place]:
            known = self.memories.get(id)
            if known is None or id in self._revised:
                continue
            if self._is_same(cosine, known, born):
                if one.doubts and not known.needs_review:  # what is doubtful confirms nothing
                    self._named[name] = id
                    raise Refused(_SAYS_ALREADY)
                if id in self._procedures:
                    raise Refused("a procedure says that already")
                self._named[name] = id
                self._confirm(known, as_duplicate(known, born, filled), one, None)
                if change.stated:
                    self._said_again[id] = one.at
                return
            apart.append((known, cosine))
        if is_quoted_in_parts(self._unit, born):
            raise Refused("memories quote all of it already, or did before they were corrected")
        self._insert(filled, vector, one, change)
        self._named[name] = born.id
        for known in self._related(filled, apart):
            self._connect(born.id, known.id, NEAR)

    def _is_same(self, cosine: float, known: Memory, born: Memory) -> bool:
        return (
            cosine >= self._desk.settings.remember.duplicate_cosine and memories_differ(known, born) is None
        )

    def _related(self, born: Memory, apart: Sequence[tuple[Memory, float]]) -> list[Memory]:
        """Return what only the guard kept apart."""
        almost = self._desk.settings.remember.duplicate_cosine
        found = [
            known
            for known, cosine in apart
            if known.origin is not Origin.SELF_CARE  # it stands for much else
            and kinds_compatible(known.kind, born.kind)
            and cosine >= almost
        ]
        return found[:_MOST_LINKS]

    def _insert(self, born: Memory, vector: Vector, one: ValidChange, change: Learn) -> None:
        self.memories[born.id] = born
        self._fresh[born.id] = vector
        self._stated[born.id] = Side(memory=born, stated=change.stated and not one.doubts, at=one.at)
        after = {**to_json(born), "updated_at": plain(born.updated_at)}
        self._log(Action.REMEMBER, born.id, None, after, _doubts(one))

    def _reinforce(self, one: ValidChange, change: Reinforce) -> None:
        known = self.memories[change.memory_id]
        self._check_open(known)
        self._confirm(known, known, one, change.reason)
        if one.trust is SourceTrust.PRINCIPAL:
            self._said_again[known.id] = one.at

    def _confirm(self, known: Memory, new: Memory, one: ValidChange, reason: str | None) -> None:
        """``known`` after the sources that it doesn't have yet said it again, as ``new`` tells. Raise Refused."""
        sources = {source.id for source in one.sources} - set(known.source_episodes)
        if not sources:
            raise Refused(_KNOWN)
        told = replace(new, source_episodes=tuple(sorted(sources)), source_trust=one.trust, created_at=one.at)
        self._change(Action.REINFORCE, known, reinforced(known, told, self._now), reason)

    def _revise(self, one: ValidChange, change: Revise) -> None:
        known = self.memories[change.memory_id]
        self._check_not_said(one, change, known)
        known = numbered(self._unit, known)
        settings, now = self._desk.settings, self._now
        kind = change.kind or known.kind
        wording = Wording(
            essence=change.essence,
            lesson=change.lesson,
            since=change.since or one.at,
            known_since=change.since,
            at=one.at,
            sources=tuple(source.id for source in one.sources),
            trust=one.trust,
            confidence=confidence_of(settings, one, change),
            kind=kind,
            priority=known.priority if kind is known.kind else default_priority(kind),
            doubted=bool(one.doubts),
        )
        new = revised(known, wording, now)
        revision = revision_of(change)
        [new] = unforgotten(self._unit, [new], [self._plan.reworded[one.place].follow(known, new, revision)])
        if change.importance is not None:
            new = replace(new, importance=change.importance)
        new = labels.revised(self._desk, known, new, revision)
        self._versions.append(version_of(known, new.believed_from))
        self._revised[known.id] = self._plan.supported.vectors[one.place]
        self._stated[known.id] = Side(memory=new, stated=change.stated and not one.doubts, at=one.at)
        if not (is_retold(known, wording.sources) and keeps_words(new.essence, known.essence)):
            self.at_stake.add(known.id)
        self._change(Action.REVISE, known, new, ": ".join(filter(None, (change.reason, _doubts(one)))))

    def _check_not_said(self, one: ValidChange, change: Revise, known: Memory) -> None:
        """Raise Refused where another memory has this wording: two would say the same."""
        vector = self._plan.supported.vectors[one.place]
        near: Near = [
            *self._near[one.place], *((id, float(other @ vector)) for id, other in self._revised.items())
        ]  # fmt: skip
        for id, cosine in near:
            other = self.memories.get(id)
            if id == known.id or other is None or cosine < self._desk.settings.remember.duplicate_cosine:
                continue
            if texts_differ(other.essence, change.essence) is None:
                raise Refused(_SAYS_ALREADY)

    def _retire(self, one: ValidChange, change: Retire) -> None:
        known = self.memories[change.memory_id]
        self._check_open(known)
        if known.state is State.ARCHIVED and known.valid_to is not None and known.valid_to <= one.at:
            raise Refused("it is over already")
        self.at_stake.add(known.id)
        self._change(Action.RETIRE, known, retired(known, one.at, self._now), change.reason)

    def _contradict(self, change: Contradict) -> None:
        ids = [self._named.get(id, id) for id in (change.memory_id, change.contradicted_by)]
        if ids[0] == ids[1]:
            raise Refused("both have become one memory")
        if not self._unrevised.isdisjoint(ids):
            raise Refused("it rests on another wording, which was refused")
        one, other = self._side(ids[0]), self._side(ids[1], again=True)
        if one.memory.superseded_by or other.memory.superseded_by:
            raise Refused(_REPLACED)
        found = spared(verdict(one, other))
        new = loser_after(found, self._now)
        linked = self._connect(ids[1], ids[0], CONTRADICTS)
        if new is None and not linked:
            raise Refused("they are known to contradict each other, and neither holds")
        more = None if (found.why, change.resolution) == (NEWER, LATER) else change.resolution
        reason = f"{found.why}. {more}".strip() if more else found.why
        if found.loser is None or new is None:
            self._log(Action.CONTRADICT, ids[0], {}, {}, reason)
            return
        if new.id not in self._fresh:
            self.at_stake.add(new.id)
        self._change(Action.CONTRADICT, found.loser.memory, new, reason)

    def _side(self, id: str, *, again: bool = False) -> Side:
        """Return a side as it stood before the night, or as the night has stated it. ``again``: it is what the mind
        takes for true, so that what confirms it tonight makes it newer.
        """
        memory, known = self.memories[id], self._stated.get(id)
        if known is None:
            settings = self._desk.settings
            halfway = (settings.remember.stated_confidence + settings.remember.inferred_confidence) / 2
            known = side_of(self._before[id], stated_from=halfway)
        return replace(
            known, memory=memory, at=max(known.at, self._said_again.get(id, known.at)) if again else known.at
        )

    def _check_open(self, known: Memory) -> None:
        """Raise Refused where this night has said more of the memory than that."""
        if known.id in self._revised:
            raise Refused(_REVISED)
        if known.superseded_by is not None:
            raise Refused(_REPLACED)

    def _fade(self, change: Fade) -> None:
        known = self.memories[change.memory_id]
        self._check_open(known)
        new = faded(known, change.confidence, self._now)
        if new is None:
            raise Refused("it doesn't lower the confidence that is left")
        self.at_stake.add(known.id)
        self._change(Action.FADE, known, new, change.reason)

    def _connect(self, source: str, target: str, relation: str) -> bool:
        """Add an edge; False where it is there."""
        edge = (source, target, relation)
        if edge in self._edges or (relation in _SYMMETRIC and (target, source, relation) in self._edges):
            return False
        self._edges.add(edge)
        self._links.append(Connection(source=source, target=target, relation=relation, created_at=self._now))
        self._log(
            Action.CONNECT, source, None, {"source": source, "target": target, "relation": relation}, None
        )
        return True

    def _change(self, action: Action, known: Memory, new: Memory, reason: str | None) -> None:
        self.memories[known.id] = new
        before, after = changed(known, new)
        old, now = ({"updated_at": plain(one.updated_at)} for one in (known, new))
        self._log(action, known.id, {**before, **old}, {**after, **now}, reason)

    def _log(
        self, action: Action, target: str, before: Mapping[str, object] | None,
        after: Mapping[str, object], reason: str | None,
    ) -> None:  # fmt: skip
        self.entries.append(
            self._job.entry(action, target, self._now, before=before, after=after, reason=reason or None)
        )


def _sources(plan: Plan) -> set[str]:
    return {source.id for one in plan.supported.valid for source in one.sources}


def _doubts(one: ValidChange) -> str | None:
    """Return why its wording waits for review."""
    return "; ".join(one.doubts) or None


def _rank(one: ValidChange) -> int:
    return 0 if isinstance(one.change, Revise) else 1 if isinstance(one.change, Learn) else 2
