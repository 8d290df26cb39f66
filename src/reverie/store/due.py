"""The queue of what is due, over all agents of a file. PostgreSQL asks the same by functions of its schema's owner."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from reverie.domain.job import LEASE, MOST_AHEAD, NEVER, WORKER
from reverie.domain.time import from_micros, micros
from reverie.ports.store import Due, DueCounts
from reverie.store.executor import Row

MOST_DUE_AHEAD = timedelta(days=16)
"""Nothing is due so far ahead: the next week's housekeeping, of an agent younger than a week, comes sooner. What lies
beyond was written by a clock that was ahead, and is due.
"""
_LEAST, _GREATEST = -(1 << 62), 1 << 62

DUE_AGENTS = f"""SELECT a.id, a.due_at FROM agents AS a
LEFT JOIN jobs AS j ON j.agent_id = a.id AND j.job = '{WORKER}' AND j.until > ?3 AND j.until <= ?4
WHERE a.due_at > ?1 AND a.due_at <= ?2 AND j.agent_id IS NULL ORDER BY a.due_at, a.id LIMIT ?5"""
_DEAD = f"parked_until = {micros(NEVER)}"
DUE_COUNTS = f"""SELECT (SELECT COUNT(*) FROM agents WHERE due_at <= ?1),
    (SELECT MIN(due_at) FROM agents WHERE due_at <= ?1),
    (SELECT COUNT(*) FROM jobs WHERE {_DEAD}) + (SELECT COUNT(*) FROM watermarks WHERE {_DEAD})"""
DEAD_JOBS = f"""SELECT agent_id, job FROM jobs WHERE {_DEAD} UNION SELECT agent_id, job FROM watermarks WHERE {_DEAD}
ORDER BY agent_id, job LIMIT ?1"""


def due_agents(ask: Callable[[Sequence[object]], list[Row]], now: datetime, limit: int) -> Sequence[Due]:
    """Return the agents that are due; ``ask`` runs DUE_AGENTS, or a function that is the same."""
    moment, beyond = micros(now), micros(now + LEASE + MOST_AHEAD)
    rows = ask((_LEAST, moment, moment, beyond, limit))
    if len(rows) < limit:
        rows += ask((micros(now + MOST_DUE_AHEAD), _GREATEST, moment, beyond, limit - len(rows)))
    return [Due(agent_id=id, at=min(from_micros(at), now)) for id, at in rows]


def due_counts(row: Row) -> DueCounts:
    """Return what DUE_COUNTS, or a function that is the same, tells."""
    due, oldest, dead = row
    return DueCounts(due=due, oldest=None if oldest is None else from_micros(oldest), dead=int(dead))
