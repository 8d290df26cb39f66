"""Worker: the thread that does what is due, beside the program that observes (s1's memory loop)."""

from __future__ import annotations

import atexit
import logging
import os
import threading
from collections.abc import Callable
from types import TracebackType

from reverie.aio import AsyncReverie
from reverie.client import Reverie, working
from reverie.domain.attended import Attended
from reverie.domain.turned import Turned
from reverie.errors import Closed, InvalidInput
from reverie.errors.showing import shown

EVERY_SECONDS = 5.0
"""So often it asks of which agents something is due: in this process or another."""

_LEAST_SECONDS = 0.01
_LONGEST_SECONDS = 300.0
_MOST_DOUBLINGS = 20
_END_SECONDS = 10.0
_running: dict[
    tuple[int, int], Worker
] = {}  # by process, and id of the Reverie, which its worker keeps alive

_log = logging.getLogger("reverie.worker")


class Worker:
    """Does what is due for agents, in a thread of its own: one for an open Reverie. It attends to what they observe,
    has them sleep (``Reverie.sleep``), and once a week it puts the banks in order (``Reverie.housekeeping``).

    Any number of workers share the work, in any number of processes. Callers never wait for one, and it gives way to
    those of its process. Errors are logged without contents and make it pause longer; it ends with the Reverie. What it
    hasn't done when it stops, or when the process dies, another does, or the next start.

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
        on_turn: Callable[[Turned], None] | None = None,
    ) -> None:
        """``every``: seconds from one look to the next; with ``agent_id`` at that agent alone. ``on_round`` is told of
        what was read where something was, and ``on_turn`` of all that was done for an agent, in the worker's thread.
        Raises InvalidInput.
        """
        if isinstance(reverie, AsyncReverie):
            remedy = "use reverie.AsyncWorker for an AsyncReverie"
            raise InvalidInput("reverie", "an AsyncReverie is no Reverie", remedy)
        self._reverie, self._agent_id = reverie, agent_id
        self._every, self._on_round, self._on_turn = _seconds(every), on_round, on_turn
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
        failures = 0
        try:
            while not stop.is_set():
                try:
                    for done in working(self._reverie, self._agent_id, stop=stop):
                        self._tell(done)
                except Closed:
                    return
                except Exception as error:  # noqa: BLE001  # an embedder of the caller's own may raise anything
                    failures += 1
                    _log.warning("a round failed, the next one waits longer: %s", type(error).__name__)
                else:
                    failures = 0
                stop.wait(min(self._every * 2 ** min(failures, _MOST_DOUBLINGS), self._longest))
        finally:
            _running.pop(self._key(), None)

    def _key(self) -> tuple[int, int]:
        """In a fork nothing of the parent's runs."""
        return os.getpid(), id(self._reverie)

    def _tell(self, done: Turned) -> None:
        if self._on_turn is not None:
            self._on_turn(done)
        if done.attended and self._on_round is not None:
            self._on_round(done.attended)


def _seconds(every: object) -> float:
    if isinstance(every, bool) or not isinstance(every, int | float) or not _LEAST_SECONDS <= every < 1e6:
        raise InvalidInput(
            "every", f"{shown(every)} is no number of seconds", f"give {_LEAST_SECONDS} or more"
        )
    return float(every)
