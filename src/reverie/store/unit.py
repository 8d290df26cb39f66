"""Unit: the aggregates of one agent over one transaction."""

from __future__ import annotations

from reverie.store.agents import AgentRows
from reverie.store.audit import AuditRows
from reverie.store.conversations import ConversationRows
from reverie.store.episodes import EpisodeRows
from reverie.store.executor import Executor
from reverie.store.memories import MemoryRows
from reverie.store.tombstones import TombstoneRows
from reverie.store.transfer import TransferRows


class StoreUnit:
    """``ports.store.Unit``: it reads and writes one agent's rows, since every statement is bound to its id."""

    def __init__(self, executor: Executor, agent_id: str) -> None:
        self.agents = AgentRows(executor, agent_id)
        self.conversations = ConversationRows(executor, agent_id)
        self.episodes = EpisodeRows(executor, agent_id, self.conversations)
        self.memories = MemoryRows(executor, agent_id)
        self.audit = AuditRows(executor, agent_id)
        self.tombstones = TombstoneRows(executor, agent_id)
        self.transfer = TransferRows(executor, agent_id)
