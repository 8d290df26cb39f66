"""Items: values that programs keep in a bank by namespace and key; ``ports.store`` has the laws that hold for all.
Every write bumps rev once.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from reverie.domain.item import Item, Namespace


class Items(Protocol):
    """Its items. Those that had expired by ``now`` aren't found."""

    def put(self, items: Sequence[Item]) -> None:
        """Store items, or replace those of their ids; their vectors go. Raises InvalidInput where another id has the
        same namespace and key.
        """
        ...

    def get(self, namespace: Namespace, key: str, now: datetime) -> Item | None:
        """Return the item of that key, or None."""
        ...

    def below(
        self,
        prefix: Namespace,
        now: datetime,
        *,
        limit: int | None = None,
        offset: int = 0,
        newest_first: bool = False,
    ) -> Sequence[Item]:
        """Return the items whose namespace begins with these labels, in order of id or its reverse."""
        ...

    def namespaces(self, now: datetime) -> Sequence[Namespace]:
        """Return every namespace that holds something, each once, in any order."""
        ...

    def list(self, *, limit: int = 100, after: str | None = None) -> Sequence[Item]:
        """Return all items in order of id, the expired among them, those behind id ``after`` only."""
        ...

    def known(self, items: Collection[Item]) -> Collection[str]:
        """Return the ids of those of these items whose id, or whose namespace and key, a stored one has."""
        ...

    def delete(self, ids: Collection[str]) -> None:
        """Delete items; ids that aren't there change nothing."""
        ...

    def expire(self, now: datetime) -> None:
        """Delete those that had expired by then."""
        ...

    def refresh(self, until: Mapping[str, datetime]) -> None:
        """Let items expire at these times, by id."""
        ...

    def vectors(self, ids: Collection[str], embedder: str) -> Mapping[str, NDArray[np.float32]]:
        """Return the vectors of items that have those of this embedder: shape (texts, dimensions)."""
        ...

    def keep_vectors(self, embedder: str, vectors: Sequence[tuple[Item, NDArray[np.float32]]]) -> None:
        """Keep the vectors of the texts of items; those whose texts are others by now stay as they are."""
        ...

    def count(self) -> int:
        """Return how many there are, the expired among them."""
        ...
