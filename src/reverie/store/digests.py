"""The digests table: summaries of messages, so that the same history isn't summarized twice."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from reverie.domain.time import micros
from reverie.store.executor import Executor, chunks, padded

KEPT = 1_000


@dataclass(frozen=True, slots=True)
class DigestRows:
    """``ports.upkeep.Digests`` over an executor."""

    executor: Executor
    agent_id: str

    def get(self, keys: Collection[bytes]) -> Mapping[bytes, str]:
        """See the port."""
        found: dict[bytes, str] = {}
        for some in chunks(keys):
            marks, params = padded(some)
            rows = self.executor.run(
                f"SELECT key, text FROM digests WHERE agent_id = ? AND key IN ({marks})",
                (self.agent_id, *params),
            )
            found.update((bytes(key), text) for key, text in rows)
        return found

    def put(self, key: bytes, text: str, at: datetime) -> None:
        """See the port."""
        self.executor.run(
            "INSERT INTO digests (agent_id, key, text, at) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (agent_id, key) DO UPDATE SET text = excluded.text, at = excluded.at",
            (self.agent_id, key, text, micros(at)),
        )
        oldest = self.executor.run(
            "SELECT at, key FROM digests WHERE agent_id = ? ORDER BY at DESC, key DESC LIMIT 1 OFFSET ?",
            (self.agent_id, KEPT),
        )
        for at_, key_ in oldest:
            self.executor.run(
                "DELETE FROM digests WHERE agent_id = ? AND (at, key) <= (?, ?)", (self.agent_id, at_, key_)
            )

    def clear(self) -> None:
        """See the port."""
        self.executor.run("DELETE FROM digests WHERE agent_id = ?", (self.agent_id,))
