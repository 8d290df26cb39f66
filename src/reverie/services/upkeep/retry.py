"""Let what failed and was parked be tried again at the next chance, instead of when its pause is over."""

from __future__ import annotations

from reverie.ports.store import Unit
from reverie.services.runtime import Desk


def retry(desk: Desk, agent_id: str) -> int:
    """Let be tried again at once what rests after a failure, and what is dead: jobs, conversations, writes that the
    embedder refused; and jobs whose lease was taken by a clock that was ahead. How many there were.
    """

    def write(unit: Unit) -> int:
        if unit.agents.get() is None:
            return 0
        now = desk.clock()
        unit.agents.note_due(now)
        return unit.jobs.unpark() + unit.jobs.free(now) + unit.outbox.take_up()

    done = desk.store.transact(agent_id, write)
    desk.dirty.add(agent_id)
    return done
