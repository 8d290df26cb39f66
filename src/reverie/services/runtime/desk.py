"""The desk that every service works at: the ports and callables that wiring chose."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from time import monotonic, sleep
from typing import Concatenate, ParamSpec, TypeVar
from zoneinfo import ZoneInfo

from reverie.domain.agent import Agent
from reverie.domain.emotion import Emotion, Emotions
from reverie.domain.ids import Ids
from reverie.domain.settings import Settings
from reverie.domain.time import Clock, zone_of
from reverie.errors import EmbedderFailed, EmbedderMismatch, InvalidInput, Unreachable
from reverie.language import query_terms
from reverie.memory.prompt import estimated_tokens
from reverie.ports.embedder import Embedder
from reverie.ports.host import HostMind
from reverie.ports.judges import Judges
from reverie.ports.mind import Mind
from reverie.ports.search import Floats, Search
from reverie.ports.soulfile import SoulFile
from reverie.ports.store import Store, Unit
from reverie.ports.transfer import half_copied
from reverie.services.runtime.dirty_agents import DirtyAgents
from reverie.services.runtime.touches import Touches
from reverie.services.runtime.waiting import Waiting

Given = ParamSpec("Given")
Result = TypeVar("Result")
_PAUSE_SECONDS = 0.2

_log = logging.getLogger("reverie.embedder")

Feel = Callable[[Sequence[str], Floats | None], Sequence[Emotions]]
"""Judges texts by themselves: up to three labels each, strongest first. The vectors are the bank's embedder's, shape
(n, dimensions), None where there are none yet. Deterministic and thread-safe; a text has the same labels alone and
among others.
"""

Mood = Callable[[Sequence[str], Floats | None], Sequence[tuple[Emotion, ...]]]
"""What texts plainly show, strongest first, often nothing; otherwise as Feel."""

Progress = Callable[[int, int], None]
"""Called with how many are done and how many there are."""


def thinking_mind(desk: Desk, purpose: str) -> Mind:
    """Return the mind. Raise InvalidInput where there is none."""
    if desk.mind is None:
        raise InvalidInput(
            "Settings.mind", "it is none: nobody thinks here", f"open the bank with a mind {purpose}"
        )
    return desk.mind


def placed(many: str, place: int, count: int) -> str:
    """Return how an error names an item of a batch: ``memories[3].``; nothing where the batch is a single item."""
    return f"{many}[{place}]." if count > 1 else ""


def read_again(
    verb: Callable[Concatenate[Desk, Given], Result],
) -> Callable[Concatenate[Desk, Given], Result]:
    """For what only reads: where the server went away in the middle of it, it is done again from the beginning, for
    as long as a writer would wait (``Settings.store.busy_timeout``). Writes have ``Store.transact``.
    """

    @wraps(verb)
    def again(desk: Desk, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        until = monotonic() + desk.settings.store.busy_timeout
        while True:
            try:
                return verb(desk, *args, **kwargs)
            except Unreachable:
                if monotonic() + _PAUSE_SECONDS >= until:
                    raise
            sleep(_PAUSE_SECONDS)

    return again


class LastQuestion:
    """The vector of the question that was asked last, since one question is asked of memories and then of messages. It
    is known by its hash: no text is held.
    """

    def __init__(self) -> None:
        self._kept: tuple[bytes, Floats] | None = None

    def vector(self, question: str, embedder: Embedder) -> Floats:
        """Return it, or the embedder's. Raise EmbedderFailed."""
        asked = f"{embedder.id}\0{question}".encode("utf-8", "surrogatepass")
        mark = hashlib.blake2b(asked, digest_size=16).digest()
        kept = self._kept
        if kept is None or kept[0] != mark:
            kept = self._kept = (mark, embedder.embed_query(question))
        return kept[1]


@dataclass(frozen=True, kw_only=True, slots=True)
class Desk:
    """What a service needs; nothing here is a concrete engine's."""

    store: Store
    search: Search
    embedder: Embedder
    clock: Clock
    ids: Ids
    secret: Callable[[], bytes]
    settings: Settings
    touches: Touches
    judges: Judges
    host: HostMind
    """How the model that the agent runs on is asked."""
    feel: Feel | None = None
    """None: nobody judges emotions here."""
    mood: Mood | None = None
    mind: Mind | None = None
    """None: nobody thinks here: nothing is extracted, judged or compressed."""
    home: Mind | None = None
    """A mind of this machine beside a ``mind`` that is a language model: for what must not leave the machine, and for
    what must be quick. None: there is none beside.
    """
    soul_file: SoulFile | None = None
    """None: the self-portrait lies in the bank alone."""
    stops: Callable[[], Mapping[str, Collection[str]]] | None = None
    """Stop words of other languages, as ``query_terms`` takes them. None: questions are read as English."""
    dirty: DirtyAgents = field(default_factory=DirtyAgents)
    waiting: Waiting = field(default_factory=Waiting)
    last_question: LastQuestion = field(default_factory=LastQuestion)

    @property
    def reader(self) -> Mind | None:
        """The mind that may read what was said, word for word: one on this machine, or any with
        ``Settings.llm.send_raw``; else ``home``.
        """
        if self.mind is None or self.mind.is_local or self.settings.llm.send_raw:
            return self.mind
        return self.home

    @property
    def quick(self) -> Mind | None:
        """The mind of this machine that may be asked at every write, every message and in housekeeping: never a
        language model, where there is another.
        """
        return self.home or (self.mind if self.mind is not None and self.mind.is_local else None)

    def felt(self, texts: Sequence[str], vectors: Floats | None) -> Sequence[Emotions | None]:
        """Return the emotions of texts; None for each where nobody judges."""
        return [None] * len(texts) if self.feel is None else self.feel(texts, vectors)

    def mood_of(self, text: str, vector: Floats | None) -> tuple[Emotion, ...]:
        """Return the emotions that a question plainly shows; ``vector`` is its own, shape (dimensions,), or None."""
        if self.mood is None:
            return ()
        return self.mood([text], None if vector is None else vector[None])[0]

    def vector_of(self, question: str) -> Floats | None:
        """Return the vector of a question, shape (dimensions,); None where the embedder fails, and words alone must
        do.
        """
        try:
            return self.last_question.vector(question, self.embedder)
        except EmbedderFailed as error:
            _log.warning("a question is asked by words alone: %s", error)
            return None

    def terms_of(self, question: str, without: Collection[str] = ()) -> tuple[str, ...]:
        """Return the terms that a question is searched by, without these names."""
        return tuple(query_terms(question, without, self.stops and self.stops()))

    def tokens(self, text: str, enough: int | None = None) -> int:
        """Return what a text costs, by the built-in estimate."""
        return estimated_tokens(text, self.embedder.count_tokens, enough=enough)

    @read_again
    def zone(self, agent_id: str) -> ZoneInfo:
        """Return the agent's time zone; UTC for one that has never written."""
        with self.store.read(agent_id) as unit:
            agent = unit.agents.get()
        return zone_of(agent.time_zone if agent else "UTC")

    def check_embedder(self, agent_id: str, known: tuple[str, int] | None) -> None:
        """Raise EmbedderMismatch if the bank's vectors are another embedder's."""
        if known is not None and known != (self.embedder.id, self.embedder.dimensions):
            raise EmbedderMismatch(agent_id, known[0], self.embedder.id)

    @contextmanager
    def reading(self, agent_id: str) -> Iterator[Unit]:
        """Give a unit that reads, for verbs that list. Raise StoreError for an agent that is half copied."""
        with self.store.read(agent_id) as unit:
            if unit.transfer.under_way() is not None:
                raise half_copied(agent_id)
            yield unit

    def begin(self, unit: Unit, agent_id: str) -> Agent:
        """At the start of a write that stores vectors: the agent's row is there and the embedder is the
        bank's.
        """
        agent = unit.agents.get()
        if agent is None:
            agent = Agent(id=agent_id, created_at=self.clock())
            unit.agents.put(agent, self.secret())
        known = unit.agents.embedder()
        self.check_embedder(agent_id, known)
        if known is None:
            unit.agents.set_embedder(self.embedder.id, self.embedder.dimensions)
        return agent
