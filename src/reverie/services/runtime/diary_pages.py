"""The whole diary, for services that go through it."""

from __future__ import annotations

from collections.abc import Iterator

from reverie.domain.diary import DiaryEntry
from reverie.ports.store import Unit

_PAGE = 500


def all_pages(unit: Unit) -> Iterator[DiaryEntry]:
    """Every page, in order of date."""
    since: str | None = None
    while held := unit.diary.list(since=since, limit=_PAGE):
        yield from held
        since = f"{held[-1].date} "  # sorts behind this date, and before the next
