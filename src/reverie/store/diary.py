"""The diary table, and the words by which its pages are found."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from reverie.domain.diary import DiaryEntry, DiaryNote
from reverie.domain.time import from_micros, micros
from reverie.store.executor import Executor, Row, chunks, padded
from reverie.store.revisions import next_stamp
from reverie.store.rows import json_text

_COLUMNS = "date, mood, location, notes, created_at, updated_at"


@dataclass(frozen=True, slots=True)
class DiaryRows:
    """``ports.society.Diary`` over an executor."""

    executor: Executor
    agent_id: str

    def put(self, entry: DiaryEntry, words: Collection[str]) -> None:
        """See the port."""
        next_stamp(self.executor, self.agent_id)
        self.executor.run(
            f"INSERT INTO diary (agent_id, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (agent_id, date) DO UPDATE SET mood = excluded.mood, location = excluded.location,"
            " notes = excluded.notes, created_at = excluded.created_at, updated_at = excluded.updated_at",
            (
                self.agent_id, entry.date, entry.mood, entry.location, _notes_text(entry.notes),
                micros(entry.created_at), micros(entry.updated_at),
            ),
        )  # fmt: skip
        self.executor.run(
            "DELETE FROM diary_words WHERE agent_id = ? AND date = ?", (self.agent_id, entry.date)
        )
        self.executor.many(
            "INSERT INTO diary_words (agent_id, word, date) VALUES (?, ?, ?)",
            [(self.agent_id, word, entry.date) for word in sorted(set(words))],
        )

    def get(self, dates: Collection[str]) -> Mapping[str, DiaryEntry]:
        """See the port."""
        found: dict[str, DiaryEntry] = {}
        for some in chunks(sorted(set(dates))):
            marks, params = padded(some)
            rows = self.executor.run(
                f"SELECT {_COLUMNS} FROM diary WHERE agent_id = ? AND date IN ({marks})",
                (self.agent_id, *params),
            )
            found.update((entry.date, entry) for entry in map(_entry, rows))
        return found

    def list(
        self,
        *,
        since: str | None = None,
        until: str | None = None,
        after: str | None = None,
        limit: int = 100,
        newest_first: bool = False,
    ) -> Sequence[DiaryEntry]:
        """See the port."""
        condition, params = _between(since, until, after)
        rows = self.executor.run(
            f"SELECT {_COLUMNS} FROM diary WHERE agent_id = ?{condition}"
            f" ORDER BY date {'DESC' if newest_first else 'ASC'} LIMIT ?",
            (self.agent_id, *params, limit),
        )
        return [*map(_entry, rows)]

    def search(
        self, words: Collection[str], *, since: str | None = None, until: str | None = None
    ) -> Sequence[str]:
        """See the port."""
        found: set[str] | None = None
        condition, params = _between(since, until)
        for word in sorted(set(words)):
            rows = self.executor.run(
                f"SELECT date FROM diary_words WHERE agent_id = ? AND word = ?{condition}",
                (self.agent_id, word, *params),
            )
            dates = {row[0] for row in rows}
            found = dates if found is None else found & dates
            if not found:
                break
        return sorted(found or ())

    def delete(self, dates: Collection[str]) -> None:
        """See the port."""
        gone: list[Row] = []
        for some in chunks(sorted(set(dates))):
            marks, params = padded(some)
            for table in ("diary_words", "diary"):
                gone += self.executor.run(
                    f"DELETE FROM {table} WHERE agent_id = ? AND date IN ({marks}) RETURNING date",
                    (self.agent_id, *params),
                )
        if gone:
            next_stamp(self.executor, self.agent_id)

    def count(self) -> int:
        """See the port."""
        rows = self.executor.run("SELECT COUNT(*) FROM diary WHERE agent_id = ?", (self.agent_id,))
        return cast(int, rows[0][0])


def _between(since: str | None, until: str | None, after: str | None = None) -> tuple[str, tuple[str, ...]]:
    bounds = [(" AND date >= ?", since), (" AND date < ?", until), (" AND date > ?", after)]
    given = [(condition, date) for condition, date in bounds if date is not None]
    return "".join(condition for condition, _ in given), tuple(date for _, date in given)


def _notes_text(notes: Sequence[DiaryNote]) -> str:
    return json_text(
        [
            {"at": micros(note.at), "body": note.body, "mood": note.mood, "location": note.location}
            for note in notes
        ]
    )


def _entry(row: Row) -> DiaryEntry:
    date, mood, location, notes, created_at, updated_at = row
    told = cast("list[dict[str, Any]]", json.loads(notes))
    return DiaryEntry(
        date=date, mood=mood, location=location,
        notes=tuple(
            DiaryNote(
                at=from_micros(note["at"]), body=note["body"], mood=note["mood"], location=note["location"]
            )
            for note in told
        ),
        created_at=from_micros(created_at), updated_at=from_micros(updated_at),
    )  # fmt: skip
