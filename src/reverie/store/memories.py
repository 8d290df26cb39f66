"""The memories table and what hangs on a memory: sources, touches, replaced wordings, edges."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from reverie.domain.emotion import Emotions
from reverie.domain.gist import Gist
from reverie.domain.kinds import Kind, Priority
from reverie.domain.memory import Connection, Memory, State, Version
from reverie.domain.query import Filter
from reverie.domain.time import from_micros, micros
from reverie.store.executor import Row, chunks, insertion, padded
from reverie.store.links import leave_links
from reverie.store.revisions import note_deletions
from reverie.store.rows import (
    GIST_COLUMNS,
    MEMORY_COLUMNS,
    MEMORY_WORDS,
    VERSION_COLUMNS,
    gist,
    instant,
    listed,
    memory,
    memory_columns,
    memory_words,
    version,
)
from reverie.store.select import count, passing
from reverie.store.table import BankRows
from reverie.store.where import Clauses
from reverie.store.where import where as clauses_of

Vector = NDArray[np.float32]

_INSERTED = f"{MEMORY_COLUMNS}, agent_id, rev, embedder, vector"
_SET = ", ".join(f"{column.strip()} = ?" for column in MEMORY_COLUMNS.split(",")[1:])
_MEMORIES = f"SELECT {MEMORY_COLUMNS} FROM memories WHERE agent_id = ? AND id IN (...)"
# Both in one statement; joined to the memories they take SQLite twice as long.
_BESIDE = """SELECT memory_id, episode_id, NULL, NULL FROM memory_sources WHERE agent_id = ? AND memory_id IN (...)
UNION ALL SELECT memory_id, NULL, touches, last_touched_at FROM memory_touches
WHERE agent_id = ? AND memory_id IN (...)"""
_GISTS = f"""SELECT {", ".join(f"m.{column}" for column in GIST_COLUMNS)}, t.touches, t.last_touched_at
FROM memories m LEFT JOIN memory_touches t ON t.agent_id = m.agent_id AND t.memory_id = m.id
WHERE m.agent_id = ? AND m.state = ? AND m.superseded_by IS NULL"""
_SUREST = """SELECT id FROM memories WHERE agent_id = ? AND kind = ? AND state = ? AND superseded_by IS NULL
AND needs_review = 0 AND (learned_from IS NULL OR source_trust = 'principal')
ORDER BY confidence DESC, id DESC LIMIT ?"""
_ACTIVE = str(State.ACTIVE)
_TABLES = (
    ("memory_sources", "memory_id"),
    ("memory_touches", "memory_id"),
    ("memory_versions", "memory_id"),
    ("connections", "source"),
    ("connections", "target"),
    ("procedures", "memory_id"),
    ("procedure_runs", "memory_id"),
    ("achievements", "memory_id"),
    ("dues", "memory_id"),
    ("summaries", "memory_id"),
    ("memories", "id"),
)


class MemoryRows(BankRows):
    """``ports.store.Memories`` over an executor."""

    def add(self, memories: Sequence[Memory], vectors: NDArray[np.float32]) -> None:
        """See the port. Raise InvalidInput for vectors of another shape, and for an id that is taken."""
        if not memories:
            return
        stamp = self.bump(max(one.updated_at for one in memories))
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
        stamp = self.bump()
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
        if vector is not None:
            self.executor.follow_near("memories", [memory.id], stay=True)
        known = {row[0] for row in self._among("memory_sources", "episode_id", "memory_id", [memory.id])}
        self._link([(memory.id, episode) for episode in set(memory.source_episodes) - known])
        self._delete("memory_sources", "episode_id", known - set(memory.source_episodes), memory.id)

    def add_version(self, version: Version) -> None:
        """See the port. A version of a memory that isn't there changes nothing."""
        rows = self._among("memories", "embedder, vector", "id", [version.memory_id])
        if not rows:
            return
        stamp = self.bump()
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
        return self.histories([memory_id]).get(memory_id, [])

    def histories(self, ids: Collection[str]) -> Mapping[str, Sequence[Version]]:
        found: dict[str, list[Version]] = {}
        rows = self._among("memory_versions", VERSION_COLUMNS, "memory_id", ids)
        for old in sorted(map(version, rows), key=lambda old: old.version):
            found.setdefault(old.memory_id, []).append(old)
        return found

    def get(self, ids: Collection[str]) -> Mapping[str, Memory]:
        sources: dict[str, list[str]] = {}
        touches: dict[str, tuple[int, int | None]] = {}
        rows: list[Row] = []
        for some in chunks(ids):
            marks, params = padded(some)
            own = (self.agent_id, *params)
            beside, memories = self.executor.together(
                [(_BESIDE.replace("...", marks), own * 2), (_MEMORIES.replace("...", marks), own)]
            )
            for id, episode, times, last in beside:
                if times is None:
                    sources.setdefault(id, []).append(episode)
                else:
                    touches[id] = (times, last)
            rows += memories
        return {
            row[0]: memory(row, sorted(sources.get(row[0], ())), *touches.get(row[0], (0, None)))
            for row in rows
        }

    def vectors(self, ids: Collection[str]) -> Mapping[str, Vector]:
        rows = self._among("memories", "id, vector", "id", ids)
        return {id: self.executor.to_vector(vector) for id, vector in rows}

    def past(self, keys: Collection[tuple[str, int]]) -> Mapping[tuple[str, int], Version]:
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
        newest_first: bool = False,
        now: datetime,
    ) -> Sequence[Memory]:
        clauses = clauses_of(self.agent_id, where, "memories", now)
        if match is not None:
            condition, words = self.executor.match("memories", match)
            clauses.add(condition, *words)
        place = None if after is None else (after,)
        ids = passing(self.executor, "memories", clauses, limit=limit, after=place, descending=newest_first)
        order = [*ids]
        return [*map(self.get(order).__getitem__, order)]

    def ids(self, where: Filter, *, now: datetime) -> Sequence[str]:
        return [*passing(self.executor, "memories", clauses_of(self.agent_id, where, "memories", now))]

    def gists(self, ids: Collection[str]) -> Mapping[str, Gist]:
        return {row[0]: gist(row) for row in self.run_among(f"{_GISTS} AND m.id IN ({{}})", ids, _ACTIVE)}

    def standing(self, kinds: Collection[Kind], priorities: Collection[Priority]) -> Sequence[Gist]:
        if not kinds or not priorities:
            return []
        of_kind, named = padded(sorted(kinds))
        of_priority, ranked = padded(sorted(priorities))
        sql = f"{_GISTS} AND m.kind IN ({of_kind}) AND m.priority IN ({of_priority})"
        rows = self.run(sql, _ACTIVE, *named, *ranked)
        return sorted(map(gist, rows), key=lambda one: one.id)

    def surest(self, kind: Kind, limit: int) -> Sequence[Memory]:
        order = [row[0] for row in self.run(_SUREST, str(kind), _ACTIVE, limit)]
        return [*map(self.get(order).__getitem__, order)]

    def essences(self, kinds: Collection[Kind]) -> Mapping[str, str]:
        marks, params = padded(sorted(kinds))
        sql = "SELECT id, essence FROM memories WHERE agent_id = ? AND superseded_by IS NULL"
        return dict(self.run(f"{sql} AND kind IN ({marks}) ORDER BY id", *params))

    def derived_from(self, episode_ids: Collection[str]) -> Mapping[str, Sequence[str]]:
        found = {row[0] for row in self._among("memory_sources", "memory_id", "episode_id", episode_ids)}
        sources: dict[str, list[str]] = {id: [] for id in sorted(found)}
        for id, episode in self._among("memory_sources", "memory_id, episode_id", "memory_id", found):
            sources[id].append(episode)
        return {id: sorted(episodes) for id, episodes in sources.items()}

    def of_conversation(self, conversations: Collection[str]) -> frozenset[str]:
        rows = self.run_among(
            "SELECT DISTINCT s.memory_id FROM episodes e JOIN memory_sources s ON s.agent_id = e.agent_id"
            " AND s.episode_id = e.id WHERE e.agent_id = ? AND e.conversation_id IN ({})",
            conversations,
        )
        return frozenset(row[0] for row in rows)

    def unlink(self, episode_ids: Collection[str]) -> None:
        self._delete("memory_sources", "episode_id", episode_ids)

    def connect(self, connection: Connection) -> None:
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
        there = {row[0] for row in self._among("memories", "id", "id", counts)}
        self.executor.many(
            "INSERT INTO memory_touches (agent_id, memory_id, touches, last_touched_at) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (agent_id, memory_id) DO UPDATE SET touches = memory_touches.touches + excluded.touches,"
            " last_touched_at = CASE WHEN memory_touches.last_touched_at > excluded.last_touched_at"
            " THEN memory_touches.last_touched_at ELSE excluded.last_touched_at END",
            [(self.agent_id, id, count, micros(at)) for id, (count, at) in counts.items() if id in there],
        )

    def unjudged(self, *, limit: int, after: str | None = None, lessons: bool = True) -> Sequence[str]:
        place = None if after is None else (after,)
        return [*passing(self.executor, "memories", self._unjudged(lessons), limit=limit, after=place)]

    def count_unjudged(self, *, lessons: bool = True) -> int:
        return count(self.executor, "memories", self._unjudged(lessons))

    def unfelt(self, *, limit: int, after: str | None = None) -> Sequence[str]:
        place = None if after is None else (after,)
        return [*passing(self.executor, "memories", self._without("emotions"), limit=limit, after=place)]

    def count_unfelt(self) -> int:
        return count(self.executor, "memories", self._without("emotions"))

    def feel(self, emotions: Mapping[str, Emotions], at: datetime) -> None:
        if not emotions:
            return
        stamp = self.bump()
        self.executor.many(
            "UPDATE memories SET emotions = ?, updated_at = ?, rev = ? WHERE agent_id = ? AND id = ?",
            [(listed(felt), micros(at), stamp.rev, self.agent_id, id) for id, felt in emotions.items()],
        )

    def delete(self, ids: Collection[str]) -> None:
        gone = [row[0] for row in self._among("memories", "id", "id", ids)]
        if not gone:
            return
        wordings = self._among("memory_versions", "memory_id, version", "memory_id", gone)
        stamp = self.bump()
        self.executor.leave_index("memories", gone)
        sql = "SELECT DISTINCT superseded_by FROM memories WHERE agent_id = ? AND superseded_by IS NOT NULL"
        by = {row[0] for row in self.run(sql)}
        for some in chunks(sorted(by & set(gone))):  # what they replaced is replaced by nothing any more
            marks, params = padded(some)
            self.executor.run(
                f"UPDATE memories SET superseded_by = NULL, rev = ? WHERE agent_id = ? AND superseded_by IN ({marks})",
                (stamp.rev, self.agent_id, *params),
            )
        for table, column in _TABLES:
            self._delete(table, column, gone)
        self.executor.follow_near("memories", gone)
        leave_links(self.executor, self.agent_id, "memories", gone)
        note_deletions(
            self.executor, self.agent_id, stamp.rev,
            [("memories", id) for id in gone] + [("versions", f"{id}/{number}") for id, number in wordings],
        )  # fmt: skip

    def tokens(self) -> int:
        essence, lesson = map(self.executor.bytes_of, ("essence", "lesson"))
        tokens = f"({essence} + 2) / 3 + (COALESCE({lesson}, 0) + 2) / 3"
        rows = self.run(f"SELECT COALESCE(SUM({tokens}), 0) FROM memories WHERE agent_id = ?")
        return int(rows[0][0])

    def counts(self) -> Mapping[tuple[str, State], int]:
        sql = "SELECT kind, state, COUNT(*) FROM memories WHERE agent_id = ? GROUP BY kind, state"
        return {(kind, State(state)): count for kind, state, count in self.run(sql)}

    def _unjudged(self, lessons: bool) -> Clauses:
        return self._without("lesson", "importance") if lessons else self._without("importance")

    def _without(self, *columns: str) -> Clauses:
        clauses = Clauses(self.agent_id)
        clauses.add(f"({' OR '.join(f'{column} IS NULL' for column in columns)})")
        return clauses

    def _link(self, pairs: Sequence[tuple[str, str]]) -> None:
        self.executor.many(
            "INSERT INTO memory_sources (agent_id, memory_id, episode_id) VALUES (?, ?, ?)",
            [(self.agent_id, *pair) for pair in pairs],
        )

    def _among(self, table: str, columns: str, column: str, values: Collection[str]) -> Sequence[Row]:
        return self.run_among(
            f"SELECT {columns} FROM {table} WHERE agent_id = ? AND {column} IN ({{}})", values
        )

    def _delete(self, table: str, column: str, values: Collection[str], memory_id: str | None = None) -> None:
        also, more = ("", ()) if memory_id is None else (" AND memory_id = ?", (memory_id,))
        self.run_among(f"DELETE FROM {table} WHERE agent_id = ?{also} AND {column} IN ({{}})", values, *more)
