"""Gather what a sleep shows its mind: new episodes, conversation by conversation, with what bears on them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Self
from zoneinfo import ZoneInfo

import numpy as np

from reverie.domain.agent import Agent
from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind, Priority
from reverie.domain.memory import Memory, State
from reverie.domain.query import Filter
from reverie.domain.time import zone_of
from reverie.language import query_terms
from reverie.memory.prompt import BASELINE_KINDS, BASELINE_PRIORITIES
from reverie.ports.aggregates import Vector
from reverie.ports.night import Cluster, Night
from reverie.ports.search import Floats, Probe, View
from reverie.ports.store import Unit
from reverie.services.runtime import Desk, read_again

MOST_KNOWN = 20
"""Memories that a mind is shown with a short conversation,"""
MOST_EARLIER = 30
"""and episodes of before."""

_TOUCHED = 0.3  # the least cosine of a memory to an episode that touches it
_LIKE = 0.45  # … of an episode of before
_NEAREST = 12  # memories, and
_NEAREST_EARLIER = 24  # episodes, that are looked for with each of the night's episodes
_DERIVED = 0.2  # what it adds to a memory's rank that it came of one of these episodes
_MOST_BESIDE = 8  # connected memories that are looked at with each
_CONNECTED = 4  # places kept for what is only connected
_LOOKED_UP, _NEAR = 10, 0.35  # memories for each of a mind's own vectors, and the least cosine of these
_LOOK = 2  # times as many episodes of before are read as are shown: some are of another night still to come

_WORDED = 4  # memories that share most words with an episode
_MOST_READ = 2_000  # characters of an episode whose words are looked for
_MOST_RULES, _MOST_GOALS, _MOST_VITAL, _MOST_WEIGHED = 24, 12, 12, 200  # of what is shown in any night
_MOST_VITAL_FROM = 0.9  # importance
_PRIORITIES = tuple(Priority)
_GOALS = Filter(states=frozenset({State.ACTIVE}), kinds=frozenset({Kind.GOAL}))
_IDENTITY = Filter(
    states=frozenset({State.ACTIVE}), min_importance=0.7, min_confidence=0.5,
    kinds=frozenset({Kind.FACT, Kind.RELATIONSHIP, Kind.SKILL, Kind.ROUTINE, Kind.PREFERENCE}),
)  # fmt: skip

_SHOWN = Filter(states=frozenset({State.ACTIVE, State.ARCHIVED, State.INACTIVE}))
_Ranks = Mapping[str, float]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Gathered:
    """A night, and what must be known to check what is proposed for it; ``rev``: the bank's when it was read first.

    ``shown``: the memories in it, by id, with their ``vectors``, and what the mind looks up later; ``procedures``:
    those of them that are procedures; ``spoken``: the night's episodes by id; ``heard``: these and those of before that
    are shown with them, with their vectors ``said``.
    """

    agent: Agent
    night: Night
    rev: int = 0
    shown: dict[str, Memory]
    vectors: dict[str, Vector]
    procedures: frozenset[str]
    spoken: Mapping[str, Episode]
    heard: Mapping[str, Episode]
    said: Mapping[str, Vector]

    @property
    def zone(self) -> ZoneInfo:
        """Return the agent's time zone."""
        return zone_of(self.agent.time_zone)

    def still_shows(self, memory: Memory) -> bool:
        """Return whether a memory is what the mind was shown, touches aside."""
        shown = self.shown.get(memory.id)
        if shown is None:
            return False
        return replace(memory, touches=shown.touches, last_touched_at=shown.last_touched_at) == shown


@read_again
def gather(desk: Desk, agent_id: str, now: datetime) -> Gathered | None:
    """Return the next batch of episodes that no sleep has read; None where there is none. Raise EmbedderMismatch,
    StoreError for an agent that is half copied.
    """
    with desk.reading(agent_id) as unit:
        agent = unit.agents.get()
        if agent is None:
            return None
        episodes = _whole(
            unit.episodes.unconsolidated(desk.settings.sleep.batch + 1), desk.settings.sleep.batch
        )
        if not episodes:
            return None
        desk.check_embedder(agent_id, unit.agents.embedder())
        said = unit.episodes.vectors([one.id for one in episodes])
        rev = unit.agents.rev()
    rooms: dict[str, list[Episode]] = {}
    for one in episodes:
        rooms.setdefault(one.conversation, []).append(one)
    view = desk.search.view(agent_id)
    rooms_near = [_Room.of(view, some, said, now) for some in rooms.values()]
    with desk.reading(agent_id) as unit:
        earlier = {id for room in rooms_near for id in room.earlier}
        derived = unit.memories.derived_from({*said, *earlier})
        core = _core(unit, now)
        bank = _Bank(unit, derived, {*core, *(id for room in rooms_near for id in room.near)})
        found = [
            Shown(
                episodes=tuple(one.id for one in room.episodes), earlier=tuple(room.earlier),
                known=tuple(bank.touched(room)),
            )
            for room in rooms_near
        ]  # fmt: skip
        gathered = _night(unit, agent, now, found, core, said)
    return replace(gathered, rev=rev, night=replace(gathered.night, look=_Look(desk, view, gathered, now)))


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """What a night shows of one conversation, by ids: new episodes, earlier ones, memories."""

    episodes: tuple[str, ...]
    earlier: tuple[str, ...] = ()
    known: tuple[str, ...] = ()


@read_again
def gather_again(
    desk: Desk, agent_id: str, now: datetime, rooms: Sequence[Shown], core: Sequence[str]
) -> Gathered | None:
    """Return a night that was shown before, as the bank is by now, without what is gone; None for an agent that is
    gone.
    """
    with desk.reading(agent_id) as unit:
        agent = unit.agents.get()
        if agent is None:
            return None
        desk.check_embedder(agent_id, unit.agents.embedder())
        gathered = _night(unit, agent, now, rooms, core, {})
        return replace(gathered, rev=unit.agents.rev())


def _whole(episodes: Sequence[Episode], most: int) -> Sequence[Episode]:
    """Return the first of them, without a conversation that goes on behind them, where others are left."""
    if len(episodes) <= most:
        return episodes
    cut = episodes[most].conversation
    whole = [one for one in episodes[:most] if one.conversation != cut]
    return whole or episodes[:most]


def _core(unit: Unit, now: datetime) -> Sequence[str]:
    """Return what is shown in any night: standing rules, open goals, and what matters most of who somebody is."""
    rules = unit.memories.standing(BASELINE_KINDS, BASELINE_PRIORITIES)
    goals = unit.memories.ids(_GOALS, now=now)
    reached = unit.goals.achieved(goals)
    vital = {
        one.id: one
        for some in (replace(_IDENTITY, min_importance=_MOST_VITAL_FROM), _IDENTITY)
        for one in unit.memories.list(some, limit=_MOST_WEIGHED, now=now)
    }
    identity = sorted(
        vital.values(), key=lambda one: (-(one.importance or 0), -one.reinforcement_count, one.id)
    )
    first = sorted(rules, key=lambda one: (_PRIORITIES.index(one.priority), one.id))[:_MOST_RULES]
    open_goals = [id for id in goals if id not in reached][-_MOST_GOALS:]
    ids = [*(one.id for one in first), *open_goals, *(one.id for one in identity[:_MOST_VITAL])]
    return [*dict.fromkeys(ids)]


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """What a mind may look up beyond its clusters; what it is shown so counts as shown."""

    desk: Desk
    view: View
    gathered: Gathered
    now: datetime

    def __call__(self, vectors: Floats) -> Sequence[tuple[Memory, Vector]]:
        found = self.view.nearest(vectors, filter=_SHOWN, now=self.now, limit=_LOOKED_UP, least=_NEAR)
        ids = sorted({id for some in found for id, _ in some})
        with self.desk.reading(self.gathered.agent.id) as unit:
            procedures = unit.procedures.get(ids)
            summaries = unit.summaries.get(ids)
            memories = {
                id: one
                for id, one in unit.memories.get(ids).items()
                if one.superseded_by is None and id not in procedures and id not in summaries
            }
            known = unit.memories.vectors(memories)
        shown, of_shown = self.gathered.shown, self.gathered.vectors
        for id in known:
            shown.setdefault(id, memories[id])
            of_shown.setdefault(id, known[id])
        return [(shown[id], of_shown[id]) for id in sorted(known)]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class _Room:
    """A conversation's new episodes, and what is near to them: memories, by meaning and by words, and earlier episodes,
    nearest first.
    """

    episodes: Sequence[Episode]
    vectors: Floats
    near: _Ranks
    earlier: Sequence[str]

    @classmethod
    def of(cls, view: View, episodes: Sequence[Episode], said: Mapping[str, Vector], now: datetime) -> Self:
        vectors = np.stack([said[one.id] for one in episodes])
        # An answer tells little without its question, so two that follow each other are looked for together, too
        pairs = vectors[1:] + vectors[:-1]
        pairs /= np.maximum(np.linalg.norm(pairs, axis=1, keepdims=True), 1e-9)
        found = view.nearest(
            np.concatenate([vectors, pairs]), filter=_SHOWN, now=now, limit=_NEAREST, least=_TOUCHED
        )
        near = dict(_best(found))
        for one in episodes:
            words = query_terms(one.content[:_MOST_READ])
            if words:
                probe = Probe(filter=_SHOWN, now=now, terms=words, limit=_WORDED, labels=False, context=False)
                for id in view.memories(probe).ids:
                    near.setdefault(id, _TOUCHED)
        earlier = _ranked(_best(_before(view, episodes, vectors)))
        return cls(episodes=episodes, vectors=vectors, near=near, earlier=earlier[: _LOOK * MOST_EARLIER])

    @property
    def most(self) -> int:
        """Return how many memories are shown with it: a long conversation bears on more."""
        return min(max(MOST_KNOWN, 2 * len(self.episodes)), 3 * MOST_KNOWN)


class _Bank:
    """What the night touches of the bank, read once for all clusters."""

    def __init__(self, unit: Unit, derived: Mapping[str, Sequence[str]], near: Collection[str]) -> None:
        self.derived = derived
        first = {*near, *derived}
        self.beside: dict[str, list[str]] = {}
        for edge in reversed(unit.memories.connections(first)):  # of many the latest
            for one, other in ((edge.source, edge.target), (edge.target, edge.source)):
                others = self.beside.setdefault(one, [])
                if one in first and len(others) < _MOST_BESIDE:
                    others.append(other)
        every = first | {id for some in self.beside.values() for id in some}
        found, summaries = unit.memories.get(every), unit.summaries.get(every)
        self.memories = {
            id: one
            for id, one in found.items()
            if one.state in _SHOWN.states and one.superseded_by is None and id not in summaries
        }
        self.vectors = unit.memories.vectors(self.memories)

    def touched(self, room: _Room) -> list[str]:
        """Return the memories that the conversation touches, best first: what is near to it, came of it or of what is
        near to it, then what is connected with these.
        """
        own, before = {one.id for one in room.episodes}, set(room.earlier)
        ranks = {id: cosine for id, cosine in room.near.items() if id in self.memories}
        for id, sources in self.derived.items():
            more = _DERIVED if not own.isdisjoint(sources) else 0.0
            if id in self.memories and (more or not before.isdisjoint(sources)):
                ranks[id] = max(ranks.get(id, -1.0), self._cosine(id, room)) + more
        best = _ranked(ranks)
        linked = {other for id in best[: room.most] for other in self.beside.get(id, ())} - set(best)
        further = _ranked({id: self._cosine(id, room) for id in linked if id in self.memories})
        kept = further[: max(_CONNECTED, room.most - len(best))]
        return [*best[: room.most - len(kept)], *kept]

    def _cosine(self, id: str, room: _Room) -> float:
        return float(np.max(room.vectors @ self.vectors[id]))


def _night(
    unit: Unit,
    agent: Agent,
    now: datetime,
    rooms: Sequence[Shown],
    core: Sequence[str],
    said: Mapping[str, Vector],
) -> Gathered:
    """Return the night of these conversations, as far as everything is there."""
    every = unit.episodes.get({id for one in rooms for id in (*one.episodes, *one.earlier)})
    wanted = {id for one in rooms for id in one.known} | {*core}
    summaries = unit.summaries.get(wanted)
    memories = {
        id: one
        for id, one in unit.memories.get(wanted).items()
        if one.state in _SHOWN.states and one.superseded_by is None and id not in summaries
    }
    known = unit.memories.vectors(memories)
    vectors = {**unit.episodes.vectors([id for id in every if id not in said]), **said}
    made = []
    for one in rooms:
        new = _in_order(every[id] for id in one.episodes if id in every)
        before = [every[id] for id in one.earlier if id in every and every[id].consolidated]
        before = _in_order(before[:MOST_EARLIER])
        touched = [memories[id] for id in one.known if id in memories]
        if not new:
            continue
        like = np.stack([vectors[each.id] for each in new])
        made.append(
            Cluster(
                episodes=tuple(new), vectors=like,
                earlier=tuple(before), earlier_vectors=_stacked([vectors[each.id] for each in before], like),
                known=tuple(touched), known_vectors=_stacked([known[each.id] for each in touched], like),
            )
        )  # fmt: skip
    return Gathered(
        agent=agent,
        night=Night(
            agent_id=agent.id, zone=zone_of(agent.time_zone), now=now, clusters=tuple(made),
            core=tuple(memories[id] for id in core if id in memories),
        ),
        shown=dict(memories),
        vectors=dict(known),
        procedures=frozenset(unit.procedures.get(memories)),
        spoken={one.id: one for cluster in made for one in cluster.episodes},
        heard={one.id: one for cluster in made for one in (*cluster.earlier, *cluster.episodes)},
        said=vectors,
    )  # fmt: skip


def _in_order(episodes: Iterable[Episode]) -> list[Episode]:
    return sorted(episodes, key=lambda one: (one.time, one.id))


def _before(view: View, episodes: Sequence[Episode], matrix: Floats) -> Sequence[Sequence[tuple[str, float]]]:
    """Return what is near to each of the night's episodes among those of before: no night reads what is later first."""
    own = {one.id for one in episodes}
    last = max(one.time for one in episodes) + timedelta(microseconds=1)
    limit = _NEAREST_EARLIER + min(len(own), _NEAREST_EARLIER)
    found = view.nearest_episodes(matrix, filter=Filter(until=last), limit=limit, least=_LIKE)
    return [[(id, cosine) for id, cosine in some if id not in own] for some in found]


def _best(found: Sequence[Sequence[tuple[str, float]]]) -> _Ranks:
    """Return the best cosine of each id."""
    ranks: dict[str, float] = {}
    for some in found:
        for id, cosine in some:
            ranks[id] = max(cosine, ranks.get(id, cosine))
    return ranks


def _ranked(ranks: _Ranks) -> list[str]:
    """Return the ids, best first; cosines that engines round differently are equal."""
    return sorted(ranks, key=lambda id: (-round(ranks[id], 5), id))


def _stacked(vectors: Sequence[Vector], like: Floats) -> Floats:
    return np.stack(vectors) if vectors else np.zeros((0, like.shape[1]), np.float32)
