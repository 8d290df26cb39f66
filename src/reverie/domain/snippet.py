"""Snippet: what extraction reads, and what it gives back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import tzinfo

from reverie.domain.emotion import Emotions
from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind
from reverie.domain.memory import Quoted


@dataclass(frozen=True, kw_only=True, slots=True)
class Snippet:
    """The last messages of a conversation (s1: six).

    ``messages`` stand in the order of the conversation, and there is at least one; the last ``fresh`` of them (1 or
    more) no snippet held before, the others are there to be understood with. ``agent_id`` is whose memory it will be,
    ``zone`` its time zone: "yesterday" is read from a message's ``time`` in it.
    """

    agent_id: str
    zone: tzinfo
    messages: tuple[Episode, ...]
    fresh: int

    @property
    def new(self) -> tuple[Episode, ...]:
        """The messages that no snippet held before."""
        return self.messages[len(self.messages) - self.fresh :]


@dataclass(frozen=True, kw_only=True, slots=True)
class Extracted:
    """A memory that a mind proposes. Nothing in it is trusted: the service checks it, and refuses what is wrong.

    ``essence``: one factual statement in the third person that stands by itself: who is named, dates are absolute.
    ``sources``: ids of the snippet's messages that carry it, at least one. ``importance`` in [0, 1]; ``stated``
    whether it was said outright, or is inferred. ``emotions`` and ``lesson`` None: not judged.
    """

    essence: str
    kind: Kind
    importance: float
    sources: tuple[str, ...]
    stated: bool = True
    emotions: Emotions | None = None
    lesson: str | None = None
    topics: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    quoted: Quoted | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Unjudged:
    """A memory that was given without some of its dimensions, for a mind to judge them. ``sources``: ids of the
    episodes that it comes from.
    """

    essence: str
    kind: Kind
    emotions: Emotions | None = None
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Judgement:
    """What a mind judges of it. ``lesson``: what to do next time, grounded in the essence, or None where it has none to
    give; ``importance`` in [0, 1].
    """

    lesson: str | None
    importance: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """What a mind sees in one message when it is observed.

    ``task_type``: question, command, planning or casual (s3); ``emotional_tone``: the strongest emotion's label;
    ``importance`` in [0, 1]. Each None where the mind isn't sure.
    """

    task_type: str | None
    emotional_tone: str | None
    importance: float | None
