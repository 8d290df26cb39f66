"""An embedder that fails when it is told to, and the verbs as the agent's door calls them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reverie import Agent
from reverie.agent.base import Said
from reverie.domain.outcome import Observed, Remembered
from reverie.embedders.hashing import HashingEmbedder
from reverie.errors import EmbedderFailed


class Moody:
    """Feature hashing that fails while ``broken``, once it has been asked for so many texts more (``left``), or at the
    next so many calls (``failures``).
    """

    def __init__(self, dimensions: int = 384, name: str = "moody") -> None:
        self._inner = HashingEmbedder.for_tests(dimensions)
        self._name = name
        self.broken = False
        self.left: int | None = None
        self.failures = 0
        self.calls = 0

    @property
    def id(self) -> str:
        return f"{self._name}/{self._inner.dimensions}"

    @property
    def dimensions(self) -> int:
        return self._inner.dimensions

    @property
    def most_tokens(self) -> int:
        return self._inner.most_tokens

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if texts:
            self.calls += 1
            self._consider(len(texts))
        return self._inner.embed(texts)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        self.calls += 1
        self._consider(1)
        return self._inner.embed_query(text)

    def count_tokens(self, text: str) -> int:
        return self._inner.count_tokens(text)

    def _consider(self, texts: int) -> None:
        if self.left is not None:
            self.left -= texts
            self.broken = self.broken or self.left < 0
        self.failures -= 1
        if self.broken or self.failures >= 0:
            raise EmbedderFailed(self.id, "it has had enough")


def told(agent: Agent, *messages: Said, conversation: str = "chat", override: bool = False) -> Observed:
    """Return what observing these messages gives."""
    return agent.observe(messages, conversation=conversation, override=override)


def kept(agent: Agent, *essences: object, override: bool = False) -> tuple[Remembered, ...]:
    """Return what remembering these gives."""
    return tuple(agent.remember_many(essences, override=override))  # type: ignore[arg-type]


def flush(agent: Agent) -> tuple[int, int, int]:
    """Store what waits; return how many were stored, how many refused, and how many are left."""
    done = agent.jobs.flush()
    return done.stored, done.refused, done.left


def said(agent: Agent) -> list[str]:
    """What was said, in each conversation's order."""
    episodes = agent.episodes(limit=1000)
    return [one.content for one in sorted(episodes, key=lambda one: (one.conversation, one.position))]


def waiting(agent: Agent) -> int:
    """How many writes wait."""
    with agent._desk.store.read(agent.id) as unit:
        return unit.outbox.count()


def raw(agent: Agent) -> str:
    """All that waits, as it lies in the bank."""
    with agent._desk.store.read(agent.id) as unit:
        return " ".join(str(write.payload) for write in unit.outbox.list())
