"""Signals: a server ends when it is told to, and finishes what is under way."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def signals(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> Iterator[None]:
    """Stop at SIGINT and SIGTERM, and no more: what is under way is finished."""

    def caught(_number: int, _frame: object) -> None:
        loop.call_soon_threadsafe(stop.set)

    before = {number: signal.signal(number, caught) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
