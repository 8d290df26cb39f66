"""Pace: how work in the background gives way to callers, who must not feel it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic, thread_time

from reverie.services.runtime.dirty_agents import Stirred
from reverie.services.runtime.yielding import in_background

SHARE = 0.03
"""While callers come one after the other, the background computes for at most this share of the time."""
QUIET_SECONDS = 0.1
"""Callers that have been silent for so long are not in the way."""
_LOOK_SECONDS = 0.02


class Stopped(Exception):
    """What goes on in the background is to end here: what it has done is kept."""


class Pace:
    """One round's. Without ``stop`` somebody waits for the round itself: it gives way to nobody."""

    def __init__(self, stirred: Stirred, stop: threading.Event | None) -> None:
        self._stirred, self._stop = stirred, stop
        self._worked = self._since = 0.0

    @property
    def stopped(self) -> bool:
        """Whether the round is to end."""
        return self._stop is not None and self._stop.is_set()

    @contextmanager
    def work(self) -> Iterator[None]:
        """Around a piece of work, whose computing is to be made up for."""
        if self._stop is None:
            yield
            return
        self._since = thread_time()
        with in_background():
            yield
        self._worked += thread_time() - self._since

    def breathe(self) -> None:
        """Between two pieces of one long work, within ``work``: rests. Raises Stopped where it is to end."""
        if self._stop is None:
            return
        self._worked += thread_time() - self._since
        self.rest()
        self._since = thread_time()
        if self.stopped:
            raise Stopped

    def rest(self) -> None:
        """Returns once no caller is there, or when what was computed is no more than the share."""
        if self._stop is None:
            return
        until = monotonic() + self._worked * (1 / SHARE - 1)
        self._worked = 0.0
        while (left := until - monotonic()) > 0 and self._stirred.quiet_for() < QUIET_SECONDS:
            if self._stop.wait(min(left, _LOOK_SECONDS)):
                return
