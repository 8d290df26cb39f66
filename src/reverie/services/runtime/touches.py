"""Touches: what recalls returned, counted in memory and written in small transactions of their own.

Reading stays reading: a recall only adds to a dictionary, and a thread of our own writes
``touch_flush_every`` after the first pending touch, or at once at ``touch_flush_pending``. It waits for
other writers but a moment, and tries again later; on close the last ones are tried for as long, and are
lost if the lock doesn't come free: they are the one thing that may be.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import partial

from reverie.errors import ReverieError, Unreachable
from reverie.ports.store import Store, Unit

_log = logging.getLogger("reverie.touches")
_WAIT_SECONDS = 0.5


class Touches:
    """Collects touches of all agents of one store. Thread-safe; in a fork it does nothing, what is pending is
    the parent's to write.
    """

    def __init__(self, store: Store, *, seconds: float, pending: int) -> None:
        self._store = store
        self._seconds = seconds
        self._most = pending
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._counts: dict[str, dict[str, tuple[int, datetime]]] = {}
        self._size = 0
        self._timer: threading.Timer | None = None
        self._hurried = False
        self._closed = False

    def add(self, agent_id: str, memory_ids: Iterable[str], at: datetime) -> None:
        """Note that a recall that somebody asked for returned these memories."""
        if self._pid != os.getpid():
            return
        with self._lock:
            if self._closed:
                return
            self._count(agent_id, ((memory_id, 1, at) for memory_id in memory_ids))
            if self._size >= self._most and not self._hurried:
                self._hurried = True
                self._start_timer(0.0)
            elif self._size and self._timer is None:
                self._start_timer(self._seconds)

    def pending(self, agent_id: str) -> int:
        """Return how many touches of the agent are not written yet."""
        with self._lock:
            return sum(count for count, _ in self._counts.get(agent_id, {}).values())

    def flush(self) -> None:
        """Write what is pending; what can't be written stays pending and the error is raised."""
        if self._pid != os.getpid():
            return
        with self._writing:
            with self._lock:
                counts, self._counts, self._size = self._counts, {}, 0
            try:
                while counts:
                    agent_id, touched = next(iter(counts.items()))
                    try:
                        self._store.transact(agent_id, partial(_touch, touched), wait=_WAIT_SECONDS)
                    except Unreachable as error:
                        if error.in_doubt:  # touches may be lost, but are never counted twice
                            del counts[agent_id]
                        raise
                    del counts[agent_id]
            finally:
                with self._lock:
                    for agent_id, touched in counts.items():
                        self._count(agent_id, ((key, count, at) for key, (count, at) in touched.items()))

    def close(self) -> None:
        """Flush a last time and take no more; never raises, what can't be written is lost and logged."""
        if self._pid != os.getpid():
            return
        with self._lock:
            self._closed = True
            if self._timer is not None:
                self._timer.cancel()
        self._try_to_flush("are lost")

    def _count(self, agent_id: str, touches: Iterable[tuple[str, int, datetime]]) -> None:
        counts = self._counts.setdefault(agent_id, {})
        for memory_id, count, at in touches:
            known = counts.get(memory_id)
            counts[memory_id] = (known[0] + count, max(known[1], at)) if known else (count, at)
            self._size += count

    def _start_timer(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = threading.Timer(seconds, self._flush_in_background)
        self._timer.daemon = True
        self._timer.start()

    def _flush_in_background(self) -> None:
        self._try_to_flush("stay pending")
        with self._lock:
            self._timer, self._hurried = None, False
            if self._size and not self._closed:
                self._start_timer(max(self._seconds, _WAIT_SECONDS))

    def _try_to_flush(self, otherwise: str) -> None:
        try:
            self.flush()
        except ReverieError as error:
            _log.warning("touches could not be written and %s: %s", otherwise, type(error).__name__)


def _touch(touched: Mapping[str, tuple[int, datetime]], unit: Unit) -> None:
    unit.memories.touch(touched)
