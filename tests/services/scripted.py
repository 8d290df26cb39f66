"""A mind that proposes what a test scripts, so that what the service makes of proposals can be told."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from reverie import Agent, Emotion, Episode, Kind, Reverie
from reverie.domain.change import Proposal
from reverie.domain.memory import Memory
from reverie.domain.snippet import Extracted, Judgement, Reading, Snippet, Unjudged
from reverie.ports.mind import Familiar
from reverie.ports.night import Night

FELT = (Emotion.JOY, Emotion.LOVE, Emotion.PRIDE)


def proposal(message: Episode, **changed: Any) -> Extracted:
    """A sound proposal that rests on this message and says what it says."""
    made = Extracted(
        essence=message.content, kind=Kind.FACT, importance=0.7, sources=(message.id,), emotions=FELT,
        lesson="Ask again",
    )  # fmt: skip
    return replace(made, **changed)


def each_new(snippet: Snippet) -> Sequence[Extracted]:
    """Every new message as a memory."""
    return [proposal(message) for message in snippet.new]


@dataclass
class Scripted:
    """Proposes what ``script`` says of a snippet; ``seen`` are the snippets so far, ``meanwhile`` happens before."""

    script: Callable[[Snippet], object] = each_new
    meanwhile: Callable[[], object] = lambda: None
    seen: list[Snippet] = field(default_factory=list)
    familiarity: list[float] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    id = "scripted/1"
    is_local = True
    teaches = True

    @property
    def read_contents(self) -> list[tuple[list[str], int]]:
        """Of each snippet its texts, and how many were new."""
        return [([one.content for one in snippet.messages], snippet.fresh) for snippet in self.seen]

    def extract(self, snippet: Snippet, familiar: Familiar) -> Any:
        with self.lock:
            self.seen.append(snippet)
            meanwhile, self.meanwhile = self.meanwhile, lambda: None
        meanwhile()
        vector = np.eye(1, 384, dtype=np.float32)
        self.familiarity.append(familiar(vector)[0])
        return self.script(snippet)

    def judge(self, memories: Sequence[Unjudged]) -> Sequence[Judgement]:
        return [Judgement(lesson="Judged", importance=0.5) for _ in memories]

    def read(self, messages: Sequence[Episode], vectors: Any, felt: Any) -> Sequence[Reading]:
        return [Reading(task_type=None, emotional_tone=None, importance=0.5) for _ in messages]

    def compress(self, messages: Sequence[Episode], *, so_far: str | None, max_tokens: int) -> str:
        return "compressed"

    def consolidate(self, night: Night) -> Proposal:
        return Proposal()

    def narrate(self, memories: Sequence[Memory], *, max_tokens: int, vectors: Any = None) -> str:
        return "narrated"

    def portray(self, memories: Mapping[Kind, Sequence[Memory]], *, max_tokens: int) -> Mapping[Kind, str]:
        return {}


def minded(reverie: Reverie, mind: Scripted | None) -> tuple[Reverie, Agent]:
    """The same bank with this mind, and its agent mama."""
    thinking = Reverie(replace(reverie._desk, mind=mind), actor="caller")
    return thinking, thinking.agent("mama")
