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
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from reverie.domain.change import Spent
from reverie.errors import MindFailed
from reverie.minds.llm.access import Access
from reverie.minds.llm.question import RETRIES, Answer, Answered, Question, Tried
from reverie.ports.meter import Meter

if TYPE_CHECKING:
    from reverie.minds.llm.connecting import Connect

_GRACE = 5.0

Result = TypeVar("Result")
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
        """Whether the server lacks, or was found to refuse, the provider's mode for structured output."""
        self._connect, self._chance, self._pause = connect, chance, pause

    def planned(self, question: Question[Answer]) -> Spent:
        """Return what asking it may cost at most, if it is answered at once."""
        given = self.tokens(f"{question.prompt}\n{question.data}")
        return Spent(calls=1, input_tokens=given, output_tokens=question.output)

    def ask(self, question: Question[Answer]) -> Answered[Answer]:
        """Return the answer. Raise MindFailed, whose reason holds no contents, and CapReached."""
        tried = self.trying(question)
        if tried.answer is None:
            raise MindFailed(self.access.mind_id, _with_cost(tried.why or "no answer", tried.spent))
        return Answered(answer=tried.answer, spent=tried.spent)

    def trying(self, question: Question[Answer]) -> Tried[Answer]:
        """Return the answer, or why there is none. Raise CapReached, and MindFailed where it takes too long in all."""
        from reverie.minds.llm.metered import TRIES, Run
        from reverie.minds.llm.running import tried

        most = self.access.seconds * TRIES * (RETRIES + 1) * 2 + _GRACE
        run = Run(
            meter=self.meter, tokens=self.tokens, chance=self._chance, pause=self._pause,
            seconds=self.access.seconds, output=question.output,
        )  # fmt: skip
        connection = (self._connect or _connected())(self.access)
        try:
            done = _alone(tried(connection, run, question, in_words=self.in_words), most)
        except Late:
            raise MindFailed(self.access.mind_id, f"no answer within {most:g} seconds") from None
        self.in_words = self.in_words or done.way == "words"
        return done


def _with_cost(why: str, spent: Spent) -> str:
    if not spent.calls:
        return why
    return f"{why}; {spent.calls} call{'' if spent.calls == 1 else 's'}, {spent.tokens:,} tokens"


def _connected() -> Connect:
    from reverie.minds.llm.connecting import connected

    return connected


def _alone(work: Coroutine[Any, Any, Result], seconds: float) -> Result:
    """Return what the coroutine gives, run in a loop and a thread of its own. Raise Late."""
    with _loop() as loop:
        future = asyncio.run_coroutine_threadsafe(work, loop)
        try:
            return future.result(seconds)
        finally:
            future.cancel()


@contextmanager
def _loop() -> Iterator[asyncio.AbstractEventLoop]:
    """Give a running loop; its thread never keeps the process alive."""
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
