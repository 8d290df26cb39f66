"""A LlamaIndex memory block: what leaves the chat history is observed, and what bears on the next answer comes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from reverie import Agent, AsyncAgent, InvalidInput
from reverie.adapters.agents import asynchronous, estimated, searched, told
from reverie.domain.ids import checked_name
from reverie.errors.extras import install
from reverie.services.observe import signed

try:
    from llama_index.core.base.llms.types import ChatMessage, MessageRole
    from llama_index.core.memory import BaseMemoryBlock
    from pydantic import PrivateAttr
except ImportError as error:
    raise ImportError(f"llama-index is not installed: {install('llama-index')}") from error

MOST_HITS = 10
CONVERSATION = "main"
_ROLES = {MessageRole.CHATBOT: "assistant", MessageRole.MODEL: "assistant"}
_LEFT_OUT = ("thinking", "cache")
_MEDIA = ("image", "audio", "video", "document")


class ReverieMemoryBlock(BaseMemoryBlock[str]):
    """Memory in LlamaIndex's ``Memory.from_defaults(memory_blocks=[ReverieMemoryBlock(reverie.agent("mama"))])``.

    The block's content is the context block for the user's last message, of at most ``max_tokens`` and what the soul
    costs, and then what memory finds of earlier conversations, of at most ``max_tokens``. Messages that leave the chat
    history are observed, in ``conversation`` or in the session's own. ``speaker``: the person's name, for messages that
    have none.
    """

    name: str = "reverie"
    max_tokens: int = 800
    conversation: str | None = None
    speaker: str | None = None
    _agent: AsyncAgent = PrivateAttr()
    _made: tuple[str, str | None] | None = PrivateAttr(default=None)

    def __init__(self, agent: Agent | AsyncAgent, **fields: Any) -> None:
        super().__init__(**fields)
        self._agent = asynchronous(agent)
        if self.speaker is not None:
            checked_name(self.speaker, "speaker")

    async def _aget(
        self,
        messages: list[ChatMessage] | None = None,
        **block_kwargs: Any,  # noqa: ARG002  # LlamaIndex gives the session's id, which no search needs
    ) -> str:
        """Return what memory has for the user's last message. Raise InvalidInput."""
        said = [one.content or "" for one in messages or [] if one.role is MessageRole.USER]
        task = said[-1].strip() or None if said else None
        block = await self._agent.context(task, max_tokens=self.max_tokens)
        entered = {one.id for one in block.entered}
        hits = await searched(self._agent, task, limit=MOST_HITS) if task else []
        new = [hit for hit in hits if hit.id not in entered]
        content = "\n\n".join(text for text in (block.text, told(new, self.max_tokens)) if text)
        self._made = content, task
        return content

    async def _aput(self, messages: list[ChatMessage]) -> None:
        """Observe the messages. Raise InvalidInput for what no message of ours can hold."""
        by_session: dict[str, list[Mapping[str, Any]]] = {}
        for place, message in enumerate(messages):
            where = self.conversation or message.additional_kwargs.get("session_id") or CONVERSATION
            by_session.setdefault(where, []).append(_chat(message, f"messages[{place}]"))
        for where, chat in by_session.items():
            await self._agent.observe(signed(chat, self.speaker), conversation=where)

    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """Return the last content that was made, without so many tokens; None for another, and where nothing would be
        left. What earlier conversations said goes first, then whole memories.
        """
        made, left = self._made, estimated(content) - tokens_to_truncate
        if made is None or made[0] != content or left <= 0:
            return None
        block = await self._agent.context(made[1], max_tokens=min(left, self.max_tokens))
        return block.text if block.text and block.tokens <= left else None


def _chat(message: ChatMessage, at: str) -> Mapping[str, Any]:
    """Return the message as a chat API has it, which ``observe`` reads."""
    more = message.additional_kwargs
    parts = [part for block in message.blocks for part in _parts(block, at)]
    fields: dict[str, Any] = {"role": _ROLES.get(message.role, message.role.value), "content": parts}
    return fields | {name: more[name] for name in ("tool_call_id", "tool_calls", "name") if more.get(name)}


def _parts(block: Any, at: str) -> Sequence[Mapping[str, Any]]:
    kind = block.block_type
    if kind == "text":
        return [{"type": "text", "text": block.text}]
    if kind == "tool_call":
        return [
            {
                "type": kind,
                "id": block.tool_call_id,
                "name": block.tool_name,
                "args": block.tool_kwargs,
            }
        ]
    if kind == "citable":
        return [part for one in block.content for part in _parts(one, at)]
    if kind == "citation":
        return _parts(block.cited_content, at)
    if kind in _MEDIA:
        return [{"type": kind, "title": getattr(block, "title", None)}]
    if kind in _LEFT_OUT:
        return []
    raise InvalidInput(f"{at}.blocks", f"{kind} is no kind of block that is known", "leave it out")
