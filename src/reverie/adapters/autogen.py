"""An AutoGen memory: what is added are memories of an agent, and each turn starts with its context block."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from reverie import Agent, AsyncAgent, InvalidInput, MemoryHit, NotFound
from reverie import Memory as Kept
from reverie.adapters.agents import asynchronous, joined
from reverie.errors.extras import install

try:
    from autogen_core import CancellationToken
    from autogen_core.memory import (
        Memory,
        MemoryContent,
        MemoryMimeType,
        MemoryQueryResult,
        UpdateContextResult,
    )
    from autogen_core.model_context import ChatCompletionContext
    from autogen_core.models import LLMMessage, SystemMessage, UserMessage
except ImportError as error:
    raise ImportError(f"AutoGen is not installed: {install('autogen')}") from error

Result = TypeVar("Result")

FIELDS = frozenset(
    {
        "confidence", "emotions", "entities", "importance", "kind", "lesson", "pinned", "priority", "scope", "tags",
        "time", "topics", "valid_from", "valid_to",
    }
)  # fmt: skip
"""What ``metadata`` of a content may say: parameters of ``Agent.remember``."""
_TEXTS = (MemoryMimeType.TEXT.value, MemoryMimeType.MARKDOWN.value)


class ReverieMemory(Memory):
    """Memory for an AutoGen agent: ``AssistantAgent(…, memory=[ReverieMemory(reverie.agent("mama"))])``.

    ``max_tokens``: of the context block (``Settings.context.tokens``). It can't be dumped as a component: an open bank,
    and its key, stand in no configuration.
    """

    def __init__(self, agent: Agent | AsyncAgent, *, max_tokens: int | None = None) -> None:
        self._agent = asynchronous(agent)
        self._max_tokens = max_tokens

    async def add(self, content: MemoryContent, cancellation_token: CancellationToken | None = None) -> None:
        """Remember a text, or an object as its JSON. Raise InvalidInput for anything else, and for metadata that are no
        parameters of ``remember``; Forgotten for what was forgotten on purpose.
        """
        given = content.metadata or {}
        for name in given:
            if name not in FIELDS:
                raise InvalidInput(
                    f"metadata.{name}", "no memory has such a field", f"use {', '.join(sorted(FIELDS))}"
                )
        await _until(cancellation_token, self._agent.remember(_text(content), **given))

    async def query(
        self, query: str | MemoryContent, cancellation_token: CancellationToken | None = None, **kwargs: Any
    ) -> MemoryQueryResult:
        """Return the memories that answer, best first, with ``id``, ``score`` (relevance in [0, 1]), ``kind`` and
        ``trust`` among their metadata. ``kwargs``: parameters of ``Agent.recall``. Raise InvalidInput.
        """
        asked = query if isinstance(query, str) else _text(query)
        found = await _until(cancellation_token, self._agent.recall(asked, **kwargs))
        return MemoryQueryResult(results=[_of_hit(hit) for hit in found.hits])

    async def update_context(self, model_context: ChatCompletionContext) -> UpdateContextResult:
        """Add the context block for the user's last message to the context, unless it stands there already, and return
        the memories in it. Raise InvalidInput.
        """
        messages = await model_context.get_messages()
        block = await self._agent.context(_task(messages), max_tokens=self._max_tokens)
        if block.text and not any(message.content == block.text for message in messages):
            await model_context.add_message(SystemMessage(content=block.text))
        entered = [
            MemoryContent(
                content=one.text,
                mime_type=MemoryMimeType.TEXT,
                metadata={"id": one.id, "layer": one.layer.value, "score": one.score},
            )
            for one in block.entered
        ]
        return UpdateContextResult(memories=MemoryQueryResult(results=entered))

    async def clear(self) -> None:
        """Forget every memory of the agent, for good. Conversations, soul and diary stay (``Agent.forget``)."""
        while page := await self._agent.memories(deep=True):
            for one in page:
                with suppress(NotFound):  # it went with another
                    await self._agent.forget(one.id)

    async def close(self) -> None:
        """Do nothing: who opened the bank closes it."""


def _text(content: MemoryContent) -> str:
    """Return the content as a text. Raise InvalidInput."""
    kind = content.mime_type
    mime = kind.value if isinstance(kind, MemoryMimeType) else kind
    if isinstance(content.content, str) and (mime in _TEXTS or mime == MemoryMimeType.JSON.value):
        return content.content
    if isinstance(content.content, dict) and mime == MemoryMimeType.JSON.value:
        try:
            return json.dumps(content.content, ensure_ascii=False)
        except (TypeError, ValueError):
            raise InvalidInput("content", "it is no JSON", "give text, numbers, lists or objects") from None
    problem = f"a {type(content.content).__name__} of type {mime} is no text"
    raise InvalidInput("content", problem, "give a text, Markdown or a JSON object")


def _of_hit(hit: MemoryHit) -> MemoryContent:
    memory: Kept = hit.memory
    more = {
        name: list(values) for name in ("tags", "topics", "entities") if (values := getattr(memory, name))
    }
    return MemoryContent(
        content=hit.text,
        mime_type=MemoryMimeType.TEXT,
        metadata={
            "id": hit.id, "score": hit.relevance, "kind": memory.kind.value, "trust": memory.source_trust.value,
            "created_at": memory.created_at.isoformat(), **more,
        },
    )  # fmt: skip


def _task(messages: list[LLMMessage]) -> str | None:
    """Return the words of the user's last message; None where there is none."""
    said = [message.content for message in messages if isinstance(message, UserMessage)]
    last = said[-1] if said else []
    return joined([part for part in ([last] if isinstance(last, str) else last) if isinstance(part, str)])


async def _until(token: CancellationToken | None, work: Coroutine[Any, Any, Result]) -> Result:
    """Await the work; stop waiting once the token is cancelled."""
    task = asyncio.ensure_future(work)
    if token is not None:
        token.link_future(task)
    return await task
