"""Tell whether memories quote all of a quotation already, each a part of it."""

from __future__ import annotations

from reverie.domain.draft import Draft
from reverie.domain.memory import Memory, State
from reverie.ports.store import Unit


def is_quoted_in_parts(unit: Unit, new: Memory | Draft) -> bool:
    """Return whether every word of a quotation stands in live memories that quote the same message."""
    if new.quoted is None:
        return False
    message = new.quoted.episode
    left = new.essence
    for one in unit.memories.get(unit.memories.derived_from([message])).values():
        if one.state is State.ACTIVE and one.quoted is not None and one.quoted.episode == message:
            left = left.replace(one.essence, " ")
    return not any(map(str.isalnum, left))
