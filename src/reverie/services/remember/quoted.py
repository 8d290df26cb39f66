"""Tell what memories quote of a message, and what they quoted before they were corrected."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from reverie.domain.draft import Draft
from reverie.domain.memory import Memory, State
from reverie.ports.store import Unit


def is_quoted_in_parts(unit: Unit, new: Memory | Draft) -> bool:
    """Return whether every word of a quotation stands in live memories that quote the same message, or stood in one
    that was corrected since: the message is no news, and must not bring back what was wrong.
    """
    if new.quoted is None:
        return False
    message = new.quoted.episode
    derived = unit.memories.derived_from([message])
    said = [
        one.essence
        for one in unit.memories.get(derived).values()
        if one.state is State.ACTIVE and one.quoted is not None and one.quoted.episode == message
    ]
    left = new.essence
    for text in (*said, *outdated(unit, derived).get(message, ())):
        left = left.replace(text, " ")
    return not any(map(str.isalnum, left))


def outdated(unit: Unit, derived: Mapping[str, Collection[str]]) -> Mapping[str, list[str]]:
    """Return by message the wordings that memories which rest on it had, and have no longer. ``derived``: the messages
    of each such memory.
    """
    replaced = unit.memories.histories(derived)
    now = unit.memories.get(replaced) if replaced else {}
    found: dict[str, list[str]] = {}
    for id, memory in now.items():
        lost = [old.essence for old in replaced[id] if old.essence not in memory.essence]
        for message in derived[id]:
            found.setdefault(message, []).extend(lost)
    return found
