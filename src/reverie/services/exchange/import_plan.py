"""What an import would do to a bank: which lines enter, which are there already, which differ, and which were forgotten
here on purpose and stay so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from reverie.domain.audit import AuditEntry
from reverie.domain.diary import DiaryEntry
from reverie.domain.imported import OnConflict
from reverie.domain.memory import Connection, Memory, State
from reverie.domain.queued import QueuedWrite
from reverie.domain.relationship import View
from reverie.domain.sleep import SleepRecord
from reverie.domain.soul import SoulEntry
from reverie.domain.summary import Summary
from reverie.domain.watermark import Watermark
from reverie.errors import InvalidInput
from reverie.ports.store import Unit
from reverie.services.codecs import KeptEpisode, KeptMemory, Tombstone, line_of
from reverie.services.codecs import entry as entry_of
from reverie.services.exchange.bank_file import Contents
from reverie.services.exchange.export import memories_with_all
from reverie.services.exchange.import_dead import Dead
from reverie.services.exchange.import_links import ComingLinks, coming_links
from reverie.services.exchange.import_society import coming_pages, coming_views
from reverie.services.exchange.import_summaries import standing, without_fallen

_ALL = 1 << 31
_COMPARED = (State.ACTIVE, State.ARCHIVED)
_ITS_OWN = ("touches", "last_touched_at", "vector", "source_episodes", "superseded_by")


@dataclass(kw_only=True, slots=True)
class Plan:
    """What is to be written; ``counts`` by type of line and what becomes of it."""

    new: bool
    contents: Contents
    state: object  # of the bank for which it was made
    episodes: list[KeptEpisode] = field(default_factory=list)
    memories: list[KeptMemory] = field(default_factory=list)
    over: list[KeptMemory] = field(default_factory=list)
    connections: list[Connection] = field(default_factory=list)
    summaries: list[Summary] = field(default_factory=list)
    soul: list[SoulEntry] = field(default_factory=list)
    diary: list[DiaryEntry] = field(default_factory=list)
    relationships: list[View] = field(default_factory=list)
    watermarks: list[Watermark] = field(default_factory=list)
    queued: list[QueuedWrite] = field(default_factory=list)
    tombstones: list[Tombstone] = field(default_factory=list)
    sleeps: list[SleepRecord] = field(default_factory=list)
    audit: list[AuditEntry] = field(default_factory=list)
    links: ComingLinks = field(default_factory=ComingLinks)
    counts: dict[str, Counter[str]] = field(default_factory=dict)

    def count(self, kind: str, what: str, many: int = 1) -> None:
        """So many lines of the type come to that."""
        if many:
            self.counts.setdefault(kind, Counter())[what] += many

    @property
    def texts(self) -> list[str]:
        """What is to be embedded, each once."""
        every = [one.episode.content for one in self.episodes if one.vector is None]
        every += [text for one in (*self.memories, *self.over) for text in one.texts]
        return [*dict.fromkeys(every)]


def planned(unit: Unit, contents: Contents, rule: OnConflict) -> Plan:
    """The plan for the bank as it is. Raises InvalidInput where lines differ and the rule is to refuse."""
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
        self._plan = Plan(new=self._known is None, contents=contents, state=state_of(unit))
        self._dead = Dead.of(unit, contents)
        self._same: dict[str, str] = {}  # ids of the file, and what they are in the bank
        self._gone: set[str] = set()
        self._conflicts: list[str] = []

    def plan(self) -> Plan:
        plan = self._plan
        for kind, many in self._contents.left_out.items():
            plan.count(kind, "left_out", many)
        self._profile()
        self._episodes()
        self._memories()
        self._summaries()
        self._refer()
        self._soul()
        self._society()
        self._rest()
        self._log()
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
                elif self._dead.message(said):
                    plan.count("episode", "forgotten")
                else:
                    self._differs("episode", said.id)
            elif self._dead.message(said):
                self._gone.add(said.id)
                plan.count("episode", "forgotten")
            else:
                self._same[said.id] = said.id
                coming.append(one)
        plan.count("episode", "added", len(coming))
        plan.episodes = self._placed(coming)

    def _placed(self, coming: Sequence[KeptEpisode]) -> list[KeptEpisode]:
        """Each at its own position where that is free in the bank, else behind all others of its room."""
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
            elif self._dead.text(one.memory.essence):
                if old is None:
                    self._gone.add(one.id)
                else:
                    self._same[one.id] = one.id
                plan.count("memory", "forgotten")
            elif old is not None:
                self._same[one.id] = one.id
                if self._wins(one.memory, old.memory):
                    plan.over.append(self._dead.without(one))
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
                plan.memories.append(self._dead.without(one))
                plan.count("memory", "added")

    def _alike(self, file: Sequence[KeptMemory]) -> Mapping[tuple[str, ...], str]:
        """The bank's memories that say the same word for word, by what they say."""
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
        """The bank's procedure of the same name."""
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
        plan.summaries = found.added
        plan.count("summary", "added", len(found.added))
        plan.count("summary", "known", found.known)
        plan.count("summary", "left_out", len(found.fallen))
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
            edge = replace(told, relation=self._dead.relation(told.relation))
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
        """What each of the ids is in the bank after the import; without those that are nothing."""
        wanted = set(ids) - self._gone
        rest = wanted - self._same.keys()
        get = self._unit.episodes.get if table == "episodes" else self._unit.memories.get
        known = get(rest) if rest and not self._plan.new else {}
        return {id: self._same.get(id, id) for id in wanted if id in self._same or id in known}

    def _soul(self) -> None:
        plan = self._plan
        there = self._unit.soul.list()
        known = {one.id for one in there} | {one.text.casefold() for one in there}
        for one in self._contents.soul:
            if one.id in known or one.text.casefold() in known:
                plan.count("soul", "known")
            elif self._dead.text(one.text):
                self._gone.add(one.id)
                plan.count("soul", "forgotten")
            else:
                plan.soul.append(one)
                plan.count("soul", "added")

    def _society(self) -> None:
        plan, file = self._plan, self._contents
        pages = coming_pages(self._unit, file.diary, self._dead)
        views = coming_views(self._unit, file.relationships, self._dead)
        for one in (*pages, *views):
            if one.what == "kept":
                self._differs(one.kind, one.key)
                continue
            plan.count(one.kind, one.what)
            plan.diary += [] if one.page is None else [one.page]
            plan.relationships += [] if one.view is None else [one.view]
            self._gone |= {one.key} if one.what == "forgotten" else set()

    def _rest(self) -> None:
        plan = self._plan
        unread = {one.episode.conversation for one in plan.episodes}
        for mark in self._contents.watermarks:
            held = not plan.new and self._unit.conversations.get(mark.conversation) is not None
            if held or mark.conversation not in unread:
                plan.count("watermark", "known" if held else "left_out")
            else:
                plan.watermarks.append(mark)
                plan.count("watermark", "added")
        waiting = {one.id for one in self._unit.outbox.list(limit=_ALL)}
        for queued in self._contents.queued:
            plan.count("queued", "known" if queued.id in waiting else "added")
            if queued.id not in waiting:
                tame = {**queued.payload, "override": False}  # nothing forgotten here comes back by it
                plan.queued.append(queued if plan.new else replace(queued, payload=tame))
        profile = self._contents.profile
        ours = plan.new or (profile is not None and profile.secret == self._unit.agents.secret())
        digests = {one.digest for one in self._contents.tombstones}
        known = self._unit.tombstones.known(digests) if ours and digests else frozenset()
        for stone in self._contents.tombstones:  # of another secret they mean nothing here
            what = "left_out" if not ours else "known" if stone.digest in known else "added"
            plan.count("tombstone", what)
            plan.tombstones += [stone] if what == "added" else []

    def _log(self) -> None:
        plan = self._plan
        plan.links = coming_links(self._unit, self._contents, self._there, plan.count)
        for sleep in self._contents.sleeps:
            known = self._unit.sleeps.get(sleep.id) is not None
            plan.count("sleep", "known" if known else "added")
            plan.sleeps += [] if known else [self._dead.sleep(sleep)]
        there = self._unit.audit.known([one.id for one in self._contents.audit])
        for entry in self._contents.audit:
            plan.count("audit", "known" if entry.id in there else "added")
            plan.audit += [] if entry.id in there else [self._dead.entry(entry, self._gone)]


def _said(essence: str) -> str:
    return " ".join(essence.casefold().split())


def _words(memory: Memory) -> tuple[str, ...]:
    return _said(memory.essence), str(memory.kind), str(memory.source_trust)


def _equal(one: KeptMemory, other: KeptMemory) -> bool:
    """Whether both say the same of the memory; its recalls aside, and references, which differ by what is there."""
    lines = []
    for each in (one, other):
        bare = replace(each, versions=tuple(replace(past, vector=None) for past in each.versions))
        entry = entry_of("memory", bare)
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
