"""Asking: one question to a model, answered by a checked value of a schema.

Each question runs in an event loop of its own, in a thread of its own: the callers' threads may have loops themselves,
and a connection that hangs must not hold them.
"""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import TimeoutError as Late
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from reverie.domain.change import Spent
from reverie.errors import MindFailed
from reverie.minds.llm.access import Access
from reverie.minds.llm.question import RETRIES, Answer, Answered, Question
from reverie.ports.meter import Meter

if TYPE_CHECKING:
    from pydantic_ai.models import Model

_GRACE = 5.0

Result = TypeVar("Result")
Connect = Callable[[Access], AbstractAsyncContextManager["Model"]]
Tokens = Callable[[str], int]


class Asker:
    """Asks one model. Thread-safe. ``tokens`` estimates what a text costs; ``connect`` None: as the provider wants it;
    ``chance`` and ``pause`` are for the waits between tries.
    """

    def __init__(
        self,
        access: Access,
        meter: Meter,
        tokens: Tokens,
        *,
        connect: Connect | None = None,
        chance: Callable[[], float] = random.random,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.access, self.meter = access, meter
        self.tokens = tokens
        self.in_words = False
        """Whether the server was found to refuse its provider's mode for structured output."""
        self._connect, self._chance, self._pause = connect, chance, pause

    def planned(self, question: Question[Answer]) -> Spent:
        """What asking it may cost at most, if it is answered at once."""
        given = self.tokens(f"{question.prompt}\n{question.data}")
        return Spent(calls=1, input_tokens=given, output_tokens=question.output)

    def ask(self, question: Question[Answer]) -> Answered[Answer]:
        """The answer. Raises MindFailed, whose reason holds no contents, and CapReached."""
        from reverie.minds.llm.metered import TRIES
        from reverie.minds.llm.running import answered

        most = self.access.seconds * TRIES * (RETRIES + 1) * 2 + _GRACE
        work = answered(self, question, self._connect or _connected(), self._chance, self._pause)
        try:
            return _alone(work, most)
        except Late:
            raise MindFailed(self.access.mind_id, f"no answer within {most:g} seconds") from None


def _connected() -> Connect:
    from reverie.minds.llm.connecting import connected

    return connected


def _alone(work: Coroutine[Any, Any, Result], seconds: float) -> Result:
    """What the coroutine gives, run in a loop and a thread of its own. Raises Late."""
    with _loop() as loop:
        future = asyncio.run_coroutine_threadsafe(work, loop)
        try:
            return future.result(seconds)
        finally:
            future.cancel()


@contextmanager
def _loop() -> Iterator[asyncio.AbstractEventLoop]:
    """A running loop; its thread never keeps the process alive."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="reverie-llm", daemon=True)
    thread.start()
    try:
        yield loop
    finally:
        asyncio.run_coroutine_threadsafe(_wound_up(), loop)
        thread.join(_GRACE)
        if not thread.is_alive():
            loop.close()


async def _wound_up() -> None:
    """Ends whatever still runs in this loop, and the loop."""
    loop = asyncio.get_running_loop()
    left = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)
    await loop.shutdown_asyncgens()
    await loop.shutdown_default_executor()
    loop.stop()
