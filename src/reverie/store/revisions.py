"""Revisions: each write takes the next one, and what goes is noted under it until it is old."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from reverie.domain.time import micros
from reverie.errors import InvalidInput
from reverie.store.executor import Executor

KEPT_DELETIONS = 10_000
"""How many deletions of an agent are remembered; a reader older than these rebuilds what it holds."""


SOONEST = "due_at = CASE WHEN due_at <= ? THEN due_at ELSE ? END"
"""Something of the agent is due at that time (twice the parameter), if nothing is before."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Stamp:
    """What a written row carries: the revision and the embedder of its vector."""

    rev: int
    embedder: str
    dimensions: int

    def vectors(self, executor: Executor, vectors: NDArray[np.float32], rows: int) -> list[object]:
        """Return the rows' vectors as parameters. Raise InvalidInput unless they are finite and (rows, dimensions)."""
        if not self.embedder:
            raise InvalidInput("vectors", "the bank has no embedder yet", "call agents.set_embedder(…) first")
        if vectors.shape != (rows, self.dimensions):
            raise InvalidInput(
                "vectors",
                f"their shape is {vectors.shape}, not {(rows, self.dimensions)}",
                "give one vector a row",
            )
        if not np.isfinite(vectors).all():
            raise InvalidInput("vectors", "they hold NaN or infinity", "mend the embedder that made them")
        return [executor.vector(vector) for vector in vectors]


def next_stamp(executor: Executor, agent_id: str, due: datetime | None = None) -> Stamp:
    """Take the agent's next revision; with ``due`` something is due then. Raise InvalidInput for an agent that was
    never ``put``.
    """
    also = "" if due is None else f", {SOONEST}"
    at = () if due is None else (micros(due),) * 2
    rows = executor.run(
        f"UPDATE agents SET rev = rev + 1{also} WHERE id = ? RETURNING rev, embedder, dimensions",
        (*at, agent_id),
    )
    if not rows:
        raise InvalidInput("agent", "it is not in the store yet", "call agents.put(…) first")
    rev, embedder, dimensions = rows[0]
    assert isinstance(rev, int)
    return Stamp(
        rev=rev, embedder=str(embedder or ""), dimensions=dimensions if isinstance(dimensions, int) else 0
    )


def note_deletions(executor: Executor, agent_id: str, rev: int, gone: Sequence[tuple[str, str]]) -> None:
    """Note what went at ``rev`` as (corpus, id), and drops the oldest notes beyond KEPT_DELETIONS."""
    if len(gone) > KEPT_DELETIONS:  # none of them would stay, nor any older one
        executor.run("DELETE FROM deletions WHERE agent_id = ?", (agent_id,))
        executor.run("UPDATE agents SET pruned_rev = ? WHERE id = ?", (rev, agent_id))
        return
    executor.many(
        "INSERT INTO deletions (agent_id, rev, corpus, id) VALUES (?, ?, ?, ?)",
        [(agent_id, rev, corpus, id) for corpus, id in gone],
    )
    oldest = executor.run(
        "SELECT rev FROM deletions WHERE agent_id = ? ORDER BY rev DESC LIMIT 1 OFFSET ?",
        (agent_id, KEPT_DELETIONS),
    )
    if oldest:
        executor.run("DELETE FROM deletions WHERE agent_id = ? AND rev <= ?", (agent_id, oldest[0][0]))
        executor.run("UPDATE agents SET pruned_rev = ? WHERE id = ?", (oldest[0][0], agent_id))
