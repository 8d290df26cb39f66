"""What a process knows of the writes that wait in agents' outboxes for an embedder."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from reverie.errors import EmbedderFailed

_LOOK_SECONDS = 1.0


class Waiting:
    """What this process knows of agents' outboxes, so that a write needn't look each time. Thread-safe.

    Other processes queue too, so what was seen to be empty is looked at again after a second. ``clock``: seconds that
    never go back.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._empty_at: dict[str, float] = {}
        self._held: set[str] = set()
        self._here = threading.local()

    def may_hold(self, agent_id: str) -> bool:
        """Return whether something may wait."""
        seen = self._empty_at.get(agent_id)
        return seen is None or self._clock() - seen >= _LOOK_SECONDS

    def check(self, agent_id: str, embedder: str) -> None:
        """Raise EmbedderFailed where older writes wait still; what these themselves lead to need not wait for them."""
        if agent_id in self._held and not getattr(self._here, "flushing", False):
            raise EmbedderFailed(embedder, "older writes wait for it, and go first")

    @contextmanager
    def flushing(self) -> Iterator[None]:
        """Around the storing of what waits, by this thread."""
        self._here.flushing = True
        try:
            yield
        finally:
            self._here.flushing = False

    def note(self, agent_id: str, *, empty: bool) -> None:
        """The outbox was seen, empty or not."""
        with self._lock:
            if empty:
                self._empty_at[agent_id] = self._clock()
                self._held.discard(agent_id)
            else:
                self._empty_at.pop(agent_id, None)
                self._held.add(agent_id)
