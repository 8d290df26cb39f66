"""A server notices a signal while its loop sleeps, whichever of its threads the system gives it to."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time

import pytest

from reverie.doors.serving.signals import signals

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")

LATE = 5.0
"""Seconds until the loop wakes up by itself."""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_sleeping_loop_wakes_up_for_a_signal_that_another_thread_got(number: signal.Signals) -> None:
    def interrupted() -> None:
        time.sleep(0.1)  # until the loop sleeps
        signal.pthread_kill(threading.get_ident(), number)

    async def served() -> float:
        stop, loop = asyncio.Event(), asyncio.get_running_loop()
        with signals(loop, stop):
            timer = loop.call_later(LATE, stop.set)
            threading.Thread(target=interrupted).start()
            begun = loop.time()
            await stop.wait()
            timer.cancel()
            return loop.time() - begun

    before = signal.getsignal(number)
    assert asyncio.run(served()) < LATE
    assert signal.getsignal(number) is before
