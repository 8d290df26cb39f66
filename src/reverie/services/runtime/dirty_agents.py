"""Know which agents this process wrote to, for the background to look at, and whether a caller waits at this moment."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic

from reverie.errors import Closed


class DirtyAgents:
    """A bounded set of agent ids. Thread-safe; never blocks for longer than a set operation.

    Past ``most`` it remembers only that there were too many: ``take`` then says so, and all agents are to be looked at.
    """

    def __init__(self, most: int = 1_000) -> None:
        self._most = most
        self._lock = threading.Condition()
        self._ids: set[str] = set()
        self._overflowed = True  # what an earlier process left behind is not known
        self._closed = False
        self._waiting = 0
        self._answered_at = float("-inf")

    def add(self, agent_id: str) -> None:
        """Note that this agent has something new."""
        with self._lock:
            if agent_id in self._ids:
                return
            if len(self._ids) < self._most:
                self._ids.add(agent_id)
            else:
                self._overflowed = True

    def take(self) -> Sequence[str] | None:
        """Return the agents since the last call, sorted, and forget them; None for all: at the first call, and where
        there were too many to note. Raise Closed once this is closed.
        """
        with self._lock:
            if self._closed:
                raise Closed("this Reverie was closed")
            ids, overflowed = sorted(self._ids), self._overflowed
            self._ids, self._overflowed = set(), False
        return None if overflowed else ids

    def close(self) -> None:
        """Tell the background to end, since it may look at nothing else for long."""
        with self._lock:
            self._closed = True

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Wrap a call that somebody waits for."""
        with self._lock:
            self._waiting += 1
        try:
            yield
        finally:
            with self._lock:
                self._waiting -= 1
                self._answered_at = monotonic()
                if not self._waiting:
                    self._lock.notify_all()

    def quiet_for(self) -> float:
        """Return the seconds since a caller last waited; 0 while one does."""
        with self._lock:
            return 0.0 if self._waiting else monotonic() - self._answered_at

    def let_pass(self, most: float) -> None:
        """Wait until no caller waits, for ``most`` seconds at the longest."""
        with self._lock:
            self._lock.wait_for(lambda: not self._waiting, most)
