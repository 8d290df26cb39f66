"""The outbox table: writes that wait for an embedder."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from reverie.domain.queued import QueuedWrite
from reverie.domain.time import from_micros, micros
from reverie.store.executor import Executor, chunks, padded
from reverie.store.rows import json_text


@dataclass(frozen=True, slots=True)
class OutboxRows:
    """``ports.rest.Outbox`` over an executor."""

    executor: Executor
    agent_id: str

    def add(self, write: QueuedWrite) -> None:
        """See the port."""
        self.executor.run(
            "INSERT INTO outbox (agent_id, id, at, verb, payload) VALUES (?, ?, ?, ?, ?)",
            (self.agent_id, write.id, micros(write.at), write.verb, json_text(dict(write.payload))),
        )

    def list(self, *, limit: int = 100, after: str | None = None) -> Sequence[QueuedWrite]:
        """See the port."""
        condition, params = ("", ()) if after is None else (" AND id > ?", (after,))
        rows = self.executor.run(
            f"SELECT id, at, verb, payload FROM outbox WHERE agent_id = ?{condition} ORDER BY id LIMIT ?",
            (self.agent_id, *params, limit),
        )
        return [
            QueuedWrite(id=id, at=from_micros(at), verb=verb, payload=json.loads(payload))
            for id, at, verb, payload in rows
        ]

    def remove(self, ids: Collection[str]) -> int:
        """See the port."""
        gone = 0
        for some in chunks(ids):
            marks, params = padded(some)
            gone += len(
                self.executor.run(
                    f"DELETE FROM outbox WHERE agent_id = ? AND id IN ({marks}) RETURNING id",
                    (self.agent_id, *params),
                )
            )
        return gone

    def count(self) -> int:
        """See the port."""
        rows = self.executor.run("SELECT COUNT(*) FROM outbox WHERE agent_id = ?", (self.agent_id,))
        return int(rows[0][0])

    def clear(self) -> None:
        """See the port."""
        self.executor.run("DELETE FROM outbox WHERE agent_id = ?", (self.agent_id,))
