"""nightly: sleep that comes by itself, where it is due (s3: idle, six hours since the last, at least ten episodes), and
self-care, where it may (s4: past 100,000 tokens).
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Mapping
from functools import partial

from reverie.domain.sleep import SleepReport
from reverie.errors import JobRunning, Paused
from reverie.services.runtime import Desk, tried
from reverie.services.sleep import due, sleep_through
from reverie.services.upkeep.selfcare import due as is_care_due
from reverie.services.upkeep.selfcare import self_care

_log = logging.getLogger("reverie.nightly")


def nightly(
    desk: Desk, agents: Iterable[str] | None = None, *, actor: str, stop: threading.Event | None = None
) -> Mapping[str, tuple[SleepReport, ...]]:
    """Has every agent sleep whose sleep is due, until nothing is left to read; the reports by agent. Whose self-care is
    due is cared for then; the audit log tells of it.

    ``stop`` is a background thread's: with it the work gives way to callers, and ends between two sleeps once it is
    set. What fails for one is logged without contents, counted, and parked with a growing pause. Raises Closed.
    """
    if desk.mind is None:
        return {}
    done: dict[str, tuple[SleepReport, ...]] = {}
    for agent_id in desk.store.agent_ids() if agents is None else agents:
        if stop is not None and stop.is_set():
            break
        reports = tried(partial(_slept, desk, agent_id, actor, stop))
        if isinstance(reports, Exception):
            # where another process was faster, or somebody paused it just now, nothing is wrong
            if not isinstance(reports, JobRunning | Paused):
                _log.warning("an agent could not sleep: %s", type(reports).__name__)
        elif reports:
            done[agent_id] = reports
        if stop is None or not stop.is_set():
            _care(desk, agent_id, actor, stop)
    return done


def _care(desk: Desk, agent_id: str, actor: str, stop: threading.Event | None) -> None:
    def cared() -> None:
        if is_care_due(desk, agent_id):
            self_care(desk, agent_id, actor=actor, stop=stop)

    failed = tried(cared)
    if isinstance(failed, Exception) and not isinstance(failed, JobRunning | Paused):
        _log.warning("an agent could not be cared for: %s", type(failed).__name__)


def _slept(desk: Desk, agent_id: str, actor: str, stop: threading.Event | None) -> tuple[SleepReport, ...]:
    return sleep_through(desk, agent_id, actor=actor, stop=stop) if due(desk, agent_id) else ()
