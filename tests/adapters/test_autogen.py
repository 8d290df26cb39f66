"""The memory by AutoGen's own protocol and model context."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from reverie import Agent, AsyncAgent, Forgotten, InvalidInput

pytest.importorskip("autogen_core")

from autogen_core import CancellationToken
from autogen_core.memory import MemoryContent, MemoryMimeType
from autogen_core.model_context import BufferedChatCompletionContext
from autogen_core.models import SystemMessage, UserMessage

from reverie.adapters.autogen import ReverieMemory


def content(value: Any, mime: MemoryMimeType | str = MemoryMimeType.TEXT, **metadata: Any) -> MemoryContent:
    return MemoryContent(content=value, mime_type=mime, metadata=metadata or None)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (
            content("Péter is allergic to peanuts", kind="fact", tags=["food"], importance=0.9),
            "Péter is allergic",
        ),
        (content("# Péter and peanuts", MemoryMimeType.MARKDOWN), "# Péter"),
        (content({"Péter": "peanuts"}, MemoryMimeType.JSON), '{"Péter": "peanuts"}'),
        (content('{"Péter": "peanuts"}', "application/json"), '{"Péter": "peanuts"}'),
    ],
)
def test_what_is_added_is_found(mama: Agent, given: MemoryContent, text: str) -> None:
    async def session() -> list[MemoryContent]:
        memory = ReverieMemory(AsyncAgent("mama", lambda: mama))
        await memory.add(given)
        await memory.add(content("The office closes at six"))
        return (await memory.query(content("Péter and peanuts?"), limit=1)).results

    [found] = asyncio.run(session())
    assert str(found.content).startswith(text)
    told = found.metadata or {}
    assert told["id"] == mama.memories()[0].id
    assert 0 < told["score"] <= 1
    assert {name: told[name] for name in given.metadata or {} if name != "importance"} == {
        name: value for name, value in (given.metadata or {}).items() if name != "importance"
    }


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (content(b"x", MemoryMimeType.BINARY), "content: a bytes of type application/octet-stream"),
        (content("x", MemoryMimeType.IMAGE), "content: a str of type image"),
        (content({"a": 1}), "content: a dict of type text/plain"),
        (content({"a": object()}, MemoryMimeType.JSON), "content: it is no JSON"),
        (content("x", source="web"), "metadata.source: no memory has such a field"),
        (content("x", importance=7), "importance"),
        (content(" "), "essence"),
    ],
)
def test_what_cannot_be_kept_is_refused(mama: Agent, given: MemoryContent, problem: str) -> None:
    with pytest.raises(InvalidInput, match=problem):
        asyncio.run(ReverieMemory(mama).add(given))
    assert not mama.memories()


def test_a_turn_gets_the_block_of_its_message_once(mama: Agent) -> None:
    rule = mama.remember("Never commit secrets", kind="policy").memory.id
    context = BufferedChatCompletionContext(buffer_size=10)

    async def session() -> list[list[str]]:
        memory = ReverieMemory(mama)
        assert (await ReverieMemory(mama).update_context(context)).memories.results[0].content
        await context.clear()
        await context.add_message(UserMessage(content=["Push the release", "now"], source="user"))
        turns = [await memory.update_context(context) for _ in range(2)]
        return [[(one.metadata or {})["id"] for one in turn.memories.results] for turn in turns]

    assert asyncio.run(session()) == [[rule], [rule]]
    said, block = asyncio.run(context.get_messages())
    assert isinstance(said, UserMessage)
    assert isinstance(block, SystemMessage)
    assert "Never commit secrets" in block.content


def test_an_empty_bank_adds_nothing(mama: Agent) -> None:
    context = BufferedChatCompletionContext(buffer_size=10)
    assert not asyncio.run(ReverieMemory(mama).update_context(context)).memories.results
    assert not asyncio.run(context.get_messages())


def test_clear_forgets_the_memories_and_nothing_else(mama: Agent) -> None:
    mama.observe("I said so", conversation="chat")
    mama.soul.add("I am kind")
    for place in range(3):
        mama.remember(f"Number {place}{place} is on the list")
    memory = ReverieMemory(mama)
    asyncio.run(memory.clear())
    assert not mama.memories(deep=True)
    assert len(mama.episodes()) == len(mama.soul.list()) == 1
    with pytest.raises(Forgotten):
        asyncio.run(memory.add(content("Number 11 is on the list")))
    asyncio.run(memory.close())
    assert mama.episodes()


def test_a_cancelled_token_stops_the_waiting(mama: Agent) -> None:
    token = CancellationToken()
    token.cancel()
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(ReverieMemory(mama).query("tea", token))


def test_no_configuration_holds_a_bank(mama: Agent) -> None:
    with pytest.raises(NotImplementedError):
        ReverieMemory(mama).dump_component()
