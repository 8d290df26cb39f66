"""Turn a verb into its asynchronous twin, with the same parameters."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Coroutine, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial, wraps
from itertools import islice
from threading import Lock
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar

Given = ParamSpec("Given")
Result = TypeVar("Result")
Inner = TypeVar("Inner")


class _Identified(Protocol):
    @property
    def id(self) -> str: ...


Item = TypeVar("Item", bound=_Identified)
_AT_ONCE = 100
_END = object()


class Twin(Generic[Inner]):
    """Run the verbs of a door, which ``inner`` returns, in a worker thread."""

    def __init__(self, inner: Callable[[], Inner]) -> None:
        self._inner = inner

    @property
    def inner(self) -> Inner:
        """The door itself, for code that runs in a thread of its own."""
        return self._inner()


def once(make: Callable[[], Result]) -> Callable[[], Result]:
    """Return a function whose first call makes it, and whose later calls return the same. Threads that come meanwhile
    wait. A call after one that raised tries again.
    """
    lock, made = Lock(), list[Result]()

    def one() -> Result:
        with lock:
            if not made:
                made.append(make())
            return made[0]

    return one


def verb(
    function: Callable[Concatenate[Any, Given], Result],
) -> Callable[Concatenate[Any, Given], Coroutine[Any, Any, Result]]:
    """Return the verb as a coroutine that runs it in a worker thread."""

    @wraps(function)
    async def awaited(twin: Twin[Any], /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        return await asyncio.to_thread(lambda: function(twin.inner, *args, **kwargs))

    return awaited


def stream(
    function: Callable[Concatenate[Any, Given], Iterator[Result]],
) -> Callable[Concatenate[Any, Given], AsyncGenerator[Result, None]]:
    """Return a verb that yields as an asynchronous iterator, which never holds more than a few items.

    One thread makes them all: what a verb holds between two items may belong to its thread.
    """

    @wraps(function)
    async def yielding(
        twin: Twin[Any], /, *args: Given.args, **kwargs: Given.kwargs
    ) -> AsyncGenerator[Result, None]:
        with_thread = ThreadPoolExecutor(1, thread_name_prefix="reverie-stream")
        run = partial(asyncio.get_running_loop().run_in_executor, with_thread)
        try:
            items = await run(lambda: function(twin.inner, *args, **kwargs))
            try:
                while some := await run(lambda: [*islice(items, _AT_ONCE)]):
                    for one in some:
                        yield one
            finally:
                await run(getattr(items, "close", lambda: None))
        finally:
            with_thread.shutdown(wait=False)

    return yielding


def pages(
    function: Callable[Concatenate[Any, Given], Sequence[Item]],
) -> Callable[Concatenate[Any, Given], AsyncGenerator[Item, None]]:
    """Return a verb that gives pages as an asynchronous iterator over all of them, or over the first ``limit``."""

    @wraps(function)
    async def yielding(
        twin: Twin[Any], /, *args: Given.args, **kwargs: Given.kwargs
    ) -> AsyncGenerator[Item, None]:
        most, more = kwargs.pop("limit", None), True
        size = _AT_ONCE if most is None else most
        while more:
            page = await asyncio.to_thread(
                lambda: function(twin.inner, *args, **{**kwargs, "limit": size})  # type: ignore[arg-type]
            )
            for one in page:
                yield one
            more = most is None and len(page) == _AT_ONCE
            if more:
                kwargs["after"] = page[-1].id

    return yielding


def from_thread(items: Iterable[Result] | AsyncIterable[Result]) -> Iterable[Result]:
    """Return items that a worker thread can read, also where the event loop makes them. Call it in the loop."""
    if not isinstance(items, AsyncIterable):
        return items
    loop, every = asyncio.get_running_loop(), aiter(items)

    async def following() -> Any:
        return await anext(every, _END)

    def read() -> Iterator[Result]:
        while (one := asyncio.run_coroutine_threadsafe(following(), loop).result()) is not _END:
            yield one

    return read()
