"""Pages of a diary as lines."""

from __future__ import annotations

from datetime import date

from reverie.domain.diary import DiaryEntry, DiaryNote
from reverie.doors.cli.tables import block
from reverie.doors.cli.watch import Watch
from reverie.doors.formats.notes import note_lines


def whole(entry: DiaryEntry, watch: Watch) -> str:
    """A page: its date, mood and place, and its notes with the time of each."""
    day = date.fromisoformat(entry.date)
    facts = [f"{entry.date}, {day:%A}", *([entry.mood] if entry.mood else [])]
    head = " · ".join([*facts, *([entry.location] if entry.location else [])])
    return block(head, *(_note(note, entry, watch) for note in entry.notes))


def _note(note: DiaryNote, entry: DiaryEntry, watch: Watch) -> str:
    """What differs from the page's own mood and place is told; one note alone never does."""
    told = [
        value
        for value, common in ((note.mood, entry.mood), (note.location, entry.location))
        if value and value != common
    ]
    beside = f" ({', '.join(told)})" if told else ""
    first, *more = note_lines(note.body) or ["–"]
    return block(f"{watch.clock(note.at, entry.date)}{beside}  {first}", *more)
