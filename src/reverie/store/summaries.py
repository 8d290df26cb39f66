"""The summaries table: what a memory that is a summary stands for."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from reverie.domain.summary import Summary
from reverie.domain.time import from_micros, micros
from reverie.store.executor import Executor, Row, chunks, padded
from reverie.store.revisions import next_stamp

_COLUMNS = (
    "memory_id, job, conversation_id, first_position, last_position, items, began_at, ended_at, created_at"
)
_SELECT = f"SELECT {_COLUMNS} FROM summaries WHERE agent_id = ?"
_LIVE = """SELECT c.id, COUNT(*) FROM conversations c
JOIN episodes e ON e.agent_id = c.agent_id AND e.conversation_id = c.id
WHERE c.agent_id = ? AND NOT EXISTS (
    SELECT 1 FROM summaries s WHERE s.agent_id = e.agent_id AND s.conversation_id = e.conversation_id
    AND e.position >= s.first_position AND e.position <= s.last_position
) GROUP BY c.id ORDER BY c.id"""


@dataclass(frozen=True, slots=True)
class SummaryRows:
    """``ports.society.Summaries`` over an executor."""

    executor: Executor
    agent_id: str

    def add(self, summary: Summary) -> None:
        """See the port."""
        next_stamp(self.executor, self.agent_id)
        self.executor.run(
            f"INSERT INTO summaries (agent_id, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                self.agent_id, summary.memory_id, summary.job, summary.conversation, summary.first, summary.last,
                summary.items, micros(summary.began_at), micros(summary.ended_at), micros(summary.created_at),
            ),
        )  # fmt: skip

    def get(self, memory_ids: Collection[str]) -> Mapping[str, Summary]:
        """See the port."""
        found: dict[str, Summary] = {}
        for some in chunks(sorted(set(memory_ids))):
            marks, params = padded(some)
            rows = self.executor.run(f"{_SELECT} AND memory_id IN ({marks})", (self.agent_id, *params))
            found.update((one.memory_id, one) for one in map(_summary, rows))
        return found

    def list(self, *, limit: int = 100, after: str | None = None) -> Sequence[Summary]:
        """See the port."""
        rows = self.executor.run(
            f"{_SELECT} AND memory_id > ? ORDER BY memory_id LIMIT ?", (self.agent_id, after or "", limit)
        )
        return [*map(_summary, rows)]

    def closed(self, conversation: str) -> Sequence[Summary]:
        """See the port."""
        rows = self.executor.run(
            f"{_SELECT} AND conversation_id = ? ORDER BY first_position", (self.agent_id, conversation)
        )
        return [*map(_summary, rows)]

    def live(self) -> Mapping[str, int]:
        """See the port."""
        return {row[0]: row[1] for row in self.executor.run(_LIVE, (self.agent_id,))}

    def open_spans(self, conversation: str) -> Sequence[tuple[int, int | None]]:
        """See the port."""
        spans: list[tuple[int, int | None]] = []
        begin = 0
        for one in self.closed(conversation):
            assert one.first is not None
            assert one.last is not None
            if one.first > begin:
                spans.append((begin, one.first))
            begin = max(begin, one.last + 1)
        return [*spans, (begin, None)]


def _summary(row: Row) -> Summary:
    memory_id, job, conversation, first, last, items, began_at, ended_at, created_at = row
    return Summary(
        memory_id=memory_id, job=job, conversation=conversation, first=first, last=last, items=items,
        began_at=from_micros(began_at), ended_at=from_micros(ended_at), created_at=from_micros(created_at),
    )  # fmt: skip
