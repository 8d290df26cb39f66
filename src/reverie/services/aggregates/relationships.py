"""Views of others: how the agent sees them, and saw them before."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from reverie.domain.kinds import Kind
from reverie.domain.link import Include
from reverie.domain.names import name_key
from reverie.domain.relationship import NEUTRAL, RELATIONSHIP_TYPES, View
from reverie.ports.store import Unit
from reverie.services.aggregates.aggregate import Aggregate, LiesIn, Losing, Told, one_by_one
from reverie.services.codecs import NAME, TIME, TRUST, WORDS, Shape, maybe

_FIELDS = ("id", "other", "at", "trust", "tone", "rationale", "notes")
_WORDS = ("type", "tone", "rationale", "notes")


def _losing(history: Iterable[View], lies_in: LiesIn) -> Losing[View]:
    left: dict[str, View | None] = {}
    texts: list[str] = []
    logged: list[str] = []
    by_key = sorted(history, key=lambda view: (name_key(view.other), view.id))
    for _, views in groupby(by_key, key=lambda view: name_key(view.other)):
        _lose_of_one([*views], lies_in, left, texts, logged)
    others = {view.other for view in by_key if view.id in left and left[view.id] is None}
    return Losing(
        left=left, texts=tuple(dict.fromkeys(texts)), names=tuple(sorted(others)), logged=tuple(logged)
    )


def _lose_of_one(
    views: Sequence[View], lies_in: LiesIn, left: dict[str, View | None], texts: list[str], logged: list[str]
) -> None:
    """Work out what is left of the views of one other.

    A later view carries on what nobody changed: words of a view that goes fall back in it to what was said before.
    The log of all later views goes too, since it tells what each replaced.
    """
    before, went = None, False
    dead: dict[str, set[str]] = {name: set() for name in _WORDS}
    for view in views:
        if lies_in(view.at):
            left[view.id], went = None, True
            texts.append(_mark(view))
            for name in _WORDS:
                said = getattr(view, name)
                if said is not None and (before is None or said != getattr(before, name)):
                    dead[name].add(said)
        else:
            now = _without(view, before, dead)
            if now != view:
                left[view.id] = now
            before = now
        logged += [view.id] if went else []
    texts += [text for name in ("rationale", "notes") for text in sorted(dead[name])]


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


def _mark(view: View) -> str:
    """Return what a view that says nothing in words is known by once it is forgotten."""
    return f"relationship {view.id}"


def _is_known(unit: Unit, rows: Sequence[View]) -> Callable[[View], bool]:
    there = {view.id for view in unit.relationships.history()} if rows else set()
    return lambda view: view.id in there


def _tell(unit: Unit, owner: str) -> Iterator[Told]:
    for view in unit.relationships.present():
        said = f"{owner} sees {view.other} as {view.type} (trust {view.trust:+.1f})"
        said += "" if view.tone is None else f", tone {view.tone}"
        more = tuple(text for text in (view.rationale, view.notes) if text)
        yield Told(
            source_id=view.id, text=f"{said}: {'. '.join(more)}" if more else said, at=view.at, said=more,
            kind=Kind.RELATIONSHIP, entities=(view.other,),
        )  # fmt: skip


RELATIONSHIP: Aggregate[View] = Aggregate(
    name="relationship",
    shape=Shape(
        fields={
            "id": NAME, "other": NAME, "at": TIME, "relation": NAME, "trust": TRUST, "tone": maybe(NAME),
            "rationale": maybe(WORDS), "notes": maybe(WORDS),
        },
        make=lambda relation, **given: View(type=relation, **given),
        split=lambda view: {**{name: getattr(view, name) for name in _FIELDS}, "relation": view.type},
    ),
    key=lambda one: ("id", one.id),
    rows=lambda unit: unit.relationships.history(),
    add=one_by_one(lambda unit: unit.relationships.add),
    is_known=_is_known,
    texts=lambda view: (_mark(view), view.rationale, view.notes),
    lose=lambda unit, lies_in: _losing(unit.relationships.history(), lies_in),
    lose_one=lambda unit, other: _losing(unit.relationships.history(other), lambda _: True),
    remove=lambda unit, ids: unit.relationships.delete(ids),
    include=Include.RELATIONSHIPS,
    tell=_tell,
)  # fmt: skip
