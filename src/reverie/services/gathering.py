"""gathering: what a sleep shows its mind: the night's episodes in clusters, with what they touch of the bank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np

from reverie.domain.agent import Agent
from reverie.domain.episode import Episode
from reverie.domain.memory import Memory, State
from reverie.domain.query import Filter
from reverie.domain.time import micros, zone_of
from reverie.ports.aggregates import Vector
from reverie.ports.night import Cluster, Night
from reverie.ports.search import Floats, View
from reverie.ports.store import Unit
from reverie.rules.cluster import Spoken, clusters
from reverie.services.desk import Desk, read_again

MOST_KNOWN = 20
"""Memories that a mind is shown with a cluster,"""
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
        """The agent's."""
        return zone_of(self.agent.time_zone)

    def still_shows(self, memory: Memory) -> bool:
        """Whether a memory is what the mind was shown, touches aside."""
        shown = self.shown.get(memory.id)
        if shown is None:
            return False
        return replace(memory, touches=shown.touches, last_touched_at=shown.last_touched_at) == shown


@read_again
def gather(desk: Desk, agent_id: str, now: datetime) -> Gathered | None:
    """The next batch of episodes that no sleep has read; None where there is none. Raises EmbedderMismatch, StoreError
    for an agent that is half copied.
    """
    with desk.reading(agent_id) as unit:
        agent = unit.agents.get()
        if agent is None:
            return None
        episodes = unit.episodes.unconsolidated(desk.settings.sleep_batch)
        if not episodes:
            return None
        desk.check_embedder(agent_id, unit.agents.embedder())
        said = unit.episodes.vectors([one.id for one in episodes])
        derived = unit.memories.derived_from([one.id for one in episodes])
        rev = unit.agents.rev()
    matrix = np.stack([said[one.id] for one in episodes])
    groups = clusters(
        [Spoken(id=one.id, conversation=one.conversation, time=micros(one.time)) for one in episodes], matrix
    )
    view = desk.search.view(agent_id)
    near = view.nearest(matrix, filter=_SHOWN, now=now, limit=_NEAREST, least=_TOUCHED)
    before = _before(view, episodes, matrix)
    with desk.reading(agent_id) as unit:
        bank = _Bank(unit, derived, [id for found in near for id, _ in found])
        found = [
            _Found(
                episodes=tuple(episodes[place] for place in group), vectors=matrix[group],
                near=_best([near[place] for place in group]), before=_best([before[place] for place in group]),
            )
            for group in groups
        ]  # fmt: skip
        gathered = _night(
            unit, agent, now, bank, found, dict(zip([one.id for one in episodes], matrix, strict=True))
        )
    return replace(gathered, rev=rev, night=replace(gathered.night, look=_Look(desk, view, gathered, now)))


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
class _Found:
    """A cluster to be, with what is near to it."""

    episodes: tuple[Episode, ...]
    vectors: Floats
    near: _Ranks
    before: _Ranks

    @property
    def earlier(self) -> Sequence[str]:
        """Ids of what may be shown of before, nearest first."""
        return _ranked(self.before)[: _LOOK * MOST_EARLIER]


class _Bank:
    """What the night touches of the bank, read once for all clusters."""

    def __init__(self, unit: Unit, derived: Mapping[str, Sequence[str]], near: Iterable[str]) -> None:
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

    def touched(self, found: _Found) -> list[str]:
        """The memories that the cluster touches, best first: what is near to it or came of it, then what is connected
        with these.
        """
        own = {one.id for one in found.episodes}
        ranks = {id: cosine for id, cosine in found.near.items() if id in self.memories}
        for id, sources in self.derived.items():
            if id in self.memories and not own.isdisjoint(sources):
                ranks[id] = max(ranks.get(id, -1.0), self._cosine(id, found)) + _DERIVED
        best = _ranked(ranks)
        linked = {other for id in best[:MOST_KNOWN] for other in self.beside.get(id, ())} - set(best)
        further = _ranked({id: self._cosine(id, found) for id in linked if id in self.memories})
        kept = further[: max(_CONNECTED, MOST_KNOWN - len(best))]
        return [*best[: MOST_KNOWN - len(kept)], *kept]

    def _cosine(self, id: str, found: _Found) -> float:
        return float(np.max(found.vectors @ self.vectors[id]))


def _night(
    unit: Unit, agent: Agent, now: datetime, bank: _Bank, found: Sequence[_Found], said: Mapping[str, Vector]
) -> Gathered:
    wanted = {id for one in found for id in one.earlier}
    earlier = {id: one for id, one in unit.episodes.get(wanted).items() if one.consolidated}
    vectors = unit.episodes.vectors(earlier)
    made = []
    for one in found:
        before = sorted(
            (earlier[id] for id in [id for id in one.earlier if id in earlier][:MOST_EARLIER]),
            key=lambda episode: (episode.time, episode.id),
        )
        known = [bank.memories[id] for id in bank.touched(one)]
        made.append(
            Cluster(
                episodes=one.episodes, vectors=one.vectors,
                earlier=tuple(before), earlier_vectors=_stacked([vectors[each.id] for each in before], one.vectors),
                known=tuple(known), known_vectors=_stacked([bank.vectors[each.id] for each in known], one.vectors),
            )
        )  # fmt: skip
    shown = {memory.id: memory for one in made for memory in one.known}
    return Gathered(
        agent=agent,
        night=Night(agent_id=agent.id, zone=zone_of(agent.time_zone), now=now, clusters=tuple(made)),
        shown=shown,
        vectors={id: bank.vectors[id] for id in shown},
        procedures=frozenset(unit.procedures.get(shown)),
        spoken={one.id: one for cluster in made for one in cluster.episodes},
        heard={one.id: one for cluster in made for one in (*cluster.earlier, *cluster.episodes)},
        said={**vectors, **said},
    )


def _before(view: View, episodes: Sequence[Episode], matrix: Floats) -> Sequence[Sequence[tuple[str, float]]]:
    """What is near to each of the night's episodes among those of before: no night reads what is later first."""
    own = {one.id for one in episodes}
    last = max(one.time for one in episodes) + timedelta(microseconds=1)
    limit = _NEAREST_EARLIER + min(len(own), _NEAREST_EARLIER)
    found = view.nearest_episodes(matrix, filter=Filter(until=last), limit=limit, least=_LIKE)
    return [[(id, cosine) for id, cosine in some if id not in own] for some in found]


def _best(found: Sequence[Sequence[tuple[str, float]]]) -> _Ranks:
    """Of each id the best cosine."""
    ranks: dict[str, float] = {}
    for some in found:
        for id, cosine in some:
            ranks[id] = max(cosine, ranks.get(id, cosine))
    return ranks


def _ranked(ranks: _Ranks) -> list[str]:
    """Best first; cosines that engines round differently are equal."""
    return sorted(ranks, key=lambda id: (-round(ranks[id], 5), id))


def _stacked(vectors: Sequence[Vector], like: Floats) -> Floats:
    return np.stack(vectors) if vectors else np.zeros((0, like.shape[1]), np.float32)
