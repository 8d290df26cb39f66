"""Signals: a server ends when it is told to, and finishes what is under way."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def signals(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> Iterator[None]:
    """Stop at SIGINT and SIGTERM, and no more: what is under way is finished.

    The loop wakes up for them itself, except on Windows, which can't: a handler of Python's alone that was noted just
    before the loop fell asleep would run with the next message, which may never come.
    """

    def caught(_number: int, _frame: object) -> None:
        loop.call_soon_threadsafe(stop.set)

    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in before:
        if sys.platform == "win32":
            signal.signal(number, caught)
        else:
            loop.add_signal_handler(number, stop.set)
    try:
        yield
    finally:
        for number, handler in before.items():
            if sys.platform != "win32":
                loop.remove_signal_handler(number)
            signal.signal(number, handler)
