"""Beside: what can be done while a model embeds is done by a thread of our own, since the model lets go of the
interpreter for most of its time.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from queue import SimpleQueue
from time import sleep
from types import TracebackType
from typing import Any, Generic, TypeVar, cast
from weakref import finalize

Aside = TypeVar("Aside")
Own = TypeVar("Own")

# A model begins with Python of its own (texts to tokens to arrays). Who asks for the interpreter meanwhile takes it
# away there, and the caller has to be woken again: of 0.23 ms that the thread gains, that costs 0.05 ms or more.
_HEAD_START_SECONDS = 50e-6


class Beside:
    """One thread, made when it is first needed. Thread-safe: whom it can't serve at once does all the work himself."""

    def __init__(self) -> None:
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._jobs: SimpleQueue[_Job[Any] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._closed = False
        finalize(self, self._jobs.put, None)  # one that nobody closed ends its thread too

    def both(self, aside: Callable[[], Aside], own: Callable[[], Own]) -> tuple[Aside, Own]:
        """What both calls give: ``own`` is made by the caller's thread, ``aside`` at the same time, as far as may be.

        Both have ended when this returns. Raises what one of them raised, where both did what ``aside`` did.
        """
        if not self._ready():
            return aside(), own()
        job = _Job(aside)
        self._jobs.put(job)
        try:
            mine = own()
        finally:
            theirs = job.result()
        return theirs, mine

    def close(self) -> None:
        """Ends the thread; from now on the caller does all the work. In a fork there is none."""
        if self._pid != os.getpid():
            return
        with self._lock:
            self._closed = True
            thread, self._thread = self._thread, None
        if thread is not None:
            self._jobs.put(None)
            thread.join()

    def _ready(self) -> bool:
        """Whether there is a thread in this process; it is made where it may be."""
        return self._pid == os.getpid() and (self._thread is not None or self._made())

    def _made(self) -> bool:
        with self._lock:
            if self._thread is None and not self._closed:
                self._thread = _started(self._jobs)
            return self._thread is not None


class _Job(Generic[Aside]):
    """A piece of work that is done once, by the thread or by who wants its result, whoever comes first."""

    __slots__ = ("_claim", "_done", "_error", "_made", "_work")

    def __init__(self, work: Callable[[], Aside]) -> None:
        self._work = work
        self._claim, self._done = threading.Lock(), threading.Lock()
        self._done.acquire()
        self._made: Aside | None = None
        self._error: BaseException | None = None

    def do(self) -> None:
        """Does it, unless somebody else does; what it raises is kept for ``result``."""
        if self._claim.acquire(blocking=False):
            with self:
                self._made = self._work()

    def __enter__(self) -> None:
        """Around the work."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self._error = error
        self._done.release()
        return True

    def result(self) -> Aside:
        """What the work gives, for one caller. Raises what it raised."""
        if self._claim.acquire(blocking=False):
            return self._work()
        self._done.acquire()
        if self._error is not None:
            raise self._error
        return cast(Aside, self._made)


def _started(jobs: SimpleQueue[_Job[Any] | None]) -> threading.Thread | None:
    """The thread; None where the system gives none, or the interpreter is ending."""
    thread = threading.Thread(target=_work_off, args=(jobs,), name="reverie-beside", daemon=True)
    try:
        thread.start()
    except RuntimeError:
        return None
    return thread


def _work_off(jobs: SimpleQueue[_Job[Any] | None]) -> None:
    while (job := jobs.get()) is not None:
        sleep(_HEAD_START_SECONDS)
        job.do()
        del job  # what it holds isn't kept until the next one comes
