"""A session of OpenAI's Agents SDK in a bank: items as they were added, and an agent that remembers them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from typing import Any

import pytest

pytest.importorskip("agents")

from agents import Agent as Assistant
from agents import Model, ModelResponse, RunConfig, Runner, SessionSettings, Usage, function_tool
from agents.memory import Session
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from reverie import Agent
from reverie.adapters.openai_agents import ReverieSession

ITEMS: list[Any] = [
    {"role": "user", "content": "I moved to Lisbon\r\n"},
    {"type": "function_call", "call_id": "call_1", "name": "weather", "arguments": "{}", "id": "__fake_id__"},
    {"type": "function_call_output", "call_id": "call_1", "output": "sunny"},
    {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAAABn" + "x9Zk" * 50},
    {"id": "__fake_id__", "type": "message", "role": "assistant", "status": "completed",
     "content": [{"type": "output_text", "text": "It is sunny there", "annotations": []}]},
]  # fmt: skip


class _Fake(Model):
    """Calls a tool once a run, then says how many items it was given."""

    async def get_response(
        self,
        system_instructions: Any,
        input: Any,  # noqa: A002  # the SDK's name
        *args: Any,
        **kwargs: Any,
    ) -> ModelResponse:
        made: Any
        if any(one.get("type") == "function_call_output" for one in input[-1:]):
            text = ResponseOutputText(text=f"I was given {len(input)}", type="output_text", annotations=[])
            made = ResponseOutputMessage(
                id="__fake_id__", type="message", role="assistant", status="completed", content=[text]
            )
        else:
            made = ResponseFunctionToolCall(
                call_id=f"call_{len(input)}", type="function_call", name="weather", arguments="{}"
            )
        return ModelResponse(output=[made], usage=Usage(), response_id=None)

    def stream_response(self, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        raise NotImplementedError


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(work)


def test_items_come_back_as_they_were_added_and_in_order(mama: Agent) -> None:
    session = ReverieSession("chat-1", mama)
    assert isinstance(session, Session)
    run(session.add_items(ITEMS[:2]))
    run(session.add_items(ITEMS[2:]))
    run(ReverieSession("chat-2", mama).add_items(ITEMS[:1]))
    assert run(session.get_items()) == ITEMS
    assert run(session.get_items(limit=2)) == ITEMS[-2:]
    assert run(session.get_items(limit=0)) == []
    session.session_settings = SessionSettings(limit=1)
    assert run(session.get_items()) == ITEMS[-1:]
    assert run(session.pop_item()) == ITEMS[-1]
    assert run(session.get_items(limit=9)) == ITEMS[:-1]
    run(session.clear_session())
    assert (run(session.get_items()), run(session.pop_item())) == ([], None)
    assert run(ReverieSession("chat-2", mama).get_items()) == ITEMS[:1]


def test_what_was_said_is_observed(mama: Agent) -> None:
    run(ReverieSession("chat-1", mama).add_items(ITEMS))
    run(ReverieSession("quiet", mama, observe=False).add_items(ITEMS))
    run(ReverieSession("odd", mama).add_items([{"type": "hologram", "of": 1}, ITEMS[0]]))  # type: ignore[list-item]
    told = [(one.conversation, one.role.value, one.content) for one in mama.episodes()]
    assert told == [
        ("chat-1", "user", "I moved to Lisbon\n"), ("chat-1", "tool", "weather()"), ("chat-1", "tool", "sunny"),
        ("chat-1", "agent", "It is sunny there"), ("odd", "user", "I moved to Lisbon\n"),
    ]  # fmt: skip


def test_parallel_pops_take_each_item_once(mama: Agent) -> None:
    async def session() -> list[Any]:
        one, other = ReverieSession("chat-1", mama, observe=False), ReverieSession("chat-1", mama)
        await one.add_items([{"role": "user", "content": f"{n}"} for n in range(6)])
        return await asyncio.gather(*(each.pop_item() for each in (one, other) for _ in range(4)))

    popped = [one["content"] for one in run(session()) if one is not None]
    assert sorted(popped) == [f"{n}" for n in range(6)]


def test_a_runner_goes_on_where_it_was(mama: Agent) -> None:
    @function_tool
    def weather() -> str:
        """Tell the weather."""
        return "sunny"

    assistant = Assistant(name="Nova", model=_Fake(), tools=[weather])
    quiet = RunConfig(tracing_disabled=True)
    for expected in ("I was given 3", "I was given 7"):
        session = ReverieSession("chat-1", mama)
        result = run(
            Runner.run(assistant, "How is the weather in Lisbon?", session=session, run_config=quiet)
        )
        assert result.final_output == expected
    kinds = [one.get("type", "message") for one in run(ReverieSession("chat-1", mama).get_items())]
    assert kinds == ["message", "function_call", "function_call_output", "message"] * 2
    assert len(mama.episodes(conversations="chat-1")) == 8
