"""One agent's rows of a table: the statements that most aggregates need."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import ClassVar, cast

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

    @property
    def selected(self) -> str:
        """The columns in one text."""
        return ", ".join(self.columns)

    def key_of(self, row: Row) -> Row:
        """Return the key's values in a row of the columns."""
        return tuple(row[self.columns.index(column)] for column in self.key)


def table(
    name: str, columns: str, key: str, *, owner: str = "agent_id", corpus: Corpus | None = None
) -> Table:
    """Declare a table: its columns and the columns of its key, each in one text."""
    return Table(name=name, columns=_split(columns), key=_split(key), owner=owner, corpus=corpus)


def _split(names: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in names.split(",") if name.strip())


@dataclass(frozen=True, slots=True)
class TableRows:
    """One agent's rows of ``table``: every statement is bound to the agent's id."""

    executor: Executor
    agent_id: str
    table: ClassVar[Table]

    def bump(self) -> Stamp:
        """Take the agent's next revision."""
        return next_stamp(self.executor, self.agent_id)

    def select(self, rest: str = "", *params: object) -> list[Row]:
        """Return the rows that pass; ``rest`` follows the condition on the agent."""
        one = self.table
        sql = f"SELECT {one.selected} FROM {one.name} WHERE agent_id = ?{rest}"
        return self.executor.run(sql, (self.agent_id, *params))

    def among(self, column: str, values: Collection[object], rest: str = "", *params: object) -> list[Row]:
        """Return the rows whose column has one of these values, and that pass ``rest``, in any order."""
        rows: list[Row] = []
        for some in chunks(values):
            marks, wanted = padded(some)
            rows += self.select(f"{rest} AND {column} IN ({marks})", *params, *wanted)
        return rows

    def insert(self, rows: Sequence[Sequence[object]], then: str = "") -> None:
        """Add rows; ``then`` says what happens where the key is taken."""
        sql = f"{insertion(self.table.name, f'agent_id, {self.table.selected}')}{then}"
        self.executor.many(sql, [(self.agent_id, *row) for row in rows])

    def upsert(self, row: Sequence[object]) -> None:
        """Add a row, or replace the one of its key."""
        rest = (column for column in self.table.columns if column not in self.table.key)
        changes = ", ".join(f"{column} = excluded.{column}" for column in rest)
        self.insert([row], f" ON CONFLICT (agent_id, {', '.join(self.table.key)}) DO UPDATE SET {changes}")

    def drop(self, rest: str = "", *params: object) -> None:
        """Delete the rows that pass."""
        self.executor.run(f"DELETE FROM {self.table.name} WHERE agent_id = ?{rest}", (self.agent_id, *params))

    def drop_any(self, rest: str = "", *params: object) -> bool:
        """Delete the rows that pass; return whether there were any."""
        sql = f"DELETE FROM {self.table.name} WHERE agent_id = ?{rest} RETURNING agent_id"
        return bool(self.executor.run(sql, (self.agent_id, *params)))

    def drop_among(self, column: str, values: Collection[object]) -> bool:
        """Delete the rows whose column has one of these values; return whether there were any."""
        gone = False
        for some in chunks(values):
            marks, wanted = padded(some)
            gone |= self.drop_any(f" AND {column} IN ({marks})", *wanted)
        return gone

    def row_count(self) -> int:
        """Return how many rows there are."""
        sql = f"SELECT COUNT(*) FROM {self.table.name} WHERE agent_id = ?"
        return cast(int, self.executor.run(sql, (self.agent_id,))[0][0])
