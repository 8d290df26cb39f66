"""The outbox table: writes that wait for an embedder."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from reverie.domain.queued import QueuedWrite
from reverie.domain.time import from_micros, micros
from reverie.store.executor import Executor, chunks, padded
from reverie.store.rows import json_text

_WAITING = " AND failure IS NULL"
_BEHIND = " AND (place, id) > (SELECT place, id FROM outbox WHERE agent_id = ? AND id = ?)"


@dataclass(frozen=True, slots=True)
class OutboxRows:
    """``ports.rest.Outbox`` over an executor."""

    executor: Executor
    agent_id: str

    def add(self, write: QueuedWrite) -> None:
        """See the port."""
        self.executor.run(
            "INSERT INTO outbox (agent_id, id, place, at, verb, payload, failure) VALUES (?, ?,"
            " COALESCE(?, (SELECT COALESCE(MAX(place), 0) + 1 FROM outbox WHERE agent_id = ?)), ?, ?, ?, ?)",
            (
                self.agent_id, write.id, write.place, self.agent_id, micros(write.at), write.verb,
                json_text(dict(write.payload)), write.failure,
            ),
        )  # fmt: skip

    def list(
        self, *, limit: int = 100, after: str | None = None, waiting: bool = False
    ) -> Sequence[QueuedWrite]:
        """See the port."""
        condition, params = ("", ()) if after is None else (_BEHIND, (self.agent_id, after))
        rows = self.executor.run(
            "SELECT id, place, at, verb, payload, failure FROM outbox"
            f" WHERE agent_id = ?{_WAITING if waiting else ''}{condition} ORDER BY place, id LIMIT ?",
            (self.agent_id, *params, limit),
        )
        return [
            QueuedWrite(
                id=id,
                at=from_micros(at),
                verb=verb,
                payload=json.loads(payload),
                place=place,
                failure=failure,
            )
            for id, place, at, verb, payload, failure in rows
        ]

    def set_aside(self, id: str, failure: str) -> int:
        """See the port."""
        rows = self.executor.run(
            "UPDATE outbox SET failure = ? WHERE agent_id = ? AND id = ? AND failure IS NULL RETURNING id",
            (failure, self.agent_id, id),
        )
        return len(rows)

    def take_up(self) -> int:
        """See the port."""
        rows = self.executor.run(
            "UPDATE outbox SET failure = NULL WHERE agent_id = ? AND failure IS NOT NULL RETURNING id",
            (self.agent_id,),
        )
        return len(rows)

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

    def count(self, *, waiting: bool = False) -> int:
        """See the port."""
        rows = self.executor.run(
            f"SELECT COUNT(*) FROM outbox WHERE agent_id = ?{_WAITING if waiting else ''}", (self.agent_id,)
        )
        return int(rows[0][0])

    def clear(self) -> None:
        """See the port."""
        self.executor.run("DELETE FROM outbox WHERE agent_id = ?", (self.agent_id,))
