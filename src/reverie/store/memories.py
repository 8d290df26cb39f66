"""The memories table and what hangs on a memory: sources, touches, replaced wordings, edges."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from reverie.domain.emotion import Emotions
from reverie.domain.memory import Connection, Memory, State, Version
from reverie.domain.query import Filter
from reverie.domain.time import from_micros, micros
from reverie.store.executor import Executor, Row, chunks, insertion, padded
from reverie.store.revisions import next_stamp, note_deletions
from reverie.store.rows import (
    MEMORY_COLUMNS,
    MEMORY_WORDS,
    VERSION_COLUMNS,
    instant,
    listed,
    memory,
    memory_columns,
    memory_words,
    version,
)
from reverie.store.select import count, passing
from reverie.store.where import Clauses
from reverie.store.where import where as clauses_of

Vector = NDArray[np.float32]

_INSERTED = f"{MEMORY_COLUMNS}, agent_id, rev, embedder, vector"
_SET = ", ".join(f"{column.strip()} = ?" for column in MEMORY_COLUMNS.split(",")[1:])
_TABLES = (
    ("memory_sources", "memory_id"),
    ("memory_touches", "memory_id"),
    ("memory_versions", "memory_id"),
    ("connections", "source"),
    ("connections", "target"),
    ("memories", "id"),
)


@dataclass(frozen=True, slots=True)
class MemoryRows:
    """``ports.store.Memories`` over an executor."""

    executor: Executor
    agent_id: str

    def add(self, memories: Sequence[Memory], vectors: NDArray[np.float32]) -> None:
        """See the port. Raises InvalidInput for vectors of another shape, and for an id that is taken."""
        if not memories:
            return
        stamp = next_stamp(self.executor, self.agent_id)
        packed = stamp.vectors(self.executor, vectors, len(memories))
        found_by, found = self.executor.index_of("memories", memories)
        self.executor.many(
            insertion("memories", _INSERTED, *found_by),
            [
                (*memory_columns(one), self.agent_id, stamp.rev, stamp.embedder, vector, *values)
                for one, vector, values in zip(memories, packed, found, strict=True)
            ],
        )
        self._link([(one.id, episode) for one in memories for episode in set(one.source_episodes)])
        self.executor.many(
            "INSERT INTO memory_touches (agent_id, memory_id, touches, last_touched_at) VALUES (?, ?, ?, ?)",
            [
                (self.agent_id, one.id, one.touches, instant(one.last_touched_at))
                for one in memories
                if one.touches or one.last_touched_at is not None
            ],
        )

    def update(self, memory: Memory, vector: Vector | None = None) -> None:
        """See the port. A memory that isn't there changes nothing."""
        words = self._among("memories", MEMORY_WORDS, "id", [memory.id])
        if not words:
            return
        stamp = next_stamp(self.executor, self.agent_id)
        assignments, params = f"{_SET}, rev = ?", [*memory_columns(memory)[1:], stamp.rev]
        if vector is not None:
            assignments += ", embedder = ?, vector = ?"
            params += [stamp.embedder, *stamp.vectors(self.executor, vector[None], 1)]
        if words[0] != memory_words(memory):
            self.executor.leave_index("memories", [memory.id], stay=True)
            found_by, (values,) = self.executor.index_of("memories", [memory])
            assignments += "".join(f", {name} = ?" for name in found_by)
            params += values
        self.executor.run(
            f"UPDATE memories SET {assignments} WHERE agent_id = ? AND id = ?",
            (*params, self.agent_id, memory.id),
        )
        known = {row[0] for row in self._among("memory_sources", "episode_id", "memory_id", [memory.id])}
        self._link([(memory.id, episode) for episode in set(memory.source_episodes) - known])
        self._delete("memory_sources", "episode_id", known - set(memory.source_episodes), memory.id)

    def add_version(self, version: Version) -> None:
        """See the port. A version of a memory that isn't there changes nothing."""
        rows = self._among("memories", "embedder, vector", "id", [version.memory_id])
        if not rows:
            return
        stamp = next_stamp(self.executor, self.agent_id)
        self.executor.run(
            f"INSERT INTO memory_versions (agent_id, {VERSION_COLUMNS}, rev, embedder, vector)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                self.agent_id, version.memory_id, version.version, version.essence, version.lesson,
                micros(version.believed_from), micros(version.believed_to), instant(version.valid_from),
                instant(version.valid_to), stamp.rev, *rows[0],
            ),
        )  # fmt: skip

    def versions(self, memory_id: str) -> Sequence[Version]:
        """See the port."""
        return self.histories([memory_id]).get(memory_id, [])

    def histories(self, ids: Collection[str]) -> Mapping[str, Sequence[Version]]:
        """See the port."""
        found: dict[str, list[Version]] = {}
        rows = self._among("memory_versions", VERSION_COLUMNS, "memory_id", ids)
        for old in sorted(map(version, rows), key=lambda old: old.version):
            found.setdefault(old.memory_id, []).append(old)
        return found

    def get(self, ids: Collection[str]) -> Mapping[str, Memory]:
        """See the port."""
        sources: dict[str, list[str]] = {}
        for id, episode in self._among("memory_sources", "memory_id, episode_id", "memory_id", ids):
            sources.setdefault(id, []).append(episode)
        touched = self._among("memory_touches", "memory_id, touches, last_touched_at", "memory_id", ids)
        touches = {id: (count, last) for id, count, last in touched}
        return {
            row[0]: memory(row, sorted(sources.get(row[0], ())), *touches.get(row[0], (0, None)))
            for row in self._among("memories", MEMORY_COLUMNS, "id", ids)
        }

    def vectors(self, ids: Collection[str]) -> Mapping[str, Vector]:
        """See the port."""
        rows = self._among("memories", "id, vector", "id", ids)
        return {id: self.executor.to_vector(vector) for id, vector in rows}

    def past(self, keys: Collection[tuple[str, int]]) -> Mapping[tuple[str, int], Version]:
        """See the port."""
        wanted = set(keys)
        rows = self._among("memory_versions", VERSION_COLUMNS, "memory_id", {id for id, _ in wanted})
        return {(row[0], row[1]): version(row) for row in rows if (row[0], row[1]) in wanted}

    def list(
        self,
        where: Filter,
        *,
        match: str | None = None,
        limit: int = 100,
        after: str | None = None,
        now: datetime,
    ) -> Sequence[Memory]:
        """See the port."""
        clauses = clauses_of(self.agent_id, where, "memories", now)
        if match is not None:
            condition, words = self.executor.match("memories", match)
            clauses.add(condition, *words)
        place = None if after is None else (after,)
        order = [*passing(self.executor, "memories", clauses, limit=limit, after=place)]
        return [*map(self.get(order).__getitem__, order)]

    def ids(self, where: Filter, *, now: datetime) -> Sequence[str]:
        """See the port."""
        return [*passing(self.executor, "memories", clauses_of(self.agent_id, where, "memories", now))]

    def derived_from(self, episode_ids: Collection[str]) -> Mapping[str, Sequence[str]]:
        """See the port."""
        found = {row[0] for row in self._among("memory_sources", "memory_id", "episode_id", episode_ids)}
        sources: dict[str, list[str]] = {id: [] for id in sorted(found)}
        for id, episode in self._among("memory_sources", "memory_id, episode_id", "memory_id", found):
            sources[id].append(episode)
        return {id: sorted(episodes) for id, episodes in sources.items()}

    def of_conversation(self, conversations: Collection[str]) -> frozenset[str]:
        """See the port."""
        found: set[str] = set()
        for some in chunks(conversations):
            marks, params = padded(some)
            rows = self.executor.run(
                "SELECT DISTINCT s.memory_id FROM episodes e JOIN memory_sources s"
                " ON s.agent_id = e.agent_id AND s.episode_id = e.id"
                f" WHERE e.agent_id = ? AND e.conversation_id IN ({marks})",
                (self.agent_id, *params),
            )
            found.update(row[0] for row in rows)
        return frozenset(found)

    def unlink(self, episode_ids: Collection[str]) -> None:
        """See the port."""
        self._delete("memory_sources", "episode_id", episode_ids)

    def connect(self, connection: Connection) -> None:
        """See the port."""
        self.executor.run(
            "INSERT INTO connections (agent_id, source, target, relation, created_at) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT DO NOTHING",
            (
                self.agent_id, connection.source, connection.target, connection.relation, micros(connection.created_at)
            ),
        )  # fmt: skip

    def connections(self, ids: Collection[str]) -> Sequence[Connection]:
        """See the port. Edges of one time follow their ends and relation."""
        rows: set[Row] = set()
        for some in chunks(ids):
            marks, params = padded(some)
            ends = (
                "SELECT created_at, source, target, relation FROM connections"
                f" WHERE agent_id = ? AND {end} IN ({marks})"
                for end in ("source", "target")
            )
            rows.update(self.executor.run(" UNION ALL ".join(ends), (self.agent_id, *params) * 2))
        return [
            Connection(source=source, target=target, relation=relation, created_at=from_micros(at))
            for at, source, target, relation in sorted(rows)
        ]

    def touch(self, counts: Mapping[str, tuple[int, datetime]]) -> None:
        """See the port."""
        there = {row[0] for row in self._among("memories", "id", "id", counts)}
        self.executor.many(
            "INSERT INTO memory_touches (agent_id, memory_id, touches, last_touched_at) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (agent_id, memory_id) DO UPDATE SET touches = memory_touches.touches + excluded.touches,"
            " last_touched_at = CASE WHEN memory_touches.last_touched_at > excluded.last_touched_at"
            " THEN memory_touches.last_touched_at ELSE excluded.last_touched_at END",
            [(self.agent_id, id, count, micros(at)) for id, (count, at) in counts.items() if id in there],
        )

    def unfelt(self, *, limit: int, after: str | None = None) -> Sequence[str]:
        """See the port."""
        clauses = Clauses(self.agent_id)
        clauses.add("emotions IS NULL")
        place = None if after is None else (after,)
        return [*passing(self.executor, "memories", clauses, limit=limit, after=place)]

    def count_unfelt(self) -> int:
        """See the port."""
        clauses = Clauses(self.agent_id)
        clauses.add("emotions IS NULL")
        return count(self.executor, "memories", clauses)

    def feel(self, emotions: Mapping[str, Emotions], at: datetime) -> None:
        """See the port."""
        if not emotions:
            return
        stamp = next_stamp(self.executor, self.agent_id)
        self.executor.many(
            "UPDATE memories SET emotions = ?, updated_at = ?, rev = ? WHERE agent_id = ? AND id = ?",
            [(listed(felt), micros(at), stamp.rev, self.agent_id, id) for id, felt in emotions.items()],
        )

    def delete(self, ids: Collection[str]) -> None:
        """See the port."""
        gone = [row[0] for row in self._among("memories", "id", "id", ids)]
        if not gone:
            return
        wordings = self._among("memory_versions", "memory_id, version", "memory_id", gone)
        stamp = next_stamp(self.executor, self.agent_id)
        self.executor.leave_index("memories", gone)
        for some in chunks(gone):  # what they replaced is replaced by nothing any more
            marks, params = padded(some)
            self.executor.run(
                f"UPDATE memories SET superseded_by = NULL, rev = ? WHERE agent_id = ? AND superseded_by IN ({marks})",
                (stamp.rev, self.agent_id, *params),
            )
        for table, column in _TABLES:
            self._delete(table, column, gone)
        note_deletions(
            self.executor, self.agent_id, stamp.rev,
            [("memories", id) for id in gone] + [("versions", f"{id}/{number}") for id, number in wordings],
        )  # fmt: skip

    def counts(self) -> Mapping[tuple[str, State], int]:
        """See the port."""
        rows = self.executor.run(
            "SELECT kind, state, COUNT(*) FROM memories WHERE agent_id = ? GROUP BY kind, state",
            (self.agent_id,),
        )
        return {(kind, State(state)): count for kind, state, count in rows}

    def _link(self, pairs: Sequence[tuple[str, str]]) -> None:
        self.executor.many(
            "INSERT INTO memory_sources (agent_id, memory_id, episode_id) VALUES (?, ?, ?)",
            [(self.agent_id, *pair) for pair in pairs],
        )

    def _among(self, table: str, columns: str, column: str, values: Collection[str]) -> Sequence[Row]:
        rows: list[Row] = []
        for some in chunks(values):
            marks, params = padded(some)
            sql = f"SELECT {columns} FROM {table} WHERE agent_id = ? AND {column} IN ({marks})"
            rows += self.executor.run(sql, (self.agent_id, *params))
        return rows

    def _delete(self, table: str, column: str, values: Collection[str], memory_id: str | None = None) -> None:
        also, more = ("", ()) if memory_id is None else (" AND memory_id = ?", (memory_id,))
        for some in chunks(values):
            marks, params = padded(some)
            sql = f"DELETE FROM {table} WHERE agent_id = ? AND {column} IN ({marks}){also}"
            self.executor.run(sql, (self.agent_id, *params, *more))
