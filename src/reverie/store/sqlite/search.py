"""The SQLite engine's search: one snapshot a bank, kept up to date; who was used longest ago goes first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from contextlib import AbstractContextManager
from typing import Protocol

from reverie.store.executor import Executor
from reverie.store.sqlite.loader import Head, read_head, snapshot_at
from reverie.store.sqlite.snapshot import Snapshot


class Readable(Protocol):
    """What search needs of a store."""

    def reader(self) -> AbstractContextManager[Executor]:
        """Return a read transaction that sees every write committed before it began."""
        ...


class _Bank:
    """The place of one agent's snapshot. The lock is held while it is loaded, never while it is read."""

    __slots__ = ("loading", "snapshot")

    def __init__(self) -> None:
        self.loading = threading.Lock()
        self.snapshot: Snapshot | None = None


class SqliteSearch:
    """Views of banks in memory; implements ``ports.search.Search`` for any number of threads.

    At most ``open_banks`` banks are held; a view that a caller still has lives on without its place.
    """

    def __init__(self, store: Readable, *, open_banks: int = 256) -> None:
        self._store = store
        self._open_banks = open_banks
        self._banks: OrderedDict[str, _Bank] = OrderedDict()
        self._using = threading.Lock()

    def view(self, agent_id: str) -> Snapshot:
        """Return the bank as it is now. Costs one indexed select where nothing is new, else the newer rows."""
        bank = self._bank(agent_id)
        with self._store.reader() as executor:
            head = read_head(executor, agent_id)
            snapshot = bank.snapshot
        if snapshot is not None and _shows(snapshot, head):
            return snapshot
        # Read again under the lock: another thread may have loaded in the meantime, even beyond our head.
        with bank.loading, self._store.reader() as executor:
            head = read_head(executor, agent_id)
            snapshot = bank.snapshot
            if snapshot is None or not _shows(snapshot, head):
                snapshot = bank.snapshot = snapshot_at(head, executor, agent_id, snapshot)
            return snapshot

    def close(self) -> None:
        """Drop what is held in memory."""
        with self._using:
            self._banks.clear()

    def _bank(self, agent_id: str) -> _Bank:
        with self._using:
            bank = self._banks.setdefault(agent_id, _Bank())
            self._banks.move_to_end(agent_id)
            while len(self._banks) > self._open_banks:
                self._banks.popitem(last=False)
            return bank


def _shows(snapshot: Snapshot, head: Head) -> bool:
    return snapshot.rev == head.rev and snapshot.identity == head.identity
