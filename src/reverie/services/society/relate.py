"""relate: how the agent sees others (s4): what it assigns to them by a deliberate call, with every change kept, and how
often the two met, which its conversations tell by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from reverie.domain.agent import Agent
from reverie.domain.audit import Action
from reverie.domain.ids import behind, checked_name
from reverie.domain.message import MAX_AT_ONCE
from reverie.domain.names import checked_other, name_key
from reverie.domain.relationship import MAX_RATIONALE_BYTES, Relationship, View
from reverie.domain.relationship_graph import RelationshipGraph
from reverie.domain.text import at_most, checked_switch, checked_text
from reverie.domain.time import to_utc, zone_of
from reverie.errors import Forgotten, InvalidInput, NotFound
from reverie.errors.showing import shown
from reverie.memory.society import all_met, met
from reverie.ports.store import Unit
from reverie.services.forget import forget
from reverie.services.prompt import meetings_of
from reverie.services.runtime import (
    Desk,
    cleaned,
    entry,
    first_forgotten,
    lift_tombstones,
    plain,
    read_again,
    refuse_secret,
)

_MOST_TONE_BYTES = 800
_BETWEEN_WORDS = re.compile(r"[\s_-]+")
_SEEN = ("type", "trust", "tone", "rationale", "notes")


def assign(
    desk: Desk, agent_id: str, other: str, *, type: str | None = None,  # noqa: A002  # the field's name
    trust: float | None = None, tone: str | None = None, rationale: str | None = None, notes: str | None = None,
    override: bool = False, actor: str,
) -> Relationship:  # fmt: skip
    """Set how the agent sees ``other`` from now on; None leaves as it is. Where nothing differs from how it saw them,
    nothing is written. A name stays as it first came. ``rationale`` is of this change alone: a change without one
    has none. Raise InvalidInput, Forgotten (a text that was forgotten, without ``override``).
    """
    checked_switch(override, "override")
    other = _other(agent_id, other)
    refuse_secret(desk.settings, other, "other")
    given = _given(desk, type=type, trust=trust, tone=tone, rationale=rationale, notes=notes)

    def work(unit: Unit) -> Relationship:
        now = desk.clock()
        if unit.agents.get() is None:
            unit.agents.put(Agent(id=agent_id, created_at=now), desk.secret())
        old = _present(unit, other)
        base = View(id="", other=other, at=now) if old is None else old
        changes = {name: value for name, value in given.items() if value != getattr(base, name)}
        if old is not None and not changes:
            return _of(unit, old, other)
        if changes and "rationale" not in given and base.rationale is not None:
            changes["rationale"] = None  # why it changed before is not why it changes now
        texts = [text for name, text in changes.items() if isinstance(text, str) and name in _TOLD]
        if override:
            lift_tombstones(unit, texts)
        elif (place := first_forgotten(unit, texts)) is not None:
            raise Forgotten(next(name for name, text in changes.items() if text == texts[place]))
        new = replace(base, id=_next_id(desk, now, old), at=now, **changes)  # type: ignore[arg-type]  # checked
        unit.relationships.add(new)
        names = [*changes] if old is not None else [name for name in _SEEN if getattr(new, name) is not None]
        before = None if old is None else {name: plain(getattr(old, name)) for name in names}
        after = {"other": new.other, **{name: plain(getattr(new, name)) for name in names}}
        unit.audit.add(
            [entry(desk, Action.RELATIONSHIP, new.id, actor=actor, at=now, before=before, after=after)]
        )
        return _of(unit, new, other)

    return desk.store.transact(agent_id, work)


def _next_id(desk: Desk, now: datetime, old: View | None) -> str:
    """Return an id behind that of the view that it replaces, though the clock that dated that one may have been ahead:
    the last view by id is the present one.
    """
    id = desk.ids(now)
    return id if old is None else behind(id, old.id)


_TOLD = ("rationale", "notes")


@read_again
def relationship(
    desk: Desk, agent_id: str, other: str, *, as_of: datetime | str | None = None
) -> Relationship:
    """Return how it sees ``other``, or saw it then. Raise NotFound where nothing was assigned and the two never spoke,
    InvalidInput.
    """
    checked_name(other, "other")
    with desk.reading(agent_id) as unit:
        at = _moment(unit, as_of)
        view = _at(unit.relationships.history(other), at).get(name_key(other))
        if view is None and name_key(other) == name_key(agent_id):
            raise NotFound("relationship", other)
        found = _of(unit, view, other, at)
    if view is None and not found.interaction_count:
        raise NotFound("relationship", other)
    return found


@read_again
def relationships(
    desk: Desk, agent_id: str, *, as_of: datetime | str | None = None
) -> Sequence[Relationship]:
    """Return everyone whom it has assigned something to, or has spoken with, in order of name. Raise InvalidInput."""
    with desk.reading(agent_id) as unit:
        at = _moment(unit, as_of)
        if at is None:
            views = {name_key(view.other): view for view in unit.relationships.present()}
        else:
            views = dict(_at(unit.relationships.history(), at))
        return all_met(agent_id, views, unit.conversations.meetings(until=at))


@read_again
def history(desk: Desk, agent_id: str, other: str | None = None) -> Sequence[View]:
    """Return every view of one other, or of all, oldest first. Raise InvalidInput."""
    if other is not None:
        checked_name(other, "other")
    with desk.reading(agent_id) as unit:
        return unit.relationships.history(other)


def remove(desk: Desk, agent_id: str, other: str, *, actor: str) -> Relationship:
    """Forget what was assigned to ``other``: its words stand nowhere any more, the audit log included, and aren't
    assigned again without ``override``. What it was. Raise NotFound, InvalidInput.
    """
    known = relationship(desk, agent_id, other)
    if known.assigned_at is None:
        raise NotFound("relationship", other)
    forget.forget_other(desk, agent_id, other, actor=actor)
    return known


def graph(desk: Desk, agents: Iterable[str], *, as_of: datetime | str | None = None) -> RelationshipGraph:
    """Return how these agents see each other and everyone else, each name once: as an agent's id has it, else as it was
    first found. Raise InvalidInput.
    """
    if isinstance(agents, str) or not isinstance(agents, Iterable):
        raise InvalidInput("agents", "it is no list of agents", 'give a list such as ["nova"]')
    given = at_most(agents, MAX_AT_ONCE, "agents")
    ids = list(dict.fromkeys(checked_name(one, "agents") for one in given))
    seen = [(id, one) for id in ids for one in relationships(desk, id, as_of=as_of)]
    names: dict[str, str] = {name_key(id): id for id in reversed(ids)}
    for _, one in seen:
        names.setdefault(name_key(one.other), one.other)
    views = [(id, replace(one, other=names[name_key(one.other)])) for id, one in seen]
    return RelationshipGraph(
        nodes=tuple(sorted({*ids, *names.values()}, key=lambda name: (name_key(name), name))),
        views=tuple(sorted(views, key=lambda view: (name_key(view[0]), view[0], name_key(view[1].other)))),
        agents=tuple(sorted(ids)),
    )


def _other(agent_id: str, other: str) -> str:
    name = checked_other(other, "other")
    if name_key(name) == name_key(agent_id):
        raise InvalidInput("other", "it is the agent itself", "name somebody else")
    return name


def _given(
    desk: Desk, *, type: str | None, trust: float | None, tone: str | None,  # noqa: A002  # the field's name
    rationale: str | None, notes: str | None,
) -> Mapping[str, object]:  # fmt: skip
    """Return what was given, as it is stored."""
    given: dict[str, object] = {}
    if type is not None:
        given["type"] = _type(cleaned(desk.settings, checked_name(type, "type"), "type").text)
    if trust is not None:
        given["trust"] = checked_trust(trust)
    if tone is not None:
        said = " ".join(checked_text(tone, "tone", most_bytes=_MOST_TONE_BYTES).split())
        given["tone"] = checked_name(cleaned(desk.settings, said, "tone").text, "tone")
    for name, text in (("rationale", rationale), ("notes", notes)):
        if text is not None:
            said = checked_text(text, name, most_bytes=MAX_RATIONALE_BYTES, remedy="say it in fewer words")
            given[name] = cleaned(desk.settings, said.strip(), name).text
    return given


def _type(name: str) -> str:
    """Return the type in small letters, with _ between words; of the types that are known and of others."""
    return checked_name(_BETWEEN_WORDS.sub("_", name.strip(" _-")).lower(), "type")


def checked_trust(value: object) -> float:
    """Return a number in [-1, 1]. Raise InvalidInput, also for NaN and for True."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not -1 <= value <= 1:
        raise InvalidInput("trust", f"{shown(value)} is not a number from -1 to 1", "give one")
    return float(value) + 0.0  # SQLite keeps -0.0 as 0.0, PostgreSQL as it is


def _present(unit: Unit, other: str) -> View | None:
    found = unit.relationships.present([other])
    return found[0] if found else None


def _moment(unit: Unit, as_of: datetime | str | None) -> datetime | None:
    if as_of is None:
        return None
    agent = unit.agents.get()
    return to_utc(as_of, zone=zone_of(agent.time_zone if agent else "UTC"), field="as_of")


def _at(history: Iterable[View], at: datetime | None) -> Mapping[str, View]:
    """Return the last view of each other until then, by key."""
    return {name_key(view.other): view for view in history if at is None or view.at <= at}


def _of(unit: Unit, view: View | None, other: str, at: datetime | None = None) -> Relationship:
    return met(view, meetings_of(unit, {name_key(other)}, at), other)
