"""Fresh: vectors of another embedder, computed beside a bank's own until the bank moves to them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, Protocol

from reverie.ports.aggregates import Vector

Part = Literal["episodes", "memories", "versions"]
"""What has vectors; an id among the versions is ``<memory id>/<version>``."""
PARTS: tuple[Part, ...] = ("episodes", "memories", "versions")


class Fresh(Protocol):
    """Vectors that wait for a switch. Not copied to another place; no bump of rev but by a switch."""

    def missing(
        self, embedder: str, part: Part, *, limit: int, after: str | None = None
    ) -> Sequence[tuple[str, str]]:
        """Rows that have no vector by this embedder, or one of other words than theirs now, as (id, text), in order of
        id, those behind ``after`` only.
        """
        ...

    def put(self, embedder: str, part: Part, rows: Sequence[tuple[str, str, Vector]]) -> None:
        """Keeps vectors as (id, the text that they are of, vector), in place of earlier ones; but none of rows that are
        gone by now, or have other words.
        """
        ...

    def count(self, embedder: str) -> int:
        """Return how many vectors there are by this embedder."""
        ...

    def under_way(self) -> bool:
        """Return whether there is a vector by any embedder: the bank is on its way to another."""
        ...

    def size(self) -> int:
        """Return how many rows have a vector."""
        ...

    def switch(self, embedder: str, dimensions: int) -> bool:
        """Gives every row its fresh vector, and the bank its new embedder; all others are dropped. Bumps rev.

        False, and nothing is changed, where a row has none, or one of other words than its own.
        """
        ...

    def forget(self, *, memories: Collection[str], episodes: Collection[str]) -> None:
        """Drops the vectors of these rows, and of the memories' versions."""
        ...

    def clear(self) -> None:
        """Drops all."""
        ...
