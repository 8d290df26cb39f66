"""The audit table: the log of changes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from reverie.domain.audit import Action, AuditEntry
from reverie.domain.time import from_micros, micros
from reverie.store.executor import Row, padded
from reverie.store.rows import instant, mapping, mapping_text
from reverie.store.table import TableRows, table

AUDIT = table("audit", "id, at, actor, action, target, before, after, reason, job", key="id")
_EMPTY = "before = NULL, after = NULL, reason = NULL"


class AuditRows(TableRows):
    """``ports.store.Audit`` over an executor."""

    table = AUDIT

    def add(self, entries: Sequence[AuditEntry]) -> None:
        self.insert(
            [
                (
                    one.id, micros(one.at), one.actor, str(one.action), one.target, mapping_text(one.before),
                    mapping_text(one.after), one.reason, one.job,
                )
                for one in entries
            ]
        )  # fmt: skip

    def list(
        self, *, target: str | None = None, job: str | None = None, actor: str | None = None,
        actions: Collection[Action] = (), since: datetime | None = None, until: datetime | None = None,
        limit: int = 100, after: str | None = None, newest_first: bool = False,
    ) -> Sequence[AuditEntry]:  # fmt: skip
        asked: tuple[tuple[str, object], ...] = (
            ("actor = ?", actor),
            ("at >= ?", instant(since)), ("at < ?", instant(until)),
            ("id < ?" if newest_first else "id > ?", after),
        )  # fmt: skip
        given = [(condition, value) for condition, value in asked if value is not None]
        rest, params = "".join(f" AND {condition}" for condition, _ in given), [value for _, value in given]
        if actions:
            marks, named = padded(sorted(map(str, actions)))
            rest, params = f"{rest} AND action IN ({marks})", [*params, *named]
        for column, value in (("target", target), ("job", job)):
            if value is not None:  # ids first, else SQLite reads the whole log in order rather than an index
                rest += f" AND id IN (SELECT id FROM audit WHERE agent_id = ? AND {column} = ?)"
                params += [self.agent_id, value]
        order = f" ORDER BY id{' DESC' if newest_first else ''} LIMIT ?"
        return [*map(_entry, self.select(f"{rest}{order}", *params, limit))]

    def scrub(self, targets: Collection[str]) -> None:
        self.run_among(f"UPDATE audit SET {_EMPTY} WHERE agent_id = ? AND target IN ({{}})", targets)

    def empty(self, ids: Collection[str]) -> None:
        self.run_among(f"UPDATE audit SET {_EMPTY} WHERE agent_id = ? AND id IN ({{}})", ids)

    def empty_all(self) -> None:
        self.executor.run(
            f"UPDATE audit SET {_EMPTY}, target = CASE WHEN action = ? AND target"
            " NOT IN (SELECT id FROM neural_links WHERE agent_id = ?) THEN ? ELSE target END WHERE agent_id = ?",
            (str(Action.LINK), self.agent_id, self.agent_id, self.agent_id),
        )

    def hush(self) -> None:
        self.run(
            "UPDATE audit SET reason = NULL WHERE agent_id = ? AND job IS NOT NULL AND reason IS NOT NULL"
        )

    def retell(self, entries: Sequence[AuditEntry]) -> None:
        self.executor.many(
            "UPDATE audit SET before = ?, after = ? WHERE agent_id = ? AND id = ?",
            [(mapping_text(one.before), mapping_text(one.after), self.agent_id, one.id) for one in entries],
        )

    def known(self, ids: Collection[str]) -> frozenset[str]:
        rows = self.run_among("SELECT id FROM audit WHERE agent_id = ? AND id IN ({})", ids)
        return frozenset(row[0] for row in rows)


def _entry(row: Row) -> AuditEntry:
    id, at, actor, action, target, before, after, reason, job = row
    return AuditEntry(
        id=id, at=from_micros(at), actor=actor, action=Action(action), target=target, before=mapping(before),
        after=mapping(after), reason=reason, job=job,
    )  # fmt: skip
