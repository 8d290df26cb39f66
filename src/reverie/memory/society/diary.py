"""What a page of the diary is found by, how its notes make it, and how a forgotten note is known again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from reverie.domain.diary import DiaryEntry, DiaryNote
from reverie.domain.diary_body import texts_in
from reverie.language import keywords

_LEAST_TOLD = 3


def words_of(page: DiaryEntry) -> frozenset[str]:
    """Return the words by which the page is found: of all texts in its bodies, and of its moods and places."""
    texts = [text for note in page.notes for text in (*texts_in(note.body), note.mood, note.location) if text]
    return frozenset(word for text in texts for word in keywords(text))


def composed(date: str, notes: Sequence[DiaryNote]) -> DiaryEntry:
    """Return the page of these notes, one at least, with the mood and the place that were given last."""
    latest = [*reversed(notes)]
    return DiaryEntry(
        date=date,
        mood=next((note.mood for note in latest if note.mood is not None), None),
        location=next((note.location for note in latest if note.location is not None), None),
        notes=tuple(notes),
        created_at=min(note.at for note in notes),
        updated_at=max(note.at for note in notes),
    )


def with_notes(page: DiaryEntry, notes: Sequence[DiaryNote]) -> DiaryEntry:
    """Return the page with these notes too, all in order of time; of the same time, its own stand first."""
    every = sorted((*page.notes, *notes), key=lambda note: note.at)
    return replace(composed(page.date, every), created_at=page.created_at)


def told_by(date: str, body: Mapping[str, object]) -> tuple[str, ...]:
    """Return by what a note is known again: its whole body under its date, and each of its texts."""
    return (_whole(date, body), *(text for text in texts_in(body) if text.strip()))


def forgettable(date: str, body: Mapping[str, object]) -> tuple[str, ...]:
    """Return by what a forgotten note is kept out: its whole body under its date, and those of its texts that
    tell something. A word or two ("tired", "Kade") may be written again on other days.
    """
    return (_whole(date, body), *(text for text in texts_in(body) if len(keywords(text)) >= _LEAST_TOLD))


def _whole(date: str, body: Mapping[str, object]) -> str:
    return f"diary {date} {json.dumps(body, ensure_ascii=False, sort_keys=True)}"
