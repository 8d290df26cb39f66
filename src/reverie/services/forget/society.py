"""What a forget takes of the diary and of relationships, and what it leaves of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby

from reverie.domain.diary import DiaryEntry, DiaryNote
from reverie.domain.names import name_key
from reverie.domain.relationship import NEUTRAL, RELATIONSHIP_TYPES, View
from reverie.memory.society import composed, forgettable, words_of
from reverie.ports.store import Unit
from reverie.services.runtime import all_pages

_WORDS = ("type", "tone", "rationale", "notes")


@dataclass(frozen=True, kw_only=True, slots=True)
class Aside:
    """``pages`` and ``views`` as they are left, None where nothing is; ``texts`` keep what went from being written
    again; ``others``: of whom something went; ``logged``: what the audit log tells of it, by target.
    """

    pages: Mapping[str, DiaryEntry | None] = field(default_factory=dict)
    views: Mapping[str, View | None] = field(default_factory=dict)
    texts: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    logged: tuple[str, ...] = ()

    @property
    def gone(self) -> tuple[str, ...]:
        """Dates of pages, and ids of views, of which nothing is left."""
        return tuple(key for kept in (self.pages, self.views) for key, left in kept.items() if left is None)


def aside_between(unit: Unit, lies_in: Callable[[datetime], bool]) -> Aside:
    """The notes, and the views of others, that were written in a range of time."""
    gone: dict[str, list[DiaryNote]] = {}
    pages: dict[str, DiaryEntry | None] = {}
    for page in all_pages(unit):
        went = [note for note in page.notes if lies_in(note.at)]
        if went:
            left = [note for note in page.notes if not lies_in(note.at)]
            gone[page.date] = went
            pages[page.date] = composed(page.date, left) if left else None
    return _joined(pages, gone, _Views(unit.relationships.history(), lies_in))


def aside_all(unit: Unit) -> Aside:
    """All of both."""
    return aside_between(unit, _always)


def aside_page(unit: Unit, date: str) -> Aside:
    """One page; nothing where there is none."""
    page = unit.diary.get([date]).get(date)
    if page is None:
        return Aside()
    return _joined({date: None}, {date: page.notes}, _Views((), _always))


def aside_other(unit: Unit, other: str) -> Aside:
    """All views of one other; nothing where there are none."""
    return _joined({}, {}, _Views(unit.relationships.history(other), _always))


def put_aside(unit: Unit, aside: Aside) -> None:
    """Does it, but for tombstones and the log."""
    unit.diary.delete([date for date, left in aside.pages.items() if left is None])
    for left in aside.pages.values():
        if left is not None:
            unit.diary.put(left, words_of(left))
    unit.relationships.delete(aside.views)
    for view in aside.views.values():
        if view is not None:
            unit.relationships.add(view)


def mark_of(view: View) -> str:
    """By what a view is known again that says nothing in words."""
    return f"relationship {view.id}"


def _always(_: datetime) -> bool:
    return True


def _joined(
    pages: Mapping[str, DiaryEntry | None], gone: Mapping[str, Sequence[DiaryNote]], views: _Views
) -> Aside:
    texts = [text for date, notes in gone.items() for note in notes for text in forgettable(date, note.body)]
    return Aside(
        pages=pages, views=views.left, texts=tuple(dict.fromkeys([*texts, *views.texts])),
        others=tuple(sorted(views.others)),
        logged=tuple(sorted({*(date for date, left in pages.items() if left is None), *views.logged})),
    )  # fmt: skip


class _Views:
    """What becomes of views when some go: those that go or are changed, and what was said in those that go alone.

    A later view carries on what nobody changed: words of one that goes fall back in it to what was said before. The log
    of all later ones is told of too, since it says what each replaced.
    """

    def __init__(self, history: Iterable[View], lies_in: Callable[[datetime], bool]) -> None:
        self.left: dict[str, View | None] = {}
        self.texts: list[str] = []
        self.others: set[str] = set()
        self.logged: list[str] = []
        by_key = sorted(history, key=lambda view: (name_key(view.other), view.id))
        for _, own in groupby(by_key, key=lambda view: name_key(view.other)):
            self._one([*own], lies_in)

    def _one(self, views: Sequence[View], lies_in: Callable[[datetime], bool]) -> None:
        before: View | None = None
        dead: dict[str, set[str]] = {name: set() for name in _WORDS}
        went = False
        for view in views:
            if lies_in(view.at):
                went = True
                self.left[view.id] = None
                self.others.add(view.other)
                self.texts.append(mark_of(view))
                for name in _WORDS:
                    said = getattr(view, name)
                    if said is not None and (before is None or said != getattr(before, name)):
                        dead[name].add(said)
            elif went and (now := _without(view, before, dead)) != view:
                self.left[view.id] = before = now
            else:
                before = view
            self.logged += [view.id] if went else []
        self.texts += [text for name in ("rationale", "notes") for text in sorted(dead[name])]


def _without(view: View, before: View | None, dead: Mapping[str, Collection[str]]) -> View:
    changes: dict[str, str | None] = {}
    if view.rationale in dead["rationale"]:
        changes["rationale"] = None  # it is of its own change alone
    for name in ("tone", "notes"):
        if getattr(view, name) in dead[name]:
            changes[name] = None if before is None else getattr(before, name)
    if view.type in dead["type"] and view.type not in RELATIONSHIP_TYPES:
        changes["type"] = NEUTRAL if before is None else before.type
    return replace(view, **changes)  # type: ignore[arg-type]  # fields that hold text
