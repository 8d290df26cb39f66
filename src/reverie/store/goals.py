"""The achievements table: which goals were reached."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from reverie.domain.goal import Achieved
from reverie.domain.time import from_micros, micros
from reverie.store.executor import Executor, Row, chunks, padded
from reverie.store.revisions import next_stamp
from reverie.store.where import between

_ACHIEVED = "SELECT memory_id, at, note FROM achievements WHERE agent_id = ?"


@dataclass(frozen=True, slots=True)
class GoalRows:
    """``ports.upkeep.Goals`` over an executor."""

    executor: Executor
    agent_id: str

    def achieve(self, achieved: Achieved) -> None:
        """See the port."""
        next_stamp(self.executor, self.agent_id)
        self.executor.run(
            "INSERT INTO achievements (agent_id, memory_id, at, note) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (self.agent_id, achieved.memory_id, micros(achieved.at), achieved.note),
        )

    def reopen(self, memory_id: str) -> None:
        """See the port."""
        next_stamp(self.executor, self.agent_id)
        self.executor.run(
            "DELETE FROM achievements WHERE agent_id = ? AND memory_id = ?", (self.agent_id, memory_id)
        )

    def achieved(self, ids: Collection[str] | None = None) -> Mapping[str, Achieved]:
        """See the port."""
        rows: list[Row] = []
        if ids is None:
            rows = self.executor.run(f"{_ACHIEVED} ORDER BY memory_id", (self.agent_id,))
        else:
            for some in chunks(ids):
                marks, params = padded(some)
                rows += self.executor.run(f"{_ACHIEVED} AND memory_id IN ({marks})", (self.agent_id, *params))
        return {id: Achieved(memory_id=id, at=from_micros(at), note=note) for id, at, note in rows}

    def drop_notes(self, since: datetime | None, until: datetime | None) -> None:
        """See the port."""
        next_stamp(self.executor, self.agent_id)
        condition, params = between("at", since, until)
        self.executor.run(
            f"UPDATE achievements SET note = NULL WHERE agent_id = ?{condition}", (self.agent_id, *params)
        )
