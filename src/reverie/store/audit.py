"""The audit table: the log of changes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from reverie.domain.audit import Action, AuditEntry
from reverie.domain.time import from_micros, micros
from reverie.store.executor import Executor, chunks, padded
from reverie.store.rows import instant, mapping, mapping_text


@dataclass(frozen=True, slots=True)
class AuditRows:
    """``ports.store.Audit`` over an executor."""

    executor: Executor
    agent_id: str

    def add(self, entries: Sequence[AuditEntry]) -> None:
        """See the port."""
        self.executor.many(
            "INSERT INTO audit (agent_id, id, at, actor, action, target, before, after, reason, job)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    self.agent_id, entry.id, micros(entry.at), entry.actor, str(entry.action), entry.target,
                    mapping_text(entry.before), mapping_text(entry.after), entry.reason, entry.job,
                )
                for entry in entries
            ],
        )  # fmt: skip

    def list(
        self, *, target: str | None = None, job: str | None = None, actor: str | None = None,
        actions: Collection[Action] = (), since: datetime | None = None, until: datetime | None = None,
        limit: int = 100, after: str | None = None, newest_first: bool = False,
    ) -> Sequence[AuditEntry]:  # fmt: skip
        """See the port."""
        conditions, params = ["agent_id = ?"], list[object]([self.agent_id])
        asked: tuple[tuple[str, object], ...] = (
            ("target = ?", target), ("job = ?", job), ("actor = ?", actor),
            ("at >= ?", instant(since)), ("at < ?", instant(until)),
            ("id < ?" if newest_first else "id > ?", after),
        )  # fmt: skip
        for condition, value in asked:
            if value is not None:
                conditions.append(condition)
                params.append(value)
        if actions:
            marks, named = padded(sorted(map(str, actions)))
            conditions.append(f"action IN ({marks})")
            params += named
        rows = self.executor.run(
            "SELECT id, at, actor, action, target, before, after, reason, job FROM audit"
            f" WHERE {' AND '.join(conditions)} ORDER BY id{' DESC' if newest_first else ''} LIMIT ?",
            (*params, limit),
        )
        return [_entry(*row) for row in rows]

    def scrub(self, targets: Collection[str]) -> None:
        """See the port."""
        for some in chunks(targets):
            marks, params = padded(some)
            self.executor.run(
                "UPDATE audit SET before = NULL, after = NULL, reason = NULL"
                f" WHERE agent_id = ? AND target IN ({marks})",
                (self.agent_id, *params),
            )

    def empty(self, ids: Collection[str]) -> None:
        """See the port."""
        for some in chunks(ids):
            marks, params = padded(some)
            self.executor.run(
                "UPDATE audit SET before = NULL, after = NULL, reason = NULL"
                f" WHERE agent_id = ? AND id IN ({marks})",
                (self.agent_id, *params),
            )

    def empty_all(self) -> None:
        """See the port."""
        self.executor.run(
            "UPDATE audit SET before = NULL, after = NULL, reason = NULL, target = CASE WHEN action = ? AND target"
            " NOT IN (SELECT id FROM neural_links WHERE agent_id = ?) THEN ? ELSE target END WHERE agent_id = ?",
            (str(Action.LINK), self.agent_id, self.agent_id, self.agent_id),
        )

    def hush(self) -> None:
        """See the port."""
        self.executor.run(
            "UPDATE audit SET reason = NULL WHERE agent_id = ? AND job IS NOT NULL AND reason IS NOT NULL",
            (self.agent_id,),
        )

    def retell(self, entries: Sequence[AuditEntry]) -> None:
        """See the port."""
        self.executor.many(
            "UPDATE audit SET before = ?, after = ? WHERE agent_id = ? AND id = ?",
            [(mapping_text(one.before), mapping_text(one.after), self.agent_id, one.id) for one in entries],
        )

    def known(self, ids: Collection[str]) -> frozenset[str]:
        """See the port."""
        found: set[str] = set()
        for some in chunks(ids):
            marks, params = padded(some)
            rows = self.executor.run(
                f"SELECT id FROM audit WHERE agent_id = ? AND id IN ({marks})", (self.agent_id, *params)
            )
            found.update(row[0] for row in rows)
        return frozenset(found)


def _entry(
    id: Any, at: Any, actor: Any, action: Any, target: Any, before: Any, after: Any, reason: Any, job: Any
) -> AuditEntry:
    return AuditEntry(
        id=id, at=from_micros(at), actor=actor, action=Action(action), target=target, before=mapping(before),
        after=mapping(after), reason=reason, job=job,
    )  # fmt: skip
