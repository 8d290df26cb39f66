"""Keep who the agent is. Soul entries come and go by a deliberate call alone (s4)."""

from __future__ import annotations

from collections.abc import Sequence

from reverie.domain.agent import Agent
from reverie.domain.audit import Action
from reverie.domain.ids import checked_name
from reverie.domain.soul import MAX_SOUL_BYTES, SoulEntry
from reverie.domain.text import checked_switch, checked_text
from reverie.errors import Forgotten, InvalidInput, NotFound
from reverie.memory.forgetting import same_text
from reverie.ports.store import Unit
from reverie.services.runtime import Desk, cleaned, entry, first_forgotten, lift_tombstones, read_again


def add(desk: Desk, agent_id: str, text: str, *, override: bool = False, actor: str) -> SoulEntry:
    """Add a core belief, value, fear or conviction, for good.

    Raise InvalidInput for a text that is empty, longer than MAX_SOUL_BYTES, or an entry already (whatever its case,
    spacing and punctuation), Forgotten for one that was forgotten (without ``override``).
    """
    checked_switch(override, "override")
    said = checked_text(text, "text", most_bytes=MAX_SOUL_BYTES, remedy="say it in fewer words").strip()
    said = cleaned(desk.settings, said, "text").text

    def write(unit: Unit) -> SoulEntry:
        now = desk.clock()
        if unit.agents.get() is None:
            unit.agents.put(Agent(id=agent_id, created_at=now), desk.secret())
        same = next((one for one in unit.soul.list() if same_text(one.text, said)), None)
        if same is not None:
            raise InvalidInput(
                "text", f"the soul says so already ({same.id})", "leave it, or remove that one first"
            )
        if override:
            lift_tombstones(unit, [said])
        elif first_forgotten(unit, [said]) is not None:
            raise Forgotten("text")
        new = SoulEntry(id=desk.ids(now), text=said, created_at=now)
        unit.soul.add(new)
        after = {"text": said}
        unit.audit.add([entry(desk, Action.SOUL, new.id, actor=actor, at=now, after=after)])
        return new

    return desk.store.transact(agent_id, write)


def remove(desk: Desk, agent_id: str, id: str, *, actor: str) -> SoulEntry:
    """Take an entry away, and return it as it was. Raise NotFound, InvalidInput."""
    checked_name(id, "id")

    def write(unit: Unit) -> SoulEntry:
        known = next((one for one in unit.soul.list() if one.id == id), None)
        if known is None:
            raise NotFound("soul entry", id)
        unit.soul.remove(id)
        before = {"text": known.text}
        unit.audit.add([entry(desk, Action.SOUL, id, actor=actor, at=desk.clock(), before=before)])
        return known

    return desk.store.transact(agent_id, write)


@read_again
def entries(desk: Desk, agent_id: str) -> Sequence[SoulEntry]:
    """Return all entries, oldest first."""
    with desk.reading(agent_id) as unit:
        return unit.soul.list()
