"""The sleeps table."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any, cast

from reverie.domain.change import Spent
from reverie.domain.sleep import Act, Rejected, SleepRecord
from reverie.domain.time import from_micros, micros
from reverie.store.executor import Row
from reverie.store.rows import instant, json_text, listed, moment, names
from reverie.store.table import TableRows, table

SLEEPS = table(
    "sleeps",
    "id, mind, started_at, ended_at, episodes, clusters, rejected, spent, notes, reverted_at",
    key="id",
)


class SleepRows(TableRows):
    """``ports.rest.Sleeps`` over an executor."""

    table = SLEEPS

    def add(self, record: SleepRecord) -> None:
        self.bump()
        self.insert(
            [
                (
                    record.id, record.mind, micros(record.started_at), micros(record.ended_at), listed(record.episodes),
                    record.clusters, _rejected_text(record.rejected), _spent_text(record.spent), listed(record.notes),
                    instant(record.reverted_at),
                )
            ]
        )  # fmt: skip

    def get(self, id: str) -> SleepRecord | None:
        rows = self.select(" AND id = ?", id)
        return _record(rows[0]) if rows else None

    def list(self, *, limit: int = 100, before: str | None = None) -> Sequence[SleepRecord]:
        condition, params = ("", ()) if before is None else (" AND id < ?", (before,))
        return [*map(_record, self.select(f"{condition} ORDER BY id DESC LIMIT ?", *params, limit))]

    def note_reverted(self, id: str, at: datetime) -> None:
        self.bump()
        self.change("reverted_at = ?", [micros(at)], " AND id = ?", id)

    def add_after(self, id: str, spent: Spent, notes: Sequence[str]) -> None:
        known = self.get(id)
        if known is None:
            return
        self.bump()
        told = _spent_text(known.spent + spent), listed((*known.notes, *notes))
        self.change("spent = ?, notes = ?", told, " AND id = ?", id)

    def scrub(self) -> None:
        telling = [*map(_record, self.select(" AND (rejected <> '[]' OR notes <> '[]')"))]
        if telling:
            self.bump()
        for one in telling:
            rejected = _rejected_text([replace(each, text=None) for each in one.rejected])
            self.change("rejected = ?, notes = '[]'", [rejected], " AND id = ?", one.id)

    def clear(self) -> None:
        self.drop()


def _rejected_text(rejected: Sequence[Rejected]) -> str:
    return json_text([asdict(one) for one in rejected])


def _spent_text(spent: Spent) -> str:
    return json_text(asdict(spent))


def _record(row: Row) -> SleepRecord:
    (id, mind, started_at, ended_at, episodes, clusters, rejected, spent, notes, reverted_at) = row
    return SleepRecord(
        id=id, mind=mind, started_at=from_micros(started_at), ended_at=from_micros(ended_at),
        episodes=names(episodes), clusters=clusters,
        rejected=tuple(
            Rejected(**{**one, "act": Act(one["act"])}) for one in cast(list[dict[str, Any]], json.loads(rejected))
        ),
        spent=Spent(**json.loads(spent)), notes=names(notes), reverted_at=moment(reverted_at),
    )  # fmt: skip
