"""What the adapters share: the agent's asynchronous door, and what a search finds, also as a text for a model."""

from __future__ import annotations

from collections.abc import Sequence

from reverie import Agent, AsyncAgent, EpisodeHit, InvalidInput, MemoryHit
from reverie.doors.mcp.hits import within
from reverie.errors.showing import typed

BYTES_PER_TOKEN = 3
"""As the built-in estimate counts a text."""


def asynchronous(agent: Agent | AsyncAgent) -> AsyncAgent:
    """Return the agent for asyncio. Raise InvalidInput for what is no agent."""
    match agent:
        case AsyncAgent():
            return agent
        case Agent():
            return AsyncAgent(agent.id, lambda: agent)
    raise InvalidInput("agent", f"{typed(agent)} is no agent", "give one of reverie.agent(…)")


async def searched(agent: AsyncAgent, query: str, *, limit: int) -> list[MemoryHit | EpisodeHit]:
    """Return memories and what was said, most relevant first, at most ``limit``; no episode from which a memory among
    them was made. Raise InvalidInput.
    """
    memories = (await agent.recall(query, limit=limit)).hits
    episodes = (await agent.recall_episodes(query, limit=limit)).hits
    known = {id for hit in memories for id in hit.memory.source_episodes}
    found: list[MemoryHit | EpisodeHit] = [*memories, *(hit for hit in episodes if hit.id not in known)]
    return sorted(found, key=lambda hit: -hit.relevance)[:limit]


def told(hits: Sequence[MemoryHit | EpisodeHit], budget: int, *, lead: str | None = None) -> str:
    """Return the hits that fit as a text between our markers, each labelled with whose word it is. ``observe`` leaves
    such a text out, so what memory tells never comes back as something that was said.
    """
    return within(hits, lead=lead, budget=budget, tokens=estimated).text if hits or lead else ""


def joined(texts: Sequence[str]) -> str | None:
    """Return texts one below the other; None for nothing."""
    return "\n".join(text for text in texts if text.strip()) or None


def estimated(text: str) -> int:
    """Return about how many tokens a text is."""
    return -(-len(text.encode()) // BYTES_PER_TOKEN)
