"""profile: who the agent is: its time zone, its principals, its home."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace

from reverie.domain.agent import Agent
from reverie.domain.audit import Action
from reverie.domain.message import checked_labels
from reverie.services.changes import entry
from reverie.services.desk import Desk


def profile(desk: Desk, agent_id: str) -> Agent:
    """The agent as it is known; defaults for one that has never written."""
    with desk.store.read(agent_id) as unit:
        return unit.agents.get() or Agent(id=agent_id, created_at=desk.clock())


def change_profile(
    desk: Desk,
    agent_id: str,
    *,
    time_zone: str | None = None,
    principals: Sequence[str] | None = None,
    home: str | None = None,
    location: str | None = None,
    actor: str,
) -> Agent:
    """The agent with what was given changed (None: as it was). Writes, and audits, only what differs.
    Raises InvalidInput.
    """
    given: dict[str, object] = {"time_zone": time_zone, "home": home, "location": location}
    if principals is not None:
        given["principals"] = checked_labels(principals, "principals")
    given = {name: value for name, value in given.items() if value is not None}
    known = replace(profile(desk, agent_id), **given)  # type: ignore[arg-type]  # Agent checks what it is given
    with desk.store.write(agent_id) as unit:
        old = unit.agents.get()
        new = replace(old, **given) if old else known  # type: ignore[arg-type]  # as above
        if new == old:
            return new
        unit.agents.put(new, desk.secret())
        names = [
            field.name
            for field in fields(new)
            if old and getattr(old, field.name) != getattr(new, field.name)
        ]
        if old is not None:
            unit.audit.add(
                [
                    entry(
                        desk,
                        Action.PROFILE,
                        agent_id,
                        actor=actor,
                        at=desk.clock(),
                        before={name: _plain(getattr(old, name)) for name in names},
                        after={name: _plain(getattr(new, name)) for name in names},
                    )
                ]
            )
    return new


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
