"""The portraits table: sections of the self-portrait that a model wrote."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from reverie.domain.time import micros
from reverie.store.executor import Executor


@dataclass(frozen=True, slots=True)
class PortraitRows:
    """``ports.rest.Portraits`` over an executor."""

    executor: Executor
    agent_id: str

    def get(self) -> Mapping[str, str]:
        """See the port."""
        rows = self.executor.run(
            "SELECT section, text FROM portraits WHERE agent_id = ? ORDER BY section", (self.agent_id,)
        )
        return dict(rows)

    def put(self, sections: Mapping[str, str], at: datetime) -> None:
        """See the port."""
        self.clear()
        self.executor.many(
            "INSERT INTO portraits (agent_id, section, text, at) VALUES (?, ?, ?, ?)",
            [(self.agent_id, section, text, micros(at)) for section, text in sorted(sections.items())],
        )

    def clear(self) -> None:
        """See the port."""
        self.executor.run("DELETE FROM portraits WHERE agent_id = ?", (self.agent_id,))
