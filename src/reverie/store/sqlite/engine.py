"""Banks in one file, one writer at a time and readers that never wait for it."""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from reverie.domain.time import micros
from reverie.errors import Busy, Closed, InvalidInput, StoreError
from reverie.ports.store import Due, DueCounts, StoreInfo
from reverie.store.due import DEAD_JOBS, DUE_AGENTS, DUE_COUNTS, due_agents, due_counts
from reverie.store.sqlite.backing import NewKey, back_up, rekey
from reverie.store.sqlite.care import faults_in, scour
from reverie.store.sqlite.connection import Access, Handle, check_header, connect, keep_log
from reverie.store.sqlite.drafts import sweep
from reverie.store.sqlite.place import checked_path, make_private
from reverie.store.sqlite.schema import migrate, migrations, recognize
from reverie.store.sqlite.session import Session
from reverie.store.unit import StoreUnit

Result = TypeVar("Result")

_AFTER_FORK = "call Reverie.open(…) after the fork, in the process that uses it, or start processes by spawn"
_opened_stores: weakref.WeakSet[SqliteStore] = weakref.WeakSet()


class SqliteStore:
    """Implements ``ports.store.Store`` over one file; makes it (mode 0600) if there is none or an empty one.

    ``key``: 32 bytes, or None for plain mode, which the caller must have asked for; ``key_source`` says where
    the key came from, for errors. ``synchronous``: see ``connection``. The writer and one reader share
    ``cache_mib``; each further reader at the same time takes half as much again, and ``reader_connections``
    of them are kept open.

    Raise InvalidInput (path), KeyProblem, WrongKey, NotEncrypted, Encrypted, NotABank, NewerSchema,
    DamagedFile, ReadOnly, DiskFull, Busy; what the file held is then as it was.
    """

    def __init__(
        self, path: str | os.PathLike[str], *, key: bytes | None, key_source: str = "the caller",
        busy_seconds: float = 30.0, cache_mib: int = 32, synchronous: str = "full",
        reader_connections: int = 4,
    ) -> None:  # fmt: skip
        self._access = Access(
            path=checked_path(path), key=key, key_source=key_source, busy_seconds=busy_seconds, cache_mib=cache_mib,
            synchronous=synchronous,
        )  # fmt: skip
        self._pid = os.getpid()
        self._closed = self._writer_closed = False
        self._kept = reader_connections
        self._readers: deque[Handle] = deque()
        self._writing = threading.Lock()
        self._writing_thread: int | None = None
        _refuse_inherited(self._access.path)
        sweep(self._access.path.parent)
        _refuse_second_names(self._access.path)
        self._writer, self._schema = _opened(self._access)
        self._file = _identity(self._access.path)
        _opened_stores.add(self)

    @contextmanager
    def read(self, agent_id: str) -> Iterator[StoreUnit]:
        """See the port. The state is the one at the first call inside."""
        with self.reader() as session:
            yield StoreUnit(session, agent_id)

    @contextmanager
    def write(self, agent_id: str, *, wait: float | None = None) -> Iterator[StoreUnit]:
        with self._writer_handle(wait) as handle:
            session = Session(handle.connection, self._access.faults, writing=True)
            try:
                session.begin()
                yield StoreUnit(session, agent_id)
                session.commit()
            finally:
                session.end()

    def transact(
        self, agent_id: str, work: Callable[[StoreUnit], Result], *, wait: float | None = None
    ) -> Result:
        """See the port. What a file acknowledges is never in doubt: the work is done once."""
        with self.write(agent_id, wait=wait) as unit:
            return work(unit)

    def transact_both(
        self, agent_id: str, other_id: str, work: Callable[[StoreUnit, StoreUnit], Result]
    ) -> Result:
        if agent_id == other_id:
            raise InvalidInput("other_id", "both are one agent", "name two")
        with self.write(agent_id) as unit:
            return work(unit, StoreUnit(unit.executor, other_id))

    @contextmanager
    def reader(self) -> Iterator[Session]:
        """Give a session inside a read transaction over all agents: for the search side, which loads snapshots."""
        handle = self._reader_handle()
        session = Session(handle.connection, self._access.faults, writing=False)
        try:
            session.begin()
            yield session
        finally:
            session.end()
            self._give_back(handle)

    def agent_ids(self) -> Sequence[str]:
        with self.reader() as session:
            return [row[0] for row in session.run("SELECT id FROM agents ORDER BY id")]

    def due_agents(self, now: datetime, limit: int) -> Sequence[Due]:
        with self.reader() as session:
            return due_agents(lambda asked: session.run(DUE_AGENTS, asked), now, limit)

    def due_counts(self, now: datetime) -> DueCounts:
        with self.reader() as session:
            return due_counts(session.run(DUE_COUNTS, (micros(now),))[0])

    def dead_jobs(self, limit: int) -> Sequence[tuple[str, str]]:
        with self.reader() as session:
            return [(agent_id, job) for agent_id, job in session.run(DEAD_JOBS, (limit,))]

    def info(self) -> StoreInfo:
        self._check_usable()
        path, size = self._access.path, 0
        for file in (path, Path(f"{path}-wal")):
            with suppress(FileNotFoundError):
                size += file.stat().st_size
        return StoreInfo(
            engine="sqlite", where=str(path), encrypted=self._access.key is not None, schema=self._schema,
            synchronous=self._access.synchronous, bytes=size,
        )  # fmt: skip

    def scour(self) -> bool:
        """See the port. Rewrites the whole file: 0.1 s for 20 MB, 1.5 s for 240 MB, and as much memory meanwhile.

        Raise Busy or DiskFull; what was deleted stays deleted then, and the next call mends the rest.
        """
        with self._writer_handle() as handle, self._access.faults.named():
            return scour(handle)

    def backup(self, to: Path) -> Path:
        """Write one state of the file to a new one under the same key, proven by reading it back whole; where it lies.

        Others read and write meanwhile. Raise InvalidInput, DiskFull, ReadOnly, DamagedFile.
        """
        handle = self._reader_handle()
        try:
            return back_up(handle, self._access, to)
        finally:
            self._give_back(handle)

    @staticmethod
    def rekey(path: Path, *, key: bytes, key_source: str, new: NewKey, busy_seconds: float = 30.0) -> None:
        """Encrypt a file that nobody has open with another key; see ``backing.rekey``."""
        access = Access(
            path=checked_path(path), key=key, key_source=key_source, busy_seconds=busy_seconds, cache_mib=32,
            synchronous="full",
        )  # fmt: skip
        _refuse_inherited(access.path)
        rekey(access, new)

    def catch_up(self) -> None:
        """See the port. Nothing is done in the background here."""
        self._check_usable()

    def check(self) -> Iterator[str]:
        """See the port. Writers wait meanwhile: reading every page takes about as long as copying the file."""
        with self._writer_handle() as handle, self._access.faults.named():
            faults = [*faults_in(handle)]
        yield from faults

    def close(self) -> None:
        """See the port. The last process to close moves the log into the file."""
        if self._closed or self._pid != os.getpid():
            return
        self._closed = True
        self._close_readers()
        # A thread that is writing at this moment ends its write and closes then.
        if self._writing_thread != threading.get_ident() and self._writing.acquire(
            timeout=self._access.busy_seconds
        ):
            try:
                self._close_writer()
            finally:
                self._writing.release()

    def is_inherited(self, file: tuple[int, int]) -> bool:
        """Return whether this store came open through a fork and holds that file (device and inode)."""
        return self._pid != os.getpid() and not self._closed and self._file == file

    @contextmanager
    def _writer_handle(self, wait: float | None = None) -> Iterator[Handle]:
        self._check_usable()
        if self._writing_thread == threading.get_ident():
            raise StoreError("this thread is writing already; writes can't be nested: end the first one")
        budget = self._access.busy_seconds if wait is None else min(wait, self._access.busy_seconds)
        since = time.monotonic()
        if not self._writing.acquire(timeout=min(budget, threading.TIMEOUT_MAX)):
            raise Busy(str(self._access.path), budget)
        self._writing_thread = threading.get_ident()
        try:
            self._check_usable()
            self._check_in_place()
            self._writer.patience.seconds = max(budget - (time.monotonic() - since), 0.0)
            yield self._writer
        finally:
            self._writing_thread = None
            if self._closed and self._pid == os.getpid():
                self._close_writer()
            self._writing.release()

    def _close_writer(self) -> None:
        """For the thread that holds the lock: the one that wrote until now or the one that closes, whoever is first."""
        if not self._writer_closed:
            self._writer_closed = True
            self._writer.close()

    def _check_in_place(self) -> None:
        """What is written to a file that was moved away or replaced would be lost without a word."""
        try:
            there = _identity(self._access.path) == self._file
        except FileNotFoundError:
            there = False
        if not there:
            raise StoreError(
                f"{self._access.path} was moved, deleted or replaced while it was open; nothing was written:"
                " put it back, or close this Reverie and open the file where it is"
            )

    def _reader_handle(self) -> Handle:
        self._check_usable()
        try:
            return self._readers.pop()
        except IndexError:
            return connect(self._access, writing=False)

    def _give_back(self, handle: Handle) -> None:
        if self._closed or len(self._readers) >= self._kept:
            handle.close()
            return
        self._readers.append(handle)
        if self._closed:
            self._close_readers()

    def _close_readers(self) -> None:
        with suppress(IndexError):
            while True:
                self._readers.pop().close()

    def _check_usable(self) -> None:
        if self._pid != os.getpid():
            raise Closed("this Reverie was opened in another process, before a fork", _AFTER_FORK)
        if self._closed:
            raise Closed("this Reverie was closed")


def _refuse_second_names(path: Path) -> None:
    """SQLite finds a file's log by its name: under two names a file has two logs, and loses what one of them holds."""
    if path.exists() and path.stat().st_nlink > 1:
        raise StoreError(
            f"{path} has a second name (a hard link); remove one of the names, or copy the file instead"
        )


def _opened(access: Access) -> tuple[Handle, int]:
    """Return the writer's connection to a bank of the present schema, and that schema's number."""
    make_private(access.path)
    check_header(access)
    handle = connect(access, writing=True)
    done = False
    try:
        steps = migrations()
        recognize(handle, access, steps[-1].number)
        keep_log(handle, access)
        # A flaw of the cipher library's key setup could leave a new file plain: never trust, look.
        check_header(access)
        number = migrate(handle, access, steps)
        done = True
    finally:
        if not done:
            handle.connection.close()
    return handle, number


def _identity(path: Path) -> tuple[int, int]:
    info = path.stat()
    return info.st_dev, info.st_ino


def _refuse_inherited(path: Path) -> None:
    """Raise Closed for a file that was open when this process was forked off.

    SQLite counts its locks by process and file: it would take the parent's for ours, lock against nobody, and lose
    what we write when the parent closes and deletes the log.
    """
    if path.exists() and any(store.is_inherited(_identity(path)) for store in [*_opened_stores]):
        raise Closed(f"{path} was open in the process that this one was forked from", _AFTER_FORK)
