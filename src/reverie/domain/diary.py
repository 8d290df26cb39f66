"""DiaryEntry: a page of an agent's diary, one a date (s4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

MAX_NOTE_BYTES = 65_536
MAX_NOTES = 1_000


@dataclass(frozen=True, kw_only=True, slots=True)
class DiaryNote:
    """What was written at one time. ``body``: a JSON object; plain text stands in it under ``text``."""

    at: datetime
    body: Mapping[str, object]
    mood: str | None = None
    location: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class DiaryEntry:
    """The page of one date (YYYY-MM-DD in the agent's zone): its notes in the order of writing. ``mood`` and
    ``location`` are those that were given last.
    """

    date: str
    mood: str | None = None
    location: str | None = None
    notes: tuple[DiaryNote, ...] = ()
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class DiaryDay:
    """A line of a month's overview: a date, how the agent felt and where it was, how many notes there are, and how the
    first begins.
    """

    date: str
    mood: str | None
    location: str | None
    notes: int
    begins: str


@dataclass(frozen=True, kw_only=True, slots=True)
class DiaryMonth:
    """A month's overview: the days that have a page, in order, and how often each mood and place was noted, most often
    first.
    """

    month: str
    days: tuple[DiaryDay, ...] = ()
    moods: tuple[tuple[str, int], ...] = ()
    locations: tuple[tuple[str, int], ...] = ()
