"""Banks for the tests of housekeeping: memories put there as they are, past the one write path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from reverie import Agent, Memory, Reverie
from reverie.domain.housekept import Housekept
from reverie.services.runtime.desk import Desk
from reverie.services.upkeep.housekeeping import housekeeping
from tests.memory.memories import a_memory
from tests.services.bench import NOON
from tests.services.scripted import Scripted


def planted(agent: Agent, *memories: Memory) -> None:
    """These memories are in the bank, touches and all."""
    desk = agent._desk
    vectors = desk.embedder.embed([memory.essence for memory in memories])
    with desk.store.write(agent.id) as unit:
        desk.begin(unit, agent.id)
        unit.memories.add(memories, vectors)


def twins(*essences: str, **fields: object) -> list[Memory]:
    """Memories m0, m1 …, each a day younger than the one before."""
    return [
        a_memory(
            essence,
            **{
                "id": f"m{place}",
                "created_at": NOON - timedelta(days=30 - place),
                "last_reinforced_at": NOON - timedelta(days=30 - place),
                "confidence_at": NOON - timedelta(days=30 - place),
                **fields,
            },
        )
        for place, essence in enumerate(essences)
    ]


def kept_house(agent: Agent, mind: Scripted | None = None, desk: Desk | None = None) -> Housekept:
    """One housekeeping, with this mind."""
    return housekeeping(desk or replace(agent._desk, mind=mind), agent.id, actor="weekly")


def standing(agent: Agent) -> dict[str, Memory]:
    """All memories by id."""
    return {memory.id: memory for memory in agent.memories(deep=True, limit=1000)}


def said(reverie: Reverie, *days: float, content: str, **fields: object) -> Sequence[str]:
    """The same thing, said so many days before noon; the episodes' ids."""
    messages = [
        {"content": content, "time": (NOON - timedelta(days=day)).isoformat(), **fields} for day in days
    ]
    return reverie.agent("mama").observe(messages).episode_ids
