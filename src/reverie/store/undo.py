"""What only reverts and forgets do to memories: a wording leaves the history, an edge goes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reverie.domain.memory import Connection
from reverie.domain.time import from_micros
from reverie.store.executor import Executor, chunks, padded
from reverie.store.revisions import next_stamp, note_deletions


@dataclass(frozen=True, slots=True)
class UndoRows:
    """``ports.rest.Undo`` over an executor."""

    executor: Executor
    agent_id: str

    def drop_version(self, memory_id: str, version: int) -> NDArray[np.float32] | None:
        """See the port."""
        key = (self.agent_id, memory_id, version)
        there = "WHERE agent_id = ? AND memory_id = ? AND version = ?"
        rows = self.executor.run(f"SELECT vector FROM memory_versions {there}", key)
        if not rows:
            return None
        stamp = next_stamp(self.executor, self.agent_id)
        vector = np.array(self.executor.to_vector(rows[0][0]))
        self.executor.run(f"DELETE FROM memory_versions {there}", key)
        note_deletions(self.executor, self.agent_id, stamp.rev, [("versions", f"{memory_id}/{version}")])
        return vector

    def disconnect(self, connection: Connection) -> bool:
        """See the port."""
        gone = self.executor.run(
            "DELETE FROM connections WHERE agent_id = ? AND source = ? AND target = ? AND relation = ?"
            " RETURNING source",
            (self.agent_id, connection.source, connection.target, connection.relation),
        )
        if gone:
            next_stamp(self.executor, self.agent_id)
        return bool(gone)

    def related_otherwise(self, relations: Collection[str]) -> Sequence[Connection]:
        """See the port."""
        marks, params = padded(sorted(relations))
        rows = self.executor.run(
            "SELECT created_at, source, target, relation FROM connections"
            f" WHERE agent_id = ? AND relation NOT IN ({marks}) ORDER BY created_at, source, target, relation",
            (self.agent_id, *params),
        )
        return [
            Connection(source=source, target=target, relation=relation, created_at=from_micros(at))
            for at, source, target, relation in rows
        ]

    def superseding(self, ids: Collection[str]) -> Mapping[str, Sequence[str]]:
        """See the port."""
        found: dict[str, list[str]] = {}
        for some in chunks(ids):
            marks, params = padded(some)
            rows = self.executor.run(
                f"SELECT superseded_by, id FROM memories WHERE agent_id = ? AND superseded_by IN ({marks})",
                (self.agent_id, *params),
            )
            for by, id in rows:
                found.setdefault(by, []).append(id)
        return {by: sorted(others) for by, others in sorted(found.items())}
