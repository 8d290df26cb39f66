"""Storage for CrewAI's memory: its records are items of an agent's bank.

CrewAI embeds, asks its model and scores; the storage keeps and finds. A search reads every record and its vector:
about a second at a thousand records of 1,536 numbers.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np

from reverie import Agent, AsyncAgent, InvalidInput, Item, ItemChange
from reverie.errors.extras import install

try:
    from crewai.memory.storage.backend import EmbeddingDimensionMismatchError
    from crewai.memory.types import MemoryRecord, ScopeInfo
except ImportError as error:
    raise ImportError(f"CrewAI is not installed: {install('crewai')}") from error

_ROOT = "crewai"
_MOST = 1_000_000
_FIELDS = ("content", "scope", "categories", "metadata", "importance", "source", "private")


class ReverieStorage:
    """A ``StorageBackend`` for ``Memory(storage=ReverieStorage(reverie.agent("crew")), …)``.

    A record comes back as it was saved, with secrets redacted; its metadata must be JSON. Saved again under its id, it
    replaces what was there. All filters of a call must hold; of several categories one is enough. A score is the cosine
    of the vectors, at least 0. ``name`` keeps several memories of one agent apart.
    """

    def __init__(self, agent: Agent | AsyncAgent, *, name: str = "memory") -> None:
        self._items = (agent.inner if isinstance(agent, AsyncAgent) else agent).items
        self._records, self._vectors = (_ROOT, name, "records"), (_ROOT, name, "vectors")

    def __deepcopy__(self, memo: dict[int, Any]) -> ReverieStorage:
        return self  # CrewAI copies its memories; the bank is one

    def save(self, records: list[MemoryRecord]) -> None:
        """Save all records or none. Raise EmbeddingDimensionMismatchError, InvalidInput."""
        self._write(records, keep_vectors=False)

    def update(self, record: MemoryRecord) -> None:
        """Replace the record of that id; one without an embedding keeps the one that is there. Raise as ``save``."""
        self._write([record], keep_vectors=True)

    def search(
        self, query_embedding: list[float], scope_prefix: str | None = None, categories: list[str] | None = None,
        metadata_filter: dict[str, Any] | None = None, limit: int = 10, min_score: float = 0.0,
    ) -> list[tuple[MemoryRecord, float]]:  # fmt: skip
        """Return the nearest records with their scores, best first. Raise EmbeddingDimensionMismatchError."""
        vectors = {one.key: _vector(one) for one in self._all(self._vectors)}
        if vectors and (size := len(next(iter(vectors.values())))) != len(query_embedding):
            raise EmbeddingDimensionMismatchError(size, len(query_embedding))
        asked = np.asarray(query_embedding, dtype=np.float64)
        found = [
            (one.model_copy(update={"embedding": vectors.get(one.id)}), _cosine(asked, vectors.get(one.id)))
            for one in self._matching(scope_prefix, categories, metadata_filter)
        ]
        best = sorted((one for one in found if one[1] >= min_score), key=lambda one: -one[1])
        return best[: max(0, limit)]

    def delete(
        self, scope_prefix: str | None = None, categories: list[str] | None = None, record_ids: list[str] | None = None,
        older_than: datetime | None = None, metadata_filter: dict[str, Any] | None = None,
    ) -> int:  # fmt: skip
        """Delete the records that pass every filter (without any: all), and return how many they were."""
        only = None if record_ids is None else set(record_ids)
        ids = [
            one.id
            for one in self._matching(scope_prefix, categories, metadata_filter)
            if (only is None or one.id in only)
            and (older_than is None or _utc(one.created_at) < _utc(older_than))
        ]
        places = (self._records, self._vectors)
        self._items.write([ItemChange(namespace=place, key=id) for id in ids for place in places])
        return len(ids)

    def touch_records(self, record_ids: list[str]) -> None:
        """Set ``last_accessed`` of these records to now."""
        now = {"last_accessed": datetime.now(UTC).replace(tzinfo=None).isoformat()}
        got = [self._items.get(self._records, id) for id in dict.fromkeys(record_ids)]
        found = [one for one in got if one is not None]
        self._items.write([self._change(one.key, {**one.value, **now}) for one in found])

    def get_record(self, record_id: str) -> MemoryRecord | None:
        """Return the record of that id, or None."""
        found, vector = (self._items.get(place, record_id) for place in (self._records, self._vectors))
        return None if found is None else _record(found, None if vector is None else _vector(vector))

    def list_records(
        self, scope_prefix: str | None = None, limit: int = 200, offset: int = 0
    ) -> list[MemoryRecord]:
        """Return records without their embeddings, the newest first."""
        records = sorted(self._matching(scope_prefix), key=lambda one: _utc(one.created_at), reverse=True)
        return records[max(0, offset) :][: max(0, limit)]

    def get_scope_info(self, scope: str) -> ScopeInfo:
        """Return what is in a scope and below it."""
        records = self.list_records(scope, limit=_MOST)
        return ScopeInfo(
            path=scope.rstrip("/") or "/",
            record_count=len(records),
            categories=sorted({name for one in records for name in one.categories}),
            oldest_record=records[-1].created_at if records else None,
            newest_record=records[0].created_at if records else None,
            child_scopes=self.list_scopes(scope),
        )

    def list_scopes(self, parent: str = "/") -> list[str]:
        """Return the scopes one level below this one, sorted."""
        above = _labels(parent)
        below = {_labels(one.scope)[: len(above) + 1] for one in self._matching(parent)}
        return sorted("/" + "/".join(labels) for labels in below if len(labels) > len(above))

    def list_categories(self, scope_prefix: str | None = None) -> dict[str, int]:
        """Return how many records have each category."""
        return dict(Counter(name for one in self._matching(scope_prefix) for name in one.categories))

    def count(self, scope_prefix: str | None = None) -> int:
        """Return how many records there are."""
        return len(self._matching(scope_prefix))

    def reset(self, scope_prefix: str | None = None) -> None:
        """Delete every record in scope."""
        self.delete(scope_prefix)

    async def asave(self, records: list[MemoryRecord]) -> None:
        """``save`` in a thread."""
        await asyncio.to_thread(self.save, records)

    async def asearch(self, *args: Any, **kwargs: Any) -> list[tuple[MemoryRecord, float]]:
        """``search`` in a thread."""
        return await asyncio.to_thread(self.search, *args, **kwargs)

    async def adelete(self, *args: Any, **kwargs: Any) -> int:
        """``delete`` in a thread."""
        return await asyncio.to_thread(self.delete, *args, **kwargs)

    def _write(self, records: Sequence[MemoryRecord], *, keep_vectors: bool) -> None:
        sizes = [len(one) for one in map(_vector, self._all(self._vectors, 1))]
        changes = []
        for place, record in enumerate(records):
            changes.append(self._change(record.id, _value(record, f"records[{place}]")))
            if record.embedding:
                sizes.append(len(record.embedding))
                vector = {"vector": [float(f"{number:.7g}") for number in record.embedding]}
                changes.append(ItemChange(namespace=self._vectors, key=record.id, value=vector))
            elif not keep_vectors:
                changes.append(ItemChange(namespace=self._vectors, key=record.id))
        for size in sizes:
            if size != sizes[0]:
                raise EmbeddingDimensionMismatchError(sizes[0], size)
        self._items.write(changes)

    def _change(self, id: str, value: Mapping[str, object]) -> ItemChange:
        return ItemChange(
            namespace=self._records, key=id, value=value, texts=lambda stored: [str(stored["content"])]
        )

    def _all(self, namespace: tuple[str, ...], limit: int = _MOST) -> list[Item]:
        return [hit.item for hit in self._items.search(namespace, limit=limit)]

    def _matching(
        self, scope: str | None, categories: Collection[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> list[MemoryRecord]:  # fmt: skip
        above, records = _labels(scope or "/"), map(_record, self._all(self._records))
        return [
            one
            for one in records
            if _labels(one.scope)[: len(above)] == above
            and (not categories or not set(categories).isdisjoint(one.categories))
            and all(one.metadata.get(name) == value for name, value in (metadata or {}).items())
        ]


def _value(record: MemoryRecord, at: str) -> dict[str, object]:
    if not record.content.strip():
        raise InvalidInput(f"{at}.content", "it is empty", "give some text")
    times = {name: getattr(record, name).isoformat() for name in ("created_at", "last_accessed")}
    return {name: getattr(record, name) for name in _FIELDS} | times


def _record(item: Item, vector: Sequence[float] | None = None) -> MemoryRecord:
    return MemoryRecord.model_validate({**item.value, "id": item.key, "embedding": vector})


def _vector(item: Item) -> list[float]:
    numbers: Any = item.value["vector"]
    return list(numbers)


def _cosine(asked: np.typing.NDArray[np.float64], vector: Sequence[float] | None) -> float:
    if vector is None:
        return 0.0
    held = np.asarray(vector, dtype=np.float64)
    length = float(np.linalg.norm(asked) * np.linalg.norm(held))
    return max(0.0, float(asked @ held) / length) if length else 0.0


def _labels(scope: str) -> tuple[str, ...]:
    """Return a scope's labels: ``/a/b`` and ``a/b/`` are the same, ``/ab`` isn't below ``/a``."""
    return tuple(label for label in scope.split("/") if label)


def _utc(moment: datetime) -> datetime:
    """Return a time with its zone; CrewAI's own have none and are UTC."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
