"""The tables of goals: which were reached, and when they fall due."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from reverie.domain.goal import Achieved
from reverie.domain.kinds import Kind
from reverie.domain.memory import State
from reverie.domain.time import from_micros, micros
from reverie.store.table import TableRows, table
from reverie.store.where import between

ACHIEVEMENTS = table("achievements", "memory_id, at, note", key="memory_id")
DUES = table("dues", "memory_id, at", key="memory_id")

_OPEN = """SELECT COUNT(*) FROM memories m WHERE m.agent_id = ? AND m.kind = ? AND m.state = ?
AND m.superseded_by IS NULL AND NOT EXISTS (SELECT 1 FROM achievements a WHERE a.agent_id = m.agent_id
AND a.memory_id = m.id)"""


class GoalRows(TableRows):
    """``ports.upkeep.Goals`` over an executor."""

    table = ACHIEVEMENTS

    def achieve(self, achieved: Achieved) -> None:
        self.bump()
        self.insert([(achieved.memory_id, micros(achieved.at), achieved.note)], " ON CONFLICT DO NOTHING")

    def reopen(self, memory_id: str) -> None:
        self.bump()
        self.drop(" AND memory_id = ?", memory_id)

    def achieved(self, ids: Collection[str] | None = None) -> Mapping[str, Achieved]:
        rows = self.select(" ORDER BY memory_id") if ids is None else self.among("memory_id", ids)
        return {id: Achieved(memory_id=id, at=from_micros(at), note=note) for id, at, note in rows}

    def count_open(self) -> int:
        [(count,)] = self.run(_OPEN, str(Kind.GOAL), str(State.ACTIVE))
        return int(count)

    def drop_notes(self, since: datetime | None, until: datetime | None) -> None:
        self.bump()
        condition, params = between("at", since, until)
        self.change("note = NULL", (), condition, *params)


class DueRows(TableRows):
    """``ports.upkeep.Dues`` over an executor."""

    table = DUES

    def put(self, memory_id: str, at: datetime) -> None:
        self.bump()
        self.upsert((memory_id, micros(at)))

    def remove(self, memory_id: str) -> None:
        self.bump()
        self.drop(" AND memory_id = ?", memory_id)

    def get(self, ids: Collection[str]) -> Mapping[str, datetime]:
        return {id: from_micros(at) for id, at in self.among("memory_id", ids)}

    def between(self, since: datetime | None, until: datetime | None) -> Mapping[str, datetime]:
        condition, params = between("at", since, until)
        rows = self.select(f"{condition} ORDER BY at, memory_id", *params)
        return {id: from_micros(at) for id, at in rows}
