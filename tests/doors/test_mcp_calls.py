"""Verbs in threads: what cancelling means, and that nothing is lost or told to the wrong ears."""

from __future__ import annotations

import asyncio
import gc
import threading
from collections.abc import Iterator

import pytest

from reverie.doors.mcp.calls import Calls, place_of
from reverie.doors.mcp.parameters import TEXT
from reverie.errors import InvalidInput

THREADS = 8


@pytest.fixture
def calls() -> Iterator[Calls]:
    calls = Calls()
    try:
        yield calls
    finally:
        calls.close()


def test_a_result_and_an_error_come_back_alike(calls: Calls) -> None:
    async def both() -> tuple[int, BaseException | None]:
        good, bad = await calls.done(lambda: 5), await calls.done(lambda: 1 // 0)
        return good.result(), bad.exception()

    result, error = asyncio.run(both())
    assert (result, type(error)) == (5, ZeroDivisionError)


def test_what_has_begun_is_finished_though_nobody_waits_any_more(calls: Calls) -> None:
    begun, go_on, done = threading.Event(), threading.Event(), threading.Event()

    def slow() -> None:
        begun.set()
        assert go_on.wait(20)
        done.set()

    async def impatient() -> None:
        task = asyncio.create_task(calls.done(slow))
        await asyncio.to_thread(begun.wait, 20)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(impatient())
    assert not done.is_set()
    go_on.set()
    calls.close()
    assert done.is_set()


def test_what_was_cancelled_before_it_began_never_does(calls: Calls) -> None:
    go_on, ran = threading.Event(), threading.Event()

    async def impatient() -> None:
        busy = [asyncio.create_task(calls.done(lambda: go_on.wait(20))) for _ in range(THREADS)]
        late = asyncio.create_task(calls.done(ran.set))
        await asyncio.sleep(0)
        late.cancel()
        with pytest.raises(asyncio.CancelledError):
            await late
        go_on.set()
        await asyncio.gather(*busy)

    asyncio.run(impatient())
    calls.close()
    assert not ran.is_set()


def test_an_error_that_nobody_waits_for_is_not_logged(calls: Calls, caplog: pytest.LogCaptureFixture) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def failing() -> None:
        begun.set()
        assert go_on.wait(20)
        raise KeyError("the secret plan")

    async def impatient() -> None:
        task = asyncio.create_task(calls.done(failing))
        await asyncio.to_thread(begun.wait, 20)
        task.cancel()
        go_on.set()
        await asyncio.gather(task, return_exceptions=True)
        await asyncio.to_thread(calls.close)

    asyncio.run(impatient())
    gc.collect()
    assert caplog.text == ""


def test_closing_waits_for_what_was_begun_in_the_background(calls: Calls) -> None:
    done = threading.Event()
    calls.begin(done.set)
    calls.close()
    assert done.is_set()


def test_an_errors_place_is_in_our_code_and_says_nothing_else() -> None:
    with pytest.raises(InvalidInput) as raised:
        TEXT.read("content", 5)
    assert place_of(raised.value).startswith("doors/mcp/parameters.py:")
    assert place_of(KeyError("never raised")) == "a library"
