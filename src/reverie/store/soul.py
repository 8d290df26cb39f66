"""The soul table: who the agent is."""

from __future__ import annotations

from collections.abc import Sequence

from reverie.domain.soul import SoulEntry
from reverie.domain.time import from_micros, micros
from reverie.store.table import TableRows, table

SOUL = table("soul", "id, text, created_at", key="id")


class SoulRows(TableRows):
    """``ports.upkeep.Soul`` over an executor."""

    table = SOUL

    def add(self, entry: SoulEntry) -> None:
        self.bump()
        self.insert([(entry.id, entry.text, micros(entry.created_at))])

    def list(self) -> Sequence[SoulEntry]:
        rows = self.select(" ORDER BY created_at, id")
        return [SoulEntry(id=id, text=text, created_at=from_micros(at)) for id, text, at in rows]

    def remove(self, id: str) -> None:
        if self.dropped(" AND id = ?", id):
            self.bump()
