"""The relationships table: how the agent sees others; the last view by id is the present one."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from reverie.domain.names import name_key
from reverie.domain.relationship import View
from reverie.domain.time import from_micros, micros
from reverie.store.executor import Row
from reverie.store.table import TableRows, table

RELATIONSHIPS = table(
    "relationships", "key, id, other, at, type, trust, tone, rationale, notes", key="key, id"
)
_PRESENT = f"""SELECT {", ".join(f"r.{column}" for column in RELATIONSHIPS.columns)} FROM relationships r
JOIN (SELECT agent_id, key, MAX(id) AS id FROM relationships WHERE agent_id = ?{{}} GROUP BY agent_id, key) l
ON l.key = r.key AND l.id = r.id AND l.agent_id = r.agent_id ORDER BY r.key"""


class RelationshipRows(TableRows):
    """``ports.society.Relationships`` over an executor."""

    table = RELATIONSHIPS

    def add(self, view: View) -> None:
        self.bump()
        said = (view.tone, view.rationale, view.notes)
        self.insert(
            [(name_key(view.other), view.id, view.other, micros(view.at), view.type, view.trust, *said)]
        )

    def present(self, others: Collection[str] | None = None) -> Sequence[View]:
        if others is None:
            return [*map(_view, self.run(_PRESENT.format("")))]
        keys = sorted({name_key(other) for other in others})
        return [*map(_view, self.run_among(_PRESENT.format(" AND key IN ({})"), keys))]

    def history(self, other: str | None = None) -> Sequence[View]:
        condition, params = ("", ()) if other is None else (" AND key = ?", (name_key(other),))
        return [*map(_view, self.select(f"{condition} ORDER BY id", *params))]

    def delete(self, ids: Collection[str]) -> None:
        if self.drop_among("id", ids):
            self.bump()


def _view(row: Row) -> View:
    _, id, other, at, kind, trust, tone, rationale, notes = row
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
