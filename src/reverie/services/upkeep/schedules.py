"""Run the jobs that come by themselves: sleep and self-care at night, housekeeping once a week (s2, s3, s4).

What fails for one agent is logged without contents, and the others go on.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, time, timedelta
from functools import partial
from zlib import crc32

from reverie.domain.agent import Agent
from reverie.domain.housekept import Housekept
from reverie.domain.job import JobState
from reverie.domain.sleep import SleepReport
from reverie.domain.time import zone_of
from reverie.ports.store import Unit
from reverie.services.runtime import Desk, agents_until, attempted, read_again
from reverie.services.sleep import due, sleep_through
from reverie.services.upkeep import selfcare
from reverie.services.upkeep.housekeeping import housekeeping

_DONE = "housekeeping."
_WEEK = timedelta(days=7)
_DAYS = timedelta(days=4)


def nightly(
    desk: Desk, agents: Iterable[str] | None = None, *, actor: str, stop: threading.Event | None = None
) -> Mapping[str, tuple[SleepReport, ...]]:
    """Have every agent sleep whose sleep is due, until nothing is left to read; return the reports by agent. Then run
    its self-care, if that is due; the audit log tells of it.

    ``stop`` is a background thread's: with it the work gives way to callers, and ends between two sleeps once it is
    set. What fails is counted, and parked with a growing pause. Raise Closed.
    """
    if desk.mind is None:
        return {}
    done: dict[str, tuple[SleepReport, ...]] = {}
    for agent_id in agents_until(desk, agents, stop):
        reports = attempted(partial(_slept, desk, agent_id, actor, stop), "an agent could not sleep")
        if reports:
            done[agent_id] = reports
        if stop is None or not stop.is_set():
            attempted(partial(_care, desk, agent_id, actor, stop), "an agent's self-care failed")
    return done


def weekly(
    desk: Desk, agents: Iterable[str] | None = None, *, actor: str, stop: threading.Event | None = None
) -> Mapping[str, Housekept]:
    """Put the banks in order whose week (ISO 8601, in the agent's zone) has not seen it yet; return the reports by
    agent. An agent younger than a week waits.

    Which weeks were done stands in the counters (``housekeeping.2026-W47``), so any number of processes may ask; two
    at the same moment do no harm, since housekeeping twice is housekeeping once. ``stop`` is a background thread's:
    with it the work gives way to callers, and ends early once it is set. What failed or ended early is tried again at
    the next call. Raise Closed.
    """
    done: dict[str, Housekept] = {}
    for agent_id in agents_until(desk, agents, stop):
        report = attempted(partial(kept, desk, agent_id, actor, stop), "an agent's housekeeping failed")
        if report is not None:
            done[agent_id] = report
    return done


def _slept(desk: Desk, agent_id: str, actor: str, stop: threading.Event | None) -> tuple[SleepReport, ...]:
    return sleep_through(desk, agent_id, actor=actor, stop=stop) if due(desk, agent_id) else ()


def _care(desk: Desk, agent_id: str, actor: str, stop: threading.Event | None) -> None:
    if selfcare.due(desk, agent_id):
        selfcare.self_care(desk, agent_id, actor=actor, stop=stop)


def kept(desk: Desk, agent_id: str, actor: str, stop: threading.Event | None) -> Housekept | None:
    """Put the bank in order for this week; return the report. None where that isn't due."""
    name = _due(desk, agent_id)
    if name is None:
        return None
    done = housekeeping(desk, agent_id, actor=actor, stop=stop)
    if done.complete:
        desk.store.transact(agent_id, partial(_note, name))
    return done


def _note(name: str, unit: Unit) -> None:
    unit.counters.add({name: 1})


def due_at(unit: Unit, agent: Agent, state: JobState, now: datetime) -> datetime | None:
    """Return when the next housekeeping is to come by itself, as things stand. Each agent has an hour of its own in the
    week's first days: else all would wait for the same one.
    """
    at = state.free_at(now)
    if at is None:
        return None
    zone = zone_of(agent.time_zone)
    today = now.astimezone(zone).date()
    monday = today - timedelta(days=today.weekday())
    if unit.counters.all().get(_name(agent, now)):
        monday += _WEEK
    begins = datetime.combine(monday, time(), zone).astimezone(UTC) + _DAYS * (
        crc32(agent.id.encode()) / 2**32
    )
    return max(at, begins, agent.created_at + _WEEK)


def _name(agent: Agent, now: datetime) -> str:
    """Return the counter of this week."""
    year, week, _ = now.astimezone(zone_of(agent.time_zone)).isocalendar()
    return f"{_DONE}{year}-W{week:02}"


@read_again
def _due(desk: Desk, agent_id: str) -> str | None:
    """Return the counter to set when this week is done; None where nothing is due."""
    now = desk.clock()
    with desk.store.read(agent_id) as unit:
        agent = unit.agents.get()
        if agent is None or agent.paused_at is not None or unit.transfer.under_way() is not None:
            return None
        name = _name(agent, now)
        return None if now - agent.created_at < _WEEK or unit.counters.all().get(name) else name
