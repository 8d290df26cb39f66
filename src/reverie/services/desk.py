"""The desk that every service works at: the ports and callables that wiring chose."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from reverie.domain.agent import Agent
from reverie.domain.ids import Ids
from reverie.domain.settings import Settings
from reverie.domain.time import Clock, zone_of
from reverie.errors import EmbedderMismatch
from reverie.ports.embedder import Embedder
from reverie.ports.search import Search
from reverie.ports.store import Store, Unit
from reverie.rules.budget import estimated_tokens
from reverie.services.touches import Touches

Progress = Callable[[int, int], None]
"""Called with how many are done and how many there are."""


def placed(many: str, place: int, count: int) -> str:
    """How an error names an item of a batch: ``memories[3].``; nothing where the batch is a single item."""
    return f"{many}[{place}]." if count > 1 else ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Desk:
    """What a service needs; nothing here is a concrete engine's."""

    store: Store
    search: Search
    embedder: Embedder
    clock: Clock
    ids: Ids
    secret: Callable[[], bytes]
    settings: Settings
    touches: Touches

    def tokens(self, text: str, enough: int | None = None) -> int:
        """What a text costs, by the built-in estimate."""
        return estimated_tokens(text, self.embedder.count_tokens, enough=enough)

    def zone(self, agent_id: str) -> ZoneInfo:
        """The agent's time zone; UTC for one that has never written."""
        with self.store.read(agent_id) as unit:
            agent = unit.agents.get()
        return zone_of(agent.time_zone if agent else "UTC")

    def check_embedder(self, agent_id: str, known: tuple[str, int] | None) -> None:
        """Raises EmbedderMismatch if the bank's vectors are another embedder's."""
        if known is not None and known != (self.embedder.id, self.embedder.dimensions):
            raise EmbedderMismatch(agent_id, known[0], self.embedder.id)

    def begin(self, unit: Unit, agent_id: str) -> Agent:
        """At the start of a write that stores vectors: the agent's row is there and the embedder is the
        bank's.
        """
        agent = unit.agents.get()
        if agent is None:
            agent = Agent(id=agent_id, created_at=self.clock())
            unit.agents.put(agent, self.secret())
        known = unit.agents.embedder()
        self.check_embedder(agent_id, known)
        if known is None:
            unit.agents.set_embedder(self.embedder.id, self.embedder.dimensions)
        return agent
