"""Repeats: which writes `reverie serve` did by which idempotency key, for a day, also after a restart.

A file beside that of the tokens. It holds hashes under the caller's token, never a key, a request or an answer: from
these nobody could tell what a bank holds, or held before a forget.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum, auto
from pathlib import Path

from reverie.errors import InvalidInput

DAY_SECONDS = 24 * 3600.0
MOST_REPEATS = 1_000_000
_log = logging.getLogger("reverie.repeats")
_SCHEMA = """
CREATE TABLE IF NOT EXISTS requests (
    key BLOB NOT NULL UNIQUE, request BLOB NOT NULL, at REAL NOT NULL, done INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS requests_at ON requests (at);
"""


class Repeat(Enum):
    """What is known of a key: nothing, that it was of another request, that its request was begun, or done."""

    NEW = auto()
    OTHER = auto()
    BEGUN = auto()
    DONE = auto()


class Repeats:
    """The keys of a file, or with None of this process alone. May be used from many threads and processes."""

    def __init__(self, path: Path | None = None, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        try:
            self._file = _opened(path)
        except (OSError, sqlite3.Error) as error:
            _log.warning("idempotency keys end with the process: %s can't be used (%s)", path, error)
            self._file = _opened(None)
        self._close = weakref.finalize(self, self._file.close)

    def begin(self, key: bytes, request: bytes) -> Repeat:
        """Note that a request begins, and return what was known of its key. Both are hashes. Raises InvalidInput."""
        now = self._clock()
        with self._changing() as file:
            file.execute("DELETE FROM requests WHERE at < ?", (now - DAY_SECONDS,))
            file.execute(
                "DELETE FROM requests WHERE rowid <= (SELECT max(rowid) FROM requests) - ?", (MOST_REPEATS,)
            )
            insert = "INSERT OR IGNORE INTO requests (key, request, at) VALUES (?, ?, ?)"
            if file.execute(insert, (key, request, now)).rowcount:
                return Repeat.NEW
            select = "SELECT request, done FROM requests WHERE key = ?"
            known, done = file.execute(select, (key,)).fetchone()
        if known != request:
            return Repeat.OTHER
        return Repeat.DONE if done else Repeat.BEGUN

    def end(self, key: bytes, *, done: bool) -> None:
        """Note that a request was done; or that it wasn't, and may be tried again. Raises InvalidInput."""
        change = (
            "UPDATE requests SET done = 1 WHERE key = ?" if done else "DELETE FROM requests WHERE key = ?"
        )
        with self._changing() as file:
            file.execute(change, (key,))

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._close()

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._lock, self._file:
                self._file.execute("BEGIN IMMEDIATE")
                yield self._file
        except sqlite3.Error as error:
            problem = f"the file of idempotency keys can't be written ({error})"
            raise InvalidInput("Idempotency-Key", problem, "give the server room, or send no key") from None


def _opened(path: Path | None) -> sqlite3.Connection:
    """Raise OSError, sqlite3.Error."""
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    file = sqlite3.connect(
        ":memory:" if path is None else path, isolation_level=None, check_same_thread=False
    )
    try:
        file.execute("PRAGMA journal_mode = WAL")
        file.execute("PRAGMA synchronous = NORMAL")
        file.executescript(_SCHEMA)
    except sqlite3.Error:
        file.close()
        raise
    return file
