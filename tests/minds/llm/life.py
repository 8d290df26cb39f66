"""A little of somebody's life, and a mind over a scripted model, for the tests of the asking mind."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models import Model
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.usage import RequestUsage

from reverie.domain.change import Spent
from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind, default_priority
from reverie.domain.llm import model_place
from reverie.domain.memory import Memory, Origin
from reverie.domain.message import Role
from reverie.domain.settings import Settings
from reverie.domain.trust import SourceTrust
from reverie.embedders.hashing import HashingEmbedder
from reverie.language.segments import sentences
from reverie.minds.llm import LLMMind
from reverie.minds.llm.access import Access
from reverie.minds.llm.asking import Asker
from reverie.minds.local import LocalMind
from reverie.ports.meter import Booking
from reverie.ports.night import Cluster, Night
from reverie.services.runtime.secrets import clean

NOW = datetime(2026, 11, 20, 22, tzinfo=UTC)
EMBEDDER = HashingEmbedder.for_tests()
SECRET = "-".join(("sk", "ant", "api03", "Zk3vQ9xLm2Tn8Rw5Yb7Hc1Jd4Fg6Ks0Pq"))  # nobody's
SAID = (
    "I moved to Berlin last week because my partner got a job there.",
    "The build fails on Friday evenings whenever nobody watches the cache.",
    "Actually I use Vue now, not React. My e-mail is anna.kovacs@example.com, call +36 20 123 4567.",
    f"My API key is {SECRET}, please keep it safe.",
    "Should we deploy the landing page tomorrow morning?",
)


def episode(place: int, text: str, **other: Any) -> Episode:
    """One of Anna's messages."""
    time = NOW - timedelta(hours=10) + timedelta(minutes=place)
    given: dict[str, Any] = {
        "id": f"episode-{place}", "conversation": "main", "position": place, "time": time, "observed_at": time,
        "channel": "terminal", "role": Role.USER, "speaker": "Anna", "content": text,
        "source_trust": SourceTrust.PRINCIPAL,
    }  # fmt: skip
    return Episode(**{**given, **other})


def retold(messages: Sequence[Episode], zone: tzinfo) -> Mapping[str, Sequence[str]]:
    """All sentences of each message: as if all were worth keeping."""
    return {one.id: [each.text for each in sentences(one.content)] for one in messages}


def memory(id: str, essence: str, kind: Kind = Kind.FACT, **other: Any) -> Memory:
    """A memory of a month ago."""
    time = NOW - timedelta(days=30)
    given: dict[str, Any] = {
        "id": id, "essence": essence, "kind": kind, "priority": default_priority(kind), "confidence": 0.9,
        "confidence_at": time, "origin": Origin.LOOP, "source_trust": SourceTrust.PRINCIPAL,
        "last_reinforced_at": time, "created_at": time, "updated_at": time, "believed_from": time,
    }  # fmt: skip
    return Memory(**{**given, **other})


KNOWN = (
    memory("memory-a", "Anna lives in Lisbon"),
    memory("memory-b", "Anna prefers React", Kind.PREFERENCE),
)


def night(texts: Sequence[str] = SAID, known: Sequence[Memory] = KNOWN, *, groups: int = 1) -> Night:
    """A night of these messages, in groups of the same size."""
    episodes = [episode(place, text) for place, text in enumerate(texts)]
    size = -(-len(episodes) // groups)
    clusters = [
        Cluster(
            episodes=tuple(part), vectors=EMBEDDER.embed([one.content for one in part]), earlier=(),
            earlier_vectors=EMBEDDER.embed([]), known=tuple(known),
            known_vectors=EMBEDDER.embed([one.essence for one in known]),
        )
        for part in (episodes[start : start + size] for start in range(0, len(episodes), size))
    ]  # fmt: skip
    return Night(agent_id="mama", zone=UTC, now=NOW, clusters=tuple(clusters))


@dataclass
class Counting:
    """A meter without limits that remembers."""

    booked: list[Spent] = field(default_factory=list)
    settled: list[Spent] = field(default_factory=list)

    def check(self, planned: Spent) -> None:
        """Lets everything pass."""

    def reserve(self, planned: Spent) -> Booking:
        """Notes it."""
        self.booked.append(planned)
        return Booking(minute=NOW, booked=planned)

    def settle(self, booking: Booking, actual: Spent) -> Spent:
        """Notes it."""
        self.settled.append(actual)
        return actual


@dataclass
class Scripted:
    """pydantic-ai's FunctionModel, a scripted model: it answers in turn, the last answer again and again. ``asked``
    is what it was sent.
    """

    answers: Sequence[str | Exception]
    asked: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    @asynccontextmanager
    async def connect(self, _access: Access) -> AsyncIterator[Model]:
        """Instead of a provider."""
        yield FunctionModel(self._answer)

    def _answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.asked.append(repr(messages))
        self.told.append(info.instructions or "")
        answer = self.answers[min(len(self.asked), len(self.answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return ModelResponse(
            parts=[TextPart(content=answer)], usage=RequestUsage(input_tokens=100, output_tokens=20)
        )


async def no_pause(_seconds: float) -> None:
    """Instead of waiting."""


def vectors(texts: Sequence[str]) -> NDArray[np.float32]:
    """The hashing embedder's."""
    return EMBEDDER.embed(list(texts))


def mind(
    script: Scripted | None = None, *, model: str = "anthropic:claude-test", url: str = "", key: str | None = None,
    meter: Any = None, seconds: float = 20.0, pause: Any = no_pause, raw: bool = False,
    chosen: Sequence[str] | None = None,
) -> LLMMind:  # fmt: skip
    """A mind over a scripted model, or over the real client of a provider whose server stands at ``url``. ``chosen``:
    the sentences that are worth keeping; None: all are.
    """

    def told(messages: Sequence[Episode], zone: tzinfo) -> Mapping[str, Sequence[str]]:
        found = retold(messages, zone)
        return {id: [text for text in some if chosen is None or text in chosen] for id, some in found.items()}

    access = Access(place=model_place(model, url), key=key, seconds=seconds)
    asker = Asker(
        access, meter or Counting(), lambda text: len(text.encode()) // 3 + 1,
        connect=None if script is None else script.connect, chance=lambda: 0.5, pause=pause,
    )  # fmt: skip
    secrets = replace(Settings(), privacy=replace(Settings().privacy, redact=True))
    return LLMMind(
        asker, LocalMind(EMBEDDER, floor=0.0), clean=lambda text: clean(secrets, text).text, retell=told,
        embed=vectors, raw=raw,
    )  # fmt: skip
