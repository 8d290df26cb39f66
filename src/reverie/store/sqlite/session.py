"""SQLite's Executor over one transaction of one connection."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence

import apsw
import numpy as np
from numpy.typing import NDArray

from reverie.domain.episode import Episode
from reverie.domain.memory import Memory
from reverie.errors import StoreError
from reverie.store.executor import Corpus, Row
from reverie.store.sqlite.faults import Faults

_F32 = np.dtype("<f4")
_ENGINE_ERRORS = (apsw.Error, UnicodeEncodeError, OverflowError)
# NUL would end the expression early; a surrogate can't be passed on. Neither is part of a word.
_NO_WORD = re.compile(r"[\x00\ud800-\udfff]")
_SECURE = "INSERT INTO {0}_fts ({0}_fts, rank) VALUES ('secure-delete', ?)"
_MERGE = "INSERT INTO {0}_fts ({0}_fts) VALUES ('optimize')"
_MANY = 1_000  # rows whose words leave the keyword index in one transaction


class Session:
    """Implements ``store.executor.Executor``. Usable from ``begin`` until ``end``."""

    def __init__(self, connection: apsw.Connection, faults: Faults, *, writing: bool) -> None:
        self._connection: apsw.Connection | None = connection
        self._faults = faults
        self._writing = writing
        self._left: Counter[Corpus] = Counter()  # rows whose words left the index in this transaction

    def begin(self) -> None:
        """Begin the transaction; one that writes takes the write lock at once. Raise Busy."""
        self.run("BEGIN IMMEDIATE" if self._writing else "BEGIN DEFERRED")

    def commit(self) -> None:
        """Make the transaction last."""
        for corpus, count in self._left.items():
            if count >= _MANY:
                self.run(_SECURE.format(corpus), (1,))
                self.run(_MERGE.format(corpus))
        self.run("COMMIT")

    def end(self) -> None:
        """Undo whatever was not committed, and let go of the connection."""
        connection, self._connection = self._connection, None
        if connection is not None and connection.in_transaction:
            with self._faults.named():
                connection.execute("ROLLBACK")

    def run(self, sql: str, params: Sequence[object] = ()) -> list[Row]:
        try:
            return self._open().execute(sql, params).fetchall()
        except apsw.ReadOnlyError as error:
            raise self._refused(error) from error
        except _ENGINE_ERRORS as error:
            raise self._faults.of(error) from error

    def together(self, statements: Sequence[tuple[str, Sequence[object]]]) -> list[list[Row]]:
        return [self.run(sql, params) for sql, params in statements]

    def many(self, sql: str, rows: Sequence[Sequence[object]]) -> None:
        try:
            self._open().executemany(sql, rows)
        except apsw.ReadOnlyError as error:
            raise self._refused(error) from error
        except _ENGINE_ERRORS as error:
            raise self._faults.of(error) from error

    def vector(self, value: NDArray[np.float32]) -> object:
        """See Executor: little-endian float32, 4 bytes a dimension."""
        return value.astype(_F32, copy=False).tobytes()

    def to_vector(self, value: object) -> NDArray[np.float32]:
        assert isinstance(value, bytes)
        return np.frombuffer(value, dtype=_F32).astype(np.float32, copy=False)

    def packed(self, value: object) -> bytes:
        """See Executor: that is how it lies in the file."""
        assert isinstance(value, bytes)
        return value

    def unpacked(self, value: bytes) -> object:
        return value

    def bytes_of(self, column: str) -> str:
        """See Executor. An older SQLite, which may read a plain file, has no octet_length."""
        return f"length(CAST({column} AS BLOB))"

    def match(self, corpus: Corpus, words: str) -> tuple[str, tuple[object, ...]]:
        """See Executor. Each word is quoted, so it is text to FTS5; without a letter or digit it is no keyword."""
        distinct = dict.fromkeys(_NO_WORD.sub(" ", words).split())
        quoted = ['"' + word.replace('"', '""') + '"' for word in distinct]
        if not quoted:
            return "1 = 0", ()
        return f"seq IN (SELECT rowid FROM {corpus}_fts WHERE {corpus}_fts MATCH ?)", (" ".join(quoted),)

    def index_of(
        self,
        corpus: Corpus,  # noqa: ARG002  # the protocol's signature
        items: Sequence[Memory | Episode],
    ) -> tuple[tuple[str, ...], Sequence[Row]]:
        """See Executor. Triggers keep the keyword index, and search reads the rows: nothing is kept beside them."""
        return (), [()] * len(items)

    def leave_index(
        self,
        corpus: Corpus,
        ids: Collection[str],
        *,
        stay: bool = False,  # noqa: ARG002  # the protocol's signature
    ) -> None:
        """See Executor. The triggers do it.

        FTS5 takes words out of its pages one by one, a millisecond a row. Of very many rows it only notes that they
        went, which leaves their words behind; then all is merged anew before the transaction lasts, without them.
        """
        before = self._left[corpus]
        self._left[corpus] += len(ids)
        if before < _MANY <= self._left[corpus]:
            self.run(_SECURE.format(corpus), (0,))

    def follow_near(self, corpus: Corpus, ids: Collection[str], *, stay: bool = False) -> None:
        """See Executor. There is none."""

    def leave_near(self, corpus: Corpus) -> None:
        """See Executor. There is none."""

    def leave_index_whole(self, corpus: Corpus) -> None:
        """See Executor. The triggers do it."""

    def _open(self) -> apsw.Connection:
        if self._connection is None:
            raise StoreError("this unit of work has ended; do everything inside its with block")
        return self._connection

    def _refused(self, error: apsw.Error) -> Exception:
        if self._writing:
            return self._faults.of(error)
        return StoreError("a unit that reads can't write; use store.write(…)")
