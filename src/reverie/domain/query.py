"""What is asked of a bank, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Generic, TypeVar

from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory, State
from reverie.domain.message import Role
from reverie.domain.summary import Summary
from reverie.domain.trust import SourceTrust

Hit = TypeVar("Hit", covariant=True)


class Strategy(StrEnum):
    """How hits are ordered: by meaning, by words, by time, by topics and entities, or by all of them."""

    SEMANTIC = "semantic"
    LEXICAL = "lexical"
    TEMPORAL = "temporal"
    TOPIC = "topic"
    HYBRID = "hybrid"


@dataclass(frozen=True, kw_only=True, slots=True)
class Filter:
    """Which rows may answer at all. None and empty mean "any"; all that is given must hold.

    Of several tags, topics, entities, kinds, states, channels, roles, speakers or conversations one is
    enough; labels compare casefolded. ``since`` is inclusive and ``until`` exclusive; for memories they
    bound ``created_at``, for episodes ``time``. ``scope`` is a path: a memory passes if one of its globs
    matches, or if it has none and so holds everywhere; with ``scoped`` only what has globs passes at all.
    ``review``: only what waits for approval (True) or what doesn't (False).
    ``trusts``: only what such a source said; of lists, searches don't know it.
    ``min_confidence`` is compared after the fade of time. What nobody has judged passes no ``min_importance``.
    ``ids`` restricts to these ids (an empty set: nothing passes). Fields that a corpus lacks (kind of an episode,
    role of a memory …) must stay empty there; the services see to it.
    """

    kinds: frozenset[Kind] = frozenset()
    states: frozenset[State] = frozenset()
    include_superseded: bool = False
    scope: str | None = None
    scoped: bool = False
    tags: frozenset[str] = frozenset()
    topics: frozenset[str] = frozenset()
    entities: frozenset[str] = frozenset()
    since: datetime | None = None
    until: datetime | None = None
    conversations: frozenset[str] = frozenset()
    channels: frozenset[str] = frozenset()
    roles: frozenset[Role] = frozenset()
    speakers: frozenset[str] = frozenset()
    min_importance: float | None = None
    min_confidence: float | None = None
    review: bool | None = None
    trusts: frozenset[SourceTrust] = frozenset()
    ids: frozenset[str] | None = None


EVERYTHING = Filter(states=frozenset(State), include_superseded=True)


@dataclass(frozen=True, kw_only=True, slots=True)
class MemoryHit:
    """A memory that answers. ``terms`` are the score's summands by name, in the order of the table of
    weights, then what moved the hit among the others.

    ``score`` orders the hits of one query (strategy hybrid: the sum of ``terms``); ``relevance`` in [0, 1]
    compares across queries. ``memory`` is as it was believed at ``as_of`` where the recall asked for a past
    moment. ``explanation`` says the terms in words, where the recall was asked to explain. ``summary``: what the memory
    stands for where it is a summary (``expand`` gives it; deep recall finds it), else None.
    """

    memory: Memory
    score: float
    relevance: float
    terms: Mapping[str, float]
    refs: tuple[str, ...] = ()
    explanation: str | None = None
    summary: Summary | None = None

    @property
    def id(self) -> str:
        """The memory's id."""
        return self.memory.id

    @property
    def text(self) -> str:
        """The memory's essence."""
        return self.memory.essence


@dataclass(frozen=True, kw_only=True, slots=True)
class EpisodeHit:
    """An episode that answers; see MemoryHit for ``score``, ``relevance``, ``terms`` and ``explanation``."""

    episode: Episode
    score: float
    relevance: float
    terms: Mapping[str, float]
    explanation: str | None = None

    @property
    def id(self) -> str:
        """The episode's id."""
        return self.episode.id

    @property
    def ref(self) -> str | None:
        """The caller's own id of the message."""
        return self.episode.ref

    @property
    def text(self) -> str:
        """What was said."""
        return self.episode.content


@dataclass(frozen=True, kw_only=True, slots=True)
class Recall(Generic[Hit]):
    """The hits of one recall, best first, and what was done to find them.

    ``deep`` says that archived-and-superseded, inactive and summarized memories were searched too,
    ``fell_back`` that this was tried only because ordinary recall found nothing above the floor. ``tokens``
    is what the hits' texts cost by the counter used (0 where no ``max_tokens`` was given); ``left_out``
    counts hits that passed the floor but not ``limit`` or ``max_tokens``. ``words_only`` says that the embedder gave no
    vector for the question, so that it was asked by words alone (``strategy`` is lexical then).
    """

    hits: tuple[Hit, ...]
    query: str | None
    strategy: Strategy
    deep: bool = False
    fell_back: bool = False
    considered: int = 0
    below_floor: int = 0
    left_out: int = 0
    tokens: int = 0
    words_only: bool = False
