"""The sleeps table."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, cast

from reverie.domain.change import Spent
from reverie.domain.sleep import Act, Rejected, SleepRecord
from reverie.domain.time import from_micros, micros
from reverie.store.executor import Executor, Row
from reverie.store.revisions import next_stamp
from reverie.store.rows import instant, json_text, listed, moment, names

_COLUMNS = "id, mind, started_at, ended_at, episodes, clusters, rejected, spent, notes, reverted_at"


@dataclass(frozen=True, slots=True)
class SleepRows:
    """``ports.rest.Sleeps`` over an executor."""

    executor: Executor
    agent_id: str

    def add(self, record: SleepRecord) -> None:
        """See the port."""
        next_stamp(self.executor, self.agent_id)
        self.executor.run(
            f"INSERT INTO sleeps (agent_id, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                self.agent_id, record.id, record.mind, micros(record.started_at), micros(record.ended_at),
                listed(record.episodes), record.clusters, _rejected_text(record.rejected), _spent_text(record.spent),
                listed(record.notes), instant(record.reverted_at),
            ),
        )  # fmt: skip

    def get(self, id: str) -> SleepRecord | None:
        """See the port."""
        rows = self.executor.run(
            f"SELECT {_COLUMNS} FROM sleeps WHERE agent_id = ? AND id = ?", (self.agent_id, id)
        )
        return _record(rows[0]) if rows else None

    def list(self, *, limit: int = 100, before: str | None = None) -> Sequence[SleepRecord]:
        """See the port."""
        condition, params = ("", ()) if before is None else (" AND id < ?", (before,))
        rows = self.executor.run(
            f"SELECT {_COLUMNS} FROM sleeps WHERE agent_id = ?{condition} ORDER BY id DESC LIMIT ?",
            (self.agent_id, *params, limit),
        )
        return [*map(_record, rows)]

    def note_reverted(self, id: str, at: datetime) -> None:
        """See the port."""
        next_stamp(self.executor, self.agent_id)
        self.executor.run(
            "UPDATE sleeps SET reverted_at = ? WHERE agent_id = ? AND id = ?", (micros(at), self.agent_id, id)
        )

    def add_after(self, id: str, spent: Spent, notes: Sequence[str]) -> None:
        """See the port."""
        known = self.get(id)
        if known is None:
            return
        next_stamp(self.executor, self.agent_id)
        self.executor.run(
            "UPDATE sleeps SET spent = ?, notes = ? WHERE agent_id = ? AND id = ?",
            (_spent_text(known.spent + spent), listed((*known.notes, *notes)), self.agent_id, id),
        )

    def scrub(self) -> None:
        """See the port."""
        rows = self.executor.run(
            "SELECT id, rejected FROM sleeps WHERE agent_id = ? AND (rejected <> '[]' OR notes <> '[]')",
            (self.agent_id,),
        )
        if not rows:
            return
        next_stamp(self.executor, self.agent_id)
        self.executor.many(
            "UPDATE sleeps SET rejected = ?, notes = '[]' WHERE agent_id = ? AND id = ?",
            [
                (json_text([{**one, "text": None} for one in json.loads(rejected)]), self.agent_id, id)
                for id, rejected in rows
            ],
        )

    def clear(self) -> None:
        """See the port."""
        self.executor.run("DELETE FROM sleeps WHERE agent_id = ?", (self.agent_id,))


def _rejected_text(rejected: Sequence[Rejected]) -> str:
    return json_text(
        [
            {
                "act": str(one.act),
                "reason": one.reason,
                "target": one.target,
                "text": one.text,
                "round": one.round,
            }
            for one in rejected
        ]
    )


def _spent_text(spent: Spent) -> str:
    return json_text({field.name: getattr(spent, field.name) for field in fields(Spent)})


def _record(row: Row) -> SleepRecord:
    (id, mind, started_at, ended_at, episodes, clusters, rejected, spent, notes, reverted_at) = row
    return SleepRecord(
        id=id, mind=mind, started_at=from_micros(started_at), ended_at=from_micros(ended_at),
        episodes=names(episodes), clusters=clusters,
        rejected=tuple(
            Rejected(
                act=Act(one["act"]), reason=one["reason"], target=one["target"], text=one["text"],
                round=one.get("round", 1),
            )
            for one in cast(list[dict[str, Any]], json.loads(rejected))
        ),
        spent=Spent(**json.loads(spent)), notes=names(notes), reverted_at=moment(reverted_at),
    )  # fmt: skip
