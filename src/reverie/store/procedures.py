"""The tables of procedures and their outcomes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from reverie.domain.procedure import Run, Steps
from reverie.domain.time import from_micros, micros
from reverie.store.executor import Executor, Row, chunks, padded
from reverie.store.revisions import next_stamp
from reverie.store.rows import listed, names
from reverie.store.where import between

_STEPS = "SELECT memory_id, name, steps, successes, failures FROM procedures WHERE agent_id = ?"


@dataclass(frozen=True, slots=True)
class ProcedureRows:
    """``ports.upkeep.Procedures`` over an executor."""

    executor: Executor
    agent_id: str

    def put(self, steps: Steps) -> None:
        """See the port. Raises InvalidInput for a name that another procedure has."""
        next_stamp(self.executor, self.agent_id)
        self.executor.run(
            "INSERT INTO procedures (agent_id, memory_id, key, name, steps, successes, failures)"
            " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (agent_id, memory_id) DO UPDATE SET key = excluded.key,"
            " name = excluded.name, steps = excluded.steps, successes = excluded.successes,"
            " failures = excluded.failures",
            (
                self.agent_id, steps.memory_id, steps.name.casefold(), steps.name, listed(steps.steps),
                steps.success_count, steps.failure_count,
            ),
        )  # fmt: skip

    def get(self, ids: Collection[str]) -> Mapping[str, Steps]:
        """See the port."""
        found: dict[str, Steps] = {}
        for some in chunks(ids):
            marks, params = padded(some)
            rows = self.executor.run(f"{_STEPS} AND memory_id IN ({marks})", (self.agent_id, *params))
            found.update((row[0], _steps(row)) for row in rows)
        return found

    def named(self, name: str) -> Steps | None:
        """See the port."""
        rows = self.executor.run(f"{_STEPS} AND key = ?", (self.agent_id, name.casefold()))
        return _steps(rows[0]) if rows else None

    def list(self) -> Sequence[Steps]:
        """See the port."""
        return [_steps(row) for row in self.executor.run(f"{_STEPS} ORDER BY key", (self.agent_id,))]

    def record(self, memory_id: str, run: Run) -> None:
        """See the port."""
        next_stamp(self.executor, self.agent_id)
        column = "successes" if run.succeeded else "failures"
        self.executor.run(
            f"UPDATE procedures SET {column} = {column} + 1 WHERE agent_id = ? AND memory_id = ?",
            (self.agent_id, memory_id),
        )
        self.executor.run(
            "INSERT INTO procedure_runs (agent_id, memory_id, id, at, succeeded, note) VALUES (?, ?, ?, ?, ?, ?)",
            (self.agent_id, memory_id, run.id, micros(run.at), int(run.succeeded), run.note),
        )

    def runs(self, memory_id: str, *, limit: int = 100) -> Sequence[Run]:
        """See the port."""
        rows = self.executor.run(
            "SELECT id, at, succeeded, note FROM procedure_runs WHERE agent_id = ? AND memory_id = ?"
            " ORDER BY id DESC LIMIT ?",
            (self.agent_id, memory_id, limit),
        )
        return [
            Run(id=id, at=from_micros(at), succeeded=bool(succeeded), note=note)
            for id, at, succeeded, note in reversed(rows)
        ]

    def drop_notes(self, since: datetime | None, until: datetime | None) -> None:
        """See the port."""
        next_stamp(self.executor, self.agent_id)
        condition, params = between("at", since, until)
        self.executor.run(
            f"UPDATE procedure_runs SET note = NULL WHERE agent_id = ?{condition}", (self.agent_id, *params)
        )


def _steps(row: Row) -> Steps:
    memory_id, name, steps, successes, failures = row
    return Steps(
        memory_id=memory_id, name=name, steps=names(steps), success_count=successes, failure_count=failures
    )
