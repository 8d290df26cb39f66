"""The outbox table: writes that wait for an embedder."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

from reverie.domain.queued import QueuedWrite
from reverie.domain.time import from_micros, micros
from reverie.ports.transfer import Part
from reverie.store.rows import json_text
from reverie.store.table import TableRows, table

OUTBOX = table("outbox", "id, place, at, verb, payload, failure", key="id", part=Part.UNREVISED)
_WAITING = " AND failure IS NULL"
_BEHIND = " AND (place, id) > (SELECT place, id FROM outbox WHERE agent_id = ? AND id = ?)"


class OutboxRows(TableRows):
    """``ports.rest.Outbox`` over an executor."""

    table = OUTBOX

    def add(self, write: QueuedWrite) -> None:
        place = write.place
        if place is None:
            [(last,)] = self.run("SELECT COALESCE(MAX(place), 0) FROM outbox WHERE agent_id = ?")
            place = last + 1
        payload = json_text(dict(write.payload))
        self.insert([(write.id, place, micros(write.at), write.verb, payload, write.failure)])

    def list(
        self, *, limit: int = 100, after: str | None = None, waiting: bool = False
    ) -> Sequence[QueuedWrite]:
        condition, params = ("", ()) if after is None else (_BEHIND, (self.agent_id, after))
        rest = f"{_WAITING if waiting else ''}{condition} ORDER BY place, id LIMIT ?"
        return [
            QueuedWrite(
                id=id, at=from_micros(at), verb=verb, payload=json.loads(payload), place=place, failure=failure
            )
            for id, place, at, verb, payload, failure in self.select(rest, *params, limit)
        ]  # fmt: skip

    def set_aside(self, id: str, failure: str) -> int:
        return self.change("failure = ?", [failure], f" AND id = ?{_WAITING}", id)

    def take_up(self) -> int:
        return self.change("failure = NULL", (), " AND failure IS NOT NULL")

    def remove(self, ids: Collection[str]) -> int:
        return self.drop_among("id", ids)

    def count(self, *, waiting: bool = False) -> int:
        return self.row_count(_WAITING if waiting else "")

    def clear(self) -> None:
        self.drop()
