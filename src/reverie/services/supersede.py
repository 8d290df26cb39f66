"""Supersession: a memory that takes the place of older ones, which are kept and come back by deep recall and as_of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from reverie.domain.audit import Action
from reverie.domain.memory import Memory, State
from reverie.domain.outcome import Remembered
from reverie.errors import NotFound
from reverie.ports.store import Unit
from reverie.services.changes import changed, entry, version_of
from reverie.services.desk import Desk

Replaced = Sequence[str]
"""Ids of the memories whose place one new memory takes."""


def check_replaced(unit: Unit, batch: Sequence[Replaced]) -> None:
    """Raises NotFound for a memory that isn't there."""
    wanted = {memory_id for replaced in batch for memory_id in replaced}
    missing = wanted - set(unit.memories.get(wanted)) if wanted else set()
    if missing:
        raise NotFound("memory", min(missing))


def supersede(
    desk: Desk,
    unit: Unit,
    outcomes: Sequence[Remembered],
    batch: Sequence[Replaced],
    now: datetime,
    actor: str,
) -> None:
    """Archives what each new memory replaces; what it said was true until the new one was learned or became valid.

    A memory doesn't replace itself: where the new text only reinforced the old one, nothing happens to it.
    """
    check_replaced(unit, batch)
    log = []
    for outcome, replaced in zip(outcomes, batch, strict=True):
        for memory_id in replaced:
            if memory_id == outcome.memory.id:
                continue
            old = unit.memories.get([memory_id])[memory_id]
            new = _replaced(old, outcome.memory, now)
            if new == old:
                continue
            if new.version != old.version:
                unit.memories.add_version(version_of(old, new.believed_from))
            unit.memories.update(new)
            before, after = changed(old, new)
            log.append(
                entry(desk, Action.SUPERSEDE, memory_id, actor=actor, at=now, before=before, after=after)
            )
    unit.audit.add(log)


def _replaced(old: Memory, by: Memory, now: datetime) -> Memory:
    new = replace(old, state=State.ARCHIVED, superseded_by=by.id)
    learned = by.created_at if by.created_at > old.believed_from else now
    until = by.valid_from or learned
    begun = old.valid_from is None or old.valid_from < until
    if begun and (old.valid_to is None or old.valid_to > until):
        new = replace(new, valid_to=until, version=old.version + 1, believed_from=learned)
    return new if new == old else replace(new, updated_at=now)
