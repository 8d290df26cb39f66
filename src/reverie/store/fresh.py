"""The fresh_vectors table: another embedder's vectors, until every row has one and the bank moves to them."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reverie.errors import InvalidInput
from reverie.ports.fresh import PARTS, Part
from reverie.ports.transfer import Part as TablePart
from reverie.store.executor import Corpus, Row
from reverie.store.table import TableRows, table

FRESH = table(
    "fresh_vectors", "embedder, corpus, id, digest, vector", key="embedder, corpus, id", part=TablePart.CACHE
)
_VECTOR = np.dtype("<f4")
_PAGE = 200  # a text may have a megabyte
_CORPORA: tuple[Corpus, ...] = ("episodes", "memories")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Source:
    """Where a part lies: its table, its text, and its key with what joins it into one id."""

    table: str
    text: str
    key: tuple[str, ...]


_SOURCES: Mapping[Part, _Source] = {
    "episodes": _Source(table="episodes", text="content", key=("id",)),
    "memories": _Source(table="memories", text="essence", key=("id",)),
    "versions": _Source(table="memory_versions", text="essence", key=("memory_id", "version")),
}


class FreshRows(TableRows):
    """``ports.fresh.Fresh`` over an executor."""

    table = FRESH

    def missing(
        self, embedder: str, part: Part, *, limit: int, after: str | None = None
    ) -> Sequence[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        for page in self._pages(part, after):
            known = self._digests(embedder, part, [id for id, _ in page])
            found += [(id, text) for id, text in page if known.get(id) != _digest(text)]
            if len(found) >= limit:
                break
        return found[:limit]

    def put(self, embedder: str, part: Part, rows: Sequence[tuple[str, str, NDArray[np.float32]]]) -> None:
        """See the port. Raise InvalidInput for vectors that aren't finite."""
        for _, _, vector in rows:
            if not np.isfinite(vector).all():
                raise InvalidInput("vectors", "they hold NaN or infinity", "mend the embedder that made them")
        now = self._texts(part, [id for id, _, _ in rows])
        self.upsert(
            *(
                (embedder, part, id, _digest(text), vector.astype(_VECTOR, copy=False).tobytes())
                for id, text, vector in rows
                if now.get(id) == text
            )
        )

    def count(self, embedder: str) -> int:
        return self.row_count(" AND embedder = ?", embedder)

    def under_way(self) -> bool:
        return bool(self.run("SELECT 1 FROM fresh_vectors WHERE agent_id = ? LIMIT 1"))

    def size(self) -> int:
        counts = (f"SELECT COUNT(*) FROM {one.table} WHERE agent_id = ?" for one in _SOURCES.values())
        return sum(int(self.run(sql)[0][0]) for sql in counts)

    def switch(self, embedder: str, dimensions: int) -> bool:
        """See the port. Raise InvalidInput for vectors of other dimensions."""
        if any(self.missing(embedder, part, limit=1) for part in PARTS):
            return False
        rev = self.bump().rev
        for corpus in _CORPORA:
            self.executor.leave_near(corpus)
        for part in PARTS:
            for page in self._pages(part, None):
                self._replace(embedder, dimensions, part, [id for id, _ in page], rev)
        self.executor.run(
            "UPDATE agents SET embedder = ?, dimensions = ? WHERE id = ?",
            (embedder, dimensions, self.agent_id),
        )
        self.clear()
        return True

    def forget(self, *, memories: Collection[str], episodes: Collection[str]) -> None:
        if not self.under_way():
            return
        for part, ids in (("episodes", episodes), ("memories", memories)):
            sql = "DELETE FROM fresh_vectors WHERE agent_id = ? AND corpus = ? AND id IN ({})"
            self.run_among(sql, ids, part)
        # A slash is followed by 0 in the order of code points: all that begins with the id and a slash lies between.
        self.executor.many(
            "DELETE FROM fresh_vectors WHERE agent_id = ? AND corpus = ? AND id > ? AND id < ?",
            [(self.agent_id, "versions", f"{id}/", f"{id}0") for id in dict.fromkeys(memories)],
        )

    def clear(self) -> None:
        self.drop()

    def _pages(self, part: Part, after: str | None) -> Iterator[Sequence[tuple[str, str]]]:
        """Yield all rows as (id, text), in order of key, behind that id."""
        source = _SOURCES[part]
        key = ", ".join(source.key)
        head = f"SELECT {key}, {source.text} FROM {source.table} WHERE agent_id = ?"
        place = None if after is None else _key(part, after)
        while True:
            behind = "" if place is None else f" AND ({key}) > ({', '.join('?' * len(source.key))})"
            rows = self.run(f"{head}{behind} ORDER BY {key} LIMIT ?", *(place or ()), _PAGE)
            if rows:
                yield [(_id(row), row[-1]) for row in rows]
            if len(rows) < _PAGE:
                return
            place = rows[-1][:-1]

    def _texts(self, part: Part, ids: Sequence[str]) -> Mapping[str, str]:
        """Return the texts of these rows, by id."""
        source = _SOURCES[part]
        columns = ", ".join((*source.key, source.text))
        sql = f"SELECT {columns} FROM {source.table} WHERE agent_id = ? AND {source.key[0]} IN ({{}})"
        return {_id(row): row[-1] for row in self.run_among(sql, [_key(part, id)[0] for id in ids])}

    def _digests(self, embedder: str, part: Part, ids: Sequence[str]) -> Mapping[str, bytes]:
        return {id: bytes(digest) for id, digest in self._of("digest", embedder, part, ids)}

    def _of(self, column: str, embedder: str, part: Part, ids: Sequence[str]) -> Sequence[Row]:
        head = f"SELECT id, {column} FROM fresh_vectors WHERE agent_id = ?"
        return self.run_among(f"{head} AND embedder = ? AND corpus = ? AND id IN ({{}})", ids, embedder, part)

    def _replace(self, embedder: str, dimensions: int, part: Part, ids: Sequence[str], rev: int) -> None:
        source = _SOURCES[part]
        same = " AND ".join(f"{column} = ?" for column in source.key)
        changed = []
        for id, value in self._of("vector", embedder, part, ids):
            vector = np.frombuffer(value, dtype=_VECTOR).astype(np.float32, copy=False)
            if vector.shape != (dimensions,):
                raise InvalidInput(
                    "vectors", f"one has {len(vector)} dimensions, not {dimensions}", "compute them again"
                )
            changed.append((embedder, self.executor.vector(vector), rev, self.agent_id, *_key(part, id)))
        self.executor.many(
            f"UPDATE {source.table} SET embedder = ?, vector = ?, rev = ? WHERE agent_id = ? AND {same}",
            changed,
        )


def _id(row: Row) -> str:
    """Return the id of a row of key and text."""
    return "/".join(map(str, row[:-1]))


def _key(part: Part, id: str) -> tuple[object, ...]:
    if part != "versions":
        return (id,)
    memory, _, version = id.rpartition("/")
    return memory, int(version)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
