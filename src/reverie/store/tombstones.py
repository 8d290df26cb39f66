"""The tombstones table: digests of what was forgotten."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from reverie.domain.time import micros
from reverie.store.executor import Executor, chunks, padded


@dataclass(frozen=True, slots=True)
class TombstoneRows:
    """``ports.store.Tombstones`` over an executor."""

    executor: Executor
    agent_id: str

    def add(self, digests: Collection[bytes], at: datetime) -> None:
        """See the port."""
        self.executor.many(
            "INSERT INTO tombstones (agent_id, digest, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [(self.agent_id, digest, micros(at)) for digest in digests],
        )

    def known(self, digests: Collection[bytes]) -> frozenset[bytes]:
        """See the port."""
        found: set[bytes] = set()
        for some in chunks(digests):
            marks, params = padded(some)
            rows = self.executor.run(
                f"SELECT digest FROM tombstones WHERE agent_id = ? AND digest IN ({marks})",
                (self.agent_id, *params),
            )
            found.update(bytes(row[0]) for row in rows)
        return frozenset(found)

    def remove(self, digests: Collection[bytes]) -> None:
        """See the port."""
        for some in chunks(digests):
            marks, params = padded(some)
            self.executor.run(
                f"DELETE FROM tombstones WHERE agent_id = ? AND digest IN ({marks})", (self.agent_id, *params)
            )
