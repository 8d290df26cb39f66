"""Touches: what recalls returned, counted in memory and written in small transactions of their own.

Reading stays reading: a recall only adds to a dictionary. The counts are flushed ``touch_flush_seconds``
after the first pending one, at ``touch_flush_pending`` pending, and on close; a crash loses what is pending
and nothing else.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime

from reverie.errors import Closed, ReverieError
from reverie.ports.store import Store

_log = logging.getLogger("reverie.touches")


class Touches:
    """Collects touches of all agents of one store. Thread-safe."""

    def __init__(self, store: Store, *, seconds: float, pending: int) -> None:
        self._store = store
        self._seconds = seconds
        self._most = pending
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._counts: dict[str, dict[str, tuple[int, datetime]]] = {}
        self._size = 0
        self._timer: threading.Timer | None = None
        self._closed = False

    def add(self, agent_id: str, memory_ids: Iterable[str], at: datetime) -> None:
        """Notes that a recall that somebody asked for returned these memories."""
        with self._lock:
            if self._closed:
                return
            counts = self._counts.setdefault(agent_id, {})
            for memory_id in memory_ids:
                known = counts.get(memory_id)
                counts[memory_id] = (known[0] + 1, max(known[1], at)) if known else (1, at)
                self._size += 1
            full = self._size >= self._most
            if self._size and not full and self._timer is None:
                self._timer = threading.Timer(self._seconds, self._flush_in_background)
                self._timer.daemon = True
                self._timer.start()
        if full:
            self._flush_in_background()

    def pending(self, agent_id: str) -> int:
        """How many touches of the agent are not written yet."""
        with self._lock:
            return sum(count for count, _ in self._counts.get(agent_id, {}).values())

    def flush(self) -> None:
        """Writes what is pending; what can't be written stays pending and the error is raised."""
        with self._writing:
            with self._lock:
                counts, self._counts, self._size = self._counts, {}, 0
                if self._timer is not None:
                    self._timer.cancel()
                    self._timer = None
            try:
                while counts:
                    agent_id, touched = next(iter(counts.items()))
                    with self._store.write(agent_id) as unit:
                        unit.memories.touch(touched)
                    del counts[agent_id]
            finally:
                self._put_back(counts)

    def close(self) -> None:
        """Flushes a last time and takes no more; in a fork, what is pending is its parent's to write."""
        with self._lock:
            self._closed = True
        with suppress(Closed):
            self.flush()

    def _put_back(self, counts: dict[str, dict[str, tuple[int, datetime]]]) -> None:
        with self._lock:
            for agent_id, touched in counts.items():
                kept = self._counts.setdefault(agent_id, {})
                for memory_id, (count, at) in touched.items():
                    known = kept.get(memory_id)
                    kept[memory_id] = (known[0] + count, max(known[1], at)) if known else (count, at)
                    self._size += count

    def _flush_in_background(self) -> None:
        try:
            self.flush()
        except ReverieError as error:
            _log.warning("touches could not be written and stay pending: %s", type(error).__name__)
