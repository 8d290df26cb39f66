"""A pipeline of statements over one connection: they are sent without waiting, and answers are read when needed.

psycopg's own pipeline does the same with a cursor and a look at the connection for each statement; that costs a reading
transaction of two statements more of the client's time than the server takes for it. So this speaks to libpq, with
psycopg's adapters for values and rows. Nothing here knows transactions.

It stays for its gain: without it a recall of a bank that has a graph took 16 to 22 % longer and a context 24 %, of one
without a graph 3 to 5 %. See ``python -m bench engines --n 100000 --banks 0 --no-peer``.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import generators, waiting
from psycopg.adapt import PyFormat
from psycopg.pq import ConnStatus, ExecStatus, Format, PipelineStatus

if TYPE_CHECKING:
    from psycopg.abc import Transformer
    from psycopg.pq.abc import PGconn, PGresult

_MOST_PREPARED = 200
"""Statements of which a connection remembers that they were asked, the latest ones."""
_INTERVAL = 0.1  # seconds after which an interrupt is noticed, as in psycopg
_GOOD = frozenset({ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK})


class Reply:
    """What the server says to one statement, once ``RequestPipeline.until`` has waited for it."""

    __slots__ = ("_adapted", "error", "result")

    def __init__(self, adapted: Transformer) -> None:
        self._adapted = adapted
        self.result: PGresult | None = None
        self.error: Exception | None = None

    @property
    def known(self) -> bool:
        """Whether it is there."""
        return self.result is not None or self.error is not None

    def rows(self) -> list[tuple[Any, ...]]:
        """Return its rows; none of a statement that gives none. Raise what the server refused it with."""
        if self.error is not None:
            raise self.error
        if self.result is None or not self.result.nfields:
            return []
        self._adapted.set_pgresult(self.result, format=Format.BINARY)
        return self._adapted.load_rows(0, self.result.ntuples, tuple)


class RequestPipeline:
    """One connection's. All that it raises is psycopg's; a connection that broke, or on which somebody stopped waiting
    in the middle of it, is ``broken`` and to be closed.
    """

    def __init__(self, pgconn: PGconn) -> None:
        self.broken = False
        self.prepares = True
        """Whether statements that are asked again are prepared: what is prepared must last."""
        self._pgconn = pgconn
        self._asked: deque[Reply | None] = deque()  # not answered yet; None: the end of a row of statements
        self._open = False  # whether statements were sent since the last such end
        # Statements by their texts and types, with the names by which they are prepared: b"" where asked but once.
        self._known: OrderedDict[tuple[str, Any], bytes] = OrderedDict()
        self._fresh: list[tuple[str, Any]] = []  # prepared, but perhaps refused
        self._number = 0

    def ask(
        self, adapted: Transformer, sql: str, params: Sequence[object] = (), *, again: bool = True
    ) -> Reply:
        """Write a statement with ``$1, $2 …`` behind those before. It needn't have been sent until ``flush``.

        ``again``: no for one whose like isn't asked again, which isn't worth to be prepared.
        """
        pgconn = self._pgconn
        if pgconn.pipeline_status == PipelineStatus.OFF:
            pgconn.enter_pipeline_mode()
        values = adapted.dump_sequence(params, [PyFormat.AUTO] * len(params))
        types, formats = adapted.types, adapted.formats
        key = (sql, types)
        name = self._known.get(key)
        if name is None:
            if again and self.prepares:
                self._remember(key, adapted)
            pgconn.send_query_params(sql.encode(), values, types, formats, Format.BINARY)
        else:
            if not name:
                self._number += 1  # no name is ever used twice
                name = self._known[key] = b"reverie_%d" % self._number
                self._fresh.append(key)
                pgconn.send_prepare(name, sql.encode(), types)
                self._asked.append(Reply(adapted))
            self._known.move_to_end(key)
            pgconn.send_query_prepared(name, values, formats, Format.BINARY)
        answer = Reply(adapted)
        self._asked.append(answer)
        self._open = True
        return answer

    @property
    def waits(self) -> bool:
        """Whether there are answers that nobody has read."""
        return bool(self._asked)

    @property
    def ended(self) -> bool:
        """Whether the last statement was the end of a row of them, whose answers nobody may have read."""
        return bool(self._asked) and not self._open

    def flush(self) -> None:
        """Send what was written, so that the server answers it."""
        self._pgconn.send_flush_request()
        self._send()

    def until(self, answer: Reply) -> None:
        """Wait for this answer, and so for all before it."""
        while not answer.known:
            self._next()

    def end(self) -> None:
        """Send what was written as the end of a row of statements: behind one that fails, those up to here are left
        undone. Waits for nothing.
        """
        self._pgconn.pipeline_sync()
        self._asked.append(None)
        self._open = False
        self._send()

    def rest(self) -> None:
        """Read and drop all answers that are still to come. Raise what psycopg does if the connection broke."""
        if self._open:
            self.end()
        while self._asked:
            self._next()
        self._fresh.clear()
        try:
            for _ in range(2):  # a server that went away has said so, and then hung up
                self._pgconn.consume_input()
        except psycopg.Error:
            self.broken = True
            raise

    def forget(self) -> None:
        """Prepared statements are gone: psycopg lets go of all of a connection's, ours too, when it rolls back."""
        self._known.clear()

    def settle(self) -> None:
        """Leave the connection to psycopg. Never raises: psycopg finds out by itself that it broke."""
        try:
            if not self.broken and self._pgconn.pipeline_status != PipelineStatus.OFF:
                self.rest()
                self._pgconn.exit_pipeline_mode()
        except psycopg.Error:
            self.broken = True
        if self.broken:
            self._pgconn.finish()

    def _remember(self, key: tuple[str, Any], adapted: Transformer) -> None:
        self._known[key] = b""
        if len(self._known) > _MOST_PREPARED:
            _, name = self._known.popitem(last=False)
            if name:
                self._pgconn.send_query_params(b"DEALLOCATE " + name, None)
                self._asked.append(Reply(adapted))

    def _send(self) -> None:
        while self._pgconn.flush():
            self._wait(_sending(self._pgconn))

    def _next(self) -> None:
        """Read one answer more."""
        asked = self._asked[0]
        result = self._result()
        if asked is None:
            if result.status != ExecStatus.PIPELINE_SYNC:
                raise self._lost()
            self._asked.popleft()
            return
        error = None if result.status in _GOOD else self._refused(result)
        self._fetched()  # which says that there is no more of it
        self._asked.popleft()
        asked.result, asked.error = result, error
        if error is not None:
            self._undone(error)

    def _undone(self, error: Exception) -> None:
        """Behind what the server refused it does nothing up to the end of the row; all of that is refused likewise."""
        if self._open:
            self.end()
        while (asked := self._asked[0]) is not None:
            self._result()
            self._fetched()
            self._asked.popleft()
            asked.error = error
        self._next()
        for key in self._fresh:
            self._known.pop(key, None)
        self._fresh.clear()

    def _result(self) -> PGresult:
        result = self._fetched()
        if result is None:
            raise self._lost()
        if self._pgconn.status == ConnStatus.BAD:
            self.broken = True
            raise self._refused(result)
        return result

    def _fetched(self) -> PGresult | None:
        found: PGresult | None = self._wait(generators.fetch(self._pgconn))
        return found

    def _refused(self, result: PGresult) -> Exception:
        error = psycopg.errors.error_from_result(result)
        return error if error.sqlstate else self._lost()

    def _lost(self) -> psycopg.OperationalError:
        self.broken = True
        return psycopg.OperationalError("the connection is lost")

    def _wait(self, generator: Any) -> Any:
        broken, self.broken = self.broken, True  # while it lasts: whoever is interrupted here leaves it so
        found = waiting.wait(generator, self._pgconn.socket, _INTERVAL)
        self.broken = broken
        return found


def _sending(pgconn: PGconn) -> Any:
    """Wait until more can be sent. Read meanwhile, since the server may be waiting for that."""
    ready = yield waiting.Wait.RW
    if ready & waiting.Ready.R:
        pgconn.consume_input()
