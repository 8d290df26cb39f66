"""adopt and approve: the owner vouches for a memory by hand, whoever said it first and whoever worded it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from reverie.domain.audit import Action
from reverie.domain.ids import checked_name
from reverie.domain.memory import Memory
from reverie.domain.trust import SourceTrust
from reverie.errors import InvalidInput, NotFound
from reverie.ports.store import Unit
from reverie.services.runtime import Desk, changed, entry, reason_of


def adopt(desk: Desk, agent_id: str, id: str, *, actor: str, reason: str | None = None) -> Memory:
    """Return the memory with the trust of a principal's word, so that it may instruct (``memory.trust.may_instruct``).

    Nothing that a text says of itself does this; only this call. Its wording waits for no approval any more. One that
    is trusted so already stays as it is. Raise NotFound, InvalidInput (also for an episode: what was said stays whose
    it was).
    """
    return _vouched(desk, agent_id, id, Action.ADOPT, _adopted, actor=actor, reason=reason)


def approve(desk: Desk, agent_id: str, id: str, *, actor: str, reason: str | None = None) -> Memory:
    """Return the memory with a wording that waits for no approval any more; nothing else changes, its trust least of
    all.

    One that waits for none stays as it is. Raise NotFound, InvalidInput as ``adopt`` does.
    """
    return _vouched(
        desk, agent_id, id, Action.APPROVE, partial(replace, needs_review=False), actor=actor, reason=reason
    )


def _adopted(known: Memory) -> Memory:
    return replace(known, source_trust=SourceTrust.PRINCIPAL, needs_review=False)


def _vouched(
    desk: Desk, agent_id: str, id: str, action: Action, made: Callable[[Memory], Memory], *, actor: str,
    reason: str | None,
) -> Memory:  # fmt: skip
    checked_name(id, "id")
    reason = reason_of(desk.settings, reason)

    def write(unit: Unit) -> Memory:
        known = unit.memories.get([id]).get(id)
        if known is None:
            if unit.episodes.get([id]):
                raise InvalidInput("id", "it is an episode's", "give the id of a memory that came from it")
            raise NotFound("memory", id)
        new = made(known)
        if new == known:
            return known
        now = desk.clock()
        new = replace(new, updated_at=now)
        unit.memories.update(new)
        before, after = changed(known, new)
        unit.audit.add(
            [entry(desk, action, id, actor=actor, at=now, before=before, after=after, reason=reason)]
        )
        return new

    return desk.store.transact(agent_id, write)
