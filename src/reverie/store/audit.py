"""The audit table: the log of changes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from reverie.domain.audit import Action, AuditEntry
from reverie.domain.time import from_micros, micros
from reverie.store.executor import Executor, chunks, padded
from reverie.store.rows import mapping, mapping_text


@dataclass(frozen=True, slots=True)
class AuditRows:
    """``ports.store.Audit`` over an executor."""

    executor: Executor
    agent_id: str

    def add(self, entries: Sequence[AuditEntry]) -> None:
        """See the port."""
        self.executor.many(
            "INSERT INTO audit (agent_id, id, at, actor, action, target, before, after, reason)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    self.agent_id, entry.id, micros(entry.at), entry.actor, str(entry.action), entry.target,
                    mapping_text(entry.before), mapping_text(entry.after), entry.reason,
                )
                for entry in entries
            ],
        )  # fmt: skip

    def list(
        self, *, target: str | None = None, limit: int = 100, after: str | None = None
    ) -> Sequence[AuditEntry]:
        """See the port."""
        conditions, params = ["agent_id = ?"], [self.agent_id]
        for condition, value in (("target = ?", target), ("id > ?", after)):
            if value is not None:
                conditions.append(condition)
                params.append(value)
        rows = self.executor.run(
            "SELECT id, at, actor, action, target, before, after, reason FROM audit"
            f" WHERE {' AND '.join(conditions)} ORDER BY id LIMIT ?",
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


def _entry(
    id: Any, at: Any, actor: Any, action: Any, target: Any, before: Any, after: Any, reason: Any
) -> AuditEntry:
    return AuditEntry(
        id=id, at=from_micros(at), actor=actor, action=Action(action), target=target, before=mapping(before),
        after=mapping(after), reason=reason,
    )  # fmt: skip
