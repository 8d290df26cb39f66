"""Raw rows of a bank by the names of their columns, so that they go over to another bank as they are."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from reverie.ports.store import Unit
from reverie.ports.transfer import Value
from reverie.services.runtime import batches

Named = dict[str, Value]
"""One row."""
PAGE = 4_000
"""How many rows go at a time. One server adds to each word of a page once, whatever the page's length."""


def rows_among(unit: Unit, table: str, column: str, ids: Collection[str]) -> list[Named]:
    """Return the rows whose column has one of these ids, in any order."""
    columns = unit.transfer.columns(table)
    return [dict(zip(columns, row, strict=True)) for row in unit.transfer.among(table, column, ids)]


def rows_by_id(unit: Unit, table: str, ids: Sequence[str]) -> list[Named]:
    """Return the rows of these ids, in their order; they must be there."""
    found = {row["id"]: row for row in rows_among(unit, table, "id", ids)}
    return [found[id] for id in ids]


def add_rows(unit: Unit, table: str, rows: Sequence[Named], *, over: bool = False) -> None:
    """Add rows; with ``over``, pass over those whose key is taken."""
    made = [tuple(row.values()) for row in rows]  # a row keeps the order of its columns
    (unit.transfer.add_new if over else unit.transfer.add)(table, made)


def pages(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the ids a page at a time."""
    return batches(ids, PAGE)


def texts_in(rows: Collection[Named], *columns: str) -> set[str]:
    """Return the texts that stand in these columns."""
    return {value for row in rows for name in columns if isinstance(value := row[name], str)}
