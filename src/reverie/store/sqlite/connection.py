"""Connections, opened with every guard that encryption and durability ask for: one pragma a call, each read back.

What a returned write survives depends on ``synchronous``. The end of this process, ``kill -9`` included, loses
nothing either way: the log is in the hands of the operating system by then. When the power or the whole machine
fails:

- ``"full"`` (default): the log is flushed to the disk at every commit, so nothing that was acknowledged is lost,
  as far as the disk does what it is told (on macOS it is told with F_FULLFSYNC).
- ``"normal"``: the log is flushed only before its pages move into the file, so the latest writes may be undone,
  last to first, as if they had never been made. The file stays whole.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path

import apsw

from reverie.errors import (
    Busy,
    Encrypted,
    InvalidInput,
    KeyProblem,
    NotEncrypted,
    ReadOnly,
    StoreError,
    WrongKey,
)
from reverie.store.sqlite.faults import Faults
from reverie.store.sqlite.place import PLAIN_HEADER, header

KEY_BYTES = 32
CIPHER = "aegis"
_LOG_LIMIT = 64 << 20
_LEVELS = {"normal": 1, "full": 2}


@dataclass(frozen=True, kw_only=True, slots=True)
class Access:
    """How to open a bank's file. ``key`` None is plain mode; the writer and one reader share ``cache_mib``."""

    path: Path
    key: bytes | None = field(repr=False)
    key_source: str
    busy_seconds: float
    cache_mib: int
    synchronous: str

    def __post_init__(self) -> None:
        if self.synchronous not in _LEVELS:
            raise InvalidInput("synchronous", "it is not a choice", f"choose from {', '.join(_LEVELS)}")
        # A shorter key would silently become a passphrase, and an empty one would write plain text.
        if not _usable(self.key):
            raise KeyProblem(
                f"the key from {self.key_source} is not {KEY_BYTES} bytes long",
                "give 32 bytes, or 64 hex digits",
            )

    @property
    def faults(self) -> Faults:
        """Name the engine's exceptions for this file."""
        return Faults(self.path, self.busy_seconds)


def _usable(key: object) -> bool:
    return key is None or (isinstance(key, bytes) and len(key) == KEY_BYTES)


class BusyHandler:
    """SQLite's busy handler: tries again after 0.5 to 10 ms, for ``seconds``.

    SQLite's own grows its pauses to 100 ms, which lets a process that writes all the time starve the others.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._until = 0.0

    def __call__(self, attempts: int) -> bool:
        """Return whether to try again, after a pause."""
        now = time.monotonic()
        if attempts == 0:
            self._until = now + self.seconds
        if now >= self._until:
            return False
        time.sleep(min(0.0005 * 2 ** min(attempts, 10), 0.01))
        return True


@dataclass(frozen=True, slots=True)
class Handle:
    """A connection and the patience that it waits with."""

    connection: apsw.Connection
    patience: BusyHandler

    def close(self) -> None:
        """Close a connection of this process, which may move the log into the file and delete it.

        Every connection is opened forbidden to do that, so that one which a fork inherited and lets go at its end
        leaves the log of its parent alone.
        """
        self.connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
        self.connection.close()


def check_header(access: Access) -> None:
    """Raise NotEncrypted or Encrypted unless the file's first bytes are as expected, or it is empty."""
    with access.faults.named():
        start = header(access.path)
    if access.key is not None and start == PLAIN_HEADER:
        raise NotEncrypted(str(access.path))
    if access.key is None and start and start != PLAIN_HEADER:
        raise Encrypted(str(access.path))


def connect(access: Access, *, writing: bool) -> Handle:
    """Open the existing file and read from it, so that the key is proven. Changes nothing in it.

    Raise WrongKey, DamagedFile, ReadOnly, Busy.
    """
    with access.faults.named():
        connection = apsw.Connection(str(access.path), flags=apsw.SQLITE_OPEN_READWRITE)
    handle = Handle(connection, BusyHandler(access.busy_seconds))
    opened = False
    try:
        with access.faults.named():
            _prepare(handle, access, writing=writing)
        opened = True
    finally:
        if not opened:
            connection.close()
    return handle


def _prepare(handle: Handle, access: Access, *, writing: bool) -> None:
    connection = handle.connection
    if connection.readonly("main"):  # SQLite opens what it can't write for reading, without a word
        raise ReadOnly(str(access.path))
    connection.set_busy_handler(handle.patience)
    # Until it is known to be ours, closing must not move a foreign log into its file.
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    for option in (apsw.SQLITE_DBCONFIG_DQS_DDL, apsw.SQLITE_DBCONFIG_DQS_DML):
        connection.config(option, 0)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    if access.key is not None:
        _unlock(connection, access.key)
    try:
        connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchall()
    except apsw.NotADBError as error:
        if access.key is None:
            raise Encrypted(str(access.path)) from error
        raise WrongKey(str(access.path), access.key_source) from error
    settings: dict[str, int] = {
        "temp_store": 2,
        "cache_size": -1024 * max(access.cache_mib // 2, 1),
        "threads": 0,
        "trusted_schema": 0,
        "secure_delete": 1,
        "synchronous": _LEVELS[access.synchronous],
        "fullfsync": 1,
        "checkpoint_fullfsync": 1,
        "query_only": int(not writing),
    }
    for name, value in settings.items():
        _set(connection, name, value)
    connection.pragma("journal_size_limit", _LOG_LIMIT)


def _unlock(connection: apsw.Connection, key: bytes) -> None:
    # The cipher must be settled before the key. The statement with the key is kept in no cache.
    try:
        cipher = connection.pragma("cipher", CIPHER)
    except apsw.SQLError:
        cipher = None
    if cipher != CIPHER:
        raise StoreError(f"this build of apsw lacks the cipher {CIPHER}; install apsw-sqlite3mc")
    answer = connection.execute(f"PRAGMA key = \"x'{key.hex()}'\"", can_cache=False).fetchall()
    if answer != [("ok",)]:
        raise StoreError("this build of apsw can't encrypt; install apsw-sqlite3mc")


def _set(connection: apsw.Connection, name: str, value: int) -> None:
    connection.pragma(name, value)
    if (found := connection.pragma(name)) != value:
        raise StoreError(
            f"PRAGMA {name} is {found}, not {value}: this build of SQLite won't do; install apsw-sqlite3mc"
        )


def keep_log(handle: Handle, access: Access) -> None:
    """Turn on the write-ahead log, which lets readers and a writer work at once. Raise Busy, StoreError."""
    until = time.monotonic() + access.busy_seconds
    while not _keeps_log(handle, access):
        # While another process makes the same new file, SQLite gives up without asking the busy handler.
        if time.monotonic() >= until:
            raise Busy(str(access.path), access.busy_seconds)
        time.sleep(0.005)


def _keeps_log(handle: Handle, access: Access) -> bool:
    try:
        with access.faults.named():
            mode = handle.connection.pragma("journal_mode", "wal")
    except Busy:
        return False
    if mode != "wal":
        raise StoreError(f"{access.path}: this file system can't share memory for a log; choose a local disk")
    return True
