"""reembed: a bank moves to another embedder. Its old vectors serve until the last new one is there.

The new vectors are computed in batches and kept beside the old ones, each batch in a transaction: whoever is killed
goes on behind the last one. The switch is one transaction, in which every row gets the vector of its words as they are
then; what was written or changed meanwhile is embedded first.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from threading import Event

from reverie.domain.outcome import Reembedded
from reverie.errors import StoreError
from reverie.ports.fresh import PARTS, Part
from reverie.ports.store import Unit, Vector
from reverie.services.runtime import Desk, Progress, read_again

_MOST_ROUNDS = 50
_BATCH = 256


def reembed(
    desk: Desk, agent_id: str, *, progress: Progress | None = None, stop: Event | None = None
) -> Reembedded:
    """Moves the agent's bank to this desk's embedder. An interrupted call loses nothing: the next one goes on.

    Until the switch, whoever opened the bank with the old embedder reads and writes as before; afterwards it gets
    EmbedderMismatch. ``stop``: the call ends early once it is set. Raises EmbedderFailed, StoreError.
    """
    before = _embedder(desk, agent_id)
    if before is None or before == (desk.embedder.id, desk.embedder.dimensions):
        return Reembedded(agent_id=agent_id, before=before[0] if before else None, after=desk.embedder.id)
    job = _Job(desk, agent_id, progress, stop)
    for _ in range(_MOST_ROUNDS):  # what was written since the last round is little
        if not all(job.fill(part) for part in PARTS):
            break
        if desk.store.transact(agent_id, partial(_switch, desk)):
            return Reembedded(
                agent_id=agent_id,
                before=before[0],
                after=desk.embedder.id,
                embedded=job.embedded,
                switched=True,
            )
    else:
        raise StoreError(
            f"the bank of agent {agent_id!r} was written to all the time and could not be switched; its new vectors"
            " are kept: try again when less is written"
        )
    return Reembedded(agent_id=agent_id, before=before[0], after=desk.embedder.id, embedded=job.embedded)


def reembed_all(
    desk: Desk,
    agents: Sequence[str] | None = None,
    *,
    progress: Progress | None = None,
    stop: Event | None = None,
) -> tuple[Reembedded, ...]:
    """``reembed`` for these agents, or for all. ``progress`` is told agent by agent."""
    done = []
    for agent_id in desk.store.agent_ids() if agents is None else agents:
        if stop is not None and stop.is_set():
            break
        done.append(reembed(desk, agent_id, progress=progress, stop=stop))
    return tuple(done)


@read_again
def _embedder(desk: Desk, agent_id: str) -> tuple[str, int] | None:
    with desk.reading(agent_id) as unit:
        return unit.agents.embedder()


def _switch(desk: Desk, unit: Unit) -> bool:
    if unit.agents.embedder() == (desk.embedder.id, desk.embedder.dimensions):
        return True  # another process was faster
    return unit.fresh.switch(desk.embedder.id, desk.embedder.dimensions)


def _put(embedder: str, part: Part, rows: Sequence[tuple[str, str, Vector]], unit: Unit) -> None:
    unit.fresh.put(embedder, part, rows)


class _Job:
    """One move."""

    def __init__(self, desk: Desk, agent_id: str, progress: Progress | None, stop: Event | None) -> None:
        self._desk, self._agent_id, self._progress, self._stop = desk, agent_id, progress, stop
        self.embedded = 0
        self._there, self._size = _counts(desk, agent_id) if progress is not None else (0, 0)

    def fill(self, part: Part) -> bool:
        """Embeds what is missing of a part. False where it was stopped."""
        desk, after = self._desk, None
        while rows := self._missing(part, after):
            if self._stop is not None and self._stop.is_set():
                return False
            vectors = desk.embedder.embed([text for _, text in rows])
            fresh = [(id, text, vector) for (id, text), vector in zip(rows, vectors, strict=True)]
            desk.store.transact(self._agent_id, partial(_put, desk.embedder.id, part, fresh))
            self.embedded += len(rows)
            after = rows[-1][0]
            self._tell()
        return True

    def _missing(self, part: Part, after: str | None) -> Sequence[tuple[str, str]]:
        return _read_missing(self._desk, self._agent_id, part, after)

    def _tell(self) -> None:
        if self._progress is not None:
            self._progress(min(self._there + self.embedded, self._size), self._size)


@read_again
def _read_missing(desk: Desk, agent_id: str, part: Part, after: str | None) -> Sequence[tuple[str, str]]:
    with desk.reading(agent_id) as unit:
        return unit.fresh.missing(
            desk.embedder.id, part, limit=min(desk.settings.store.batch, _BATCH), after=after
        )


@read_again
def _counts(desk: Desk, agent_id: str) -> tuple[int, int]:
    """How many have their new vector, and how many rows there are."""
    with desk.reading(agent_id) as unit:
        size = unit.fresh.size()
        return min(unit.fresh.count(desk.embedder.id), size), size
