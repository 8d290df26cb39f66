"""The little that an engine must be able to do for the aggregates, and how they cut long lists."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from reverie.domain.episode import Episode
from reverie.domain.memory import Memory

Corpus = Literal["memories", "episodes"]
Row = tuple[Any, ...]
"""A row; what its columns hold is settled by the schema."""
Item = TypeVar("Item")

CHUNK = 500
"""The most values in one list of placeholders; every engine takes more parameters a statement."""

_SIZES = (1, 2, 5, 10, 25, 50, 100, 250, CHUNK)


class Executor(Protocol):
    """Runs statements inside one transaction of one engine.

    SQL is the common subset of the dialects with ``?`` as the placeholder: ``ON CONFLICT`` and ``RETURNING``
    are part of it, row ids and ``INSERT OR`` are not. Values are always bound. Whatever the engine raises
    comes as ``reverie.errors``.
    """

    def run(self, sql: str, params: Sequence[object] = ()) -> list[Row]:
        """Run one statement and return all its rows."""
        ...

    def together(self, statements: Sequence[tuple[str, Sequence[object]]]) -> list[list[Row]]:
        """Run one or more statements that read and return the rows of each; to a server they are one message."""
        ...

    def many(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        """Run one statement for each row of parameters."""
        ...

    def vector(self, value: NDArray[np.float32]) -> object:
        """Return the vector as a parameter."""
        ...

    def to_vector(self, value: object) -> NDArray[np.float32]:
        """Return the vector of a column's value; it may be read-only."""
        ...

    def packed(self, value: object) -> bytes:
        """Return the vector of a column's value as bytes: little-endian float32, 4 a dimension."""
        ...

    def unpacked(self, value: bytes) -> object:
        """Return the vector of such bytes as a parameter."""
        ...

    def bytes_of(self, column: str) -> str:
        """Return the SQL for how many bytes of UTF-8 a text has."""
        ...

    def match(self, corpus: Corpus, words: str) -> tuple[str, tuple[object, ...]]:
        """Return a condition on the corpus's table, true where each keyword of ``words`` stands, and its parameters.

        Keywords are stemmed; nothing in ``words`` is an operator. Without a single keyword nothing matches.
        """
        ...

    def index_of(
        self, corpus: Corpus, items: Sequence[Memory | Episode]
    ) -> tuple[tuple[str, ...], Sequence[Row]]:
        """Return what the engine keeps in an item's own row so that the row is found by its words.

        Gives the names of these columns (none where the engine keeps its index elsewhere) and each item's values.
        The items' texts count from now on: to be called once for rows that are stored, or, after ``leave_index``,
        for rows whose words changed.
        """
        ...

    def leave_index(self, corpus: Corpus, ids: Collection[str], *, stay: bool = False) -> None:
        """The texts of these rows count no longer; to be called before they go, or (``stay``) their words change."""
        ...

    def follow_near(self, corpus: Corpus, ids: Collection[str], *, stay: bool = False) -> None:
        """These rows went, or (``stay``) their vectors changed: an index of vectors follows. To be called behind it."""
        ...

    def leave_near(self, corpus: Corpus) -> None:
        """The vectors of all rows are about to change: an index of them begins anew, and holds none until then."""
        ...

    def leave_index_whole(self, corpus: Corpus) -> None:
        """No text of the corpus counts any longer; to be called before all its rows go."""
        ...


def chunks(values: Collection[Item]) -> Iterator[list[Item]]:
    """Yield the distinct values in lists of at most CHUNK."""
    distinct = list(dict.fromkeys(values))
    for start in range(0, len(distinct), CHUNK):
        yield distinct[start : start + CHUNK]


def padded(values: Sequence[Item]) -> tuple[str, list[Item]]:
    """``?, ?, …`` and the 1 to CHUNK values, the last one repeated up to a round number.

    So the engine sees a handful of different statements and keeps them prepared.
    """
    size = next(size for size in _SIZES if size >= len(values))
    return ", ".join("?" * size), [*values, *[values[-1]] * (size - len(values))]


def insertion(table: str, columns: str, *more: str) -> str:
    """Return an INSERT of one row of these columns: a list in one text, and further names."""
    names = ", ".join((columns, *more))
    return f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * (names.count(',') + 1))})"
