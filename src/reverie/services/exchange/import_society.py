"""What an import brings of the diary and of relationships: notes and views that aren't there; none is replaced."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from reverie.domain.diary import MAX_NOTES, DiaryEntry, DiaryNote
from reverie.domain.relationship import View
from reverie.memory.society import composed, with_notes
from reverie.ports.store import Unit
from reverie.services.exchange.import_dead import Dead


@dataclass(frozen=True, kw_only=True, slots=True)
class Coming:
    """What becomes of one line: the kind and key of it, ``added``, ``known``, ``forgotten`` or ``kept`` (it can't
    enter), and what is to be written.
    """

    kind: str
    key: str
    what: str
    page: DiaryEntry | None = None
    view: View | None = None


def coming_pages(unit: Unit, file: Sequence[DiaryEntry], dead: Dead) -> Iterator[Coming]:
    """Pages; to one that is there the notes that it lacks are added, in order of time."""
    there = unit.diary.get([one.date for one in file])
    for one in file:
        what, page = _page(there.get(one.date), one, dead)
        yield Coming(kind="diary", key=one.date, what=what, page=page)


def coming_views(unit: Unit, file: Sequence[View], dead: Dead) -> Iterator[Coming]:
    """Views of others."""
    there = {view.id for view in unit.relationships.history()} if file else set()
    for view in file:
        what = "known" if view.id in there else "forgotten" if dead.view(view) else "added"
        yield Coming(kind="relationship", key=view.id, what=what, view=view if what == "added" else None)


def _page(there: DiaryEntry | None, one: DiaryEntry, dead: Dead) -> tuple[str, DiaryEntry | None]:
    held = set() if there is None else {_key(note) for note in there.notes}
    lacking = [note for note in one.notes if _key(note) not in held]
    alive = [note for note in lacking if not dead.note(one.date, note)]
    if not lacking:
        return "known", None
    if not alive:
        return "forgotten", None
    if there is None:
        return "added", one if len(alive) == len(one.notes) else composed(one.date, alive)
    if len(there.notes) + len(alive) > MAX_NOTES:
        return "kept", None
    return "added", with_notes(there, alive)


def _key(note: DiaryNote) -> Hashable:
    body: Mapping[str, object] = note.body
    return note.at, json.dumps(body, sort_keys=True), note.mood, note.location
