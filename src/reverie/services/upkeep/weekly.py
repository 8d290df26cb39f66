"""weekly: housekeeping that comes by itself, once a week for each agent (s2)."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from functools import partial

from reverie.domain.housekept import Housekept
from reverie.domain.time import zone_of
from reverie.ports.store import Unit
from reverie.services.runtime import Desk, read_again, tried
from reverie.services.upkeep.housekeeping import housekeeping

_log = logging.getLogger("reverie.weekly")
_DONE = "housekeeping."
_WEEK = timedelta(days=7)


def weekly(
    desk: Desk, agents: Iterable[str] | None = None, *, actor: str, stop: threading.Event | None = None
) -> Mapping[str, Housekept]:
    """Puts the banks in order whose week (ISO 8601, in the agent's zone) has not seen it yet; the reports by agent.

    An agent younger than a week waits; which weeks were done stands
    in the counters (``housekeeping.2026-W47``), so any number of processes may ask; two at the same moment do no harm,
    since housekeeping twice is housekeeping once. ``stop`` is a background thread's: with it the work gives way to
    callers, and ends early once it is set. What fails for one is logged without contents. What failed or ended early is
    tried again at the next call. Raises Closed.
    """
    done: dict[str, Housekept] = {}
    for agent_id in desk.store.agent_ids() if agents is None else agents:
        if stop is not None and stop.is_set():
            break
        kept = tried(partial(_kept, desk, agent_id, actor, stop))
        if isinstance(kept, Exception):
            _log.warning("an agent's weekly housekeeping failed: %s", type(kept).__name__)
        elif kept is not None:
            done[agent_id] = kept
    return done


def _kept(desk: Desk, agent_id: str, actor: str, stop: threading.Event | None) -> Housekept | None:
    """The report; None where nothing was due."""
    name = _due(desk, agent_id)
    if name is None:
        return None
    kept = housekeeping(desk, agent_id, actor=actor, stop=stop)
    if kept.complete:
        desk.store.transact(agent_id, partial(_note, name))
    return kept


def _note(name: str, unit: Unit) -> None:
    unit.counters.add({name: 1})


@read_again
def _due(desk: Desk, agent_id: str) -> str | None:
    """The counter to set when it is done; None where nothing is due."""
    with desk.store.read(agent_id) as unit:
        return None if unit.transfer.under_way() is not None else _week(unit, desk.clock())


def _week(unit: Unit, now: datetime) -> str | None:
    agent = unit.agents.get()
    if agent is None or agent.paused_at is not None or now - agent.created_at < _WEEK:
        return None
    year, week, _ = now.astimezone(zone_of(agent.time_zone)).isocalendar()
    name = f"{_DONE}{year}-W{week:02}"
    return None if unit.counters.all().get(name) else name
