"""Let background work give way to callers, who must not feel it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic, thread_time

import numpy as np
from numpy.typing import NDArray

from reverie.ports.embedder import Embedder
from reverie.services.runtime.dirty_agents import DirtyAgents
from reverie.services.runtime.wrapped_embedder import WrappedEmbedder

SHARE = 0.03
"""While callers come one after the other, the background computes for at most this share of the time."""
QUIET_SECONDS = 0.1
"""Callers that have been silent for so long are not in the way."""
_LOOK_SECONDS = 0.02
_LONGEST_SECONDS = 0.1
_here = threading.local()


class Stopped(Exception):
    """Background work is to end here; what it has done is kept."""


class Pace:
    """Paces one round of work. Without ``stop`` somebody waits for the round itself, and it gives way to nobody."""

    def __init__(self, dirty: DirtyAgents, stop: threading.Event | None) -> None:
        self._dirty, self._stop = dirty, stop
        self._worked = self._since = 0.0

    @property
    def stopped(self) -> bool:
        """Return whether the round is to end."""
        return self._stop is not None and self._stop.is_set()

    @contextmanager
    def work(self) -> Iterator[None]:
        """Wrap a piece of work, whose computing the next rest makes up for."""
        if self._stop is None:
            yield
            return
        self._since = thread_time()
        with in_background():
            yield
        self._worked += thread_time() - self._since

    def checkpoint(self) -> None:
        """Rest between two pieces of one long work, within ``work``. Raise Stopped if the round is to end."""
        if self._stop is None:
            return
        self._worked += thread_time() - self._since
        self.rest()
        self._since = thread_time()
        if self.stopped:
            raise Stopped

    def rest(self) -> None:
        """Wait until no caller is there, or until the computing so far is no more than the share."""
        if self._stop is None:
            return
        until = monotonic() + self._worked * (1 / SHARE - 1)
        self._worked = 0.0
        while (left := until - monotonic()) > 0 and self._dirty.quiet_for() < QUIET_SECONDS:
            if self._stop.wait(min(left, _LOOK_SECONDS)):
                return


@contextmanager
def in_background() -> Iterator[None]:
    """Wrap work of this thread that nobody waits for."""
    _here.nobody_waits = True
    try:
        yield
    finally:
        _here.nobody_waits = False


class YieldingEmbedder(WrappedEmbedder):
    """Embeds as ``inner`` does, but lets callers pass before each text of background work, for a tenth of a second at
    most: what a caller feels of it is at most one text.
    """

    def __init__(self, inner: Embedder, dirty: DirtyAgents) -> None:
        super().__init__(inner)
        self._dirty = dirty

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """See ``ports.embedder``."""
        if not texts or not getattr(_here, "nobody_waits", False):
            return self._inner.embed(texts)
        rows = []
        for text in texts:
            self._dirty.let_pass(_LONGEST_SECONDS)
            rows.append(self._inner.embed([text]))
        return np.concatenate(rows)
