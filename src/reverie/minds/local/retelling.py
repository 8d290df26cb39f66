"""Retelling: what messages state, in the third person; what may leave this machine in their place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import tzinfo

from reverie.domain.episode import Episode
from reverie.domain.snippet import Snippet
from reverie.minds.local.sparing import spared
from reverie.minds.local.statements import statements


def retold(messages: Sequence[Episode], zone: tzinfo) -> Mapping[str, Sequence[str]]:
    """The statements of each message that makes some, by its id, in their order; no question and no courtesy. None of a
    message on which a rule fails.
    """
    return spared(messages, lambda some: _retold(some, zone), sound=lambda: None)


def _retold(messages: Sequence[Episode], zone: tzinfo) -> Mapping[str, Sequence[str]]:
    rooms: dict[str, list[Episode]] = {}
    for message in messages:
        rooms.setdefault(message.conversation, []).append(message)
    found: dict[str, list[str]] = {}
    for room in rooms.values():
        ordered = tuple(sorted(room, key=lambda message: message.position))
        snippet = Snippet(agent_id="", zone=zone, messages=ordered, fresh=len(ordered))
        for one in statements(snippet):
            if one.end - one.first == 1:
                found.setdefault(one.message.id, []).append(one.essence)
    return found
