"""What models send and what is made of it: arguments, refusals, and verbs in threads."""

from __future__ import annotations

import asyncio
import gc
import math
import re
import threading
from collections.abc import Iterator

import pytest

from reverie.doors.mcp.calls import Calls
from reverie.doors.mcp.parameters import GLOBS, NUMBER, TEXT, TEXTS, WHOLE, Parameter, read_arguments
from reverie.doors.mcp.refusal import refusal
from reverie.errors import Forgotten, InvalidInput
from tests.doors.test_commands import ALL

TAKES = {"content": TEXT, "tags": TEXTS, "scope": GLOBS, "weight": NUMBER, "most": WHOLE}


def read(**given: object) -> dict[str, object]:
    return read_arguments("memory_test", TAKES, ("content",), {"content": "x", **given})


def test_what_the_schema_asks_for_is_taken_as_it_is() -> None:
    given = {"tags": ["a", "b"], "scope": "src/**", "weight": 0.5, "most": 3}
    assert read(**given) == {"content": "x", **given, "tags": ("a", "b"), "scope": ("src/**",)}


@pytest.mark.parametrize(
    ("name", "sent", "meant"),
    [
        ("tags", "a", ("a",)),
        ("scope", ["a", "b"], ("a", "b")),
        ("weight", "0.9", 0.9),
        ("weight", 1, 1.0),
        ("most", "300", 300),
        ("most", 300.0, 300),
    ],
    ids=repr,
)
def test_what_models_send_instead_is_understood(name: str, sent: object, meant: object) -> None:
    assert read(**{name: sent})[name] == meant


def test_null_is_as_good_as_nothing() -> None:
    assert read(tags=None, weight=None) == {"content": "x"}


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("content", 5),
        ("content", ["x"]),
        ("content", {"text": "x"}),
        ("tags", 5),
        ("tags", ["a", 5]),
        ("tags", {"a": 1}),
        ("weight", True),
        ("weight", "much"),
        ("weight", math.nan),
        ("weight", "inf"),
        ("most", 2.5),
        ("most", [1]),
    ],
    ids=repr,
)
def test_what_can_not_be_meant_is_refused_by_the_arguments_name(name: str, sent: object) -> None:
    with pytest.raises(InvalidInput) as raised:
        read(**{name: sent})
    assert (raised.value.field, raised.value.remedy[:4]) == (name, "give")


def test_a_missing_argument_is_asked_for() -> None:
    with pytest.raises(
        InvalidInput, match="content: memory_test needs it; call memory_test again with content"
    ):
        read_arguments("memory_test", TAKES, ("content",), {"content": None})


def test_an_unknown_argument_is_answered_with_the_known_ones() -> None:
    with pytest.raises(InvalidInput, match="it takes content, tags, scope, weight, most"):
        read(essence="x")


def test_a_tool_without_arguments_says_so() -> None:
    none: dict[str, Parameter] = {}
    with pytest.raises(InvalidInput, match="it takes no arguments"):
        read_arguments("memory_test", none, (), {"verbose": True})


def test_a_long_name_is_cut_and_a_value_never_shown() -> None:
    with pytest.raises(InvalidInput) as raised:
        read(**{"x" * 10_000: "s3cret"})
    assert len(str(raised.value)) < 300
    assert "s3cret" not in str(raised.value)


TOOLS = [
    "memory_learn", "memory_procedure", "add_to_longterm_memory", "add_to_soul", "write_diary", "assign_relationship",
]  # fmt: skip


@pytest.mark.parametrize("tool", TOOLS)
def test_a_refusal_names_a_command_that_exists(tool: str) -> None:
    (command,) = re.findall(r"`reverie ([a-z -]+?) --override`", refusal(tool, Forgotten("essence")))
    assert command in ALL


def test_a_refusal_names_the_tools_own_argument() -> None:
    error = InvalidInput("content", "it is empty", "say something")
    assert refusal("memory_episode", error).startswith("event: ")
    assert refusal("memory_learn", error).startswith("content: ")


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
