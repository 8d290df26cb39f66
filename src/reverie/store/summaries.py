"""The summaries table: what a memory that is a summary stands for."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from reverie.domain.kinds import Kind
from reverie.domain.link import LINK_CHANNEL
from reverie.domain.memory import DERIVED_FROM, State
from reverie.domain.summary import Load, OpenRoom, Summary
from reverie.domain.time import from_micros, micros
from reverie.store.executor import Row, chunks, padded
from reverie.store.table import TableRows, table

SUMMARIES = table(
    "summaries",
    "memory_id, job, conversation_id, first_position, last_position, items, began_at, ended_at, created_at",
    key="memory_id",
)
# What a neural link brought is another's, or adopted; a summary vouches for no wording that waits for approval.
_OWN = "(m.learned_from IS NULL OR m.source_trust = 'principal') AND m.needs_review = 0"
_LOAD = f"""SELECT COALESCE(SUM(CASE WHEN s.memory_id IS NULL AND m.pinned = 0 THEN 1 ELSE 0 END), 0),
COALESCE(SUM(CASE WHEN s.memory_id IS NOT NULL THEN 1 ELSE 0 END), 0),
COALESCE(SUM((octet_length(m.essence) + 2) / 3 + (COALESCE(octet_length(m.lesson), 0) + 2) / 3), 0)
FROM memories m LEFT JOIN summaries s ON s.agent_id = m.agent_id AND s.memory_id = m.id
WHERE m.agent_id = ? AND m.kind = ? AND m.state = ? AND m.superseded_by IS NULL AND {_OWN}"""
_NEXT_UP = f"""SELECT m.id FROM memories m LEFT JOIN summaries s ON s.agent_id = m.agent_id AND s.memory_id = m.id
WHERE m.agent_id = ? AND m.kind = ? AND m.state = ? AND m.superseded_by IS NULL AND m.pinned = 0
AND {_OWN} AND s.memory_id IS {{}} NULL
ORDER BY COALESCE(s.began_at, m.valid_from, m.created_at), m.id LIMIT ?"""
_MEMBERS = """SELECT c.target FROM connections c
JOIN summaries s ON s.agent_id = c.agent_id AND s.memory_id = c.source AND s.conversation_id IS NULL
WHERE c.agent_id = ? AND c.source = ? AND c.relation = ? ORDER BY c.target"""
_ABOVE = """SELECT c.source, c.target FROM connections c
JOIN summaries s ON s.agent_id = c.agent_id AND s.memory_id = c.source AND s.conversation_id IS NULL
WHERE c.agent_id = ? AND c.relation = ? AND c.target IN ({}) ORDER BY c.source, c.target"""
# A summary's items are all messages of its span: when one of them is forgotten, so is the summary.
_ROOMS = """SELECT c.id, c.episodes - COALESCE(s.items, 0), c.last_at FROM conversations c
LEFT JOIN (SELECT conversation_id, SUM(items) AS items FROM summaries
    WHERE agent_id = ? AND conversation_id IS NOT NULL GROUP BY conversation_id) s ON s.conversation_id = c.id
WHERE c.agent_id = ? AND c.channel <> ? AND c.episodes > COALESCE(s.items, 0) ORDER BY c.last_at, c.id"""
_SINCE = """SELECT MIN(e.time) FROM conversations c
JOIN episodes e ON e.agent_id = c.agent_id AND e.conversation_id = c.id
WHERE c.agent_id = ? AND c.channel <> ? AND NOT EXISTS (
    SELECT 1 FROM summaries s WHERE s.agent_id = e.agent_id AND s.conversation_id = e.conversation_id
    AND e.position >= s.first_position AND e.position <= s.last_position
)"""
_LIVE = """SELECT c.id, COUNT(*) FROM conversations c
JOIN episodes e ON e.agent_id = c.agent_id AND e.conversation_id = c.id
WHERE c.agent_id = ? AND NOT EXISTS (
    SELECT 1 FROM summaries s WHERE s.agent_id = e.agent_id AND s.conversation_id = e.conversation_id
    AND e.position >= s.first_position AND e.position <= s.last_position
) GROUP BY c.id ORDER BY c.id"""

_OBSERVATIONS = str(Kind.OBSERVATION), str(State.ACTIVE)


class SummaryRows(TableRows):
    """``ports.society.Summaries`` over an executor."""

    table = SUMMARIES

    def add(self, summary: Summary) -> None:
        self.bump()
        times = (micros(at) for at in (summary.began_at, summary.ended_at, summary.created_at))
        span = (summary.conversation, summary.first, summary.last)
        self.insert([(summary.memory_id, summary.job, *span, summary.items, *times)])

    def get(self, memory_ids: Collection[str]) -> Mapping[str, Summary]:
        rows = self.among("memory_id", sorted(set(memory_ids)))
        return {one.memory_id: one for one in map(_summary, rows)}

    def list(self, *, limit: int = 100, after: str | None = None) -> Sequence[Summary]:
        rows = self.select(" AND memory_id > ? ORDER BY memory_id LIMIT ?", after or "", limit)
        return [*map(_summary, rows)]

    def closed(self, conversation: str) -> Sequence[Summary]:
        rows = self.select(" AND conversation_id = ? ORDER BY first_position", conversation)
        return [*map(_summary, rows)]

    def live(self) -> Mapping[str, int]:
        return dict(self.run(_LIVE))

    def load(self) -> Load:
        [(details, summaries, tokens)] = self.run(_LOAD, *_OBSERVATIONS)
        return Load(details=int(details), summaries=int(summaries), tokens=int(tokens))

    def next_up(self, limit: int, *, summaries: bool) -> Sequence[str]:
        sql = _NEXT_UP.format("NOT" if summaries else "")
        return [row[0] for row in self.run(sql, *_OBSERVATIONS, limit)]

    def cover(self, memory_id: str, ids: Collection[str], at: datetime) -> None:
        self.executor.many(
            "INSERT INTO connections (agent_id, source, target, relation, created_at) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT DO NOTHING",
            [(self.agent_id, memory_id, id, DERIVED_FROM, micros(at)) for id in sorted(set(ids))],
        )
        self._move(ids, State.SUMMARIZED, at)

    def uncover(self, ids: Collection[str], at: datetime) -> None:
        self._move(ids, State.ACTIVE, at, " AND state = ?", str(State.SUMMARIZED))

    def members(self, memory_id: str) -> Sequence[str]:
        return [row[0] for row in self.run(_MEMBERS, memory_id, DERIVED_FROM)]

    def above(self, ids: Collection[str]) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = {}
        for source, target in self.run_among(_ABOVE, sorted(set(ids)), DERIVED_FROM):
            found.setdefault(source, []).append(target)
        return found

    def rooms(self) -> Sequence[OpenRoom]:
        rows = self.run(_ROOMS, self.agent_id, LINK_CHANNEL)
        return [OpenRoom(id=id, live=int(live), last_at=from_micros(last_at)) for id, live, last_at in rows]

    def live_since(self) -> datetime | None:
        [(time,)] = self.run(_SINCE, LINK_CHANNEL)
        return None if time is None else from_micros(time)

    def open_spans(self, conversation: str) -> Sequence[tuple[int, int | None]]:
        spans: list[tuple[int, int | None]] = []
        begin = 0
        for one in self.closed(conversation):
            assert one.first is not None
            assert one.last is not None
            if one.first > begin:
                spans.append((begin, one.first - 1))
            begin = max(begin, one.last + 1)
        return [*spans, (begin, None)]

    def _move(
        self, ids: Collection[str], state: State, at: datetime, also: str = "", *params: object
    ) -> None:
        stamp = self.bump()
        for some in chunks(sorted(set(ids))):
            marks, wanted = padded(some)
            self.executor.run(
                f"UPDATE memories SET state = ?, updated_at = ?, rev = ? WHERE agent_id = ? AND id IN ({marks}){also}",
                (str(state), micros(at), stamp.rev, self.agent_id, *wanted, *params),
            )


def _summary(row: Row) -> Summary:
    memory_id, job, conversation, first, last, items, began_at, ended_at, created_at = row
    return Summary(
        memory_id=memory_id, job=job, conversation=conversation, first=first, last=last, items=items,
        began_at=from_micros(began_at), ended_at=from_micros(ended_at), created_at=from_micros(created_at),
    )  # fmt: skip
