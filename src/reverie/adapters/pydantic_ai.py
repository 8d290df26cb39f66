"""A pydantic-ai capability: the context block before a run, tools during it, and what was said observed after it."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, Literal, cast

from reverie import Agent, AsyncAgent, Inserted, Queued, Reinforced, ReverieError
from reverie.adapters.agents import asynchronous, joined, searched, told
from reverie.domain.ids import checked_name
from reverie.errors.extras import install
from reverie.services.observe import signed

try:
    from pydantic_ai import FunctionToolset, RunContext
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.messages import InstructionPart, ModelMessage, SystemPromptPart
    from pydantic_ai.run import AgentRunResult
    from pydantic_ai.tools import AgentDepsT
except ImportError as error:
    raise ImportError(f"pydantic-ai is not installed: {install('pydantic-ai')}") from error

RECALL_TOKENS = 2_000
MOST_HITS = 10
_TOOLS = ("recall", "remember", "forget")
_log = logging.getLogger("reverie.adapters")


class ReverieMemory(AbstractCapability[AgentDepsT]):
    """Memory for a pydantic-ai agent: ``Agent(…, capabilities=[ReverieMemory(reverie.agent("mama"))])``.

    Each run starts with the context block for its prompt among the instructions, of at most ``max_tokens``
    (``Settings.context.tokens``), and ends with its messages observed, in ``conversation`` or in the run's own
    (``conversation_id``). Neither instructions nor system prompts nor calls of the memory tools are observed.
    ``tools=False`` leaves out the tools ``recall``, ``remember`` and ``forget``. ``speaker``: the person's name, for
    messages that have none.
    """

    def __init__(
        self, agent: Agent | AsyncAgent, *, conversation: str | None = None, max_tokens: int | None = None,
        tools: bool = True, id: str | None = None, speaker: str | None = None,
    ) -> None:  # fmt: skip
        self.id = id
        self._agent = asynchronous(agent)
        self._conversation = conversation
        self._max_tokens = max_tokens
        self._tools = tools
        self._speaker = None if speaker is None else checked_name(speaker, "speaker")
        self.block = ""

    @classmethod
    def get_serialization_name(cls) -> str | None:
        """Return None: an open bank stands in no file."""
        return None

    async def for_run(self, ctx: RunContext[AgentDepsT]) -> ReverieMemory[AgentDepsT]:
        """Return a copy that holds the context block of this run. Raise ReverieError where the bank can't be read."""
        run = copy(self)
        block = await self._agent.context(
            _task(ctx.prompt), max_tokens=self._max_tokens, conversation=self._where(ctx)
        )
        run.block = block.text
        return run

    def get_instructions(self) -> list[InstructionPart] | None:
        """Return the context block. It is dynamic: caches of what stands before it survive."""
        return [InstructionPart(self.block, dynamic=True)] if self.block else None

    def get_toolset(self) -> FunctionToolset[AgentDepsT] | None:
        """Return the memory tools."""
        if not self._tools:
            return None
        return FunctionToolset([self.recall, self.remember, self.forget], id=self.id)

    async def after_run(
        self, ctx: RunContext[AgentDepsT], *, result: AgentRunResult[Any]
    ) -> AgentRunResult[Any]:
        """Observe what was said. A failure is logged, since the run's answer must not be lost for it."""
        try:
            said = signed([*_said(result.new_messages())], self._speaker)
            await self._agent.observe(said, conversation=self._where(ctx))
        except ReverieError as error:
            _log.warning("a run was not observed: %s", type(error).__name__)
        return result

    async def recall(self, query: str) -> str:
        """Search long-term memory, for anything that an earlier conversation may have told.

        Args:
            query: what you want to know, as a question or keywords
        """
        try:
            hits = await searched(self._agent, query, limit=MOST_HITS)
        except ReverieError as error:
            return f"Not done: {error}"
        return told(hits, RECALL_TOKENS, lead=None if hits else "Nothing in memory answers.")

    async def remember(
        self,
        content: str,
        kind: Literal["fact", "preference", "decision", "policy", "workflow", "pitfall"] = "fact",
    ) -> str:
        """Keep one insight for later conversations: a fact, preference, decision or rule that will matter again.

        Args:
            content: one self-contained sentence
            kind: what it is
        """
        try:
            match await self._agent.remember(content, kind=kind):
                case Inserted(memory=memory):
                    return f"Kept as {memory.id}."
                case Reinforced(memory=memory):
                    return f"Known already as {memory.id}."
                case Queued(memory=memory):
                    return f"It waits as {memory.id}, and is kept once embedding works."
        except ReverieError as error:
            return f"Not done: {error}"

    async def forget(self, id: str) -> str:
        """Delete one memory for good, when the user asks for it.

        Args:
            id: the id that recall shows
        """
        try:
            await self._agent.forget(id)
        except ReverieError as error:
            return f"Not done: {error}"
        return f"Forgotten: {id}."

    def _where(self, ctx: RunContext[AgentDepsT]) -> str:
        return self._conversation or ctx.conversation_id or "main"


def _task(prompt: object) -> str | None:
    """Return the words of a run's prompt; None where it has none."""
    parts = [prompt] if isinstance(prompt, str) else prompt if isinstance(prompt, Sequence) else []
    return joined([str(getattr(part, "content", part)) for part in parts if _is_text(part)])


def _is_text(part: object) -> bool:
    return isinstance(part, str) or isinstance(getattr(part, "content", None), str)


def _said(messages: Sequence[ModelMessage]) -> Iterator[ModelMessage]:
    """Yield the messages without the developer's words and without what passed between the model and its memory."""
    for message in messages:
        parts: list[Any] = [
            part
            for part in message.parts
            if not isinstance(part, SystemPromptPart) and getattr(part, "tool_name", None) not in _TOOLS
        ]
        if parts:
            yield cast(ModelMessage, replace(cast(Any, message), parts=parts))
