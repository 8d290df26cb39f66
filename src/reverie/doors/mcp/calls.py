"""Calls: the client's verbs in threads of their own, so that no call waits for another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")
_THREADS = 8


class Calls:
    """Runs verbs. Cancelling the caller takes back a verb that hasn't begun; one that has is finished, unheard."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="reverie-mcp")

    def begin(self, verb: Callable[[], object]) -> None:
        """Run it beside everything else. Nobody waits for it, or hears of its end."""
        self._pool.submit(verb)

    async def done(self, verb: Callable[[], Result]) -> asyncio.Future[Result]:
        """Run it, and return its future when it is done, with its result or the error that it raised."""
        future = asyncio.wrap_future(self._pool.submit(verb))
        future.add_done_callback(_noticed)
        try:
            await asyncio.wait([future])
        finally:
            future.cancel()
        return future

    def close(self) -> None:
        """Wait until what has begun is finished. What hasn't begun never does."""
        self._pool.shutdown(wait=True, cancel_futures=True)


def _noticed(future: asyncio.Future[Result]) -> None:
    """Look at the error of a call that nobody waits for any more; else asyncio would log it, contents and all."""
    if not future.cancelled():
        future.exception()
