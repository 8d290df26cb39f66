"""A pool of connections, all set up in the same way, and what is asked of the server once, when a bank is opened."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, LiteralString

import psycopg
from pgvector.psycopg import register_vector
from psycopg import sql
from psycopg.pq import TransactionStatus
from psycopg.pq.abc import PGconn
from psycopg.types.numeric import Int8Dumper
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from reverie.errors import Busy, Closed, NotPrepared, StoreError
from reverie.store.postgres.faults import Faults
from reverie.store.postgres.place import SCHEMA, Place
from reverie.store.postgres.request_pipeline import RequestPipeline


class Connection(psycopg.Connection[tuple[Any, ...]]):
    """A connection of psycopg, with a pipeline of our own for readers (request_pipeline.py)."""

    def __init__(self, pgconn: PGconn, *args: Any, **named: Any) -> None:
        super().__init__(pgconn, *args, **named)
        self.requests = RequestPipeline(pgconn)
        self.manner = DIRECT
        self.warned = False
        """Whether the server has warned of something since this was set to False."""
        self.add_notice_handler(self._hear)
        self._until: float | None = None

    @contextmanager
    def no_longer_than(self, seconds: float) -> Iterator[None]:
        """Close the connection where an answer is waited for longer than that: psycopg's error for a lost one."""
        self._until = time.monotonic() + seconds
        try:
            yield
        finally:
            self._until = None

    def wait(self, gen: Generator[Any, Any, Any], *args: Any, **named: Any) -> Any:
        """See psycopg."""
        if self._until is not None:
            gen = self._no_later(gen, self._until)
        return super().wait(gen, *args, **named)

    def _no_later(self, gen: Generator[Any, Any, Any], until: float) -> Generator[Any, Any, Any]:
        try:
            asked = next(gen)
            while True:
                ready = yield asked
                if not ready and time.monotonic() >= until:
                    self.pgconn.finish()
                    raise psycopg.OperationalError("no answer in time")
                asked = gen.send(ready)
        except StopIteration as end:
            return end.value

    def _hear(self, notice: psycopg.errors.Diagnostic) -> None:
        self.warned = self.warned or notice.severity_nonlocalized == "WARNING"

    def rollback(self) -> None:
        """See psycopg."""
        super().rollback()
        self.requests.forget()


@dataclass(frozen=True, kw_only=True, slots=True)
class Manner:
    """How a database is spoken to. ``pooled``: a pooler gives each transaction any of its connections, so nothing lasts
    longer than one. ``sharded``: Citus keeps agents on many nodes, which are told what was said by SET LOCAL alone.

    ``each_time`` is what a transaction begins with, ``lasting`` what a connection does.
    """

    pooled: bool = False
    sharded: bool = False
    each_time: Sequence[LiteralString] = ()
    lasting: Sequence[LiteralString] = ()


DIRECT = Manner()

# Who vanished without a word is noticed within a minute: while nothing is under way, and (by the last) while something
# is, which TCP by itself sends again for a quarter of an hour.
_KEEPALIVES = {"keepalives_idle": 20, "keepalives_interval": 10, "keepalives_count": 3}
_UNHEARD = {"tcp_user_timeout": 50_000}
_TRY_SECONDS = 0.5
"""How long the pool by itself tries to connect before whoever waits makes it try anew. Its own pauses double each
time: after a long outage it would notice late that the server is back.
"""

_SEEN_SECONDS = 60.0
"""How long a connection that is used again and again goes past psycopg's pool."""

MOST_WALKED = 5_000
"""HNSW's ``max_scan_tuples``: a walk that found too few by then is given up, and all rows are scanned."""
SEARCH_WIDTH = 300
"""HNSW's ``ef_search`` for a list of candidates. Over 100,000 clustered vectors and 200 questions the hundred that it
gives hold 0.986, 0.988, 0.990, 0.996 of the ten nearest with 300, 350, 400 and 500, and 0.970, 0.975, 0.979, 0.987 of
the hundred nearest; its time grows with it.
"""

_PREPARED_AFTER = 2  # uses of a statement

_LEVELS = {"normal": "off", "full": "on"}
_EXTENSION = """SELECT n.nspname::text FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace
WHERE e.extname = 'vector'"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Access:
    """How to reach the database. See ``Settings`` for the numbers."""

    place: Place
    busy_seconds: float
    statement_seconds: float
    connect_seconds: float
    connections: int
    synchronous: str

    @property
    def faults(self) -> Faults:
        """Name the engine's exceptions for this database."""
        return Faults(
            where=self.place.shown, busy_seconds=self.busy_seconds, statement_seconds=self.statement_seconds
        )

    @property
    def _how(self) -> dict[str, Any]:
        return {
            "autocommit": True,  # a transaction is begun by us, one a unit of work, and never nested
            "connect_timeout": max(int(self.connect_seconds), 1),
            "application_name": "reverie",
            "client_encoding": "utf8",
            **_KEEPALIVES,
            **_UNHEARD,
        }

    def connect(self) -> Connection:
        """Return a connection that isn't set up for work yet. Raise AccessRefused, Unreachable."""
        try:
            connection = Connection.connect(self.place.conninfo, **self._how)
        except psycopg.Error as error:
            raise self.faults.of_connecting(error) from error
        return connection

    def pool(self, first: Connection, role: str | None, *, sharded: bool) -> Pool:
        """Return a pool of connections that pass vectors as the first one has learned to. Raise NotPrepared."""
        with self.faults.named(), first.transaction():
            schemas = first.execute(_EXTENSION).fetchall()
            if not schemas:
                raise NotPrepared(self.place.shown)
            # The types are looked up by their bare names, and need not lie in `public`.
            first.execute(sql.SQL("SET LOCAL search_path = {}").format(sql.Identifier(schemas[0][0])))
            register_vector(first)
        # Every whole number is a bigint: a statement is then prepared once, whatever the sizes of its numbers.
        first.adapters.register_dumper(int, Int8Dumper)
        manner = self._manner(role, schemas[0][0], pooled=is_pooled(first), sharded=sharded)
        # What the server refuses is told now, not when a connection is waited for in vain.
        with self.faults.named(), first.transaction(), psycopg.ClientCursor(first) as cursor:
            cursor.execute("; ".join([*manner.lasting, *manner.each_time]))
        threshold = None if manner.pooled else _PREPARED_AFTER
        how = self._how | {
            "context": first, "cursor_factory": psycopg.RawCursor, "prepare_threshold": threshold,
        }  # fmt: skip
        return Pool(self, how, manner)

    def _manner(self, role: str | None, extension: str, *, pooled: bool, sharded: bool) -> Manner:
        """Return how connections are set up."""
        limit = max(int(self.statement_seconds * 1000), 1) if self.statement_seconds else 0
        path = ", ".join(sql.Identifier(name).as_string(None) for name in (SCHEMA, extension))
        own = [
            f"search_path = {path}",
            # What a role, a database or PGOPTIONS may have set otherwise: how bytes are told, and that policies hold.
            "standard_conforming_strings = on",
            "row_security = on",
            "client_min_messages = warning",  # a commit that no standby has confirmed is told as a warning
            f"statement_timeout = {limit}",
        ]
        if role is not None:
            own.insert(0, f"ROLE {sql.Identifier(role).as_string(None)}")
        if sharded:
            own.append("citus.propagate_set_commands = 'local'")
        here_and_on_shards = [
            f"synchronous_commit = {_LEVELS[self.synchronous]}",
            # Short statements: workers and compiled code cost more than they save.
            "max_parallel_workers_per_gather = 0",
            "jit = off",
            # A table that was never analysed seems nearly empty, and reading all its vectors cheaper than walking the
            # graph. What can't do without sorting still sorts.
            "enable_sort = off",
            # It gives up early where the filter has little to do with the question; then rows are scanned (near.py).
            "hnsw.iterative_scan = relaxed_order",
            f"hnsw.max_scan_tuples = {MOST_WALKED}",
            f"hnsw.ef_search = {SEARCH_WIDTH}",
        ]
        # Nor does the server wait for hours for a client that vanished, which may hold an agent's lock.
        alive = [f"tcp_{name} = {number}" for name, number in _KEEPALIVES.items()]
        lasting = (*own, *here_and_on_shards, *alive)
        each_time = [*(own if pooled else ()), *(here_and_on_shards if pooled or sharded else ())]
        return Manner(
            pooled=pooled,
            sharded=sharded,
            each_time=[f"SET LOCAL {one}" for one in each_time],
            lasting=[] if pooled else [f"SET {one}" for one in lasting],
        )


def is_pooled(connection: psycopg.Connection[Any]) -> bool:
    """Return whether a pooler stands before the server: it tells a process number of its own making."""
    row = connection.execute("SELECT pg_backend_pid()").fetchone()
    return row is not None and row[0] != connection.info.backend_pid


_SILENT = logging.NullHandler()


class Pool:
    """At most ``connections`` at once, made when they are needed; broken ones are replaced. Thread-safe.

    The one that was given back last is the next to be given out: its server process has the plans of our statements,
    and their tables at hand. (psycopg's pool gives out the one that rested longest, so all would have to learn them.)
    """

    def __init__(self, access: Access, how: dict[str, Any], manner: Manner) -> None:
        self._access = access
        self._lock = threading.Lock()
        self._latest: Connection | None = None  # at rest, and out of psycopg's pool
        self._passed = time.monotonic()
        self._waiting = 0
        self._closed = False
        # It tells of every broken connection. Where nobody set up logging that must not end on stderr.
        logging.getLogger("psycopg").addHandler(_SILENT)

        def configure(connection: Connection) -> None:
            connection.manner = manner
            connection.requests.prepares = not manner.pooled
            if manner.lasting:  # several statements in one go, without parameters
                with psycopg.ClientCursor(connection) as cursor:
                    cursor.execute("; ".join(manner.lasting))

        self._pool: ConnectionPool[Connection] = ConnectionPool(
            access.place.conninfo,
            connection_class=Connection,
            kwargs=how,
            min_size=0,
            max_size=access.connections,
            configure=configure,
            timeout=access.busy_seconds,
            reconnect_timeout=_TRY_SECONDS,
            max_idle=300.0,
            num_workers=1,
            open=True,
        )

    def get(self, until: float, *, settled: bool = True) -> Connection:
        """Return a connection, waited for until that moment of the monotonic clock, or as long as making one may take:
        as psycopg wants it, or (``settled``: no) as whoever read over its line has left it. Raise Busy, Unreachable,
        Closed.
        """
        with self._lock:
            latest, self._latest = self._latest, None
            if latest is None:
                self._waiting += 1
        if latest is not None:
            if settled:
                latest.requests.settle()
            return latest
        try:
            return self._next(until)
        finally:
            with self._lock:
                self._waiting -= 1

    def _next(self, until: float) -> Connection:
        if self._pool.get_stats().get("pool_size", 0) < self._access.connections:
            until = max(until, time.monotonic() + self._access.connect_seconds)
        while True:
            seconds = min(max(until - time.monotonic(), 0.01), _TRY_SECONDS)
            try:
                return self._pool.getconn(timeout=seconds)
            except PoolTimeout as error:
                if time.monotonic() >= until:
                    raise self._why() from error
            except PoolClosed as error:
                raise Closed("this Reverie was closed") from error

    def give_back(self, connection: Connection) -> None:
        """Take a connection back. Close it if it broke or is inside a transaction."""
        back: Connection | None = connection
        with self._lock:
            if self._may_stay(connection):
                back, self._latest = self._latest, connection
        if back is not None:
            back.requests.settle()
            self._pool.putconn(back)

    def _may_stay(self, connection: Connection) -> bool:
        """Return whether it may rest here. Now and then psycopg's pool has to see it, which closes what is old."""
        if self._waiting or self._closed or connection.closed:
            return False
        if not connection.requests.ended and connection.pgconn.transaction_status != TransactionStatus.IDLE:
            return False
        if time.monotonic() - self._passed > _SEEN_SECONDS:
            self._passed = time.monotonic()
            return False
        return True

    def close(self) -> None:
        """Close the connections that rest now, and the others when they are given back."""
        with self._lock:
            self._closed = True
            resting, self._latest = self._latest, None
        if resting is not None:
            resting.requests.settle()
            self._pool.putconn(resting)
        self._pool.close()

    def _why(self) -> StoreError:
        """Return whether the server is away, or all connections are taken."""
        try:
            self._access.connect().close()
        except StoreError as error:
            return error
        access = self._access
        return Busy(access.place.shown, access.busy_seconds, connections=access.connections)
