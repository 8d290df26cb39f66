"""A wrapped client gives context before each call and observes behind it, and is otherwise the client."""

from __future__ import annotations

import asyncio
import copy
import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from reverie import Agent, AsyncReverie, InvalidInput, Reverie
from tests.wrapped import ANSWER, Server

anthropic = pytest.importorskip("anthropic")
openai = pytest.importorskip("openai")

ASKED = "How is the weather where I live?"
KNOWN = "Never use more than one sentence"
SAID = [("user", ASKED), ("agent", ANSWER)]
CHAT = [{"role": "system", "content": "Be kind"}, {"role": "user", "content": ASKED}]
USER = [{"role": "user", "content": ASKED}]

CALLS: dict[str, tuple[str, str, dict[str, Any], str]] = {
    "chat": ("OpenAI", "chat.completions", {"model": "m", "messages": CHAT}, "messages"),
    "responses": ("OpenAI", "responses", {"model": "m", "input": ASKED, "instructions": "Be kind"}, "instructions"),
    "messages": (
        "Anthropic", "messages", {"model": "m", "max_tokens": 9, "messages": USER, "system": "Be kind"}, "system",
    ),
}  # fmt: skip
EACH = pytest.mark.parametrize("api", CALLS)


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture(scope="module")
def reverie(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reverie]:
    with Reverie.open(tmp_path_factory.mktemp("banks") / "a.bank", key=bytes(32)) as reverie:
        yield reverie


@pytest.fixture
def mama(reverie: Reverie) -> Agent:
    agent = reverie.agent(f"mama-{len(reverie.agents())}")
    agent.remember(KNOWN, kind="policy")
    return agent


def client(server: Server, api: str, *, is_async: bool = False) -> Any:
    name = CALLS[api][0]
    package = openai if name == "OpenAI" else anthropic
    return server.client(getattr(package, f"Async{name}" if is_async else name))


def resource(wrapped: Any, api: str) -> Any:
    for name in CALLS[api][1].split("."):
        wrapped = getattr(wrapped, name)
    return wrapped


def stored(agent: Agent, conversation: str = "main") -> list[tuple[str, str]]:
    return [(one.role.value, one.content) for one in agent.episodes(conversations=conversation)]


def prompt(server: Server, api: str) -> str:
    return json.dumps(server.asked[-1].get(CALLS[api][3], server.asked[-1].get("system")))


def ask(of: Any, api: str, how: str) -> None:
    given = CALLS[api][2]
    if how == "create":
        of.create(**given)
    elif how == "stream=True":
        for _ in of.create(**given, stream=True):
            pass
    else:
        with of.stream(**given) as stream:
            for _ in stream:
                pass


async def ask_async(of: Any, api: str, how: str) -> None:
    given = CALLS[api][2]
    if how == "create":
        await of.create(**given)
    elif how == "stream=True":
        async for _ in await of.create(**given, stream=True):
            pass
    else:
        async with of.stream(**given) as stream:
            async for _ in stream:
                pass


@EACH
@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize("how", ["create", "stream=True", "stream()"])
@pytest.mark.parametrize("calls_tool", [False, True], ids=["text", "tool"])
def test_a_call_gets_context_and_is_observed_once(
    mama: Agent, server: Server, api: str, is_async: bool, how: str, calls_tool: bool
) -> None:
    server.calls_tool = calls_tool
    of = resource(mama.wrap(client(server, api, is_async=is_async), conversation="trip"), api)
    given = copy.deepcopy(CALLS[api][2])
    if is_async:
        asyncio.run(ask_async(of, api, how))
    else:
        ask(of, api, how)
    assert CALLS[api][2] == given
    assert len(server.asked) == 1
    assert "Be kind" in prompt(server, api)
    assert KNOWN in prompt(server, api)
    assert stored(mama, "trip") == ([("user", ASKED), ("tool", 'find({"a": 1})')] if calls_tool else SAID)


@EACH
def test_an_async_agent_wraps_too(tmp_path: Path, server: Server, api: str) -> None:
    async def talk() -> list[str]:
        async with AsyncReverie.open(tmp_path / "b.bank", key=bytes(32)) as reverie:
            agent = reverie.agent("mama")
            await agent.remember(KNOWN, kind="policy")
            of = resource(agent.wrap(client(server, api, is_async=True)), api)
            await ask_async(of, api, "create")
            return [one.content async for one in agent.episodes()]

    assert asyncio.run(talk()) == [ASKED, ANSWER]
    assert KNOWN in prompt(server, api)


def test_only_what_is_new_of_a_history_is_observed(mama: Agent, server: Server) -> None:
    chat = resource(mama.wrap(client(server, "chat")), "chat")
    messages: list[Any] = [{"role": "user", "content": "Find it"}]
    server.calls_tool = True
    messages.append(chat.create(model="m", messages=messages).choices[0].message)
    server.calls_tool = False
    messages.append({"role": "tool", "tool_call_id": "call_1", "content": "found"})
    messages.append(chat.create(model="m", messages=messages).choices[0].message)
    messages.append({"role": "user", "content": "Thanks"})
    chat.create(model="m", messages=iter(messages))
    assert stored(mama) == [
        ("user", "Find it"), ("tool", 'find({"a": 1})'), ("tool", "found"), ("agent", ANSWER), ("user", "Thanks"),
        ("agent", ANSWER),
    ]  # fmt: skip


def test_only_what_is_new_of_responses_items_is_observed(mama: Agent, server: Server) -> None:
    responses = resource(mama.wrap(client(server, "responses")), "responses")
    items: list[Any] = [{"role": "user", "content": "Find it"}]
    server.calls_tool = True
    items += responses.create(model="m", input=items).output
    server.calls_tool = False
    items.append({"type": "function_call_output", "call_id": "call_1", "output": "found"})
    responses.create(model="m", input=items)
    assert stored(mama) == [
        ("user", "Find it"), ("tool", 'find({"a": 1})'), ("tool", "found"), ("agent", ANSWER),
    ]  # fmt: skip


def test_a_beginning_of_the_answer_hides_no_message(mama: Agent, server: Server) -> None:
    messages = resource(mama.wrap(client(server, "messages")), "messages")
    messages.create(model="m", max_tokens=9, messages=[*USER, {"role": "assistant", "content": "In short:"}])
    assert stored(mama) == SAID


def test_ids_that_a_server_gives_again_lose_nothing(mama: Agent, server: Server) -> None:
    messages = resource(mama.wrap(client(server, "messages")), "messages")
    messages.create(model="m", max_tokens=9, messages=USER)
    server.asked.clear()
    server.calls_tool = True
    mama.observe({"role": "tool", "content": "other words", "ref": "call_1"})
    messages.create(model="m", max_tokens=9, messages=USER)
    assert ("tool", 'find({"a": 1})') in stored(mama)


@EACH
def test_a_prompt_in_parts_gets_one_more_and_none_gets_one(mama: Agent, server: Server, api: str) -> None:
    of = resource(mama.wrap(client(server, api)), api)
    part = {"type": "text", "text": "Be kind"}
    given = dict(CALLS[api][2])
    given.pop("instructions", None), given.pop("system", None)
    if api == "chat":
        of.create(model="m", messages=[{"role": "developer", "content": [part]}, *USER])
        assert server.asked[-1]["messages"][0]["content"][0] == part
        given["messages"] = USER
    elif api == "messages":
        of.create(**given, system=[part])
        assert server.asked[-1]["system"][0] == part
    of.create(**given)
    assert KNOWN in prompt(server, api)


def test_the_user_has_a_name(mama: Agent, server: Server) -> None:
    chat = resource(mama.wrap(client(server, "chat"), speaker="Anna"), "chat")
    chat.create(model="m", messages=[{"role": "user", "content": "Hi", "name": "Ben"}, *USER])
    assert [one.speaker for one in mama.episodes()] == ["Ben", "Anna", None]


def test_both_sides_can_be_switched_off(mama: Agent, server: Server) -> None:
    ask(resource(mama.wrap(client(server, "chat"), context=False), "chat"), "chat", "create")
    assert server.asked[-1]["messages"] == CHAT
    assert stored(mama) == SAID
    ask(resource(mama.wrap(client(server, "chat"), observe=False), "chat"), "chat", "create")
    assert KNOWN in prompt(server, "chat")
    assert stored(mama) == SAID


@EACH
@pytest.mark.parametrize("how", ["create", "stream=True", "stream()"])
def test_a_failing_memory_breaks_no_call(
    mama: Agent, server: Server, api: str, how: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:  # fmt: skip
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError(f"it quotes {ASKED}")

    for verb in ("context", "observe"):
        monkeypatch.setattr(Agent, verb, fail)
    with caplog.at_level(logging.DEBUG, logger="reverie.wrap"):
        ask(resource(mama.wrap(client(server, api)), api), api, how)
    told = [record.getMessage() for record in caplog.records if record.name == "reverie.wrap"]
    assert told == [f"{verb} failed around a call: RuntimeError" for verb in ("context", "observe")]


@EACH
def test_a_call_that_fails_is_not_observed(mama: Agent, server: Server, api: str) -> None:
    server.status = 400
    with pytest.raises((openai.BadRequestError, anthropic.BadRequestError)):
        ask(resource(mama.wrap(client(server, api)), api), api, "create")
    assert stored(mama) == []


def test_a_stream_that_is_left_early_is_not_observed(mama: Agent, server: Server) -> None:
    with resource(mama.wrap(client(server, "messages")), "messages").stream(**CALLS["messages"][2]) as stream:
        next(stream)
    assert stored(mama) == []


@pytest.mark.parametrize("finish", [lambda one: one.get_final_text(), lambda one: "".join(one.text_stream)])
def test_a_helper_of_the_stream_observes_too(
    mama: Agent, server: Server, finish: Callable[[Any], str]
) -> None:
    with resource(mama.wrap(client(server, "messages")), "messages").stream(**CALLS["messages"][2]) as stream:
        assert finish(stream) == ANSWER
    assert stored(mama) == SAID


def test_a_wrapped_client_is_the_client_otherwise(mama: Agent, server: Server) -> None:
    inner = client(server, "chat")
    with mama.wrap(inner) as wrapped:
        assert isinstance(wrapped, openai.OpenAI)
        assert wrapped.base_url == inner.base_url
        wrapped.timeout = 7
        assert inner.timeout == 7
        assert wrapped.embeddings is inner.embeddings
        ask(wrapped.with_options(max_retries=1).chat.completions, "chat", "create")
        assert stored(mama) == SAID
    assert inner.is_closed()


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"client": object()}, "client"), ({"conversation": ""}, "conversation"), ({"max_tokens": 0}, "max_tokens"),
        ({"speaker": ""}, "speaker"),
        ({"observe": 1}, "observe"), ({"context": "no"}, "context"),
    ],
)  # fmt: skip
def test_a_wrong_parameter_is_refused_at_once(
    mama: Agent, server: Server, given: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        mama.wrap(**{"client": client(server, "chat"), **given})
    assert caught.value.field == field
