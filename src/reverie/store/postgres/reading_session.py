"""A read-only transaction in as few messages and with as few waits as possible.

What begins it and what ends it goes to the server without being waited for: the answer to the first comes with that of
the first statement, the answer to the last is read by who uses the connection next. So that the connection broke while
it rested may show with the first statement alone; then all is asked again over another one, as nothing was read yet.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from psycopg import errors as pg
from psycopg.adapt import Transformer

from reverie.errors import StoreError, Unreachable
from reverie.store.executor import Row
from reverie.store.postgres.faults import ENGINE_ERRORS, Faults
from reverie.store.postgres.session import Ask, Session, naming, numbered

if TYPE_CHECKING:
    from reverie.store.postgres.connection import Connection
    from reverie.store.postgres.request_pipeline import Reply

_BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"


class ReadingSession(Session):
    """A session that reads, over a connection's pipeline. ``another`` takes a connection that broke and gives a new
    one.
    """

    def __init__(
        self, connection: Connection, faults: Faults, agent_id: str | None,
        another: Callable[[Connection], Connection],
    ) -> None:  # fmt: skip
        super().__init__(connection, faults, agent_id, writing=False)
        self.held: Connection | None = connection
        """What is to be given back in the end."""
        self._another = another
        self._unanswered: list[PendingRows] | None = []
        """What was asked since the beginning, as long as nothing was answered."""
        self._requests, self._adapted = connection.requests, Transformer(connection)

    def begin(self, lock_seconds: float | None = None, *, also: str | None = None) -> None:
        """Begin the transaction for its agent. It takes no writer's lock."""
        assert lock_seconds is None
        assert also is None
        try:
            self._begin()
        except ENGINE_ERRORS as error:
            self._over_another(error)

    def end(self) -> None:
        """See Session. The server is told, and not waited for."""
        connection, self._connection = self._connection, None
        if connection is None or connection.closed:
            return
        try:
            if not self._requests.broken:
                if self._requests.waits:
                    self._requests.end()  # what is refused of it must not undo the end of the transaction
                self._requests.ask(self._adapted, "COMMIT")
                self._requests.end()
        except ENGINE_ERRORS:
            self._requests.broken = True
        if self._requests.broken:
            connection.close()  # the server undoes the transaction by itself

    def run(
        self, sql: str, params: Sequence[object] = (), *, meanwhile: Callable[[Ask], object] | None = None
    ) -> list[Row]:
        """See Session."""
        return self.take(self.ask(sql, params), meanwhile)

    def ask(self, sql: str, params: Sequence[object]) -> PendingRows:
        """See Session. It is under way at once."""
        if self._connection is None:
            super()._open()  # says so
        rows = PendingRows(self, sql, params)
        try:
            self._send(rows)
        except ENGINE_ERRORS as error:
            self._over_another(error, rows)
        if self._unanswered is not None:
            self._unanswered.append(rows)
        return rows

    def together(self, statements: Sequence[tuple[str, Sequence[object]]]) -> list[list[Row]]:
        """See Executor: sent in one go."""
        return [asked.fetchall() for asked in [self.ask(*one) for one in statements]]

    def many(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        """See Executor: refused by the server."""
        for params in rows:
            self.run(sql, params)

    def read(self, rows: PendingRows) -> list[Row]:
        """Wait for the rows of a statement."""
        while True:
            try:
                assert rows.answer is not None
                self._requests.until(rows.answer)
                found = rows.answer.rows()
            except pg.ReadOnlySqlTransaction as error:
                raise StoreError("a unit that reads can't write; use store.write(…)") from error
            except ENGINE_ERRORS as error:
                self._over_another(error)
            else:
                self._unanswered = None
                return found

    def _begin(self) -> None:
        self._requests.rest()
        assert self._connection is not None
        self._requests.ask(self._adapted, _BEGIN)
        for statement in self._connection.manner.each_time:
            self._requests.ask(self._adapted, statement)
        if self._agent_id is not None:
            self._requests.ask(self._adapted, naming(self._agent_id), again=False)
        self._requests.flush()

    def _send(self, rows: PendingRows) -> None:
        rows.answer = self._requests.ask(self._adapted, numbered(rows.sql), rows.params)
        self._requests.flush()

    def _over_another(self, error: Exception, *more: PendingRows) -> None:
        """Ask everything again over another connection. Raise the error if it isn't a broken connection."""
        while True:
            named = self._faults.of(error)
            broken = self.held
            if not isinstance(named, Unreachable) or self._unanswered is None or broken is None:
                raise named from error
            broken.close()
            self.held = self._connection = None
            self.held = self._connection = connection = self._another(broken)
            self._requests, self._adapted = connection.requests, Transformer(connection)
            try:
                self._begin()
                for rows in (*self._unanswered, *more):
                    self._send(rows)
            except ENGINE_ERRORS as again:
                error = again
            else:
                return

    def _open(self) -> Connection:
        """Return the connection, as psycopg itself may use it."""
        connection = super()._open()
        self._requests.settle()
        return connection


class PendingRows:
    """A statement and what it gives, to be waited for by whoever needs that."""

    __slots__ = ("_session", "answer", "params", "sql")

    def __init__(self, session: ReadingSession, sql: str, params: Sequence[object]) -> None:
        self._session, self.sql, self.params = session, sql, params
        self.answer: Reply | None = None

    def fetchall(self) -> list[Row]:
        """Return the rows."""
        return self._session.read(self)
