"""The portraits table: sections of the self-portrait that a model wrote."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from reverie.domain.time import micros
from reverie.store.executor import Executor, Row, chunks, padded

_FILE = "file:"  # no section has such a name


@dataclass(frozen=True, slots=True)
class PortraitRows:
    """``ports.rest.Portraits`` over an executor."""

    executor: Executor
    agent_id: str

    def get(self) -> Mapping[str, str]:
        """See the port."""
        return {section: text for section, text in self._rows() if not section.startswith(_FILE)}

    def put(self, sections: Mapping[str, str], at: datetime) -> None:
        """See the port."""
        self.clear()
        self._add(sections, at)

    def clear(self) -> None:
        """See the port."""
        self._drop(self.get())

    def files(self) -> Sequence[str]:
        """See the port."""
        return [text for section, text in self._rows() if section.startswith(_FILE)]

    def note_file(self, path: str, at: datetime) -> None:
        """See the port."""
        if path not in self.files():
            self._add({f"{_FILE}{path}": path}, at)

    def _rows(self) -> Sequence[Row]:
        return self.executor.run(
            "SELECT section, text FROM portraits WHERE agent_id = ? ORDER BY section", (self.agent_id,)
        )

    def _add(self, texts: Mapping[str, str], at: datetime) -> None:
        self.executor.many(
            "INSERT INTO portraits (agent_id, section, text, at) VALUES (?, ?, ?, ?)",
            [(self.agent_id, section, text, micros(at)) for section, text in sorted(texts.items())],
        )

    def _drop(self, sections: Collection[str]) -> None:
        for some in chunks(sections):
            marks, params = padded(some)
            self.executor.run(
                f"DELETE FROM portraits WHERE agent_id = ? AND section IN ({marks})", (self.agent_id, *params)
            )
