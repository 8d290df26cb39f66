"""Unit: the aggregates of one agent over one transaction."""

from __future__ import annotations

from reverie.store.agents import AgentRows
from reverie.store.audit import AuditRows
from reverie.store.conversations import ConversationRows
from reverie.store.counters import CounterRows
from reverie.store.digests import DigestRows
from reverie.store.episodes import EpisodeRows
from reverie.store.executor import Executor
from reverie.store.fresh import FreshRows
from reverie.store.goals import GoalRows
from reverie.store.jobs import JobRows
from reverie.store.memories import MemoryRows
from reverie.store.outbox import OutboxRows
from reverie.store.portraits import PortraitRows
from reverie.store.procedures import ProcedureRows
from reverie.store.sleeps import SleepRows
from reverie.store.soul import SoulRows
from reverie.store.tombstones import TombstoneRows
from reverie.store.transfer import TransferRows
from reverie.store.undo import UndoRows
from reverie.store.usage import UsageRows
from reverie.store.watermarks import WatermarkRows


class StoreUnit:
    """``ports.store.Unit``: it reads and writes one agent's rows, since every statement is bound to its id."""

    def __init__(self, executor: Executor, agent_id: str) -> None:
        self.agents = AgentRows(executor, agent_id)
        self.conversations = ConversationRows(executor, agent_id)
        self.episodes = EpisodeRows(executor, agent_id, self.conversations)
        self.memories = MemoryRows(executor, agent_id)
        self.audit = AuditRows(executor, agent_id)
        self.tombstones = TombstoneRows(executor, agent_id)
        self.soul = SoulRows(executor, agent_id)
        self.procedures = ProcedureRows(executor, agent_id)
        self.goals = GoalRows(executor, agent_id)
        self.watermarks = WatermarkRows(executor, agent_id)
        self.counters = CounterRows(executor, agent_id)
        self.digests = DigestRows(executor, agent_id)
        self.sleeps = SleepRows(executor, agent_id)
        self.jobs = JobRows(executor, agent_id)
        self.usage = UsageRows(executor, agent_id)
        self.portraits = PortraitRows(executor, agent_id)
        self.outbox = OutboxRows(executor, agent_id)
        self.fresh = FreshRows(executor, agent_id)
        self.undo = UndoRows(executor, agent_id)
        self.transfer = TransferRows(executor, agent_id)
