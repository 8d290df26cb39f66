"""Read and change who the agent is: its time zone, its principals, its home."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace

from reverie.domain.agent import Agent
from reverie.domain.audit import Action
from reverie.domain.message import checked_labels
from reverie.ports.store import Unit
from reverie.services.runtime.change_records import entry, plain
from reverie.services.runtime.checks import name_of, refuse_secrets
from reverie.services.runtime.desk import Desk, read_again

_MAY_GO = ("home", "location")


@read_again
def profile(desk: Desk, agent_id: str) -> Agent:
    """Return the agent as it is known; defaults for one that has never written."""
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
    """Return the agent with what was given changed (None: as it was; "" takes home or location away). Writes, and
    audits, only what differs. Raise InvalidInput.
    """
    given: dict[str, object] = {"time_zone": time_zone, "home": home, "location": location}
    away = [name for name in _MAY_GO if given[name] == ""]
    if principals is not None:
        given["principals"] = names = checked_labels(principals, "principals")
        refuse_secrets(desk.settings, names, "principals")
    given = {name: value for name, value in given.items() if value is not None} | dict.fromkeys(away)
    for name in _MAY_GO:
        if given.get(name) is not None:
            name_of(desk.settings, given[name], name)
    found = _found(desk, agent_id)
    known = found or Agent(id=agent_id, created_at=desk.clock())
    known = replace(known, **given)  # type: ignore[arg-type]  # Agent checks what it is given
    if known == found:
        return known

    def write(unit: Unit) -> Agent:
        old = unit.agents.get()
        new = replace(old, **given) if old else known  # type: ignore[arg-type]  # as above
        if new == old:
            return new
        unit.agents.put(new, desk.secret())
        unit.agents.note_due(desk.clock())  # it may have come home
        names = [f.name for f in fields(new) if old is None or getattr(old, f.name) != getattr(new, f.name)]
        before = None if old is None else {name: plain(getattr(old, name)) for name in names}
        after = {name: plain(getattr(new, name)) for name in names}
        at = desk.clock()
        unit.audit.add(
            [entry(desk, Action.PROFILE, agent_id, actor=actor, at=at, before=before, after=after)]
        )
        return new

    return desk.store.transact(agent_id, write)


@read_again
def _found(desk: Desk, agent_id: str) -> Agent | None:
    with desk.store.read(agent_id) as unit:
        return unit.agents.get()
