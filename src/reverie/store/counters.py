"""The counters table: numbers that only grow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reverie.store.executor import Executor


@dataclass(frozen=True, slots=True)
class CounterRows:
    """``ports.upkeep.Counters`` over an executor."""

    executor: Executor
    agent_id: str

    def add(self, counts: Mapping[str, int]) -> None:
        """See the port."""
        self.executor.many(
            "INSERT INTO counters (agent_id, name, count) VALUES (?, ?, ?)"
            " ON CONFLICT (agent_id, name) DO UPDATE SET count = counters.count + excluded.count",
            [(self.agent_id, name, count) for name, count in sorted(counts.items()) if count],
        )

    def all(self) -> Mapping[str, int]:
        """See the port."""
        rows = self.executor.run(
            "SELECT name, count FROM counters WHERE agent_id = ? ORDER BY name", (self.agent_id,)
        )
        return dict(rows)
