"""Diary pages: one a date. An import adds the notes that a page lacks; a forget takes single notes."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

from reverie.domain.audit import Action, AuditEntry
from reverie.domain.diary import MAX_NOTES, DiaryEntry, DiaryNote
from reverie.domain.link import Include
from reverie.domain.time import micros
from reverie.errors import InvalidInput
from reverie.memory.society import composed, forgettable, told_by, with_notes, words_of
from reverie.ports.store import Unit
from reverie.services.aggregates.aggregate import (
    Aggregate,
    Arrival,
    Incoming,
    IsForgotten,
    LiesIn,
    Losing,
    Told,
    paged,
)
from reverie.services.codecs import BODY, DATE, NAME, TIME, Shape, each, maybe

_PAGE = 500
_NOTE = Shape(fields={"at": TIME, "body": BODY, "mood": maybe(NAME), "location": maybe(NAME)}, make=DiaryNote)


def all_pages(unit: Unit) -> Iterator[DiaryEntry]:
    """Return every page, in order of date."""
    return paged(lambda after: unit.diary.list(after=after, limit=_PAGE), lambda page: page.date)


def _losing(pages: Iterable[DiaryEntry], lies_in: LiesIn) -> Losing[DiaryEntry]:
    left: dict[str, DiaryEntry | None] = {}
    texts: dict[str, None] = {}
    for page in pages:
        stays = [note for note in page.notes if not lies_in(note.at)]
        if len(stays) < len(page.notes):
            left[page.date] = composed(page.date, stays) if stays else None
            gone = (note for note in page.notes if lies_in(note.at))
            texts |= dict.fromkeys(text for note in gone for text in forgettable(page.date, note.body))
    return Losing(left=left, texts=tuple(texts), names=tuple(left))


def _add(unit: Unit, rows: Sequence[DiaryEntry]) -> None:
    for page in rows:
        unit.diary.put(page, words_of(page))


def _arrive(unit: Unit, rows: Sequence[DiaryEntry], incoming: Incoming) -> Iterator[Arrival[DiaryEntry]]:
    there = unit.diary.get([one.date for one in rows])
    for one in rows:
        what, page = _arrived(there.get(one.date), one, incoming.is_forgotten)
        yield Arrival(key=one.date, what=what, row=page)


def _arrived(
    there: DiaryEntry | None, one: DiaryEntry, is_forgotten: IsForgotten
) -> tuple[str, DiaryEntry | None]:
    held = set() if there is None else set(map(_key, there.notes))
    lacking = [note for note in one.notes if _key(note) not in held]
    alive = [note for note in lacking if not any(map(is_forgotten, told_by(one.date, note.body)))]
    if not alive:
        return ("forgotten" if lacking else "known"), None
    if there is None:
        return "added", one if len(alive) == len(one.notes) else composed(one.date, alive)
    if len(there.notes) + len(alive) > MAX_NOTES:
        return "kept", None
    return "added", with_notes(there, alive)


def _key(note: DiaryNote) -> Hashable:
    return note.at, _json(note.body), note.mood, note.location


def _json(body: Mapping[str, object]) -> str:
    return json.dumps(body, sort_keys=True)


def _note_id(date: str, note: DiaryNote, place: int) -> str:
    return f"{date} {micros(note.at)} {place}"


def date_of_note(id: str) -> str:
    """Return the date of the page on which a note stands that came by a link under this id."""
    return id.partition(" ")[0]


def _tell(unit: Unit, _owner: str) -> Iterator[Told]:
    told = [
        (note.at, _note_id(page.date, note, place), page.date, note)
        for page in all_pages(unit)
        for place, note in enumerate(page.notes)
    ]
    for at, id, date, note in sorted(told, key=lambda one: one[:2]):
        plain = note.body.get("text") if len(note.body) == 1 else None
        said = plain if isinstance(plain, str) else json.dumps(dict(note.body), ensure_ascii=False)
        where = "" if note.location is None else f" at {note.location}"
        mood = "" if note.mood is None else f", {note.mood}"
        yield Told(
            source_id=id, at=at, text=f"Diary, {date}{where}{mood}: {said}", said=(said,), mood=note.mood
        )


def _log_texts(entry: AuditEntry) -> Sequence[str]:
    body = (entry.after or {}).get("body")
    return told_by(entry.target, body) if isinstance(body, Mapping) else ()


def _make_page(*, notes: tuple[DiaryNote, ...], **given: object) -> DiaryEntry:
    if not 1 <= len(notes) <= MAX_NOTES:
        raise InvalidInput("notes", f"there are {len(notes):,}", f"give 1 to {MAX_NOTES:,}")
    return DiaryEntry(notes=notes, **given)  # type: ignore[arg-type]  # read by the codecs


DIARY: Aggregate[DiaryEntry] = Aggregate(
    name="diary",
    shape=Shape(
        fields={
            "date": DATE, "mood": maybe(NAME), "location": maybe(NAME),
            "notes": each(_NOTE, "a list of objects: at, body, mood, location"), "created_at": TIME,
            "updated_at": TIME,
        },
        make=_make_page,
    ),
    key=lambda one: ("date", one.date),
    rows=all_pages,
    add=_add,
    texts=lambda page: (text for note in page.notes for text in told_by(page.date, note.body)),
    arrive=_arrive,
    lose=lambda unit, lies_in: _losing(all_pages(unit), lies_in),
    lose_one=lambda unit, date: _losing(unit.diary.get([date]).values(), lambda _: True),
    remove=lambda unit, dates: unit.diary.delete(dates),
    action=Action.DIARY,
    log_texts=_log_texts,
    include=Include.DIARY,
    tell=_tell,
)  # fmt: skip
