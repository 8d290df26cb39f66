"""When a stored goal falls due, and whether it is open still."""

from __future__ import annotations

from datetime import datetime

from reverie.domain.audit import Action
from reverie.domain.goal import Achieved
from reverie.domain.memory import Memory
from reverie.ports.store import Unit
from reverie.services.runtime import Desk, entry


def schedule(desk: Desk, unit: Unit, memory: Memory, at: datetime, *, actor: str) -> None:
    """Let a stored goal fall due then; one that was achieved is open again, unless it was due then already."""
    if unit.dues.get([memory.id]).get(memory.id) != at:
        open_again(desk, unit, memory, desk.clock(), actor)
        set_due(desk, unit, memory.id, at, actor)


def open_again(desk: Desk, unit: Unit, memory: Memory, now: datetime, actor: str) -> bool:
    """Open a goal that was achieved. Return whether it was."""
    known = unit.goals.achieved([memory.id]).get(memory.id)
    if known is None:
        return False
    unit.goals.reopen(memory.id)
    log(desk, unit, memory.id, actor, now, before=told(known), after={"achieved": None})
    return True


def set_due(desk: Desk, unit: Unit, id: str, at: datetime | None, actor: str) -> None:
    """Let a goal fall due then; None: never."""
    known = unit.dues.get([id]).get(id)
    if known == at:
        return
    if at is None:
        unit.dues.remove(id)
    else:
        unit.dues.put(id, at)
    log(desk, unit, id, actor, desk.clock(), before=_told_due(known), after=_told_due(at))


def _told_due(at: datetime | None) -> dict[str, object]:
    return {"due": None if at is None else at.isoformat()}


def told(achieved: Achieved) -> dict[str, object]:
    """Return what the audit log says of it."""
    return {"achieved": achieved.at.isoformat(), "note": achieved.note}


def log(
    desk: Desk, unit: Unit, id: str, actor: str, at: datetime, *, before: dict[str, object],
    after: dict[str, object],
) -> None:  # fmt: skip
    """Note a change of a goal in the audit log."""
    unit.audit.add([entry(desk, Action.GOAL, id, actor=actor, at=at, before=before, after=after)])
