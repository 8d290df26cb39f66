"""WorkingMemory: one turn's context (s3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from reverie.domain.block import ContextBlock
from reverie.domain.episode import Episode
from reverie.domain.message import Message
from reverie.domain.query import MemoryHit


class Section(StrEnum):
    """A part of a window, in the order in which they stand."""

    SYSTEM = "system"
    SOUL = "soul"
    MEMORIES = "memories"
    SUMMARY = "summary"
    GOALS = "goals"
    JOBS = "jobs"
    EPISODES = "episodes"
    MESSAGES = "messages"


@dataclass(frozen=True, kw_only=True, slots=True)
class Turn:
    """A message as a chat API takes it. ``role``: user, assistant, system or tool. ``label`` names the speaker where
    the window is read as one text.
    """

    role: str
    content: str
    label: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Omitted:
    """What had its place in a part of the window and isn't there. ``item``: the id of a memory, an episode or a soul
    entry, or the place of what the caller gave, such as ``messages[0:40]``; ``reason`` says why, in words.
    """

    section: Section
    item: str
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class WorkingMemory:
    """All that a language model gets for one turn, within a budget.

    ``system_context``: the caller's prompt and the soul; ``block`` and ``recalled`` are the relevant memories, as text
    in ``relevant_memories``; ``summary`` stands for ``summarized`` messages before those in ``messages``, which are the
    recent ones in full, in their order. ``text`` is the window for a model that takes one text. ``token_count`` is what
    all of it takes, as ``text`` or as ``as_messages()``, whichever is more: at most ``budget``, the part of
    ``max_tokens`` that isn't kept free for the answer. ``section_tokens``: each part counted by itself, with its
    heading.
    """

    system_context: str
    relevant_memories: str
    block: ContextBlock
    recalled: tuple[MemoryHit, ...]
    summary: str | None
    summarized: int
    messages: tuple[Message, ...]
    goals: tuple[str, ...]
    jobs: tuple[str, ...]
    episodes: tuple[Episode, ...]
    system_message: str
    turns: tuple[Turn, ...]
    text: str
    token_count: int
    section_tokens: Mapping[Section, int]
    budget: int
    max_tokens: int
    left_out: tuple[Omitted, ...]

    def as_messages(self) -> list[dict[str, str]]:
        """Return the window for a chat API: one system message with all parts (none where there is nothing to say),
        then the recent messages.
        """
        head = [{"role": "system", "content": self.system_message}] if self.system_message else []
        return [*head, *({"role": turn.role, "content": turn.content} for turn in self.turns)]
