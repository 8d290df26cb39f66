"""The items table: values by namespace and key, with the vectors of their texts."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from reverie.domain.item import Item, Namespace
from reverie.domain.time import from_micros, micros
from reverie.store.executor import Row
from reverie.store.rows import json_text
from reverie.store.table import TableRows, table

ITEMS = table(
    "items",
    "id, namespace, key, value, texts, created_at, updated_at, ttl, expires_at, embedder, vectors",
    key="id",
)
_FLOAT = np.dtype("<f4")
_MICROSECOND = timedelta(microseconds=1)
_ALIVE = " AND (expires_at IS NULL OR expires_at > ?)"


class ItemRows(TableRows):
    """``ports.items.Items`` over an executor."""

    table = ITEMS

    def put(self, items: Sequence[Item]) -> None:
        """See the port."""
        if items:
            self.bump()
            self.upsert(*map(_row, items))

    def get(self, namespace: Namespace, key: str, now: datetime) -> Item | None:
        """See the port."""
        rows = self.select(f" AND namespace = ? AND key = ?{_ALIVE}", json_text(namespace), key, micros(now))
        return _item(rows[0]) if rows else None

    def below(
        self,
        prefix: Namespace,
        now: datetime,
        *,
        limit: int | None = None,
        offset: int = 0,
        newest_first: bool = False,
    ) -> Sequence[Item]:
        """See the port."""
        params: list[object] = [micros(now)]
        condition = _ALIVE
        if prefix:  # the JSON of a longer namespace goes on with a comma, the same one ends with a bracket
            begin = json_text(prefix)[:-1]
            condition += " AND (namespace = ? OR namespace > ? AND namespace < ?)"
            params += [f"{begin}]", f"{begin},", f"{begin}-"]
        condition += f" ORDER BY id {'DESC' if newest_first else 'ASC'}"
        if limit is not None:
            condition += " LIMIT ? OFFSET ?"
            params += [limit, offset]
        return [*map(_item, self.select(condition, *params))]

    def namespaces(self, now: datetime) -> Sequence[Namespace]:
        """See the port."""
        rows = self.run(f"SELECT DISTINCT namespace FROM items WHERE agent_id = ?{_ALIVE}", micros(now))
        return [tuple(json.loads(text)) for (text,) in rows]

    def list(self, *, limit: int = 100, after: str | None = None) -> Sequence[Item]:
        """See the port."""
        return [*map(_item, self.select(" AND id > ? ORDER BY id LIMIT ?", after or "", limit))]

    def known(self, items: Collection[Item]) -> Collection[str]:
        """See the port."""
        by_id = {row[0] for row in self.among("id", [item.id for item in items])}
        keys = {(row[1], row[2]) for row in self.among("key", {item.key for item in items})}
        return by_id | {item.id for item in items if (json_text(item.namespace), item.key) in keys}

    def delete(self, ids: Collection[str]) -> None:
        """See the port."""
        if self.drop_among("id", ids):
            self.bump()

    def expire(self, now: datetime) -> None:
        """See the port."""
        if self.dropped(" AND expires_at <= ?", micros(now)):
            self.bump()

    def refresh(self, until: Mapping[str, datetime]) -> None:
        """See the port."""
        if not until:
            return
        self.bump()
        self.executor.many(
            "UPDATE items SET expires_at = ? WHERE agent_id = ? AND id = ?",
            [(micros(at), self.agent_id, id) for id, at in until.items()],
        )

    def vectors(self, ids: Collection[str], embedder: str) -> Mapping[str, NDArray[np.float32]]:
        """See the port."""
        rows = self.among("id", ids, " AND embedder = ?", embedder)
        made = ((row[0], len(json.loads(row[4])), row[-1]) for row in rows)
        return {id: np.frombuffer(held, dtype=_FLOAT).reshape(texts, -1) for id, texts, held in made}

    def keep_vectors(self, embedder: str, vectors: Sequence[tuple[Item, NDArray[np.float32]]]) -> None:
        """See the port."""
        if not vectors:
            return
        self.bump()
        self.executor.many(
            "UPDATE items SET embedder = ?, vectors = ? WHERE agent_id = ? AND id = ? AND texts = ?",
            [
                (embedder, one.astype(_FLOAT).tobytes(), self.agent_id, item.id, json_text(item.texts))
                for item, one in vectors
            ],
        )

    def count(self) -> int:
        """See the port."""
        return self.row_count()


def _row(item: Item) -> Row:
    return (
        item.id, json_text(item.namespace), item.key, json_text(item.value), json_text(item.texts),
        micros(item.created_at), micros(item.updated_at), None if item.ttl is None else item.ttl // _MICROSECOND,
        None if item.expires_at is None else micros(item.expires_at), None, None,
    )  # fmt: skip


def _item(row: Row) -> Item:
    id, namespace, key, value, texts, created_at, updated_at, ttl, expires_at, *_ = row
    return Item(
        id=id, namespace=tuple(json.loads(namespace)), key=key, value=json.loads(value), texts=tuple(json.loads(texts)),
        created_at=from_micros(created_at), updated_at=from_micros(updated_at),
        ttl=None if ttl is None else timedelta(microseconds=ttl),
        expires_at=None if expires_at is None else from_micros(expires_at),
    )  # fmt: skip
