"""The episodes table: what was said, with its vectors and keyword index."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from reverie.domain.episode import Episode
from reverie.domain.query import Filter
from reverie.store.conversations import ConversationRows
from reverie.store.executor import Row, chunks, insertion, padded
from reverie.store.links import leave_links
from reverie.store.revisions import note_deletions
from reverie.store.rows import EPISODE_COLUMNS, episode, episode_columns, instant, listed
from reverie.store.select import BY_TIME, count, passing
from reverie.store.table import BankRows
from reverie.store.where import where as clauses_of

Vector = NDArray[np.float32]

_SELECTED = f"SELECT {EPISODE_COLUMNS} FROM episodes WHERE agent_id = ?"
_INSERTED = f"{EPISODE_COLUMNS}, agent_id, rev, embedder, vector"


class EpisodeRows(BankRows):
    """``ports.store.Episodes`` over an executor."""

    def add(self, episodes: Sequence[Episode], vectors: NDArray[np.float32]) -> None:
        """See the port. Raise InvalidInput for vectors of another shape, or an id, ref or position that is taken."""
        if not episodes:
            return
        stamp = self.bump(max(one.observed_at for one in episodes))
        packed = stamp.vectors(self.executor, vectors, len(episodes))
        found_by, found = self.executor.index_of("episodes", episodes)
        self.executor.many(
            insertion("episodes", _INSERTED, *found_by),
            [
                (*episode_columns(one), self.agent_id, stamp.rev, stamp.embedder, vector, *values)
                for one, vector, values in zip(episodes, packed, found, strict=True)
            ],
        )
        self._conversations.arrived(episodes)

    def get(self, ids: Collection[str]) -> Mapping[str, Episode]:
        return {row[0]: episode(row) for row in self._among(EPISODE_COLUMNS, "id", ids)}

    def vectors(self, ids: Collection[str]) -> Mapping[str, Vector]:
        return {id: self.executor.to_vector(vector) for id, vector in self._among("id, vector", "id", ids)}

    def by_ref(self, conversation: str, refs: Collection[str]) -> Mapping[str, Episode]:
        rows = self._among(EPISODE_COLUMNS, "ref", refs, " AND conversation_id = ?", conversation)
        return {found.ref: found for found in map(episode, rows) if found.ref is not None}

    def tail(self, conversation: str, count: int) -> Sequence[Episode]:
        rows = self.run(
            f"{_SELECTED} AND conversation_id = ? ORDER BY position DESC LIMIT ?", conversation, max(count, 0)
        )
        return [episode(row) for row in reversed(rows)]

    def forward(self, conversation: str, position: int, limit: int) -> Sequence[Episode]:
        sql = f"{_SELECTED} AND conversation_id = ? AND position >= ? ORDER BY position LIMIT ?"
        return [*map(episode, self.run(sql, conversation, position, max(limit, 0)))]

    def ids(self, where: Filter) -> Sequence[str]:
        return [*passing(self.executor, "episodes", clauses_of(self.agent_id, where, "episodes"))]

    def list(
        self, where: Filter, *, match: str | None = None, limit: int = 100, after: str | None = None,
        newest_first: bool = False,
    ) -> Sequence[Episode]:  # fmt: skip
        """See the port. Behind an ``after`` that isn't there is nothing: its place in time isn't known."""
        clauses = clauses_of(self.agent_id, where, "episodes")
        if match is not None:
            condition, words = self.executor.match("episodes", match)
            clauses.add(condition, *words)
        place: Sequence[object] | None = None
        if after is not None:
            found = self._among("time, id", "id", [after])
            if not found:
                return []
            place = found[0]
        ids = passing(
            self.executor,
            "episodes",
            clauses,
            order=BY_TIME,
            limit=limit,
            after=place,
            descending=newest_first,
        )
        order = [*ids]
        return [*map(self.get(order).__getitem__, order)]

    def rewrite(self, episode: Episode, vector: Vector) -> None:
        """See the port. An episode that isn't there changes nothing."""
        if not self._among("id", "id", [episode.id]):
            return
        stamp = self.bump()
        (packed,) = stamp.vectors(self.executor, vector[None], 1)
        self.executor.leave_index("episodes", [episode.id], stay=True)
        found_by, (values,) = self.executor.index_of("episodes", [episode])
        meta = episode.metadata
        also = "".join(f", {name} = ?" for name in found_by)
        self.executor.run(
            "UPDATE episodes SET content = ?, topics = ?, entities = ?, rev = ?, embedder = ?,"
            f" vector = ?{also} WHERE agent_id = ? AND id = ?",
            (
                episode.content, listed(meta.topics), listed(meta.entities), stamp.rev, stamp.embedder, packed,
                *values, self.agent_id, episode.id,
            ),
        )  # fmt: skip
        self.executor.follow_near("episodes", [episode.id], stay=True)

    def delete(self, ids: Collection[str]) -> Sequence[str]:
        gone = self._among("id, conversation_id, speaker, time", "id", ids)
        if not gone:
            return []
        stamp = self.bump()
        there = [row[0] for row in gone]
        self.executor.leave_index("episodes", there)
        for table, column in (("memory_sources", "episode_id"), ("episodes", "id")):
            self.run_among(f"DELETE FROM {table} WHERE agent_id = ? AND {column} IN ({{}})", there)
        self.executor.follow_near("episodes", there)
        leave_links(self.executor, self.agent_id, "episodes", there)
        note_deletions(self.executor, self.agent_id, stamp.rev, [("episodes", id) for id in there])
        return self._conversations.left([(room, speaker, time) for _, room, speaker, time in gone])

    def count(self, where: Filter) -> int:
        return count(self.executor, "episodes", clauses_of(self.agent_id, where, "episodes"))

    def unconsolidated(self, limit: int) -> Sequence[Episode]:
        return [
            *map(
                episode, self.run(f"{_SELECTED} AND consolidated_at IS NULL ORDER BY time, id LIMIT ?", limit)
            )
        ]

    def count_unconsolidated(self) -> int:
        rows = self.run("SELECT COUNT(*) FROM episodes WHERE agent_id = ? AND consolidated_at IS NULL")
        return int(rows[0][0])

    def consolidate(self, ids: Collection[str], at: datetime | None) -> int:
        """See the port. No row is stamped: nothing that a recall reads has changed."""
        if not ids:
            return 0
        self.bump()
        done = 0
        for some in chunks(ids):
            marks, params = padded(some)
            rows = self.executor.run(
                f"UPDATE episodes SET consolidated_at = ? WHERE agent_id = ? AND id IN ({marks}) RETURNING id",
                (instant(at), self.agent_id, *params),
            )
            done += len(rows)
        return done

    @property
    def _conversations(self) -> ConversationRows:
        return ConversationRows(self.executor, self.agent_id)

    def _among(
        self, columns: str, column: str, values: Collection[str], also: str = "", *params: object
    ) -> Sequence[Row]:
        sql = f"SELECT {columns} FROM episodes WHERE agent_id = ?{also} AND {column} IN ({{}})"
        return self.run_among(sql, values, *params)
