"""Memory: one durable insight, with its four dimensions, and the edges between memories."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from reverie.domain.emotion import Emotions
from reverie.domain.kinds import Kind, Priority
from reverie.domain.message import Role
from reverie.domain.trust import SourceTrust

MAX_ESSENCE_BYTES = 16_384
MAX_LESSON_BYTES = 16_384


class State(StrEnum):
    """Where a memory stands; see the table "States" in the docs."""

    ACTIVE = "active"
    ARCHIVED = "archived"
    INACTIVE = "inactive"
    SUMMARIZED = "summarized"


class Origin(StrEnum):
    """What made a memory."""

    COMMIT = "commit"
    LOOP = "loop"
    PATTERN = "pattern"
    SLEEP = "sleep"
    LINK = "link"
    IMPORT = "import"
    SELF_CARE = "self-care"


UNCONFIRMED = "unconfirmed"
"""What prompts and lists say of a memory whose wording waits for approval."""


HEARD = frozenset({Origin.LOOP, Origin.SLEEP})
"""What is read out of what was said, and not put down on purpose."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Quoted:
    """Where an essence stands word for word: who said it, when, and in answer to what.

    The essence is a run of sentences of the episode's content. ``answers``: the question that it answered, where there
    was one. ``dates``: words of the essence that name a time relative to ``at``, each with the day or the moment that
    they mean (ISO 8601, in the agent's zone).
    """

    episode: str
    role: Role
    speaker: str | None
    at: datetime
    answers: str | None = None
    dates: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Memory:
    """A memory as it stands.

    The four dimensions (s1): ``essence`` (factual, what is embedded), ``emotions`` (up to three labels, strongest
    first), ``importance`` in [0, 1], ``lesson`` (what to do next time). What nobody has judged yet is None.
    ``confidence`` is as written at ``confidence_at``, before the fade of time
    (``memory.decay.faded_confidence`` reads it); ``touches`` count recalls and never change a score;
    ``version`` counts wordings from 1. ``valid_from``/``valid_to`` say when it was true in the world (None:
    open); ``believed_from`` since when this wording has been believed. ``learned_from``: the agent whose memory it was,
    where it came by a neural link. ``quoted``: where the essence stands word for word, where nobody worded it anew.
    ``needs_review``: our checks doubt a model's wording; the memory instructs nobody until a person approves it.
    """

    id: str
    essence: str
    emotions: Emotions | None = None
    importance: float | None = None
    lesson: str | None = None
    kind: Kind
    priority: Priority
    confidence: float
    confidence_at: datetime
    scope: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    source_episodes: tuple[str, ...] = ()
    origin: Origin
    source_trust: SourceTrust
    pinned: bool = False
    state: State = State.ACTIVE
    superseded_by: str | None = None
    reinforcement_count: int = 1
    last_reinforced_at: datetime
    touches: int = 0
    last_touched_at: datetime | None = None
    version: int = 1
    created_at: datetime
    updated_at: datetime
    believed_from: datetime
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    learned_from: str | None = None
    quoted: Quoted | None = None
    needs_review: bool = False

    @property
    def mark(self) -> str:
        """What prompts and lists say of it beside its source; empty for nothing."""
        return UNCONFIRMED if self.needs_review else ""

    @property
    def fades_from(self) -> datetime:
        """Since when confidence fades: the later of the last reinforcement and the last writing of
        confidence.
        """
        return max(self.last_reinforced_at, self.confidence_at)


@dataclass(frozen=True, kw_only=True, slots=True)
class Version:
    """A wording that a Revise replaced: believed from ``believed_from`` until ``believed_to``."""

    memory_id: str
    version: int
    essence: str
    lesson: str | None
    believed_from: datetime
    believed_to: datetime
    valid_from: datetime | None
    valid_to: datetime | None


NEAR = "near"
SUPPORTS = "supports"
CONTRADICTS = "contradicts"
REFINES = "refines"
DERIVED_FROM = "derived-from"
MERGED = "merged"
"""From a memory to one that said the same and was merged into it."""
RELATIONS = frozenset({NEAR, SUPPORTS, CONTRADICTS, REFINES, DERIVED_FROM, MERGED})
"""The relations that are no mind's words."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Connection:
    """A typed edge from one memory to another; ``relation`` is one of the six above or a mind's words."""

    source: str
    target: str
    relation: str
    created_at: datetime
