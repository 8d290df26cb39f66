"""Whose word it is that an adapter observes: a person's is captured as with ``observe``, a tool's stays external."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from reverie import Reverie

SAID, FOUND = "I'm allergic to peanuts.", "The shop is open until nine."
AGENT = "app/anna"
"""As ADK's service names it; the others take the agent that they are given."""


def _langgraph(reverie: Reverie, speaker: str | None) -> None:
    pytest.importorskip("langgraph")
    from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

    from reverie.adapters.langgraph import memory_node

    messages: list[Any] = [
        HumanMessage(SAID, id="m1"),
        AIMessage("", id="m2", tool_calls=[{"name": "hours", "args": {}, "id": "c1"}]),
        ToolMessage(FOUND, id="m3", tool_call_id="c1"),
    ]
    memory_node(reverie.agent(AGENT), speaker=speaker).invoke({"messages": messages})


def _openai_agents(reverie: Reverie, speaker: str | None) -> None:
    pytest.importorskip("agents")
    from reverie.adapters.openai_agents import ReverieSession

    items: list[Any] = [
        {"role": "user", "content": SAID},
        {"type": "function_call", "call_id": "c1", "name": "hours", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": FOUND},
    ]
    asyncio.run(ReverieSession("s1", reverie.agent(AGENT), speaker=speaker).add_items(items))


def _pydantic_ai(reverie: Reverie, speaker: str | None) -> None:
    pytest.importorskip("pydantic_ai")
    from pydantic_ai import Agent
    from pydantic_ai.models.test import TestModel

    from reverie.adapters.pydantic_ai import ReverieMemory

    def hours() -> str:
        return FOUND

    memory = ReverieMemory[None](reverie.agent(AGENT), tools=False, speaker=speaker)
    asyncio.run(Agent(TestModel(), tools=[hours], capabilities=[memory]).run(SAID))


def _llama_index(reverie: Reverie, speaker: str | None) -> None:
    pytest.importorskip("llama_index.core")
    from llama_index.core.base.llms.types import ChatMessage, MessageRole

    from reverie.adapters.llama_index import ReverieMemoryBlock

    tool = ChatMessage(role=MessageRole.TOOL, content=FOUND, additional_kwargs={"tool_call_id": "c1"})
    block = ReverieMemoryBlock(reverie.agent(AGENT), speaker=speaker)
    asyncio.run(block.aput([ChatMessage(role=MessageRole.USER, content=SAID), tool]))


def _adk(reverie: Reverie, speaker: str | None) -> None:
    pytest.importorskip("google.adk")
    from google.adk.events.event import Event
    from google.genai import types

    from reverie.adapters.adk import ReverieMemoryService

    result = types.Part.from_function_response(name="hours", response={"result": FOUND})
    events = [
        Event(id=author, author=author, content=types.Content(role="user", parts=[part]))
        for author, part in (("user", types.Part(text=SAID)), ("shop", result))
    ]
    named = None if speaker is None else lambda app, user: speaker if (app, user) == ("app", "anna") else app
    service = ReverieMemoryService(reverie, speaker=named)
    asyncio.run(service.add_events_to_memory(app_name="app", user_id="anna", events=events))


@pytest.mark.parametrize("speaker", [None, "Anna"])
@pytest.mark.parametrize("observed", [_langgraph, _openai_agents, _pydantic_ai, _llama_index, _adk])
def test_a_persons_word_is_captured_and_a_tools_is_not(
    reverie: Reverie, observed: Callable[[Reverie, str | None], None], speaker: str | None
) -> None:
    agent = reverie.agent(AGENT, principals=None if speaker is None else [speaker])
    observed(reverie, speaker)
    told = {one.source_trust.value for one in agent.episodes(roles="tool") if FOUND in one.content}
    assert told == {"external"}
    (memory,) = agent.memories()
    assert (memory.essence, memory.source_trust.value) == (SAID, "principal")
