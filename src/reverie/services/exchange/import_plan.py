"""Plan an import: which lines enter, which are there already, which differ, and which were forgotten here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reverie.domain.imported import OnConflict
from reverie.domain.memory import Connection, Memory, State
from reverie.errors import InvalidInput
from reverie.ports.store import Unit
from reverie.services.aggregates import AGGREGATES, Aggregate, Incoming, as_forgotten, line_object
from reverie.services.codecs import KeptEpisode, KeptMemory, line_of
from reverie.services.exchange.bank_file import Contents
from reverie.services.exchange.export import memories_with_all
from reverie.services.exchange.import_forgotten import ForgottenHere
from reverie.services.exchange.import_summaries import standing, without_fallen

_ALL = 1 << 31
_COMPARED = (State.ACTIVE, State.ARCHIVED)
_ITS_OWN = ("touches", "last_touched_at", "vector", "source_episodes", "superseded_by")


@dataclass(kw_only=True, slots=True)
class ImportPlan:
    """What is to be written, ``rows`` by aggregate; ``counts`` by type of line and what becomes of it."""

    new: bool
    contents: Contents
    state: object  # of the bank for which it was made
    episodes: list[KeptEpisode] = field(default_factory=list)
    memories: list[KeptMemory] = field(default_factory=list)
    over: list[KeptMemory] = field(default_factory=list)
    connections: list[Connection] = field(default_factory=list)
    rows: dict[str, list[Any]] = field(default_factory=lambda: {one.name: [] for one in AGGREGATES})
    counts: dict[str, Counter[str]] = field(default_factory=dict)

    def count(self, kind: str, what: str, many: int = 1) -> None:
        """Count so many lines of a type that come to that."""
        if many:
            self.counts.setdefault(kind, Counter())[what] += many

    @property
    def texts(self) -> list[str]:
        """Return what is to be embedded, each once."""
        every = [one.episode.content for one in self.episodes if one.vector is None]
        every += [text for one in (*self.memories, *self.over) for text in one.texts]
        return [*dict.fromkeys(every)]


def planned(unit: Unit, contents: Contents, rule: OnConflict) -> ImportPlan:
    """Return the plan for the bank as it is. Raise InvalidInput where lines differ and the rule is to refuse."""
    return _Planner(unit, contents, rule).plan()


def state_of(unit: Unit) -> object:
    """What is another as soon as a plan might be. Some writes leave the revision; an import, a forget and whatever a
    job does stand in the log.
    """
    last = unit.audit.list(limit=1, newest_first=True)
    return unit.agents.rev(), [one.id for one in last], unit.transfer.count("tombstones"), unit.outbox.count()


class _Planner:
    def __init__(self, unit: Unit, contents: Contents, rule: OnConflict) -> None:
        self._unit, self._contents, self._rule = unit, contents, rule
        self._known = unit.agents.get()
        self._plan = ImportPlan(new=self._known is None, contents=contents, state=state_of(unit))
        self._forgotten = ForgottenHere.of(unit, contents)
        self._same: dict[str, str] = {}  # ids of the file, and what they are in the bank
        self._gone: set[str] = set()
        self._conflicts: list[str] = []

    def plan(self) -> ImportPlan:
        plan = self._plan
        for kind, many in self._contents.left_out.items():
            plan.count(kind, "left_out", many)
        self._profile()
        self._episodes()
        self._memories()
        self._summaries()
        self._refer()
        incoming = self._incoming()
        for aggregate in AGGREGATES:
            self._enter(aggregate, incoming)
        if self._conflicts:
            raise _refused(self._conflicts)
        return plan

    def _profile(self) -> None:
        kept = self._contents.profile
        if kept is not None and self._known is not None:
            same = replace(kept.agent, id=self._known.id) == self._known
            self._plan.count("profile", "known" if same else "kept")
        elif kept is not None:
            self._plan.count("profile", "added")
        rooms = {one.id for one in self._contents.rooms}
        there = {id for id in rooms if not self._plan.new and self._unit.conversations.get(id) is not None}
        self._plan.count("conversation", "known", len(there))
        self._plan.count("conversation", "added", len(rooms - there))

    def _episodes(self) -> None:
        """A message is never replaced: what the bank lacks of one may have been forgotten."""
        plan, file = self._plan, self._contents.episodes
        known = self._unit.episodes.get([one.episode.id for one in file])
        refs: dict[str, set[str]] = {}
        for one in file:
            if one.episode.ref is not None:
                refs.setdefault(one.episode.conversation, set()).add(one.episode.ref)
        by_ref = {room: self._unit.episodes.by_ref(room, some) for room, some in refs.items()}
        coming: list[KeptEpisode] = []
        for one in file:
            said = one.episode
            there = known.get(said.id) or by_ref.get(said.conversation, {}).get(said.ref or "")
            if there is not None:
                self._same[said.id] = there.id
                own = (there.role, there.speaker, there.time, there.content)
                if (said.role, said.speaker, said.time, said.content) == own:
                    plan.count("episode", "known")
                elif self._forgotten.message(said):
                    plan.count("episode", "forgotten")
                else:
                    self._differs("episode", said.id)
            elif self._forgotten.message(said):
                self._gone.add(said.id)
                plan.count("episode", "forgotten")
            else:
                self._same[said.id] = said.id
                coming.append(one)
        plan.count("episode", "added", len(coming))
        plan.episodes = self._placed(coming)

    def _placed(self, coming: Sequence[KeptEpisode]) -> list[KeptEpisode]:
        """Return each at its own position where that is free in the bank, else behind all others of its room."""
        if self._plan.new:
            return [*coming]
        rooms = {one.episode.conversation for one in coming}
        taken = {
            room: {each.position for each in self._unit.episodes.forward(room, 0, _ALL)} for room in rooms
        }
        ends = dict(self._unit.conversations.next_positions(rooms))
        free = {
            one.episode.id for one in coming if one.episode.position not in taken[one.episode.conversation]
        }
        for one in coming:
            if one.episode.id in free:
                room = one.episode.conversation
                ends[room] = max(ends[room], one.episode.position + 1)
        placed = []
        for one in sorted(coming, key=lambda each: each.episode.position):
            if one.episode.id not in free:
                room = one.episode.conversation
                one, ends[room] = (
                    replace(one, episode=replace(one.episode, position=ends[room])),
                    ends[room] + 1,
                )
            placed.append(one)
        order = {one.episode.id: place for place, one in enumerate(coming)}
        return sorted(placed, key=lambda each: order[each.episode.id])

    def _memories(self) -> None:
        plan, file = self._plan, self._contents.memories
        ids = [one.id for one in file]
        there = {} if plan.new else {one.id: one for one in memories_with_all(self._unit, ids)}
        alike = {} if plan.new else self._alike(file)
        for one in file:
            old = there.get(one.id)
            if old is not None and _equal(old, one):
                self._same[one.id] = one.id
                plan.count("memory", "known")
            elif self._forgotten.text(one.memory.essence):
                if old is None:
                    self._gone.add(one.id)
                else:
                    self._same[one.id] = one.id
                plan.count("memory", "forgotten")
            elif old is not None:
                self._same[one.id] = one.id
                if self._wins(one.memory, old.memory):
                    plan.over.append(self._forgotten.without(one))
                    plan.count("memory", "replaced")
                else:
                    self._differs("memory", one.id)
            elif (other := self._taken(one)) is not None:
                self._same[one.id] = other
                self._differs("memory", one.id)
            elif (twin := alike.get(_words(one.memory))) is not None:
                self._same[one.id] = twin
                plan.count("memory", "known")
            else:
                self._same[one.id] = one.id
                plan.memories.append(self._forgotten.without(one))
                plan.count("memory", "added")

    def _alike(self, file: Sequence[KeptMemory]) -> Mapping[tuple[str, ...], str]:
        """Return the bank's memories that say the same word for word, by what they say."""
        wanted = {_words(one.memory) for one in file}
        if not wanted:
            return {}
        texts = {said for said, _, _ in wanted}
        every = self._unit.memories.essences({one.memory.kind for one in file})
        found: dict[tuple[str, ...], str] = {}
        alike = [id for id, said in every.items() if _said(said) in texts]
        for memory in self._unit.memories.get(alike).values():
            if memory.state in _COMPARED:
                twin = found.setdefault(_words(memory), memory.id)
                found[_words(memory)] = min(twin, memory.id)
        return found

    def _taken(self, one: KeptMemory) -> str | None:
        """Return the bank's procedure of the same name."""
        named = None if one.steps is None or self._plan.new else self._unit.procedures.named(one.steps.name)
        return None if named is None or named.memory_id == one.id else named.memory_id

    def _wins(self, one: Memory, old: Memory) -> bool:
        if self._rule is OnConflict.NEWER:
            return one.updated_at > old.updated_at
        return self._rule is OnConflict.REPLACE

    def _differs(self, kind: str, id: str) -> None:
        self._plan.count(kind, "kept")
        if self._rule is OnConflict.REFUSE:
            self._conflicts.append(f"{kind} {id}")

    def _summaries(self) -> None:
        """A summary that would stand for what isn't there stays out."""
        plan, file = self._plan, self._contents
        found = standing(self._unit, file, self._same, [*plan.memories, *plan.over], plan.episodes)
        if not found.fallen:
            return
        held = [one.memory_id for one in found.added]
        before = len(plan.memories)
        plan.memories = without_fallen(file, found.fallen, held, plan.memories)
        plan.over = without_fallen(file, found.fallen, held, plan.over)
        plan.count("memory", "added", len(plan.memories) - before)
        plan.count("memory", "left_out", before - len(plan.memories))
        self._gone |= found.fallen
        self._same = {id: own for id, own in self._same.items() if id not in found.fallen}

    def _refer(self) -> None:
        """Sources, what superseded what, and edges: by the bank's ids, without what isn't there."""
        plan = self._plan
        every = [*plan.memories, *plan.over]
        episodes = self._there("episodes", {id for one in every for id in one.memory.source_episodes})
        ends = {end for one in self._contents.connections for end in (one.source, one.target)}
        memories = self._there("memories", ends | {one.memory.superseded_by or "" for one in every})
        if not self._contents.trusted:  # it says nothing of what is the bank's own
            episodes = {id: id for id in episodes.keys() & {one.episode.id for one in plan.episodes}}
            memories = {id: id for id in memories.keys() & {one.id for one in plan.memories}}
        plan.memories = [_referring(one, episodes, memories) for one in plan.memories]
        plan.over = [_referring(one, episodes, memories) for one in plan.over]
        edges = () if plan.new else self._unit.memories.connections([*memories.values()])
        there = {(edge.source, edge.target, edge.relation) for edge in edges}
        for told in self._contents.connections:
            edge = replace(told, relation=as_forgotten(told.relation)) if self._forgotten.anything else told
            source, target = memories.get(edge.source), memories.get(edge.target)
            become_one = source == target and edge.source != edge.target
            if source is None or target is None or become_one:
                plan.count("connection", "left_out")
            elif not there.isdisjoint(((source, target, told.relation), (source, target, edge.relation))):
                plan.count("connection", "known")
            else:
                there.add((source, target, edge.relation))
                plan.connections.append(replace(edge, source=source, target=target))
                plan.count("connection", "added")

    def _there(self, table: str, ids: Iterable[str]) -> Mapping[str, str]:
        """Return what each of the ids is in the bank after the import; without those that are nothing."""
        wanted = set(ids) - self._gone
        rest = wanted - self._same.keys()
        get = self._unit.episodes.get if table == "episodes" else self._unit.memories.get
        known = get(rest) if rest and not self._plan.new else {}
        return {id: self._same.get(id, id) for id in wanted if id in self._same or id in known}

    def _incoming(self) -> Incoming:
        plan, profile = self._plan, self._contents.profile
        return Incoming(
            new=plan.new,
            same_secret=plan.new or (profile is not None and profile.secret == self._unit.agents.secret()),
            rooms={one.episode.conversation for one in plan.episodes},
            rows=plan.rows,
            there=self._there,
            is_forgotten=self._forgotten.text,
            anything_forgotten=self._forgotten.anything,
            gone=self._gone,
        )

    def _enter(self, aggregate: Aggregate[Any], incoming: Incoming) -> None:
        name = aggregate.name
        for one in aggregate.arrivals(self._unit, self._contents.of(name), incoming):
            if one.what == "kept":
                self._differs(name, one.key)
            else:
                self._plan.count(name, one.what)
            if one.what == "forgotten":
                self._gone.add(one.key)
            if one.row is not None:
                self._plan.rows[name].append(one.row)


def _said(essence: str) -> str:
    return " ".join(essence.casefold().split())


def _words(memory: Memory) -> tuple[str, ...]:
    return _said(memory.essence), str(memory.kind), str(memory.source_trust)


def _equal(one: KeptMemory, other: KeptMemory) -> bool:
    """Return whether both say the same of the memory. Recalls and references, which depend on the bank, don't count."""
    lines = []
    for each in (one, other):
        bare = replace(each, versions=tuple(replace(past, vector=None) for past in each.versions))
        entry = line_object("memory", bare)
        lines.append(line_of({name: item for name, item in entry.items() if name not in _ITS_OWN}))
    return lines[0] == lines[1]


def _referring(one: KeptMemory, episodes: Mapping[str, str], memories: Mapping[str, str]) -> KeptMemory:
    sources = {episodes[id] for id in one.memory.source_episodes if id in episodes}
    by = memories.get(one.memory.superseded_by or "")
    changed = replace(
        one.memory, source_episodes=tuple(sorted(sources)), superseded_by=None if by == one.id else by
    )
    return replace(one, memory=changed)


def _refused(conflicts: Sequence[str]) -> InvalidInput:
    shown = ", ".join(conflicts[:5]) + (", …" if len(conflicts) > 5 else "")
    return InvalidInput(
        "file", f"{len(conflicts)} of its lines differ from what the bank has under the same id ({shown})",
        "say which are to stay: on_conflict skip, replace or newer",
    )  # fmt: skip
