"""LocalMind: the default mind. What it can't see in words and vectors, it doesn't claim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reverie.domain.change import Proposal
from reverie.domain.emotion import Emotions
from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory
from reverie.domain.snippet import Extracted, Judgement, Reading, Snippet, Unjudged
from reverie.minds.local.compressing import compressed
from reverie.minds.local.consolidating import consolidated
from reverie.minds.local.extracting import Feeling, chosen, proposed, speakers_of, weighed
from reverie.minds.local.narrating import narrated
from reverie.minds.local.portraying import portrayed
from reverie.minds.local.vectors import Floats, MessageVectors
from reverie.ports.embedder import Embedder
from reverie.ports.mind import Familiar
from reverie.ports.night import Night
from reverie.rules.lasting import lasting
from reverie.rules.lessons import lesson_told
from reverie.rules.reading import importance_told, reading

_EDITION = "local/2"


class LocalMind:
    """Extracts, judges, consolidates and compresses by rules and vectors: deterministic, offline and free. Thread-safe.

    ``embedder`` is the bank's. ``feel`` judges the emotions of what is extracted; without it they stay not judged.
    ``floor``: of less importance than this, in [0, 1], nothing is proposed. Nothing is loaded before the first call.
    How it decides and what that gives: docs/why/extraction.md and docs/why/consolidation.md.
    """

    def __init__(self, embedder: Embedder, feel: Feeling | None = None, *, floor: float = 0.2) -> None:
        self._embedder = embedder
        self._feel = feel
        self._floor = floor
        self._messages = MessageVectors(embedder)

    @property
    def id(self) -> str:
        """Names the mind and its version."""
        return _EDITION

    @property
    def is_local(self) -> bool:
        """It is: nothing leaves this machine."""
        return True

    def extract(self, snippet: Snippet, familiar: Familiar) -> Sequence[Extracted]:
        """What the snippet's new messages state that is worth keeping, most important first."""
        found = weighed(snippet, familiar, self._embedder, self._messages, self._feel)
        speakers = speakers_of(snippet)
        return [proposed(one, importance, speakers) for one, importance in chosen(found, self._floor)]

    def judge(self, memories: Sequence[Unjudged]) -> Sequence[Judgement]:
        """A lesson by the kind's template, and the importance that the words alone promise."""
        told = [lasting(one.essence) for one in memories]
        return [
            Judgement(
                lesson=lesson_told(one.essence, one.kind, what, one.emotions),
                importance=importance_told(one.essence, what, one.emotions),
            )
            for one, what in zip(memories, told, strict=True)
        ]

    def read(
        self,
        messages: Sequence[Episode],
        vectors: Floats,  # noqa: ARG002  # words are enough
        felt: Sequence[Emotions | None],
    ) -> Sequence[Reading]:
        """Task type, tone and importance of messages, by their words."""
        return [reading(message, emotions) for message, emotions in zip(messages, felt, strict=True)]

    def compress(self, messages: Sequence[Episode], *, so_far: str | None, max_tokens: int) -> str:
        """The sentences that say most, in their order, with who said them and when."""
        return compressed(messages, so_far, max_tokens, embedder=self._embedder)

    def consolidate(self, night: Night) -> Proposal:
        """What the night's statements change in what is known; the same for the same night."""
        return consolidated(night, self._embedder, self._feel)

    def narrate(self, memories: Sequence[Memory], *, max_tokens: int, vectors: Floats | None = None) -> str:
        """Themes in order of time, with their most central statements."""
        return narrated(memories, max_tokens, embedder=self._embedder, vectors=vectors)

    def portray(self, memories: Mapping[Kind, Sequence[Memory]], *, max_tokens: int) -> Mapping[Kind, str]:
        """The surest memories of each kind, a line each."""
        return portrayed(memories, max_tokens, embedder=self._embedder)
