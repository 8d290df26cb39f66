"""The soul table: who the agent is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reverie.domain.soul import SoulEntry
from reverie.domain.time import from_micros, micros
from reverie.store.executor import Executor
from reverie.store.revisions import next_stamp


@dataclass(frozen=True, slots=True)
class SoulRows:
    """``ports.upkeep.Soul`` over an executor."""

    executor: Executor
    agent_id: str

    def add(self, entry: SoulEntry) -> None:
        """See the port."""
        next_stamp(self.executor, self.agent_id)
        self.executor.run(
            "INSERT INTO soul (agent_id, id, text, created_at) VALUES (?, ?, ?, ?)",
            (self.agent_id, entry.id, entry.text, micros(entry.created_at)),
        )

    def list(self) -> Sequence[SoulEntry]:
        """See the port."""
        rows = self.executor.run(
            "SELECT id, text, created_at FROM soul WHERE agent_id = ? ORDER BY created_at, id",
            (self.agent_id,),
        )
        return [SoulEntry(id=id, text=text, created_at=from_micros(at)) for id, text, at in rows]

    def remove(self, id: str) -> None:
        """See the port."""
        gone = self.executor.run(
            "DELETE FROM soul WHERE agent_id = ? AND id = ? RETURNING id", (self.agent_id, id)
        )
        if gone:
            next_stamp(self.executor, self.agent_id)
