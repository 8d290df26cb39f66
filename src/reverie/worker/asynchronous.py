"""The worker of an ``AsyncReverie``."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import TracebackType

from reverie.aio import AsyncReverie
from reverie.domain.attended import Attended
from reverie.errors import InvalidInput
from reverie.errors.showing import shown
from reverie.worker.worker import EVERY_SECONDS, Worker


class AsyncWorker:
    """``Worker`` for asyncio: it works in a thread of its own, so that the event loop never waits for it.

    >>> import asyncio
    >>> from reverie import AsyncReverie, AsyncWorker
    >>> async def session():
    ...     async with AsyncReverie.open("example.bank") as reverie, AsyncWorker(reverie, every=1.0):
    ...         await reverie.agent("mama").observe("I moved to Lisbon last week")
    >>> asyncio.run(session())
    """

    def __init__(
        self,
        reverie: AsyncReverie,
        every: float = EVERY_SECONDS,
        *,
        agent_id: str | None = None,
        on_round: Callable[[Attended], None] | None = None,
    ) -> None:
        """See ``Worker``. ``on_round`` is called in the event loop that starts the worker. Raises InvalidInput."""
        if not isinstance(reverie, AsyncReverie):
            raise InvalidInput("reverie", f"{shown(reverie)} is no AsyncReverie", "use Worker for a Reverie")
        self._on_round = on_round
        self._loop: asyncio.AbstractEventLoop | None = None
        self._worker = Worker(
            reverie.inner, every, agent_id=agent_id, on_round=None if on_round is None else self._tell
        )

    @property
    def is_running(self) -> bool:
        """Whether its thread lives, in this process."""
        return self._worker.is_running

    async def start(self) -> AsyncWorker:
        """Begin. Raises InvalidInput where a worker of this Reverie runs already."""
        self._loop = asyncio.get_running_loop()
        self._worker.start()
        return self

    async def stop(self) -> None:
        """End it once the snippet that is being read is done. What is left waits for the next start."""
        await asyncio.to_thread(self._worker.stop)

    async def __aenter__(self) -> AsyncWorker:
        return await self.start()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    def _tell(self, done: Attended) -> None:
        if self._loop is not None and self._on_round is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._on_round, done)
