"""What only reverts and forgets do to memories: a wording leaves the history, an edge goes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from reverie.domain.memory import Connection
from reverie.domain.time import from_micros
from reverie.store.executor import padded
from reverie.store.revisions import note_deletions
from reverie.store.table import BankRows


class UndoRows(BankRows):
    """``ports.rest.Undo`` over an executor."""

    def drop_version(self, memory_id: str, version: int) -> NDArray[np.float32] | None:
        gone = self.run(
            "DELETE FROM memory_versions WHERE agent_id = ? AND memory_id = ? AND version = ? RETURNING vector",
            memory_id,
            version,
        )
        if not gone:
            return None
        stamp = self.bump()
        vector = np.array(self.executor.to_vector(gone[0][0]))
        note_deletions(self.executor, self.agent_id, stamp.rev, [("versions", f"{memory_id}/{version}")])
        return vector

    def disconnect(self, connection: Connection) -> bool:
        edge = connection.source, connection.target, connection.relation
        same = "source = ? AND target = ? AND relation = ?"
        gone = self.run(f"DELETE FROM connections WHERE agent_id = ? AND {same} RETURNING source", *edge)
        if gone:
            self.bump()
        return bool(gone)

    def related_otherwise(self, relations: Collection[str]) -> Sequence[Connection]:
        marks, params = padded(sorted(relations))
        rows = self.run(
            "SELECT created_at, source, target, relation FROM connections"
            f" WHERE agent_id = ? AND relation NOT IN ({marks}) ORDER BY created_at, source, target, relation",
            *params,
        )
        return [
            Connection(source=source, target=target, relation=relation, created_at=from_micros(at))
            for at, source, target, relation in rows
        ]

    def superseding(self, ids: Collection[str]) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = {}
        sql = "SELECT superseded_by, id FROM memories WHERE agent_id = ? AND superseded_by IN ({})"
        for by, id in self.run_among(sql, ids):
            found.setdefault(by, []).append(id)
        return {by: sorted(others) for by, others in sorted(found.items())}
