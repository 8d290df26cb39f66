"""Long lists, some items at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from reverie.ports.store import Vector
from reverie.services.runtime.desk import Desk, Progress

Item = TypeVar("Item")


def batches(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    """Yield the items in lists of at most ``size``."""
    return (items[start : start + size] for start in range(0, len(items), size))


def embedded(desk: Desk, texts: Sequence[str], progress: Progress | None = None) -> dict[str, Vector]:
    """Return the vectors of texts, by text; ``progress`` is told after each batch. Raise EmbedderFailed."""
    vectors: dict[str, Vector] = {}
    for some in batches(texts, desk.settings.store.batch):
        vectors.update(zip(some, desk.embedder.embed(some), strict=True))
        if progress is not None:
            progress(len(vectors), len(texts))
    return vectors
