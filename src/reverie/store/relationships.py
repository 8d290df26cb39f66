"""The relationships table: how the agent sees others; the last view by id is the present one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from reverie.domain.names import name_key
from reverie.domain.relationship import View
from reverie.domain.time import from_micros, micros
from reverie.store.executor import Executor, Row, chunks, padded
from reverie.store.revisions import next_stamp

_COLUMNS = "id, other, at, type, trust, tone, rationale, notes"
_PRESENT = f"""SELECT {", ".join(f"r.{column}" for column in _COLUMNS.split(", "))} FROM relationships r
JOIN (SELECT key, MAX(id) AS id FROM relationships WHERE agent_id = ?{{}} GROUP BY key) l
ON l.key = r.key AND l.id = r.id WHERE r.agent_id = ? ORDER BY r.key"""


@dataclass(frozen=True, slots=True)
class RelationshipRows:
    """``ports.society.Relationships`` over an executor."""

    executor: Executor
    agent_id: str

    def add(self, view: View) -> None:
        """See the port."""
        next_stamp(self.executor, self.agent_id)
        self.executor.run(
            f"INSERT INTO relationships (agent_id, key, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                self.agent_id, name_key(view.other), view.id, view.other, micros(view.at), view.type, view.trust,
                view.tone, view.rationale, view.notes,
            ),
        )  # fmt: skip

    def present(self, others: Collection[str] | None = None) -> Sequence[View]:
        """See the port."""
        if others is None:
            return [*map(_view, self.executor.run(_PRESENT.format(""), (self.agent_id, self.agent_id)))]
        rows: list[Row] = []
        for some in chunks(sorted({name_key(other) for other in others})):
            marks, params = padded(some)
            rows += self.executor.run(
                _PRESENT.format(f" AND key IN ({marks})"), (self.agent_id, *params, self.agent_id)
            )
        return [*map(_view, rows)]

    def history(self, other: str | None = None) -> Sequence[View]:
        """See the port."""
        condition, params = ("", ()) if other is None else (" AND key = ?", (name_key(other),))
        rows = self.executor.run(
            f"SELECT {_COLUMNS} FROM relationships WHERE agent_id = ?{condition} ORDER BY id",
            (self.agent_id, *params),
        )
        return [*map(_view, rows)]

    def delete(self, ids: Collection[str]) -> None:
        """See the port."""
        gone: list[Row] = []
        for some in chunks(sorted(set(ids))):
            marks, params = padded(some)
            gone += self.executor.run(
                f"DELETE FROM relationships WHERE agent_id = ? AND id IN ({marks}) RETURNING id",
                (self.agent_id, *params),
            )
        if gone:
            next_stamp(self.executor, self.agent_id)


def _view(row: Row) -> View:
    id, other, at, kind, trust, tone, rationale, notes = row
    return View(
        id=id,
        other=other,
        at=from_micros(at),
        type=kind,
        trust=trust,
        tone=tone,
        rationale=rationale,
        notes=notes,
    )
