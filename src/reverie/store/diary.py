"""The diary table, and the words by which its pages are found."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any, cast

from reverie.domain.diary import DiaryEntry, DiaryNote
from reverie.domain.time import from_micros, micros
from reverie.store.executor import Row
from reverie.store.rows import json_text
from reverie.store.table import TableRows, table

DIARY = table("diary", "date, mood, location, notes, created_at, updated_at", key="date")
WORDS = table("diary_words", "word, date", key="word, date")


class _WordRows(TableRows):
    table = WORDS


class DiaryRows(TableRows):
    """``ports.society.Diary`` over an executor."""

    table = DIARY

    def put(self, entry: DiaryEntry, words: Collection[str]) -> None:
        self.bump()
        times = micros(entry.created_at), micros(entry.updated_at)
        self.upsert((entry.date, entry.mood, entry.location, _notes_text(entry.notes), *times))
        self._words.drop(" AND date = ?", entry.date)
        self._words.insert([(word, entry.date) for word in sorted(set(words))])

    def get(self, dates: Collection[str]) -> Mapping[str, DiaryEntry]:
        return {entry.date: entry for entry in map(_entry, self.among("date", dates))}

    def list(
        self,
        *,
        since: str | None = None,
        until: str | None = None,
        after: str | None = None,
        limit: int = 100,
        newest_first: bool = False,
    ) -> Sequence[DiaryEntry]:
        condition, params = _between(since, until, after)
        order = f" ORDER BY date {'DESC' if newest_first else 'ASC'} LIMIT ?"
        return [*map(_entry, self.select(condition + order, *params, limit))]

    def search(
        self, words: Collection[str], *, since: str | None = None, until: str | None = None
    ) -> Sequence[str]:
        found: set[str] | None = None
        condition, params = _between(since, until)
        for word in sorted(set(words)):
            dates = {date for _, date in self._words.select(f" AND word = ?{condition}", word, *params)}
            found = dates if found is None else found & dates
            if not found:
                break
        return sorted(found or ())

    def delete(self, dates: Collection[str]) -> None:
        self._words.drop_among("date", dates)
        if self.drop_among("date", dates):
            self.bump()

    def count(self) -> int:
        return self.row_count()

    @property
    def _words(self) -> _WordRows:
        return _WordRows(self.executor, self.agent_id)


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
        notes=tuple(DiaryNote(**{**note, "at": from_micros(note["at"])}) for note in told),
        created_at=from_micros(created_at), updated_at=from_micros(updated_at),
    )  # fmt: skip
