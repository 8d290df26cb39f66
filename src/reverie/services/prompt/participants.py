"""Find who takes part in what the agent is about to do, and how it sees them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from reverie.domain.ids import checked_name
from reverie.domain.names import name_key
from reverie.domain.relationship import Meetings, View
from reverie.errors import InvalidInput
from reverie.memory.prompt import Person
from reverie.memory.society import known_as
from reverie.ports.store import Unit

_MOST = 100


def checked_people(names: Iterable[str] | None) -> tuple[str, ...] | None:
    """Return names as a caller gives them. Raise InvalidInput."""
    if names is None:
        return None
    if isinstance(names, str):
        names = (names,)
    given = tuple(checked_name(name, "with_") for name in names)
    if len(given) > _MOST:
        raise InvalidInput("with_", f"it has {len(given):,} names", f"give at most {_MOST}")
    return given


def people(
    unit: Unit, agent_id: str, names: Sequence[str] | None, conversation: str | None, last: int
) -> Sequence[Person]:  # fmt: skip
    """Return those of ``names`` (None: who has spoken in the conversation), but the agent itself, to whom something was
    assigned; those among the last messages of the conversation first, the last who spoke before all, then whom the
    agent met last. ``last``: so many messages are looked at.
    """
    if names is None:
        room = None if conversation is None else unit.conversations.get(conversation)
        names = room.participants if room is not None else ()
    keys = {name_key(name) for name in names} - {name_key(agent_id)}
    views = unit.relationships.present(keys) if keys else ()
    if not views:
        return ()
    seen = {name_key(view.other) for view in views}
    meetings = meetings_of(unit, seen)
    spoke: list[str] = []
    if conversation is not None and len(views) > 1:
        tail = unit.episodes.tail(conversation, last)
        spoke = [name_key(one.speaker) for one in reversed(tail) if one.speaker is not None]
    found = [Person(view=view, meetings=known_as(view.other, meetings)) for view in views]
    return sorted(found, key=lambda one: _turn(one, spoke))


def meetings_of(unit: Unit, keys: Collection[str], until: datetime | None = None) -> Sequence[Meetings]:
    """Return what conversations tell of those who have these keys, however their names are written there."""
    names = [name for name in unit.conversations.speakers() if name_key(name) in keys]
    return unit.conversations.meetings(names, until=until) if names else ()


def _turn(one: Person, spoke: Sequence[str]) -> tuple[int, float, str]:
    view: View = one.view
    key = name_key(view.other)
    place = spoke.index(key) if key in spoke else len(spoke)
    last = max((met.last_at.timestamp() for met in one.meetings), default=float("-inf"))
    return place, -last, key
