"""Banks in one database; the writers of one agent take turns, and readers never wait for them."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

from reverie.domain.time import micros
from reverie.errors import AccessRefused, Busy, Closed, InvalidInput, ReadOnly, StoreError, Unreachable
from reverie.ports.store import Due, DueCounts, StoreInfo
from reverie.store.due import due_agents, due_counts
from reverie.store.executor import Corpus, Row
from reverie.store.postgres import near
from reverie.store.postgres.care import CORPORA, faults_in
from reverie.store.postgres.cluster import SIZE_ON_NODES
from reverie.store.postgres.connection import Access, Connection
from reverie.store.postgres.faults import may_be_repeated
from reverie.store.postgres.indexing import Indexer, take_in
from reverie.store.postgres.place import SCHEMA, Place
from reverie.store.postgres.reading_session import ReadingSession
from reverie.store.postgres.schema import Marks, present
from reverie.store.postgres.session import Session
from reverie.store.unit import StoreUnit

Result = TypeVar("Result")

_AFTER_FORK = "call Reverie.open(…) after the fork, in the process that uses it, or start processes by spawn"
_IN_DOUBT = (
    "it went away while a write was being confirmed, or its standby did, so the write may have been made"
)
_PAUSE, _LONGEST_PAUSE = 0.05, 1.0  # seconds between two tries
_SIZE = """SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
WHERE relnamespace = ?::regnamespace AND relkind = 'r'"""
_PRUNED_EVERY = 64  # writes
_PRUNE = "DELETE FROM writes WHERE agent_id = ? AND at < now() - interval '1 hour'"


class PostgresStore:
    """Implements ``ports.store.Store`` over a database that ``reverie postgres init`` prepared.

    ``busy_seconds``: how long a write waits for the agent's other writers, and anything for a connection or a server
    that is away. ``synchronous``: "full", or "normal", which lets a crash of the server (not of this process) undo
    the latest writes, last to first. ``connections``: the most at once, two or more.

    Raise InvalidInput (URL), Unreachable, AccessRefused, NotPrepared, NotABank, OlderSchema, NewerSchema; the
    database is then as it was.
    """

    def __init__(
        self, url: str, *, busy_seconds: float = 30.0, statement_seconds: float = 30.0, connect_seconds: float = 10.0,
        connections: int = 10, synchronous: str = "full",
    ) -> None:  # fmt: skip
        if connections < 2:
            raise InvalidInput("connections", "a write and a search at once need two", "give 2 or more")
        self._access = Access(
            place=Place.of(url), busy_seconds=busy_seconds, statement_seconds=statement_seconds,
            connect_seconds=connect_seconds, connections=connections, synchronous=synchronous,
        )  # fmt: skip
        self._pid = os.getpid()
        self._closed = False
        self._has_written = False
        self._mine = threading.local()
        # One connection is left for readers: a write that searches waits for one, and must not wait for writers.
        self._writers = threading.BoundedSemaphore(connections - 1)
        self._indexer = Indexer(self._aside)
        with self._access.connect() as first, self._access.faults.named():
            self._marks = present(first, self._access.place.shown)
            role = _role(first, self._marks, self._access.place.shown)
            self._pool = self._access.pool(first, role, sharded=self._marks.sharded)

    @contextmanager
    def read(self, agent_id: str) -> Iterator[StoreUnit]:
        """See the port. The state is the one at the beginning."""
        with self.reader(agent_id) as session:
            yield StoreUnit(session, agent_id)

    @contextmanager
    def write(self, agent_id: str, *, wait: float | None = None) -> Iterator[StoreUnit]:
        with self._writer(agent_id, wait) as session:
            yield StoreUnit(session, agent_id)
            try:
                session.commit()
            except Unreachable as error:
                raise self._in_doubt() from error
        self._look_after(session, agent_id)

    def transact(
        self, agent_id: str, work: Callable[[StoreUnit], Result], *, wait: float | None = None
    ) -> Result:
        """See the port. Where the connection is lost at the very end, the next try looks whether the write was made."""
        return self._transact(agent_id, None, lambda session: work(StoreUnit(session, agent_id)), wait)

    def transact_both(
        self, agent_id: str, other_id: str, work: Callable[[StoreUnit, StoreUnit], Result]
    ) -> Result:
        if agent_id == other_id:
            raise InvalidInput("other_id", "both are one agent", "name two")

        others: list[Session] = []  # a try each

        def on_both(session: Session) -> Result:
            others.append(session.beside(other_id))
            try:
                return work(StoreUnit(session, agent_id), StoreUnit(others[-1], other_id))
            finally:
                others[-1].leave()

        done = self._transact(agent_id, other_id, on_both, None)
        self._look_after(others[-1], other_id)
        return done

    def _transact(
        self, agent_id: str, also: str | None, work: Callable[[Session], Result], wait: float | None
    ) -> Result:
        budget = self._budget(wait)
        until = time.monotonic() + budget
        key, pause = uuid4(), _PAUSE
        result: list[Result] = []  # of a try whose commit was sent
        while True:
            try:
                with self._writer(agent_id, max(until - time.monotonic(), 0.0), also=also) as session:
                    if result and session.was_made(key):
                        # Made, but perhaps on this server alone: what a standby confirms confirms all before it.
                        session.commit(uuid4())
                    else:
                        result.clear()
                        result.append(work(session))
                        if key.int % _PRUNED_EVERY == 0:
                            session.run(_PRUNE, (agent_id,))
                        try:
                            session.commit(key)
                        except StoreError as error:
                            if not isinstance(error, Unreachable):
                                result.clear()  # the server has refused it
                            raise
                self._has_written = True
                self._look_after(session, agent_id)
                return result[0]
            except StoreError as error:
                if not self._may_repeat(error) or time.monotonic() + pause >= until:
                    if result:
                        raise self._in_doubt() from error
                    raise
            time.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)

    @contextmanager
    def reader(self, agent_id: str | None) -> Iterator[Session]:
        """Give a session inside a read transaction over one agent's rows; over nobody's for None."""
        self._check_usable()
        until = time.monotonic() + self._access.busy_seconds

        def another(broken: Connection) -> Connection:
            self._pool.give_back(broken)
            if time.monotonic() >= until:
                raise Unreachable(self._access.place.shown, "each connection to it breaks")
            return self._pool.get(until, settled=False)

        connection = self._pool.get(until, settled=False)
        session = ReadingSession(connection, self._access.faults, agent_id, another)
        try:
            session.begin()
            yield session
        finally:
            session.end()
            if session.held is not None:
                self._pool.give_back(session.held)

    def glance(self, agent_id: str, sql: str, params: Sequence[object]) -> list[Row]:
        """Return the rows of one statement over one agent's bank: a whole transaction in one message."""
        self._check_usable()
        until = time.monotonic() + self._access.busy_seconds
        while True:
            connection = self._pool.get(until)
            session = Session(connection, self._access.faults, agent_id, writing=False)
            try:
                return session.glance(sql, params)
            except Unreachable:
                if time.monotonic() >= until:
                    raise
            finally:
                session.end()
                self._pool.give_back(connection)

    def agent_ids(self) -> Sequence[str]:
        with self.reader(None) as session:
            return sorted(row[0] for row in session.run("SELECT * FROM known_agents()"))

    def due_agents(self, now: datetime, limit: int) -> Sequence[Due]:
        with self.reader(None) as session:
            asked = "SELECT id, due_at FROM due_agents(?, ?, ?, ?, ?)"
            return due_agents(lambda params: session.run(asked, params), now, limit)

    def due_counts(self, now: datetime) -> DueCounts:
        with self.reader(None) as session:
            return due_counts(session.run("SELECT due, oldest, dead FROM due_counts(?)", (micros(now),))[0])

    def dead_jobs(self, limit: int) -> Sequence[tuple[str, str]]:
        with self.reader(None) as session:
            rows = session.run("SELECT agent_id, job FROM dead_jobs(?)", (limit,))
        return [(agent_id, job) for agent_id, job in rows]

    def info(self) -> StoreInfo:
        """See the port. ``encrypted`` is False: whether the server's disk is, it can't tell."""
        with self.reader(None) as session:
            ((size,),) = session.run(SIZE_ON_NODES if self._marks.sharded else _SIZE, (SCHEMA,))
        return StoreInfo(
            engine="postgres", where=self._access.place.shown, encrypted=False, schema=self._marks.number,
            synchronous=self._access.synchronous, bytes=size,
        )  # fmt: skip

    def scour(self) -> bool:
        """See the port. False: dead rows, the log and backups keep what was deleted until the server's own vacuum and
        rotation, or ``reverie postgres scour``, which is the owner's to run.
        """
        self._check_usable()
        return False

    def check(self) -> Iterator[str]:
        agents = self.agent_ids()
        with self.reader(None) as session:
            faults = [*faults_in(session, None)]
        for agent_id in agents:
            with self.reader(agent_id) as session:
                faults += faults_in(session, agent_id)
        yield from faults

    def close(self) -> None:
        if self._closed or self._pid != os.getpid():
            return
        self._closed = True
        self._indexer.stop()
        self._pool.close()  # so that nobody goes on waiting for a server that is away
        self._indexer.join()

    def look_after(self, agent_id: str, corpus: Corpus) -> None:
        """Have rows of a large bank taken into the approximate index, in the background."""
        self._indexer.look_after(agent_id, corpus)

    def backup(self, to: Path) -> None:
        """See the port. A database lies in no file of ours."""

    def catch_up(self) -> None:
        """See the port: takes everything into the approximate index that belongs there."""
        for agent_id in self.agent_ids():
            for corpus in CORPORA:
                while self._takes_in(agent_id, corpus):
                    pass

    def _takes_in(self, agent_id: str, corpus: Corpus) -> bool:
        """Return whether rows were taken in, or somebody else is at them just now."""
        try:
            with self._aside(agent_id) as session:
                taken = take_in(session, agent_id, corpus)
                session.commit()
        except Busy:
            taken = None
        if taken is None:
            time.sleep(_PAUSE)
        return taken != 0

    def _look_after(self, session: Session, agent_id: str) -> None:
        for corpus, texts in session.stored.items():
            if texts > near.EXACT_ROWS:
                self._indexer.look_after(agent_id, corpus)

    @contextmanager
    def _aside(self, agent_id: str) -> Iterator[Session]:
        """Give a transaction that writes what no writer minds."""
        self._check_pid()
        session, connection = self._begun(agent_id, self._access.busy_seconds, writing=True, alone=False)
        try:
            yield session
        finally:
            session.end()
            self._pool.give_back(connection)

    @contextmanager
    def _writer(self, agent_id: str, wait: float | None, *, also: str | None = None) -> Iterator[Session]:
        self._check_usable()
        if getattr(self._mine, "writing", False):
            raise StoreError("this thread is writing already; writes can't be nested: end the first one")
        budget = self._budget(wait)
        until = time.monotonic() + budget
        if not self._writers.acquire(timeout=min(budget, threading.TIMEOUT_MAX)):
            raise Busy(self._access.place.shown, budget)
        self._mine.writing = True
        try:
            session, connection = self._begun(
                agent_id, until - time.monotonic(), writing=True, alone=True, also=also
            )
            try:
                yield session
            except ReadOnly:
                connection.close()  # another may lead to the server that takes writes now
                raise
            finally:
                session.end()
                self._pool.give_back(connection)
        finally:
            self._mine.writing = False
            self._writers.release()

    def _begun(
        self,
        agent_id: str | None,
        budget: float,
        *,
        writing: bool,
        alone: bool = False,
        also: str | None = None,
    ) -> tuple[Session, Connection]:
        """Return a transaction that has begun. Connections that broke since they were used last are thrown away."""
        until = time.monotonic() + max(budget, 0.0)
        while True:
            connection = self._pool.get(until)
            session = Session(connection, self._access.faults, agent_id, writing=writing)
            begun = False
            try:
                session.begin(max(until - time.monotonic(), 0.0) if alone else None, also=also)
                begun = True
                return session, connection
            except Unreachable:
                if time.monotonic() >= until:
                    raise
            finally:
                if not begun:
                    session.end()
                    self._pool.give_back(connection)

    def _may_repeat(self, error: StoreError) -> bool:
        """Return whether the transaction had no effect, and another try may succeed: also where an address that took
        writes leads to a standby, as it does for moments while another server takes over.
        """
        return may_be_repeated(error) or (self._has_written and isinstance(error, ReadOnly))

    def _in_doubt(self) -> Unreachable:
        return Unreachable(self._access.place.shown, _IN_DOUBT, in_doubt=True)

    def _budget(self, wait: float | None) -> float:
        return self._access.busy_seconds if wait is None else min(wait, self._access.busy_seconds)

    def _check_usable(self) -> None:
        self._check_pid()
        if self._closed:
            raise Closed("this Reverie was closed")

    def _check_pid(self) -> None:
        if self._pid != os.getpid():
            raise Closed("this Reverie was opened in another process, before a fork", _AFTER_FORK)


def _role(connection: Connection, marks: Marks, where: str) -> str | None:
    """Return the role to work as: the application's, where row-level security doesn't bind the one that logged in.

    Raise AccessRefused where it doesn't bind the application's role either.
    """
    told = connection.execute(
        "SELECT rolname = current_user, rolsuper OR rolbypassrls OR pg_has_role(oid, %s, 'USAGE') FROM pg_roles"
        " WHERE rolname IN (current_user, %s)",
        (marks.owner, marks.app_role),
    ).fetchall()
    if not any(own and unbound for own, unbound in told):
        return None
    if all(unbound for _, unbound in told):
        raise AccessRefused(
            where,
            f"row-level security doesn't bind {marks.app_role}, the application's role",
            f"ALTER ROLE {marks.app_role} NOSUPERUSER NOBYPASSRLS, and revoke {marks.owner} from it",
        )
    return marks.app_role
