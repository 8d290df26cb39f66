"""The jobs table: leases, failures and last runs of background jobs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from reverie.domain.job import LEASE, MOST_AHEAD, JobState
from reverie.domain.time import micros
from reverie.ports.transfer import Part
from reverie.store.executor import Row
from reverie.store.rows import moment
from reverie.store.table import TableRows, table

JOBS = table("jobs", "job, holder, until, failures, parked_until, last_at, note", key="job", part=Part.CACHE)
_FREE = "holder = NULL, until = NULL"


class JobRows(TableRows):
    """``ports.rest.Jobs`` over an executor."""

    table = JOBS

    def get(self, job: str) -> JobState:
        rows = self.select(" AND job = ?", job)
        return _state(rows[0]) if rows else JobState(job=job)

    def take(self, job: str, holder: str, *, now: datetime, until: datetime) -> bool:
        self._ensure(job)
        free = " AND job = ? AND (holder IS NULL OR holder = ? OR until <= ? OR until > ?)"
        lease = holder, micros(until)
        return bool(
            self.change("holder = ?, until = ?", lease, free, job, holder, micros(now), _too_far(now))
        )

    def release(self, job: str, holder: str) -> None:
        self.change(_FREE, (), " AND job = ? AND holder = ?", job, holder)

    def done(self, job: str, holder: str, at: datetime, *, left: str | None = None) -> bool:
        changes = f"{_FREE}, failures = 0, parked_until = NULL, note = ?, last_at = ?"
        return bool(self.change(changes, [left, micros(at)], " AND job = ? AND holder = ?", job, holder))

    def fail(self, job: str, *, parked_until: datetime, note: str) -> None:
        self._ensure(job)
        failed = micros(parked_until), note
        self.change("failures = failures + 1, parked_until = ?, note = ?", failed, " AND job = ?", job)

    def note(self, job: str, note: str) -> None:
        self._ensure(job)
        self.change("note = ?", [note], " AND job = ?", job)

    def rest(self, job: str, *, parked_until: datetime, note: str) -> None:
        self._ensure(job)
        self.change("parked_until = ?, note = ?", (micros(parked_until), note), " AND job = ?", job)

    def unpark(self) -> int:
        return sum(
            len(
                self.run(
                    f"UPDATE {table} SET parked_until = NULL WHERE agent_id = ? AND parked_until IS NOT NULL"
                    " RETURNING agent_id"
                )
            )
            for table in ("jobs", "watermarks")
        )

    def free(self, now: datetime) -> int:
        return self.change(_FREE, (), " AND until > ?", _too_far(now))

    def all(self) -> Sequence[JobState]:
        return [*map(_state, self.select(" ORDER BY job"))]

    def _ensure(self, job: str) -> None:
        self.insert([(job, None, None, 0, None, None, None)], " ON CONFLICT DO NOTHING")


def _too_far(now: datetime) -> int:
    """No true lease reaches beyond it."""
    return micros(now + LEASE + MOST_AHEAD)


def _state(row: Row) -> JobState:
    job, holder, until, failures, parked_until, last_at, note = row
    return JobState(
        job=job, holder=holder, until=moment(until), failures=failures, parked_until=moment(parked_until),
        last_at=moment(last_at), note=note,
    )  # fmt: skip
