"""One agent's rows: every statement is bound to the agent's id. What most tables need stands here once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, cast

from reverie.ports.transfer import Part
from reverie.store.executor import Corpus, Executor, Row, chunks, insertion, padded
from reverie.store.revisions import Stamp, next_stamp


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """A table's columns without its agent's id. ``corpus``: its rows have an order of storing, and an index."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]
    owner: str = "agent_id"
    corpus: Corpus | None = None
    part: Part = Part.REVISED

    @property
    def selected(self) -> str:
        """The columns in one text."""
        return ", ".join(self.columns)

    def key_of(self, row: Row) -> Row:
        """Return the key's values in a row of the columns."""
        return tuple(row[self.columns.index(column)] for column in self.key)


def table(
    name: str, columns: str, key: str, *, owner: str = "agent_id", corpus: Corpus | None = None,
    part: Part = Part.REVISED,
) -> Table:  # fmt: skip
    """Declare a table: its columns and the columns of its key, each in one text."""
    return Table(
        name=name, columns=_split(columns), key=_split(key), owner=owner, corpus=corpus, part=part
    )  # fmt: skip


def _split(names: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in names.split(",") if name.strip())


@dataclass(frozen=True, slots=True)
class BankRows:
    """One agent's rows of several tables."""

    executor: Executor
    agent_id: str

    def bump(self, due: datetime | None = None) -> Stamp:
        """Take the agent's next revision; with ``due``, something of the agent is due then."""
        return next_stamp(self.executor, self.agent_id, due)

    def run(self, sql: str, *params: object) -> list[Row]:
        """Run one statement whose first parameter is the agent's id; return all its rows."""
        return self.executor.run(sql, (self.agent_id, *params))

    def run_among(self, sql: str, values: Collection[object], *params: object) -> list[Row]:
        """Run one statement with the values, some hundreds at a time, in the place of ``{}``, behind all other
        parameters; return all its rows, in any order.
        """
        rows: list[Row] = []
        for some in chunks(values):
            marks, wanted = padded(some)
            rows += self.run(sql.format(marks), *params, *wanted)
        return rows


class TableRows(BankRows):
    """One agent's rows of ``table``."""

    __slots__ = ()
    table: ClassVar[Table]

    def select(self, rest: str = "", *params: object) -> list[Row]:
        """Return the rows that pass; ``rest`` follows the condition on the agent."""
        one = self.table
        return self.run(f"SELECT {one.selected} FROM {one.name} WHERE agent_id = ?{rest}", *params)

    def among(self, column: str, values: Collection[object], rest: str = "", *params: object) -> list[Row]:
        """Return the rows whose column has one of these values, and that pass ``rest``, in any order."""
        one = self.table
        sql = f"SELECT {one.selected} FROM {one.name} WHERE agent_id = ?{rest} AND {column} IN ({{}})"
        return self.run_among(sql, values, *params)

    def insert(self, rows: Sequence[Sequence[object]], then: str = "") -> None:
        """Add rows; ``then`` says what happens where the key is taken."""
        sql = f"{insertion(self.table.name, f'agent_id, {self.table.selected}')}{then}"
        self.executor.many(sql, [(self.agent_id, *row) for row in rows])

    def upsert(self, *rows: Sequence[object]) -> None:
        """Add rows, or replace those of their keys."""
        rest = (column for column in self.table.columns if column not in self.table.key)
        changes = ", ".join(f"{column} = excluded.{column}" for column in rest)
        self.insert(rows, f" ON CONFLICT (agent_id, {', '.join(self.table.key)}) DO UPDATE SET {changes}")

    def add_up(self, rows: Sequence[Sequence[object]]) -> None:
        """Add rows; where the key is taken, add their counts to those there."""
        one = self.table
        rest = (column for column in one.columns if column not in one.key)
        changes = ", ".join(f"{column} = {one.name}.{column} + excluded.{column}" for column in rest)
        self.insert(rows, f" ON CONFLICT (agent_id, {', '.join(one.key)}) DO UPDATE SET {changes}")

    def change(self, changes: str, values: Sequence[object], rest: str = "", *params: object) -> int:
        """Set columns, as ``changes`` says, to ``values`` in the rows that pass; return how many."""
        sql = f"UPDATE {self.table.name} SET {changes} WHERE agent_id = ?{rest} RETURNING agent_id"
        return len(self.executor.run(sql, (*values, self.agent_id, *params)))

    def drop(self, rest: str = "", *params: object) -> None:
        """Delete the rows that pass."""
        self.run(f"DELETE FROM {self.table.name} WHERE agent_id = ?{rest}", *params)

    def dropped(self, rest: str, *params: object) -> int:
        """Delete the rows that pass; return how many."""
        return len(
            self.run(f"DELETE FROM {self.table.name} WHERE agent_id = ?{rest} RETURNING agent_id", *params)
        )

    def drop_among(self, column: str, values: Collection[object]) -> int:
        """Delete the rows whose column has one of these values; return how many."""
        sql = f"DELETE FROM {self.table.name} WHERE agent_id = ? AND {column} IN ({{}}) RETURNING agent_id"
        return len(self.run_among(sql, values))

    def row_count(self, rest: str = "", *params: object) -> int:
        """Return how many rows pass."""
        sql = f"SELECT COUNT(*) FROM {self.table.name} WHERE agent_id = ?{rest}"
        return cast(int, self.run(sql, *params)[0][0])
