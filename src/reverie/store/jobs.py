"""The jobs table: leases, failures and last runs of background jobs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from reverie.domain.job import LEASE, MOST_AHEAD, JobState
from reverie.domain.time import micros
from reverie.store.executor import Executor, Row
from reverie.store.rows import moment

_COLUMNS = "job, holder, until, failures, parked_until, last_at, note"


@dataclass(frozen=True, slots=True)
class JobRows:
    """``ports.rest.Jobs`` over an executor."""

    executor: Executor
    agent_id: str

    def get(self, job: str) -> JobState:
        """See the port."""
        rows = self.executor.run(
            f"SELECT {_COLUMNS} FROM jobs WHERE agent_id = ? AND job = ?", (self.agent_id, job)
        )
        return _state(rows[0]) if rows else JobState(job=job)

    def take(self, job: str, holder: str, *, now: datetime, until: datetime) -> bool:
        """See the port."""
        self._ensure(job)
        done = self.executor.run(
            "UPDATE jobs SET holder = ?, until = ? WHERE agent_id = ? AND job = ?"
            " AND (holder IS NULL OR holder = ? OR until <= ? OR until > ?) RETURNING job",
            (holder, micros(until), self.agent_id, job, holder, micros(now), _too_far(now)),
        )
        return bool(done)

    def release(self, job: str, holder: str) -> None:
        """See the port."""
        self.executor.run(
            "UPDATE jobs SET holder = NULL, until = NULL WHERE agent_id = ? AND job = ? AND holder = ?",
            (self.agent_id, job, holder),
        )

    def done(self, job: str, holder: str, at: datetime) -> bool:
        """See the port."""
        done = self.executor.run(
            "UPDATE jobs SET holder = NULL, until = NULL, failures = 0, parked_until = NULL, note = NULL, last_at = ?"
            " WHERE agent_id = ? AND job = ? AND holder = ? RETURNING job",
            (micros(at), self.agent_id, job, holder),
        )
        return bool(done)

    def fail(self, job: str, *, parked_until: datetime, note: str) -> None:
        """See the port."""
        self._ensure(job)
        self.executor.run(
            "UPDATE jobs SET failures = failures + 1, parked_until = ?, note = ? WHERE agent_id = ? AND job = ?",
            (micros(parked_until), note, self.agent_id, job),
        )

    def unpark(self) -> int:
        """See the port."""
        return sum(
            len(
                self.executor.run(
                    f"UPDATE {table} SET parked_until = NULL WHERE agent_id = ? AND parked_until IS NOT NULL"
                    " RETURNING agent_id",
                    (self.agent_id,),
                )
            )
            for table in ("jobs", "watermarks")
        )

    def free(self, now: datetime) -> int:
        """See the port."""
        return len(
            self.executor.run(
                "UPDATE jobs SET holder = NULL, until = NULL WHERE agent_id = ? AND until > ? RETURNING job",
                (self.agent_id, _too_far(now)),
            )
        )

    def all(self) -> Sequence[JobState]:
        """See the port."""
        rows = self.executor.run(
            f"SELECT {_COLUMNS} FROM jobs WHERE agent_id = ? ORDER BY job", (self.agent_id,)
        )
        return [*map(_state, rows)]

    def _ensure(self, job: str) -> None:
        self.executor.run(
            "INSERT INTO jobs (agent_id, job, failures) VALUES (?, ?, 0) ON CONFLICT DO NOTHING",
            (self.agent_id, job),
        )


def _too_far(now: datetime) -> int:
    """No true lease reaches beyond it."""
    return micros(now + LEASE + MOST_AHEAD)


def _state(row: Row) -> JobState:
    job, holder, until, failures, parked_until, last_at, note = row
    return JobState(
        job=job, holder=holder, until=moment(until), failures=failures, parked_until=moment(parked_until),
        last_at=moment(last_at), note=note,
    )  # fmt: skip
