"""Pause and resume the jobs and the capture of an agent; the state is kept in the bank."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from reverie.domain.agent import Agent
from reverie.domain.audit import Action
from reverie.errors import Paused
from reverie.ports.store import Unit
from reverie.services.runtime.change_records import entry, plain
from reverie.services.runtime.desk import Desk, read_again


def pause(desk: Desk, agent_id: str, *, actor: str) -> Agent:
    """Let nothing be slept on, put in order, summarized, extracted or captured from now on; what is told is kept as it
    is, and recall goes on. Survives restarts; a second pause changes nothing. Audited.
    """
    return _set(desk, agent_id, desk.clock(), Action.PAUSE, actor)


def resume(desk: Desk, agent_id: str, *, actor: str) -> Agent:
    """Let the agent's jobs and capture go on; the next sleep and round of the loop read what was told meanwhile."""
    return _set(desk, agent_id, None, Action.RESUME, actor)


@read_again
def check_awake(desk: Desk, agent_id: str) -> None:
    """Raise Paused where the agent is."""
    with desk.store.read(agent_id) as unit:
        if is_paused(unit):
            raise Paused(agent_id)


def is_paused(unit: Unit) -> bool:
    """Return whether the unit's agent is paused."""
    agent = unit.agents.get()
    return agent is not None and agent.paused_at is not None


def _set(desk: Desk, agent_id: str, paused_at: datetime | None, action: Action, actor: str) -> Agent:
    def write(unit: Unit) -> Agent:
        known = unit.agents.get() or Agent(id=agent_id, created_at=desk.clock())
        if (known.paused_at is None) == (paused_at is None):
            return known
        new = replace(known, paused_at=paused_at)
        unit.agents.put(new, desk.secret())
        unit.agents.note_due(desk.clock())
        before, after = ({"paused_at": plain(one.paused_at)} for one in (known, new))
        unit.audit.add(
            [entry(desk, action, agent_id, actor=actor, at=desk.clock(), before=before, after=after)]
        )
        return new

    return desk.store.transact(agent_id, write)
