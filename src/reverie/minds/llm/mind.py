"""LLMMind: the mind that asks a language model. What it answers is checked here and by whoever asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC

import numpy as np
from numpy.typing import NDArray

from reverie.domain.change import Proposal
from reverie.domain.emotion import Emotions
from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory
from reverie.domain.model_check import ModelCheck, Sends
from reverie.domain.snippet import Extracted, Judgement, Reading, Snippet, Unjudged
from reverie.errors import CapReached, MindFailed
from reverie.minds.llm import judging, portraying, sleeping, telling
from reverie.minds.llm.asking import Asker
from reverie.minds.llm.carrying import Embed
from reverie.minds.llm.checking import checked
from reverie.minds.llm.outgoing import Clean, Outgoing, Retell
from reverie.minds.llm.question import Answer, Answered, Question, shaped
from reverie.minds.llm.sleeping import LONG_ANSWER
from reverie.minds.nights import EXTRACTION, extracted_of, extraction_fault, prompt, snippet_asked
from reverie.ports.mind import Familiar, Mind
from reverie.ports.night import Night

_ANSWER = 4_096
"""Tokens of an answer at most."""


class LLMMind:
    """Thinks by a language model (``asker``), of what ``clean`` and ``retell`` leave of the bank's texts. Thread-safe.

    ``home`` is the mind of this machine: it reads messages as they are observed, which no model is asked about, and
    does what needs messages word for word where the model may not see them (``raw`` False and the model away).
    ``embed`` gives the bank's vectors, to which lines of a portrait are held. See ``docs/llm.md``.
    """

    def __init__(
        self,
        asker: Asker,
        home: Mind,
        *,
        clean: Clean,
        retell: Retell,
        embed: Embed,
        raw: bool = False,
    ) -> None:
        self._asker, self._home, self._embed = asker, home, embed
        self._here = asker.access.place.is_here
        self._raw = raw or self._here
        self._outgoing = Outgoing(clean=clean, retell=retell, raw=self._raw, here=self._here)

    @property
    def id(self) -> str:
        """Names the model, as llm/anthropic:claude-sonnet-5-5."""
        return self._asker.access.mind_id

    @property
    def is_local(self) -> bool:
        """Whether the model runs on this machine."""
        return self._here

    @property
    def teaches(self) -> bool:
        """It does."""
        return True

    def check(self) -> ModelCheck:
        """Return what one tiny question to the model shows. Raise CapReached."""
        sends: Sends = "everything" if self._here else "messages" if self._raw else "sentences"
        return checked(self._asker, sends)

    def extract(self, snippet: Snippet, familiar: Familiar) -> Sequence[Extracted]:
        """Return what is worth keeping (s1). Where the model may not see messages, the mind of this machine does it."""
        if not self._raw:
            return self._home.extract(snippet, familiar)
        asked = snippet_asked(snippet, self._outgoing)
        if not asked.text:
            return []
        question = shaped(prompt("extract"), asked.data, EXTRACTION, _ANSWER, extraction_fault)
        return extracted_of(self._background(question).answer, asked)

    def judge(self, memories: Sequence[Unjudged]) -> Sequence[Judgement | None]:
        """Lesson and importance. A lesson that names what its memory doesn't is left out; of what may not be seen the
        mind of this machine judges the importance.
        """
        texts = self._outgoing.memories(memories)
        shown = [place for place, text in enumerate(texts) if text]
        found: dict[int, Judgement | None] = {}
        for start in range(0, len(shown), judging.MOST):
            places = shown[start : start + judging.MOST]
            part = [memories[place] for place in places]
            question = judging.question(part, [texts[place] for place in places], LONG_ANSWER)
            answer = self._background(question).answer
            found |= zip(places, judging.judgements(answer, part), strict=True)
        rest = [place for place, text in enumerate(texts) if not text]
        if rest:
            found |= zip(rest, self._home.judge([memories[place] for place in rest]), strict=True)
        return [found[place] for place in range(len(memories))]

    def read(
        self, messages: Sequence[Episode], vectors: NDArray[np.float32], felt: Sequence[Emotions | None]
    ) -> Sequence[Reading]:
        """Return what stands in messages, as this machine's mind sees it: no model is asked about every message."""
        return self._home.read(messages, vectors, felt)

    def compress(self, messages: Sequence[Episode], *, so_far: str | None, max_tokens: int) -> str:
        """Return a summary without names, numbers and dates that the messages don't have. A model that may not see
        messages isn't asked: the mind of this machine does it.
        """
        if not self._raw:
            return self._home.compress(messages, so_far=so_far, max_tokens=max_tokens)
        asked = telling.conversation(messages, so_far, self._outgoing, UTC)
        answer = self._background(telling.compression(asked, max_tokens, _ANSWER)).answer
        return self._told(telling.compressed(answer, asked), max_tokens)

    def consolidate(self, night: Night) -> Proposal:
        """Return what the night teaches; what the sleep refuses of it, the model is asked about once more."""
        return sleeping.consolidated(self._asker, self._outgoing, night)

    def narrate(
        self, memories: Sequence[Memory], *, max_tokens: int, vectors: NDArray[np.float32] | None = None
    ) -> str:
        """Return a narrative without names, numbers and dates that the memories don't have; where it may see none of
        them, the mind of this machine tells it.
        """
        parts = list(telling.parts(memories, self._outgoing, self._asker.tokens))
        if memories and not parts:
            return self._home.narrate(memories, max_tokens=max_tokens, vectors=vectors)
        told: list[str] = []
        for part in parts:
            share = max_tokens // len(parts)
            answer = self._asker.ask(telling.narration(part, share, LONG_ANSWER)).answer
            told.append(self._told(telling.narrated(answer, part), share))
        return telling.fitting(told, max_tokens, self._asker.tokens)

    def portray(self, memories: Mapping[Kind, Sequence[Memory]], *, max_tokens: int) -> Mapping[Kind, str]:
        """Sections of which every line is carried by memories that it names; without one, MindFailed."""
        asked = portraying.asked(memories, self._outgoing, self._asker.tokens)
        if not asked.memories:
            return {}
        answer = self._asker.ask(
            portraying.question(asked, max_tokens, self._asker.tokens, LONG_ANSWER)
        ).answer
        found = portraying.portrayed(answer, asked, self._embed, max_tokens, self._asker.tokens)
        if not found:
            raise MindFailed(self.id, "no line of its portrait is carried by the memories that it names")
        return found

    def _told(self, sentences: Iterable[str], max_tokens: int) -> str:
        text = telling.fitting(sentences, max_tokens, self._asker.tokens)
        if not text:
            raise MindFailed(self.id, "no sentence of its text is carried by what it was given")
        return text

    def _background(self, question: Question[Answer]) -> Answered[Answer]:
        """For what never stops at a limit by itself: whoever asks goes on without."""
        try:
            return self._asker.ask(question)
        except CapReached as reached:
            raise MindFailed(self.id, str(reached)) from None
