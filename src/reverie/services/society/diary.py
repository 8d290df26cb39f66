"""diary: one page a date of the agent's own zone, written on by a deliberate call alone (s4)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo

from reverie.domain.agent import Agent
from reverie.domain.ask import MAX_LIMIT, MAX_MATCH_BYTES, checked_whole
from reverie.domain.audit import Action
from reverie.domain.diary import MAX_NOTES, DiaryDay, DiaryEntry, DiaryMonth, DiaryNote
from reverie.domain.diary_body import beginning, check_size, checked_body
from reverie.domain.ids import checked_name
from reverie.domain.text import checked_switch, checked_text
from reverie.domain.time import zone_of
from reverie.errors import Forgotten, InvalidInput, NotFound
from reverie.errors.showing import shown
from reverie.language import keywords as words_in
from reverie.memory.society import composed, told_by, words_of
from reverie.ports.store import Unit
from reverie.services.forget import forget
from reverie.services.runtime import (
    Desk,
    cleaned,
    cleaned_object,
    entry,
    first_forgotten,
    lift_tombstones,
    read_again,
)

TODAY = "today"
_DATE = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MONTH = re.compile("[0-9]{4}-[0-9]{2}")
_MOST_LINE_BYTES = 800
_LONGEST_MONTH = 31


def write(
    desk: Desk, agent_id: str, body: object, *, mood: str | None = None, location: str | None = None,
    date: date | str | None = None, override: bool = False, actor: str,
) -> DiaryEntry:  # fmt: skip
    """Write on the page of a date (None: today in the agent's zone), behind what stands there; return that page.

    ``mood`` and ``location`` become the page's too; ``location`` None: where the agent is, if that is known. Secrets
    are taken out at any depth. Raise InvalidInput, Forgotten (a text in it was forgotten; without ``override``).
    """
    checked_switch(override, "override")
    written = _cleaned(desk, body)
    mood, place = _line(desk, mood, "mood"), _line(desk, location, "location")

    def work(unit: Unit) -> DiaryEntry:
        now = desk.clock()
        agent = unit.agents.get()
        if agent is None:
            agent = Agent(id=agent_id, created_at=now)
            unit.agents.put(agent, desk.secret())
        day = _day(date, zone_of(agent.time_zone), now)
        known = unit.diary.get([day]).get(day)
        if known is not None and len(known.notes) >= MAX_NOTES:
            raise InvalidInput(
                "date", f"its page has {MAX_NOTES:,} notes", "write on the page of another date"
            )
        note = DiaryNote(at=now, body=written, mood=mood, location=place or agent.location)
        texts = told_by(day, written)
        if override:
            lift_tombstones(unit, texts)
        elif first_forgotten(unit, texts) is not None:
            raise Forgotten("body")
        page = composed(day, (*(known.notes if known else ()), note))
        unit.diary.put(page, words_of(page))
        after = {"body": dict(written), "mood": note.mood, "location": note.location}
        before = None if known is None else {"notes": len(known.notes)}
        unit.audit.add([entry(desk, Action.DIARY, day, actor=actor, at=now, before=before, after=after)])
        return page

    return desk.store.transact(agent_id, work)


@read_again
def page(desk: Desk, agent_id: str, date: date | str | None = None) -> DiaryEntry:
    """Return the page of a date (None: today). Raise NotFound, InvalidInput."""
    with desk.reading(agent_id) as unit:
        day = _day(date, _zone(unit), desk.clock())
        found = unit.diary.get([day]).get(day)
    if found is None:
        raise NotFound("diary page", day)
    return found


@read_again
def pages(
    desk: Desk, agent_id: str, *, since: date | str | None = None, until: date | str | None = None,
    limit: int = 100, newest_first: bool = False,
) -> Sequence[DiaryEntry]:  # fmt: skip
    """Return pages from ``since`` (inclusive) to ``until`` (exclusive), in order of date. Raise InvalidInput."""
    checked_whole(limit, "limit", 1, MAX_LIMIT)
    checked_switch(newest_first, "newest_first")
    with desk.reading(agent_id) as unit:
        begin, end = _between(since, until, _zone(unit), desk.clock())
        return unit.diary.list(since=begin, until=end, limit=limit, newest_first=newest_first)


@read_again
def search(
    desk: Desk, agent_id: str, keywords: str, *, since: date | str | None = None, until: date | str | None = None,
    limit: int = 100,
) -> Sequence[DiaryEntry]:  # fmt: skip
    """Return pages on which each keyword stands, newest first; stemmed, whatever its case and accents. Raise
    InvalidInput.
    """
    checked_whole(limit, "limit", 1, MAX_LIMIT)
    words = words_in(checked_text(keywords, "keywords", most_bytes=MAX_MATCH_BYTES))
    if not words:
        raise InvalidInput("keywords", "there is no word in it", "give some words")
    with desk.reading(agent_id) as unit:
        begin, end = _between(since, until, _zone(unit), desk.clock())
        dates = [*reversed(unit.diary.search(words, since=begin, until=end))][:limit]
        found = unit.diary.get(dates)
    return [found[day] for day in dates]


@read_again
def month(desk: Desk, agent_id: str, month: str | None = None) -> DiaryMonth:
    """Return the overview of a month (YYYY-MM; None or "today": this one in the agent's zone). Raise InvalidInput."""
    with desk.reading(agent_id) as unit:
        name = _day(None, _zone(unit), desk.clock())[:7] if month in (None, TODAY) else _month(month)
        held = unit.diary.list(since=f"{name}-01", until=f"{name}-32", limit=_LONGEST_MONTH)
    notes = [note for one in held for note in one.notes]
    return DiaryMonth(
        month=name,
        days=tuple(
            DiaryDay(
                date=one.date, mood=one.mood, location=one.location, notes=len(one.notes),
                begins=beginning(one.notes[0].body),
            )
            for one in held
        ),
        moods=_most_often(note.mood for note in notes),
        locations=_most_often(note.location for note in notes),
    )  # fmt: skip


def remove(desk: Desk, agent_id: str, date: date | str, *, actor: str) -> DiaryEntry:
    """Forget a page: its words stand nowhere any more, the audit log included, and aren't written again without
    ``override``. The page as it was. Raise NotFound, InvalidInput.
    """
    if date is None:
        raise InvalidInput("date", "there is none", "say which page is to go")
    known = page(desk, agent_id, date)
    forget.forget_page(desk, agent_id, known.date, actor=actor)
    return known


def _cleaned(desk: Desk, body: object) -> dict[str, object]:
    """Return the body as it may be stored."""
    if isinstance(body, str):
        return checked_body(cleaned(desk.settings, checked_body(body)["text"], "body").text)  # type: ignore[arg-type]
    made = cleaned_object(desk.settings, checked_body(body), "body")
    check_size(made)
    return made


def _line(desk: Desk, text: str | None, field: str) -> str | None:
    """Return a mood or a place: a few words on one line."""
    if text is None:
        return None
    said = " ".join(checked_text(text, field, most_bytes=_MOST_LINE_BYTES).split())
    return checked_name(cleaned(desk.settings, said, field).text, field)


def _zone(unit: Unit) -> ZoneInfo:
    agent = unit.agents.get()
    return zone_of(agent.time_zone if agent else "UTC")


def _day(value: object, zone: ZoneInfo, now: datetime, field: str = "date") -> str:
    """Return the name of a date; None and "today" are today's in that zone. Raise InvalidInput."""
    if value is None or value == TODAY:
        return now.astimezone(zone).date().isoformat()
    try:
        if isinstance(value, datetime):
            return (value if value.tzinfo is None else value.astimezone(zone)).date().isoformat()
        if isinstance(value, date):
            return value.isoformat()
        if isinstance(value, str) and _DATE.fullmatch(value):
            return date.fromisoformat(value).isoformat()
    except (ValueError, OverflowError):  # the latter: of a time whose date in that zone is in no calendar
        pass
    raise InvalidInput(field, f"{shown(value)} is no date", "write it like 2026-05-13, or today")


def _between(since: object, until: object, zone: ZoneInfo, now: datetime) -> tuple[str | None, str | None]:
    begin = None if since is None else _day(since, zone, now, "since")
    end = None if until is None else _day(until, zone, now, "until")
    if begin is not None and end is not None and begin >= end:
        raise InvalidInput("until", "it is not later than since", "give a range that has a length")
    return begin, end


def _month(value: object) -> str:
    try:
        if isinstance(value, str) and _MONTH.fullmatch(value):
            return date.fromisoformat(f"{value}-01").isoformat()[:7]
    except ValueError:
        pass
    raise InvalidInput("month", f"{shown(value)} is no month", "write it like 2026-05, or today")


def _most_often(names: Iterable[str | None]) -> tuple[tuple[str, int], ...]:
    counts = Counter(name for name in names if name is not None)
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
