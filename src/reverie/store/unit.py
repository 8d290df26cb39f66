"""The aggregates of one agent over one transaction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from reverie.store.agents import AgentRows
from reverie.store.audit import AuditRows
from reverie.store.conversations import ConversationRows
from reverie.store.counters import CounterRows
from reverie.store.diary import DiaryRows
from reverie.store.digests import DigestRows
from reverie.store.episodes import EpisodeRows
from reverie.store.executor import Executor
from reverie.store.fresh import FreshRows
from reverie.store.goals import DueRows, GoalRows
from reverie.store.items import ItemRows
from reverie.store.jobs import JobRows
from reverie.store.links import LinkRows
from reverie.store.memories import MemoryRows
from reverie.store.nights import NightRows
from reverie.store.outbox import OutboxRows
from reverie.store.portraits import PortraitRows
from reverie.store.procedures import ProcedureRows
from reverie.store.relationships import RelationshipRows
from reverie.store.sleeps import SleepRows
from reverie.store.soul import SoulRows
from reverie.store.summaries import SummaryRows
from reverie.store.tombstones import TombstoneRows
from reverie.store.transfer import TransferRows
from reverie.store.undo import UndoRows
from reverie.store.usage import UsageRows
from reverie.store.watermarks import WatermarkRows

Rows = TypeVar("Rows")


class _Aggregate(Generic[Rows]):
    """An aggregate that is made when it is first asked for: most units need one or two of them."""

    def __init__(self, made: Callable[[Executor, str], Rows]) -> None:
        self._made = made

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, unit: StoreUnit, owner: type) -> Rows:
        rows = unit.__dict__[self._name] = self._made(unit.executor, unit.agent_id)
        return rows


class StoreUnit:
    """``ports.store.Unit``: it reads and writes one agent's rows, since every statement is bound to its id."""

    agents = _Aggregate(AgentRows)
    conversations = _Aggregate(ConversationRows)
    episodes = _Aggregate(EpisodeRows)
    memories = _Aggregate(MemoryRows)
    audit = _Aggregate(AuditRows)
    tombstones = _Aggregate(TombstoneRows)
    soul = _Aggregate(SoulRows)
    procedures = _Aggregate(ProcedureRows)
    goals = _Aggregate(GoalRows)
    dues = _Aggregate(DueRows)
    watermarks = _Aggregate(WatermarkRows)
    counters = _Aggregate(CounterRows)
    digests = _Aggregate(DigestRows)
    sleeps = _Aggregate(SleepRows)
    jobs = _Aggregate(JobRows)
    usage = _Aggregate(UsageRows)
    portraits = _Aggregate(PortraitRows)
    nights = _Aggregate(NightRows)
    outbox = _Aggregate(OutboxRows)
    fresh = _Aggregate(FreshRows)
    undo = _Aggregate(UndoRows)
    diary = _Aggregate(DiaryRows)
    items = _Aggregate(ItemRows)
    relationships = _Aggregate(RelationshipRows)
    summaries = _Aggregate(SummaryRows)
    links = _Aggregate(LinkRows)
    transfer = _Aggregate(TransferRows)

    def __init__(self, executor: Executor, agent_id: str) -> None:
        self.executor, self.agent_id = executor, agent_id
