"""The watermarks table: how far background jobs have come in each conversation."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from reverie.domain.job import MOST_AHEAD, MOST_REST, NEVER
from reverie.domain.time import from_micros, micros
from reverie.domain.watermark import Behind, Watermark
from reverie.ports.transfer import Part
from reverie.store.executor import Row
from reverie.store.rows import moment
from reverie.store.table import TableRows, table

WATERMARKS = table(
    "watermarks", "job, conversation_id, position, failures, parked_until", key="job, conversation_id",
    part=Part.UNREVISED,
)  # fmt: skip
_BEHIND = """SELECT c.id, c.next_position, c.last_at, w.position, w.failures, w.parked_until
FROM conversations c LEFT JOIN watermarks w
    ON w.agent_id = c.agent_id AND w.conversation_id = c.id AND w.job = ?
WHERE c.agent_id = ? AND c.next_position > COALESCE(w.position, 0)
    AND (COALESCE(w.parked_until, ?) <= ? OR (w.parked_until > ? AND w.parked_until < ?))
ORDER BY c.last_at, c.id LIMIT ?"""


class WatermarkRows(TableRows):
    """``ports.upkeep.Watermarks`` over an executor."""

    table = WATERMARKS

    def get(self, job: str, conversation: str) -> Watermark:
        rows = self.select(" AND job = ? AND conversation_id = ?", job, conversation)
        return _watermark(rows[0]) if rows else Watermark(job=job, conversation=conversation)

    def behind(self, job: str, *, now: datetime, limit: int = 100) -> Sequence[Behind]:
        at, too_far = micros(now), micros(now + MOST_REST + MOST_AHEAD)
        rows = self.executor.run(_BEHIND, (job, self.agent_id, at, at, too_far, micros(NEVER), limit))
        return [
            Behind(
                watermark=_watermark((job, id, position or 0, failures or 0, parked_until)),
                next_position=next_position,
                last_at=from_micros(last_at),
            )
            for id, next_position, last_at, position, failures, parked_until in rows
        ]

    def advance(self, job: str, conversation: str, *, seen: int, position: int) -> bool:
        return self._set(job, conversation, seen, "position = ?, failures = 0, parked_until = NULL", position)

    def fail(self, job: str, conversation: str, *, seen: int, parked_until: datetime) -> bool:
        change = "failures = failures + 1, parked_until = ?"
        return self._set(job, conversation, seen, change, micros(parked_until))

    def next_try(self, job: str) -> datetime | None:
        rows = self.executor.run(
            "SELECT MIN(w.parked_until) FROM watermarks w JOIN conversations c ON c.agent_id = w.agent_id"
            " AND c.id = w.conversation_id WHERE w.agent_id = ? AND w.job = ? AND c.next_position > w.position"
            " AND w.parked_until < ?",
            (self.agent_id, job, micros(NEVER)),
        )
        return moment(rows[0][0])

    def count_behind(self, job: str) -> int:
        rows = self.executor.run(
            "SELECT COUNT(*) FROM conversations c LEFT JOIN watermarks w ON w.agent_id = c.agent_id"
            " AND w.conversation_id = c.id AND w.job = ?"
            " WHERE c.agent_id = ? AND c.next_position > COALESCE(w.position, 0)",
            (job, self.agent_id),
        )
        return int(rows[0][0])

    def failing(self, job: str) -> Sequence[Watermark]:
        rows = self.select(" AND job = ? AND failures > 0 ORDER BY conversation_id", job)
        return [*map(_watermark, rows)]

    def _set(self, job: str, conversation: str, seen: int, change: str, value: int) -> bool:
        """Change the watermark where it is at ``seen``. Do nothing for a conversation that has gone."""
        if seen == 0:
            self.executor.run(
                "INSERT INTO watermarks (agent_id, job, conversation_id, position, failures)"
                " SELECT agent_id, ?, id, 0, 0 FROM conversations WHERE agent_id = ? AND id = ?"
                " ON CONFLICT DO NOTHING",
                (job, self.agent_id, conversation),
            )
        same = " AND job = ? AND conversation_id = ? AND position = ?"
        return bool(self.change(change, [value], same, job, conversation, seen))


def _watermark(row: Row) -> Watermark:
    job, conversation, position, failures, parked_until = row
    return Watermark(
        job=job,
        conversation=conversation,
        position=position,
        failures=failures,
        parked_until=moment(parked_until),
    )
