"""Move a bank to another embedder. Its old vectors serve until the last new one is there.

The new vectors are computed in batches and kept beside the old ones, each batch in a transaction: whoever is killed
goes on behind the last one. The switch is one transaction, in which every row gets the vector of its words as they are
then; what was written or changed meanwhile is embedded first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from threading import Event

from reverie.domain.outcome import Reembedded
from reverie.errors import StoreError
from reverie.ports.fresh import PARTS, Part
from reverie.ports.store import Unit, Vector
from reverie.services.runtime import Desk, Job, Progress, Stopped, agents_until

_MOST_ROUNDS = 50
_BATCH = 256


def reembed(
    desk: Desk, agent_id: str, *, progress: Progress | None = None, stop: Event | None = None
) -> Reembedded:
    """Move the agent's bank to this desk's embedder. An interrupted call loses nothing: the next one goes on.

    Until the switch, whoever opened the bank with the old embedder reads and writes as before; afterwards it gets
    EmbedderMismatch. ``stop``: the call ends early once it is set. Raise EmbedderFailed, StoreError.
    """
    job, embedded = Job(desk, agent_id, stop=stop, progress=progress), 0
    before, after = job.read(lambda unit: unit.agents.embedder()), desk.embedder
    told = Reembedded(agent_id=agent_id, before=before[0] if before else None, after=after.id)
    if before is None or before == (after.id, after.dimensions):
        return told
    there, size = job.read(partial(_counts, after.id)) if job.is_watched else (0, 0)
    try:
        for _ in range(_MOST_ROUNDS):  # what was written since the last round is little
            for count in _filled(job):
                embedded += count
                job.tell(there + embedded, size)
            if desk.store.transact(agent_id, partial(_switch, desk)):
                return replace(told, embedded=embedded, switched=True)
    except Stopped:
        return replace(told, embedded=embedded)
    raise StoreError(
        f"the bank of agent {agent_id!r} was written to all the time and could not be switched; its new vectors"
        " are kept: try again when less is written"
    )


def reembed_all(
    desk: Desk,
    agents: Sequence[str] | None = None,
    *,
    progress: Progress | None = None,
    stop: Event | None = None,
) -> tuple[Reembedded, ...]:
    """Move the banks of these agents, or of all. ``progress`` is told agent by agent."""
    return tuple(
        reembed(desk, agent_id, progress=progress, stop=stop) for agent_id in agents_until(desk, agents, stop)
    )


def _filled(job: Job) -> Iterator[int]:
    """Embed what is missing, and yield how much each batch held. Raise Stopped."""
    desk = job.desk
    for part in PARTS:
        after: str | None = None
        while rows := job.read(partial(_missing, desk, part, after)):
            if job.stopped:
                raise Stopped
            vectors = desk.embedder.embed([text for _, text in rows])
            fresh = [(id, text, vector) for (id, text), vector in zip(rows, vectors, strict=True)]
            desk.store.transact(job.agent_id, partial(_put, desk, part, fresh))
            after = rows[-1][0]
            yield len(rows)


def _switch(desk: Desk, unit: Unit) -> bool:
    if unit.agents.embedder() == (desk.embedder.id, desk.embedder.dimensions):
        return True  # another process was faster
    return unit.fresh.switch(desk.embedder.id, desk.embedder.dimensions)


def _put(desk: Desk, part: Part, rows: Sequence[tuple[str, str, Vector]], unit: Unit) -> None:
    unit.fresh.put(desk.embedder.id, part, rows)
    unit.agents.note_due(desk.clock())  # should this process die, a worker goes on


def _missing(desk: Desk, part: Part, after: str | None, unit: Unit) -> Sequence[tuple[str, str]]:
    return unit.fresh.missing(
        desk.embedder.id, part, limit=min(desk.settings.store.batch, _BATCH), after=after
    )


def _counts(embedder: str, unit: Unit) -> tuple[int, int]:
    """Return how many have their new vector, and how many rows there are."""
    size = unit.fresh.size()
    return min(unit.fresh.count(embedder), size), size
