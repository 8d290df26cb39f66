"""Stirred: which agents have something new for the background, told by whoever wrote it in this process; and whether
somebody waits for an answer of ours at this moment.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic

from reverie.errors import Closed


class Stirred:
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
        """Notes that this agent has something new."""
        with self._lock:
            if agent_id in self._ids:
                return
            if len(self._ids) < self._most:
                self._ids.add(agent_id)
            else:
                self._overflowed = True

    def take(self) -> Sequence[str] | None:
        """The agents since the last call, sorted, which are forgotten here; None for all, where there were too many
        to note, and at the first call. Raises Closed once this is closed.
        """
        with self._lock:
            if self._closed:
                raise Closed("this Reverie was closed")
            ids, overflowed = sorted(self._ids), self._overflowed
            self._ids, self._overflowed = set(), False
        return None if overflowed else ids

    def close(self) -> None:
        """Tells the background that there is nothing more to come, since it may look at nothing else for long."""
        with self._lock:
            self._closed = True

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Around a call that somebody waits for."""
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
        """Seconds since somebody last waited; 0 while somebody does."""
        with self._lock:
            return 0.0 if self._waiting else monotonic() - self._answered_at

    def let_pass(self, most: float) -> None:
        """Returns once nobody waits, after ``most`` seconds at the latest."""
        with self._lock:
            self._lock.wait_for(lambda: not self._waiting, most)
