"""retry: what failed and was parked is tried again at the next chance, instead of when its pause is over."""

from __future__ import annotations

from reverie.ports.store import Unit
from reverie.services.desk import Desk


def retry(desk: Desk, agent_id: str) -> int:
    """Lets parked jobs and conversations be tried again at once; how many there were."""

    def write(unit: Unit) -> int:
        return unit.jobs.unpark() if unit.agents.get() is not None else 0

    done = desk.store.transact(agent_id, write)
    desk.stirred.add(agent_id)
    return done
