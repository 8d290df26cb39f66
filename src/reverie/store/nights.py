"""The nights table: what a host's model was asked about and hasn't answered yet."""

from __future__ import annotations

from datetime import datetime

from reverie.domain.time import from_micros, micros
from reverie.ports.transfer import Part
from reverie.store.table import TableRows, table

NIGHTS = table("nights", "id, asked_at, body", key="id", part=Part.CACHE)


class NightRows(TableRows):
    """``ports.rest.Nights`` over an executor."""

    table = NIGHTS

    def put(self, id: str, asked_at: datetime, body: str) -> None:
        self.upsert((id, micros(asked_at), body))

    def get(self, id: str) -> tuple[datetime, str] | None:
        for _, asked_at, body in self.select(" AND id = ?", id):
            return from_micros(asked_at), body
        return None

    def remove(self, id: str) -> None:
        self.drop(" AND id = ?", id)

    def clear(self) -> None:
        self.drop()
