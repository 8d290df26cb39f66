"""Ids of the rows that pass, in order, read page by page: so a limit holds after the tests that SQL can't make."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import cast

from reverie.store.executor import Executor
from reverie.store.where import Clauses

_PAGE = 2_000

BY_ID = ("id",)
BY_TIME = ("time", "id")


def passing(
    executor: Executor, table: str, clauses: Clauses, *, order: Sequence[str] = BY_ID, limit: int | None = None,
    after: Sequence[object] | None = None, descending: bool = False,
) -> Iterator[str]:  # fmt: skip
    """Return ids that pass, by ``order`` (whose last column is the id) behind the key ``after``, at most ``limit``."""
    every = _all_passing(executor, table, clauses, order, limit, after, descending)
    return every if limit is None else islice(every, max(limit, 0))


def count(executor: Executor, table: str, clauses: Clauses) -> int:
    """Return how many pass."""
    if clauses.tests:
        return sum(1 for _ in passing(executor, table, clauses))
    rows = executor.run(f"SELECT COUNT(*) FROM {table} WHERE {clauses.sql}", clauses.params)
    return cast(int, rows[0][0])


def _all_passing(
    executor: Executor, table: str, clauses: Clauses, order: Sequence[str], limit: int | None,
    after: Sequence[object] | None, descending: bool,
) -> Iterator[str]:  # fmt: skip
    page = _PAGE if limit is None or clauses.tests else max(limit, 1)
    width = len(order)
    sign, direction = ("<", " DESC") if descending else (">", "")
    behind = f" AND ({', '.join(order)}) {sign} ({', '.join('?' * width)})"
    head = f"SELECT {', '.join([*order, *clauses.columns])} FROM {table} WHERE {clauses.sql}"
    tail = f" ORDER BY {', '.join(column + direction for column in order)} LIMIT ?"
    while True:
        params = (*clauses.params, *(after or ()), page)
        rows = executor.run(head + (behind if after else "") + tail, params)
        for row in rows:
            if clauses.passes(row[width:]):
                yield row[width - 1]
        if len(rows) < page:
            return
        after = rows[-1][:width]
