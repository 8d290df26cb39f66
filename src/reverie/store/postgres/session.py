"""PostgreSQL's Executor over one transaction of one connection."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, count
from typing import TYPE_CHECKING, LiteralString, Protocol, cast
from uuid import UUID

import numpy as np
from numpy.typing import NDArray
from psycopg import ClientCursor, DataError
from psycopg import errors as pg
from psycopg.pq import TransactionStatus

from reverie.domain.episode import Episode
from reverie.domain.memory import Memory
from reverie.domain.text_cache import text_cache
from reverie.errors import StoreError
from reverie.language import keywords
from reverie.store.executor import Corpus, Executor, Row
from reverie.store.postgres.connection import Connection
from reverie.store.postgres.faults import ENGINE_ERRORS, Faults
from reverie.store.postgres.lexemes import KEYWORD, all_of, keyword_keys, of_item, posted
from reverie.store.postgres.locks import indexer_lock, lock_call, writer_lock
from reverie.store.postgres.postings import (
    CountedText,
    StoredText,
    append,
    bigints,
    listed,
    remove,
    room_of,
    take_numbers,
    wipe,
)

if TYPE_CHECKING:
    from pgvector import Vector

_READING = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
# Behind the agent's lock every statement sees what was committed before it: nobody else writes the agent's rows.
_WRITING = "BEGIN ISOLATION LEVEL READ COMMITTED"

_LEAST_COMMIT_SECONDS = 1.0
_F32 = np.dtype("<f4")
_INSERTED_AT_ONCE = 16  # rows of one statement
_LEFT_AT_ONCE = 2_000  # rows: what one statement carries of their postings stays small


class PendingResult(Protocol):
    """A statement that was sent; its rows are there when what it was given by has ended."""

    def fetchall(self) -> list[Row]:
        """Return its rows."""
        ...


Ask = Callable[[str, Sequence[object]], PendingResult]
"""Sends a statement and returns at once."""


class Session:
    """Implements ``store.executor.Executor``. Usable from ``begin`` until ``end``."""

    def __init__(
        self, connection: Connection, faults: Faults, agent_id: str | None, *, writing: bool
    ) -> None:
        self.stored: dict[Corpus, int] = {}
        """Which corpora got rows in this transaction, and how many they have now."""
        self._staying: dict[tuple[Corpus, str], int] = {}  # the numbers of rows whose words are changing
        self._connection: Connection | None = connection
        self._faults = faults
        self._agent_id = agent_id
        self._writing = writing
        self._turn = [agent_id]  # whose rows the transaction sees now; shared by the sessions of one

    def beside(self, agent_id: str) -> Session:
        """Return another agent's session within the same transaction, whose writer ``begin`` has made it."""
        other = Session(self._open(), self._faults, agent_id, writing=self._writing)
        other._turn = self._turn
        return other

    def begin(self, lock_seconds: float | None = None, *, also: str | None = None) -> None:
        """Begin the transaction for its agent alone. With ``lock_seconds`` it becomes the agent's only writer, and
        that of ``also``, or raises Busy after waiting so long.
        """
        connection = self._open()
        with self._faults.named():
            steps = [*self._beginning(lock_seconds, also)]
            if connection.manner.sharded:  # Citus passes the whole message on with each SET LOCAL in it
                with connection.pipeline():
                    for step in steps:
                        connection.execute(step, prepare=False)
                return
            with ClientCursor(connection) as cursor:  # all in one message: half the time of four
                cursor.execute("; ".join(steps))

    def _beginning(self, lock_seconds: float | None, also: str | None) -> Iterator[LiteralString]:
        manner = self._open().manner
        yield _WRITING if self._writing else _READING
        yield from manner.each_time
        if self._agent_id is not None:
            yield naming(self._agent_id)
        if self._writing:
            # Who hangs in the middle of a write must not keep others out for good.
            yield "SET LOCAL idle_in_transaction_session_timeout = '2min'"
        if lock_seconds is not None:
            yield f"SET LOCAL lock_timeout = {max(int(lock_seconds * 1000), 1)}"
            # In one order for everybody, so that no two writers of two agents wait for each other.
            agents = {writer_lock(one): one for one in (self._agent_id or "", also) if one is not None}
            for lock, agent in sorted(agents.items()):
                yield lock_call("pg_advisory_xact_lock", lock, quoted(agent), sharded=manner.sharded)

    def commit(self, key: UUID | None = None) -> None:
        """Make the transaction last, and with it the note that the write of this key was made.

        A server with a synchronous standby answers when that has it, and waits for an absent one forever, whatever its
        ``statement_timeout``; if an administrator makes it give up, the write lasts there alone. Raise Unreachable for
        either.
        """
        connection = self._open()
        connection.warned = False
        limit = max(self._faults.busy_seconds, _LEAST_COMMIT_SECONDS)
        with self._faults.named(), connection.no_longer_than(limit), connection.pipeline():
            if key is not None:
                connection.execute(
                    "INSERT INTO writes (agent_id, key) VALUES ($1, $2)", (self._agent_id, key)
                )
            connection.execute("COMMIT")
        if connection.warned:
            raise self._faults.unconfirmed()

    def was_made(self, key: UUID) -> bool:
        """Return whether the write of this key was made already."""
        return bool(self.run("SELECT 1 FROM writes WHERE agent_id = ? AND key = ?", (self._agent_id, key)))

    def end(self) -> None:
        """Undo whatever was not committed, and let go of the connection."""
        connection, self._connection = self._connection, None
        if connection is not None and not connection.closed:
            try:
                if not self._writing and connection.info.transaction_status is TransactionStatus.INTRANS:
                    connection.commit()  # a rollback would throw away the connection's prepared statements
                connection.rollback()
            except ENGINE_ERRORS:
                connection.close()  # it broke: the server undoes the transaction by itself

    def leave(self) -> None:
        """Let go of a transaction that another session ends."""
        self._connection = None

    def glance(self, sql: str, params: Sequence[object]) -> list[Row]:
        """Return one reading statement in a transaction of its own, from beginning to end in one message."""
        connection = self._open()
        if connection.manner.sharded:
            self.begin()
            return self.run(sql, params)
        with self._faults.named(), ClientCursor(connection) as cursor:
            steps = [one.replace("%", "%%") for one in self._beginning(None, None)]
            cursor.execute("; ".join([*steps, sql.replace("?", "%s"), "COMMIT"]), params)
            for _ in steps:
                cursor.nextset()
            return cursor.fetchall()

    def run(
        self, sql: str, params: Sequence[object] = (), *, meanwhile: Callable[[Ask], object] | None = None
    ) -> list[Row]:
        """See Executor. ``meanwhile`` is called while the server is at work, and may ask for more."""
        connection = self._open()
        try:
            if meanwhile is None:
                cursor = connection.execute(numbered(sql), params, binary=True)
            else:
                with connection.pipeline():
                    cursor = connection.execute(numbered(sql), params, binary=True)
                    meanwhile(self.ask)
            # Not its `description`, which makes an object for each column.
            result = cursor.pgresult
            return cursor.fetchall() if result is not None and result.nfields else []
        except pg.ReadOnlySqlTransaction as error:
            raise self._refused(error) from error
        except ENGINE_ERRORS as error:
            raise self._faults.of(error) from error

    def together(self, statements: Sequence[tuple[str, Sequence[object]]]) -> list[list[Row]]:
        """See Executor: sent in one go."""
        asked: list[PendingResult] = []

        def rest(ask: Ask) -> None:
            asked.extend(ask(sql, params) for sql, params in statements[1:])

        first = self.run(*statements[0], meanwhile=rest)
        return [first, *(cursor.fetchall() for cursor in asked)]

    def ask(self, sql: str, params: Sequence[object]) -> PendingResult:
        """Send a statement; ``take`` gives its rows."""
        return self._open().execute(numbered(sql), params, binary=True)

    def take(self, asked: PendingResult, meanwhile: Callable[[Ask], object] | None = None) -> list[Row]:
        """Return the rows of a statement that was sent. ``meanwhile``: see ``run``."""
        if meanwhile is not None:
            meanwhile(self.ask)
        return asked.fetchall()

    def many(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        if not rows:
            return
        connection = self._open()
        try:
            with connection.cursor() as cursor:
                for statement, params in _together(sql, rows):
                    cursor.executemany(numbered(statement), params)
        except pg.ReadOnlySqlTransaction as error:
            raise self._refused(error) from error
        except ENGINE_ERRORS as error:
            raise self._faults.of(error) from error

    def _refused(self, error: Exception) -> Exception:
        if self._writing:  # the server is a standby, or was made read-only
            return self._faults.of(error)
        return StoreError("a unit that reads can't write; use store.write(…)")

    @contextmanager
    def pipeline(self) -> Iterator[Connection]:
        """Give the connection, whose statements are sent without waiting for the answers of those before."""
        connection = self._open()
        with self._faults.named(), connection.pipeline():
            yield connection

    def vector(self, value: NDArray[np.float32]) -> object:
        return np.ascontiguousarray(value, np.float32)

    def to_vector(self, value: object) -> NDArray[np.float32]:
        return np.asarray(cast("Vector", value).to_numpy(), np.float32)

    def packed(self, value: object) -> bytes:
        return self.to_vector(value).astype(_F32, copy=False).tobytes()

    def unpacked(self, value: bytes) -> object:
        return np.frombuffer(value, dtype=_F32).astype(np.float32, copy=False)

    def bytes_of(self, column: str) -> str:
        """See Executor."""
        return f"octet_length({column})"

    def match(self, corpus: Corpus, words: str) -> tuple[str, tuple[object, ...]]:
        """See Executor. Where one of the keywords is rare, its rows are listed; else all rows are looked at, of which a
        page that is full soon ends.
        """
        wanted, agent_id = keywords(words), self._agent_id or ""
        if not wanted:
            return "1 = 0", ()
        asked = all_of(agent_id, KEYWORD, wanted)
        keys = [found for found in (keyword_keys(agent_id, word) for word in wanted) if found is not None]
        few = listed(self, agent_id, corpus, keys) if keys else None
        if few is None:
            return "words @@ ?::tsquery", (asked,)
        # Within brackets of its own, since the planner would rather walk through all rows in the order that is wanted.
        rows = (
            f"SELECT id FROM {corpus} WHERE agent_id = ? AND seq = ANY (?::bigint[]) AND words @@ ?::tsquery"
        )
        return f"id = ANY (ARRAY({rows}))", (agent_id, bigints(few.tolist()), asked)

    def index_of(
        self, corpus: Corpus, items: Sequence[Memory | Episode]
    ) -> tuple[tuple[str, ...], Sequence[Row]]:
        """See Executor. A row whose words change keeps its number."""
        agent_id = self._agent_id or ""
        indexed = [of_item(agent_id, item) for item in items]
        known = [self._staying.pop((corpus, item.id), None) for item in items]
        new, length = known.count(None), sum(one.length for one in indexed)
        size = take_numbers(self, agent_id, corpus, texts=len(items), length=length, new=new)
        self.stored[corpus], last = size.texts, size.last
        numbers = iter(range(last - new + 1, last + 1))
        seqs = [next(numbers) if seq is None else seq for seq in known]
        counted = [
            CountedText(
                seq=seq,
                bag=one.bag,
                length=one.length,
                posted=one.posted,
                room=room_of(item.conversation) if isinstance(item, Episode) else None,
            )
            for seq, one, item in zip(seqs, indexed, items, strict=True)
        ]
        append(self, agent_id, corpus, counted, last)
        return ("seq", "words", "bag", "length"), [
            (seq, one.words, one.bag, one.length) for seq, one in zip(seqs, indexed, strict=True)
        ]

    def leave_index(self, corpus: Corpus, ids: Collection[str], *, stay: bool = False) -> None:
        agent_id, wanted = self._agent_id or "", list(dict.fromkeys(ids))
        if not stay and self._are_all(corpus, wanted):
            self._leave_empty(corpus)
            return
        for start in range(0, len(wanted), _LEFT_AT_ONCE):
            some = wanted[start : start + _LEFT_AT_ONCE]
            gone = counted_texts(self, corpus, agent_id, " AND id = ANY (?)", some)
            if not gone:
                continue
            length = sum(one.length for one in gone)
            take_numbers(self, agent_id, corpus, texts=-len(gone), length=-length, new=0)
            remove(self, agent_id, corpus, gone)
            if stay:
                self._staying.update({(corpus, one.id): one.seq for one in gone})

    def _are_all(self, corpus: Corpus, ids: Sequence[str]) -> bool:
        """Return whether these are all rows of the corpus."""
        rows = self.run(
            "SELECT texts FROM corpora WHERE agent_id = ? AND corpus = ?", (self._agent_id, corpus)
        )
        if not rows or not 0 < rows[0][0] <= len(ids):
            return False
        query = f"SELECT count(*) FROM {corpus} WHERE agent_id = ? AND id = ANY (?)"
        return bool(self.run(query, (self._agent_id, list(ids)))[0][0] == rows[0][0])

    def _leave_empty(self, corpus: Corpus) -> None:
        """No text is left, but the numbers go on where they were."""
        wipe(self, self._agent_id or "", corpus)
        self.run(
            "UPDATE corpora SET texts = 0, length = 0 WHERE agent_id = ? AND corpus = ?",
            (self._agent_id, corpus),
        )

    def leave_near(self, corpus: Corpus) -> None:
        """See Executor. Nobody takes rows in meanwhile; they are scanned until somebody does again."""
        agent_id = self._agent_id or ""
        self.lock("pg_advisory_xact_lock", indexer_lock(agent_id, corpus))
        self.run("DELETE FROM indexed WHERE agent_id = ? AND corpus = ?", (agent_id, corpus))
        self.run(f"DELETE FROM {corpus}_near WHERE agent_id = ?", (agent_id,))

    def follow_near(self, corpus: Corpus, ids: Collection[str], *, stay: bool = False) -> None:
        """See Executor. Who takes rows in holds them as long (indexing.py), so what it took in is seen here."""
        own = (self._agent_id, list(ids))
        if stay:
            self.run(
                f"UPDATE {corpus}_near SET near = now.near FROM {corpus} AS now WHERE {corpus}_near.agent_id = ?"
                f" AND {corpus}_near.id = ANY (?) AND now.agent_id = {corpus}_near.agent_id"
                f" AND now.id = {corpus}_near.id",
                own,
            )
        else:
            self.run(f"DELETE FROM {corpus}_near WHERE agent_id = ? AND id = ANY (?)", own)

    def leave_index_whole(self, corpus: Corpus) -> None:
        """See Executor. The corpus begins anew: nothing is left of it here."""
        agent_id = self._agent_id or ""
        wipe(self, agent_id, corpus)
        self.run("DELETE FROM corpora WHERE agent_id = ? AND corpus = ?", (agent_id, corpus))
        self.leave_near(corpus)

    def lock(self, how: str, lock: int) -> list[Row]:
        """Call one of the server's functions on advisory locks, where the agent's rows lie; return what it gives."""
        sharded = self._open().manner.sharded
        own = (self._agent_id or "",) if sharded else ()
        return self.run(lock_call(how, lock, "?", sharded=sharded), own)

    def _open(self) -> Connection:
        if self._connection is None:
            raise StoreError("this unit of work has ended; do everything inside its with block")
        if self._turn[0] != self._agent_id:
            self._turn[0] = self._agent_id
            with self._faults.named():
                self._connection.execute(naming(self._agent_id or ""))
        return self._connection


def counted_texts(
    executor: Executor, corpus: Corpus, agent_id: str, rest: str = "", *params: object
) -> list[StoredText]:
    """Return the texts of a corpus's rows as they were counted; ``rest`` follows the condition on the agent."""
    own = "scope <> '[]', NULL" if corpus == "memories" else "false, conversation_id"
    rows = executor.run(
        f"SELECT id, seq, bag, length, tsvector_to_array(words), {own} FROM {corpus} WHERE agent_id = ?{rest}",
        (agent_id, *params),
    )
    return [
        StoredText(
            id=id, seq=seq, bag=bytes(bag), length=length, posted=posted(words, scoped=scoped),
            room=None if conversation is None else room_of(conversation),
        )
        for id, seq, bag, length, words, scoped, conversation in rows
    ]  # fmt: skip


def _together(sql: str, rows: Sequence[Sequence[object]]) -> Iterator[tuple[str, Sequence[Sequence[object]]]]:
    """Yield the statement for all rows; an INSERT for several at once, which opens the table's indexes once."""
    head, values, row = sql.rpartition(" VALUES ")
    row, conflict, otherwise = row.partition(" ON CONFLICT ")
    can_be = bool(head) and not row.strip("(?, )") and (not conflict or _differ(head, otherwise, rows))
    whole = len(rows) // _INSERTED_AT_ONCE * _INSERTED_AT_ONCE if can_be else 0
    if whole:
        yield (
            f"{head}{values}{', '.join([row] * _INSERTED_AT_ONCE)}{conflict}{otherwise}",
            [
                [*chain.from_iterable(rows[start : start + _INSERTED_AT_ONCE])]
                for start in range(0, whole, _INSERTED_AT_ONCE)
            ],
        )
    if whole < len(rows):
        yield sql, rows[whole:]


def _differ(head: str, otherwise: str, rows: Sequence[Sequence[object]]) -> bool:
    """Return whether no two rows are in each other's way: one statement can't change a row twice."""
    if otherwise.endswith("DO NOTHING"):
        return True
    columns, names = (text[text.index("(") + 1 : text.index(")")].split(", ") for text in (head, otherwise))
    places = [columns.index(name) for name in names]
    return len({tuple(row[place] for place in places) for row in rows}) == len(rows)


def quoted(text: str) -> LiteralString:
    """Return a text as SQL, whatever ``standard_conforming_strings`` says. Raise psycopg's error for a NUL."""
    if "\0" in text:
        raise DataError("a text holds a NUL")
    escaped = text.replace("\\", "\\\\").replace("'", "''")
    return f"E'{escaped}'"


def naming(agent_id: str) -> LiteralString:
    """Return the statement that names the agent whose rows the transaction sees; it reaches a cluster's nodes, too."""
    return f"SET LOCAL reverie.agent = {quoted(agent_id)}"


@text_cache(1024)
def numbered(sql: str) -> LiteralString:
    """Return the statement with ``$1, $2 …`` for its question marks. No statement of ours has one inside quotes."""
    numbers = count(1)
    parts = sql.split("?")
    # It is made of our own fragments alone; values are always bound.
    return parts[0] + "".join(f"${next(numbers)}{part}" for part in parts[1:])


def texts(values: Iterable[str]) -> str:
    """Strings as an array's text."""
    quoted = (value.replace("\\", "\\\\").replace('"', '\\"') for value in values)
    return "{" + ",".join(f'"{value}"' for value in quoted) + "}"
