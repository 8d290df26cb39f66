"""How what was assigned to others and what conversations tell of them make relationships."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from reverie.domain.names import name_key
from reverie.domain.relationship import Meetings, Relationship, View
from reverie.domain.time import EPOCH


def known_as(other: str, meetings: Iterable[Meetings]) -> Sequence[Meetings]:
    """Return those of ``other``, however its name is written in conversations (``name_key``)."""
    key = name_key(other)
    return [one for one in meetings if name_key(one.other) == key]


def met(view: View | None, meetings: Sequence[Meetings], other: str) -> Relationship:
    """Return the relationship to one other: ``view``, or neutral, with what all these meetings are together."""
    name = view.other if view is not None else meetings[0].other if meetings else other
    seen = View(id="", other=name, at=EPOCH) if view is None else view
    return Relationship(
        other=name, type=seen.type, trust=seen.trust, tone=seen.tone, rationale=seen.rationale, notes=seen.notes,
        assigned_at=None if view is None else view.at,
        interaction_count=sum(one.messages for one in meetings),
        first_met_at=min((one.first_at for one in meetings), default=None),
        last_met_at=max((one.last_at for one in meetings), default=None),
    )  # fmt: skip


def all_met(agent_id: str, views: Mapping[str, View], meetings: Iterable[Meetings]) -> Sequence[Relationship]:
    """Return everyone who was assigned something (``views``, by ``name_key``) or met, but the agent itself, in
    order of name.
    """
    by_key: dict[str, list[Meetings]] = {}
    for one in meetings:
        by_key.setdefault(name_key(one.other), []).append(one)
    by_key.pop(name_key(agent_id), None)
    return [met(views.get(key), by_key.get(key, ()), key) for key in sorted({*views, *by_key})]
