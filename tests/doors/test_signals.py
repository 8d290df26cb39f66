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


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_sleeping_loop_wakes_up_for_a_signal_that_another_thread_got(number: signal.Signals) -> None:
    def interrupted() -> None:
        time.sleep(0.1)  # until the loop sleeps
        signal.pthread_kill(threading.get_ident(), number)

    woken_by_the_timer: list[bool] = []

    async def served() -> None:
        stop, loop = asyncio.Event(), asyncio.get_running_loop()
        with signals(loop, stop):
            timer = loop.call_later(5, woken_by_the_timer.append, True)
            threading.Thread(target=interrupted).start()
            await stop.wait()
            timer.cancel()

    before = signal.getsignal(number)
    asyncio.run(served())
    assert not woken_by_the_timer
    assert signal.getsignal(number) is before
