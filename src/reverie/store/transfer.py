"""The raw rows of one agent: read and written as they are, for moving a bank between files and databases."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import cast, overload

from reverie.domain.episode import Episode
from reverie.domain.link import LINK_CHANNEL
from reverie.domain.memory import Memory
from reverie.domain.time import from_micros, micros
from reverie.errors import InvalidInput
from reverie.ports.transfer import AGENT, Copying, Part, RawRow
from reverie.store.agents import AgentRows
from reverie.store.audit import AUDIT
from reverie.store.counters import COUNTERS
from reverie.store.diary import DIARY, WORDS
from reverie.store.digests import DIGESTS
from reverie.store.executor import Corpus, Row, insertion
from reverie.store.fresh import FRESH
from reverie.store.goals import ACHIEVEMENTS, DUES
from reverie.store.items import ITEMS as VALUES
from reverie.store.jobs import JOBS
from reverie.store.links import BLOCKS, ITEMS, LINKS
from reverie.store.nights import NIGHTS
from reverie.store.outbox import OUTBOX
from reverie.store.portraits import PORTRAITS
from reverie.store.procedures import PROCEDURES, RUNS
from reverie.store.relationships import RELATIONSHIPS
from reverie.store.rows import EPISODE_COLUMNS, MEMORY_COLUMNS, VERSION_COLUMNS, episode, memory
from reverie.store.sleeps import SLEEPS
from reverie.store.soul import SOUL
from reverie.store.summaries import SUMMARIES
from reverie.store.table import BankRows, Table, TableRows, table
from reverie.store.tombstones import TOMBSTONES
from reverie.store.usage import USAGE
from reverie.store.watermarks import WATERMARKS

_PAGE = 200  # a text may have a megabyte


_STAMP = "rev, embedder, vector"
_TABLES = {
    one.name: one
    for one in (
        table("conversations", "id, channel, started_at, last_at, episodes, next_position", key="id"),
        table("participants", "conversation_id, speaker, episodes", key="conversation_id, speaker"),
        table("episodes", f"{EPISODE_COLUMNS}, {_STAMP}", key="id", corpus="episodes"),
        table("memories", f"{MEMORY_COLUMNS}, {_STAMP}", key="id", corpus="memories"),
        table("memory_versions", f"{VERSION_COLUMNS}, {_STAMP}", key="memory_id, version"),
        table("memory_sources", "memory_id, episode_id", key="memory_id, episode_id"),
        table("connections", "source, target, relation, created_at", key="source, target, relation"),
        SOUL, SLEEPS, PROCEDURES, RUNS, ACHIEVEMENTS, DUES, DIARY, WORDS, RELATIONSHIPS, VALUES, SUMMARIES, LINKS,
        ITEMS, BLOCKS, AUDIT, TOMBSTONES,
        table("deletions", "rev, corpus, id", key="rev, corpus, id"),
        table("memory_touches", "memory_id, touches, last_touched_at", key="memory_id", part=Part.UNREVISED),
        WATERMARKS, COUNTERS, OUTBOX, DIGESTS, PORTRAITS, NIGHTS, JOBS, USAGE, FRESH,
        table(
            AGENT,
            "time_zone, principals, home, location, created_at, secret, rev, pruned_rev, embedder, dimensions,"
            " paused_at",
            key="",
            owner="id",
            part=Part.AGENT,
        ),
    )
}  # fmt: skip
"""In the order of copying."""


def tables_of(*parts: Part) -> Sequence[str]:
    """Return the names of the tables of these parts, in the order of copying."""
    return [one.name for one in _TABLES.values() if one.part in parts]


class _CopyRows(TableRows):
    table = table("copies", "source, rev, holder, started_at", key="")


class TransferRows(BankRows):
    """``ports.transfer.Transfer`` over an executor."""

    def tables(self, *parts: Part) -> Sequence[str]:
        return tables_of(*parts)

    def count(self, table: str) -> int:
        rows = self.run(f"SELECT COUNT(*) FROM {table} WHERE {_TABLES[table].owner} = ?")
        return cast(int, rows[0][0])

    def pages(self, table: str) -> Iterator[Sequence[RawRow]]:
        there = _TABLES[table]
        pages = self._in_order_of_storing(there) if there.corpus else self._by_key(there)
        for page in pages:
            yield self._read(there, page)

    def last(self, table: str) -> RawRow | None:
        there = _TABLES[table]
        if there.corpus:
            rows = self._among(there, self._stored(table)[-1:])
        else:
            order = ", ".join(f"{column} DESC" for column in there.key)
            rows = self.run(
                f"SELECT {there.selected} FROM {table} WHERE {there.owner} = ? ORDER BY {order} LIMIT 1"
            )
        return self._read(there, rows[:1])[0] if rows else None

    def add(self, table: str, rows: Sequence[RawRow]) -> None:
        there = _TABLES[table]
        found_by: tuple[str, ...] = ()
        found: Sequence[Row] = [()] * len(rows)
        if there.corpus:
            found_by, found = self.executor.index_of(there.corpus, _Items(there.corpus, rows))
        self.executor.many(
            insertion(table, f"{there.owner}, {there.selected}", *found_by),
            [
                (self.agent_id, *row, *values)
                for row, values in zip(self._written(there, rows), found, strict=True)
            ],
        )

    def add_new(self, table: str, rows: Sequence[RawRow]) -> None:
        there = _TABLES[table]
        self.executor.many(
            f"{insertion(table, f'{there.owner}, {there.selected}')} ON CONFLICT DO NOTHING",
            [(self.agent_id, *row) for row in self._written(there, rows)],
        )

    def columns(self, table: str) -> tuple[str, ...]:
        return _TABLES[table].columns

    def said_at(self, times: Collection[int]) -> Sequence[tuple[str, int, str | None, str, bool]]:
        sql = "SELECT id, time, speaker, content, channel FROM episodes WHERE agent_id = ? AND time IN ({})"
        rows = self.run_among(sql, times)
        return [(id, time, who, text, channel != LINK_CHANNEL) for id, time, who, text, channel in rows]

    def told_at(self, times: Collection[int]) -> Sequence[tuple[str, int, str, str, bool]]:
        """See the port. There may be no index by time: the table is looked through once, whatever is asked."""
        wanted = frozenset(times)
        made = self.run("SELECT id, created_at FROM memories WHERE agent_id = ?")
        ids = [id for id, time in made if time in wanted]
        head = "SELECT id, created_at, kind, essence, learned_from FROM memories"
        rows = self.run_among(f"{head} WHERE agent_id = ? AND id IN ({{}})", ids)
        return [(id, time, kind, text, giver is None) for id, time, kind, text, giver in rows]

    def order(self, table: str) -> Sequence[str]:
        return self._stored(table)

    def among(self, table: str, column: str, values: Collection[str | int]) -> Sequence[RawRow]:
        there = _TABLES[table]
        head = f"SELECT {there.selected} FROM {table} WHERE {there.owner} = ?"
        return self._read(there, self.run_among(f"{head} AND {column} IN ({{}})", values))

    def stamp(self) -> int:
        return self.bump().rev

    def clear(self, table: str) -> None:
        there = _TABLES[table]
        if there.corpus is not None:
            self.executor.leave_index_whole(there.corpus)
        self.run(f"DELETE FROM {table} WHERE {there.owner} = ?")

    def under_way(self) -> Copying | None:
        for source, rev, holder, started_at in self._copies.select():
            return Copying(source=bytes(source), rev=rev, holder=holder, started_at=from_micros(started_at))
        return None

    def hold(self, copying: Copying) -> None:
        if self.count(AGENT):
            raise InvalidInput("agent", "it is there already", "copy it to another file or database")
        self.abandon()
        self._copies.insert([(copying.source, copying.rev, copying.holder, micros(copying.started_at))])

    def abandon(self) -> None:
        self._copies.drop()

    def finish(self, agent: RawRow) -> None:
        self.add(AGENT, [agent])
        copying = self.under_way()
        if copying is not None:  # a fresh copy is due at once
            AgentRows(self.executor, self.agent_id).settle_due(copying.started_at)
        self.abandon()

    def _in_order_of_storing(self, table: Table) -> Iterator[Sequence[Row]]:
        # The ids are sorted once and the rows fetched by them: SQLite has no index through an agent's rows by `seq`.
        ids = self._stored(table.name)
        place = table.columns.index("id")
        for start in range(0, len(ids), _PAGE):
            some = ids[start : start + _PAGE]
            rows = {row[place]: row for row in self._among(table, some)}
            yield [rows[id] for id in some]

    def _by_key(self, table: Table) -> Iterator[Sequence[Row]]:
        head = f"SELECT {table.selected} FROM {table.name} WHERE {table.owner} = ?"
        if not table.key:
            yield self.run(head)
            return
        key = ", ".join(table.key)
        behind, params = "", cast(Row, ())
        while True:
            rows = self.run(f"{head}{behind} ORDER BY {key} LIMIT ?", *params, _PAGE)
            yield rows
            if len(rows) < _PAGE:
                return
            behind = f" AND ({key}) > ({', '.join('?' * len(table.key))})"
            params = table.key_of(rows[-1])

    def _stored(self, table: str) -> list[str]:
        return [row[0] for row in self.run(f"SELECT id FROM {table} WHERE agent_id = ? ORDER BY seq")]

    def _among(self, table: Table, ids: Sequence[str]) -> list[Row]:
        head = f"SELECT {table.selected} FROM {table.name} WHERE agent_id = ?"
        return self.run_among(f"{head} AND id IN ({{}})", ids)

    @property
    def _copies(self) -> _CopyRows:
        return _CopyRows(self.executor, self.agent_id)

    def _read(self, table: Table, rows: Sequence[Row]) -> Sequence[RawRow]:
        """Return rows with vectors as bytes, which is how one engine has them."""
        if table.columns[-1] != "vector" or all(isinstance(row[-1], bytes) for row in rows):
            return rows
        return [(*row[:-1], self.executor.packed(row[-1])) for row in rows]

    def _written(self, table: Table, rows: Sequence[RawRow]) -> Iterable[Sequence[object]]:
        if table.columns[-1] != "vector":
            return rows
        return ((*row[:-1], self.executor.unpacked(cast(bytes, row[-1]))) for row in rows)


class _Items(Sequence[Memory | Episode]):
    """What the index reads of rows, made when it does: one engine reads nothing."""

    def __init__(self, corpus: Corpus, rows: Sequence[RawRow]) -> None:
        self._corpus, self._rows = corpus, rows
        self._made: list[Memory | Episode] | None = None

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, place: int) -> Memory | Episode: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Memory | Episode]: ...

    def __getitem__(self, place: int | slice) -> Memory | Episode | Sequence[Memory | Episode]:
        if self._made is None:
            self._made = [_item(self._corpus, row) for row in self._rows]
        return self._made[place]


def _item(corpus: Corpus, row: RawRow) -> Memory | Episode:
    """Return what the index reads of a row; its columns begin with those of the corpus."""
    if corpus == "memories":
        return memory(row[: MEMORY_COLUMNS.count(",") + 1], (), 0, None)
    return episode(row[: EPISODE_COLUMNS.count(",") + 1])
