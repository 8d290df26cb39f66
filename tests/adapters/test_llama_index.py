"""The block in LlamaIndex's own ``Memory``, with its SQLite chat store in memory."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from reverie import Agent, AsyncAgent, InvalidInput

pytest.importorskip("llama_index.core")

from llama_index.core.base.llms.types import (
    ChatMessage,
    CitableBlock,
    ImageBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
)
from llama_index.core.memory import Memory

from reverie.adapters.llama_index import ReverieMemoryBlock


def words(mama: Agent, where: str) -> list[tuple[str, str]]:
    return [(one.role.value, one.content) for one in mama.episodes(conversations=where)]


def memory(block: ReverieMemoryBlock, **given: Any) -> Memory:
    return Memory.from_defaults(session_id="chat-1", memory_blocks=[block], tokenizer_fn=str.split, **given)


def test_what_leaves_the_history_is_observed_and_comes_back(mama: Agent) -> None:
    mama.remember("Never commit secrets", kind="policy")

    async def session() -> list[ChatMessage]:
        short = memory(
            ReverieMemoryBlock(mama), token_limit=12, token_flush_size=1, chat_history_token_ratio=1.0
        )
        for role, text in (
            ("user", "The blue bicycle stands in the cellar"),
            ("assistant", "Noted."),
            ("user", "Where is the blue bicycle of mine?"),
        ):
            await short.aput(ChatMessage(role=role, content=text))
        history = await short.aget()
        await short.sql_store._async_engine.dispose()  # type: ignore[attr-defined]
        return history

    history = asyncio.run(session())
    assert words(mama, "chat-1") == [("user", "The blue bicycle stands in the cellar"), ("agent", "Noted.")]
    assert [one.role.value for one in history] == ["system", "user"]
    assert "<reverie>" in str(history[0].content)
    assert "Never commit secrets" in str(history[0].content)
    assert "stands in the cellar" in str(history[0].content)


def test_every_kind_of_block_is_read(mama: Agent) -> None:
    messages = [
        ChatMessage(role="model", blocks=[ThinkingBlock(content="hm"), TextBlock(text="Look"), ToolCallBlock(
            tool_call_id="c1", tool_name="find", tool_kwargs={"a": 1}
        )]),
        ChatMessage(role="tool", content="ok", additional_kwargs={"tool_call_id": "c1", "name": "find"}),
        ChatMessage(role="user", blocks=[ImageBlock(image=b"x"), CitableBlock(
            title="t", source="s", content=[TextBlock(text="from a page")]
        )]),
        ChatMessage(role="assistant", blocks=[ThinkingBlock(content="hm")]),
    ]  # fmt: skip
    asyncio.run(ReverieMemoryBlock(mama, conversation="chat").aput(messages, session_id="other"))
    assert words(mama, "chat") == [
        ("agent", "Look"), ("tool", 'find({"a": 1})'), ("tool", "ok"), ("user", "[image]\nfrom a page"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("messages", "kept"),
    [
        (None, "Never commit secrets"),
        ([], "Never commit secrets"),
        ([ChatMessage(role="user", content=" ")], "Never commit secrets"),
        (
            [ChatMessage(role="user", content="secrets?"), ChatMessage(role="assistant", content="hm")],
            "secrets",
        ),
    ],
)
def test_rules_stand_in_the_block_whatever_was_said(
    mama: Agent, messages: list[ChatMessage] | None, kept: str
) -> None:
    mama.remember("Never commit secrets", kind="policy")
    block = ReverieMemoryBlock(AsyncAgent("mama", lambda: mama))
    assert kept in asyncio.run(block.aget(messages, session_id="s"))


@pytest.fixture
def full(mama: Agent) -> tuple[ReverieMemoryBlock, str]:
    for place in range(8):
        mama.remember(f"Rule {place}: never use port {place}{place}{place}", kind="policy")
    block = ReverieMemoryBlock(mama)
    return block, asyncio.run(block.aget([ChatMessage(role="user", content="port")]))


def test_truncating_leaves_whole_memories(full: tuple[ReverieMemoryBlock, str]) -> None:
    block, content = full
    shorter = asyncio.run(block.atruncate(content, len(content) // 6))
    assert shorter
    assert len(shorter) <= len(content) * 2 / 3
    assert set(shorter.splitlines()[:-1]) < set(
        content.splitlines()
    )  # the last line is the marker with its digest
    assert asyncio.run(block.atruncate(content, len(content))) is None
    assert asyncio.run(block.atruncate("of another session", 1)) is None


def test_an_unknown_block_is_refused_by_its_place(mama: Agent) -> None:
    class Hologram:
        block_type = "hologram"

    message = ChatMessage(role="user", content="x")
    message.blocks.append(Hologram())  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match=r"messages\[0\].blocks: hologram"):
        asyncio.run(ReverieMemoryBlock(mama).aput([message]))
    assert not mama.episodes()
