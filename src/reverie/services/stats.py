"""stats: how much there is, and how the bank stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reverie.domain.agent import Agent
from reverie.domain.query import Filter
from reverie.ports.store import StoreInfo
from reverie.services.desk import Desk, read_again
from reverie.services.profile import profile


@dataclass(frozen=True, kw_only=True, slots=True)
class Stats:
    """One agent's bank in numbers. ``kinds`` and ``states`` count memories; ``rev`` is its revision."""

    agent: Agent
    memories: int
    episodes: int
    conversations: int
    kinds: Mapping[str, int]
    states: Mapping[str, int]
    speakers: Mapping[str, int]
    rev: int
    embedder: str | None
    pending_touches: int
    store: StoreInfo


@read_again
def stats(desk: Desk, agent_id: str) -> Stats:
    """The agent's bank in numbers; zeros for an agent that has never written."""
    view = desk.search.view(agent_id)
    with desk.reading(agent_id) as unit:
        counts = unit.memories.counts()
        episodes = unit.episodes.count(Filter())
        conversations = unit.conversations.count()
    kinds: dict[str, int] = {}
    states: dict[str, int] = {}
    for (kind, state), count in counts.items():
        kinds[kind] = kinds.get(kind, 0) + count
        states[state.value] = states.get(state.value, 0) + count
    return Stats(
        agent=profile(desk, agent_id),
        memories=sum(counts.values()),
        episodes=episodes,
        conversations=conversations,
        kinds=dict(sorted(kinds.items())),
        states=dict(sorted(states.items())),
        speakers=dict(sorted(view.speakers.items(), key=lambda item: (-item[1], item[0]))),
        rev=view.rev,
        embedder=view.embedder[0] if view.embedder else None,
        pending_touches=desk.touches.pending(agent_id),
        store=desk.store.info(),
    )
