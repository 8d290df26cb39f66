"""Worker: the thread that attends to what is observed, beside the program that observes it (s1's memory loop)."""

from __future__ import annotations

import atexit
import logging
import os
import threading
from collections.abc import Callable
from time import monotonic
from types import TracebackType

from reverie.aio import AsyncReverie
from reverie.client import Reverie
from reverie.domain.attended import Attended
from reverie.errors import Closed, InvalidInput
from reverie.errors.showing import shown

EVERY_SECONDS = 5.0
LOOK_SECONDS = 60.0
"""So often all agents are looked at: other processes write too, and what failed is due again."""

SLEEP_SECONDS = 60.0
"""So often it asks whose sleep is due."""

HOUSEKEEPING_AFTER_SECONDS = 600.0
HOUSEKEEPING_SECONDS = 3_600.0
"""So long after its start, and then so often, it asks whether the week's housekeeping is due."""

_LEAST_SECONDS = 0.01
_LONGEST_SECONDS = 300.0
_MOST_DOUBLINGS = 20
_END_SECONDS = 10.0
_running: dict[
    tuple[int, int], Worker
] = {}  # by process, and id of the Reverie, which its worker keeps alive

_log = logging.getLogger("reverie.worker")


class Worker:
    """Attends to what agents observe, in a thread of its own: one for an open Reverie. Where it is due it has them
    sleep (``Reverie.sleep``), and once a week it puts the banks in order (``Reverie.housekeeping``).

    Callers never wait for it, and it gives way to them. Errors are logged without contents and make it pause longer;
    it ends with the Reverie. What it hasn't read when it stops, or when the process dies, the next start reads.

    >>> from reverie import Reverie
    >>> from reverie.worker import Worker
    >>> with Reverie.open("example.bank") as reverie, Worker(reverie, every=1.0):
    ...     seen = reverie.agent("mama").observe("I moved to Lisbon last week")
    """

    def __init__(
        self,
        reverie: Reverie,
        every: float = EVERY_SECONDS,
        *,
        agent_id: str | None = None,
        on_round: Callable[[Attended], None] | None = None,
    ) -> None:
        """``every``: seconds from one look to the next; with ``agent_id`` at that agent alone. ``on_round`` is told of
        each round that did something, in the worker's thread. Raises InvalidInput.
        """
        if isinstance(reverie, AsyncReverie):
            remedy = "use reverie.AsyncWorker for an AsyncReverie"
            raise InvalidInput("reverie", "an AsyncReverie is no Reverie", remedy)
        self._reverie, self._agent_id = reverie, agent_id
        self._every, self._on_round = _seconds(every), on_round
        self._longest = max(_LONGEST_SECONDS, self._every)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._pid = os.getpid()

    @property
    def is_running(self) -> bool:
        """Return whether its thread lives, in this process."""
        return self._pid == os.getpid() and self._thread is not None and self._thread.is_alive()

    def start(self) -> Worker:
        """Begin. Raises InvalidInput where a worker of this Reverie runs already."""
        if _running.setdefault(self._key(), self) is not self or self.is_running:
            raise InvalidInput("reverie", "a worker of it runs already", "stop that one first, or use it")
        self._pid = os.getpid()
        self._stop = threading.Event()
        self._thread = threading.Thread(
            target=self._run, args=(self._stop,), name="reverie-worker", daemon=True
        )
        self._thread.start()
        atexit.register(self.stop, _END_SECONDS)
        return self

    def stop(self, timeout: float | None = None) -> bool:
        """End it once the snippet that is being read is done; what is left stays pending for the next start.

        Waits ``timeout`` seconds for that (None: as long as it takes); False where it takes longer: then it ends by
        itself a little later. Safe to call twice.
        """
        self._stop.set()
        atexit.unregister(self.stop)
        if self._thread is not None and self.is_running and self._thread is not threading.current_thread():
            self._thread.join(timeout)
        return not self.is_running

    def __enter__(self) -> Worker:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _run(self, stop: threading.Event) -> None:
        failures, look_at = 0, monotonic()
        sleep_at, housekeeping_at = monotonic() + SLEEP_SECONDS, monotonic() + HOUSEKEEPING_AFTER_SECONDS
        try:
            while not stop.is_set():
                everyone = monotonic() >= look_at
                try:
                    if everyone:
                        self._reverie.flush(self._agent_id, stop=stop)
                    self._attend(stop, everyone=everyone)
                    if monotonic() >= sleep_at:
                        sleep_at = monotonic() + SLEEP_SECONDS
                        self._reverie.sleep(self._agent_id, stop=stop)
                    if monotonic() >= housekeeping_at:
                        housekeeping_at = monotonic() + HOUSEKEEPING_SECONDS
                        self._reverie.housekeeping(self._agent_id, stop=stop)
                except Closed:
                    return
                except Exception as error:  # noqa: BLE001  # an embedder of the caller's own may raise anything
                    failures += 1
                    _log.warning("a round failed, the next one waits longer: %s", type(error).__name__)
                else:
                    failures = 0
                    look_at = monotonic() + LOOK_SECONDS if everyone else look_at
                stop.wait(min(self._every * 2 ** min(failures, _MOST_DOUBLINGS), self._longest))
        finally:
            _running.pop(self._key(), None)

    def _key(self) -> tuple[int, int]:
        """In a fork nothing of the parent's runs."""
        return os.getpid(), id(self._reverie)

    def _attend(self, stop: threading.Event, *, everyone: bool) -> None:
        done = self._reverie.attend(self._agent_id, everyone=everyone, stop=stop)
        if done and self._on_round is not None:
            self._on_round(done)


def _seconds(every: object) -> float:
    if isinstance(every, bool) or not isinstance(every, int | float) or not _LEAST_SECONDS <= every < 1e6:
        raise InvalidInput(
            "every", f"{shown(every)} is no number of seconds", f"give {_LEAST_SECONDS} or more"
        )
    return float(every)
