"""The nights table: what a host's model was asked about and hasn't answered yet."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from reverie.domain.time import from_micros, micros
from reverie.store.executor import Executor


@dataclass(frozen=True, slots=True)
class NightRows:
    """``ports.rest.Nights`` over an executor."""

    executor: Executor
    agent_id: str

    def put(self, id: str, asked_at: datetime, body: str) -> None:
        """See the port."""
        self.executor.run(
            "INSERT INTO nights (agent_id, id, asked_at, body) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (agent_id, id) DO UPDATE SET asked_at = excluded.asked_at, body = excluded.body",
            (self.agent_id, id, micros(asked_at), body),
        )

    def get(self, id: str) -> tuple[datetime, str] | None:
        """See the port."""
        rows = self.executor.run(
            "SELECT asked_at, body FROM nights WHERE agent_id = ? AND id = ?", (self.agent_id, id)
        )
        for asked_at, body in rows:
            return from_micros(asked_at), body
        return None

    def drop(self, id: str) -> None:
        """See the port."""
        self.executor.run("DELETE FROM nights WHERE agent_id = ? AND id = ?", (self.agent_id, id))

    def clear(self) -> None:
        """See the port."""
        self.executor.run("DELETE FROM nights WHERE agent_id = ?", (self.agent_id,))
