"""The tables of procedures and their outcomes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from reverie.domain.procedure import Run, Steps
from reverie.domain.time import from_micros, micros
from reverie.store.executor import Row
from reverie.store.rows import listed, names
from reverie.store.table import TableRows, table
from reverie.store.where import between

PROCEDURES = table("procedures", "memory_id, key, name, steps, successes, failures", key="memory_id")
RUNS = table("procedure_runs", "memory_id, id, at, succeeded, note", key="memory_id, id")


class _RunRows(TableRows):
    table = RUNS


class ProcedureRows(TableRows):
    """``ports.upkeep.Procedures`` over an executor."""

    table = PROCEDURES

    def put(self, steps: Steps) -> None:
        """See the port. Raise InvalidInput for a name that another procedure has."""
        self.bump()
        key, counts = steps.name.casefold(), (steps.success_count, steps.failure_count)
        self.upsert((steps.memory_id, key, steps.name, listed(steps.steps), *counts))

    def get(self, ids: Collection[str]) -> Mapping[str, Steps]:
        return {one.memory_id: one for one in map(_steps, self.among("memory_id", ids))}

    def named(self, name: str) -> Steps | None:
        rows = self.select(" AND key = ?", name.casefold())
        return _steps(rows[0]) if rows else None

    def list(self) -> Sequence[Steps]:
        return [*map(_steps, self.select(" ORDER BY key"))]

    def record(self, memory_id: str, run: Run) -> None:
        self.bump()
        column = "successes" if run.succeeded else "failures"
        self.change(f"{column} = {column} + 1", (), " AND memory_id = ?", memory_id)
        self._runs.insert([(memory_id, run.id, micros(run.at), int(run.succeeded), run.note)])

    def runs(self, memory_id: str, *, limit: int = 100) -> Sequence[Run]:
        rows = self._runs.select(" AND memory_id = ? ORDER BY id DESC LIMIT ?", memory_id, limit)
        return [
            Run(id=id, at=from_micros(at), succeeded=bool(succeeded), note=note)
            for _, id, at, succeeded, note in reversed(rows)
        ]

    def drop_notes(self, since: datetime | None, until: datetime | None) -> None:
        self.bump()
        condition, params = between("at", since, until)
        self._runs.change("note = NULL", (), condition, *params)

    @property
    def _runs(self) -> _RunRows:
        return _RunRows(self.executor, self.agent_id)


def _steps(row: Row) -> Steps:
    memory_id, _, name, steps, successes, failures = row
    return Steps(
        memory_id=memory_id, name=name, steps=names(steps), success_count=successes, failure_count=failures
    )
