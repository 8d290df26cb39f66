"""A life of sessions through extraction, as the memory loop goes through it: snippets of the last six messages, two of
them new, each against what has been kept so far.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC

import numpy as np
from numpy.typing import NDArray

from bench.realmem_data import Fact, Persona, Session
from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind
from reverie.domain.message import Message, Role
from reverie.domain.snippet import Extracted, Snippet
from reverie.domain.trust import SourceTrust
from reverie.ports.embedder import Embedder
from reverie.ports.mind import Familiar
from reverie.rules import dedupe

Vectors = NDArray[np.float32]
Extract = Callable[[Snippet, Familiar], Sequence[Extracted]]
MATCH = 0.70
"""Cosine from which an essence says what a gold memory of its session says."""
_SNIPPET, _NEW = 6, 2
_DUPLICATE = 0.92


@dataclass(kw_only=True, slots=True)
class Kept:
    """One memory that was made; ``sessions`` are those of its sources."""

    essence: str
    kind: Kind
    importance: float
    sessions: set[int]


@dataclass(kw_only=True, slots=True)
class Bank:
    """What has been kept so far. As ``remember`` does, a duplicate by cosine and guard adds its session to what it
    repeats.
    """

    embedder: Embedder
    kept: list[Kept] = field(default_factory=list)
    repeated: int = 0
    _vectors: Vectors | None = None

    @property
    def vectors(self) -> Vectors:
        """Of the memories, shape (n, dimensions)."""
        room = np.empty((0, self.embedder.dimensions), np.float32) if self._vectors is None else self._vectors
        return room[: len(self.kept)]

    def familiar(self, asked: Vectors) -> Sequence[float]:
        """The greatest cosine to a memory, for each; -1 where there is none."""
        if not self.kept:
            return [-1.0] * len(asked)
        best: list[float] = (asked @ self.vectors.T).max(axis=1).tolist()
        return best

    def add(self, session: int, essence: str, kind: Kind, importance: float) -> None:
        """Keeps it, or takes it for one that is there."""
        vector = self.embedder.embed([essence])[0]
        cosines = self.vectors @ vector
        for place in np.flatnonzero(cosines >= _DUPLICATE)[
            np.argsort(-cosines[cosines >= _DUPLICATE])
        ].tolist():
            known = self.kept[place]
            if dedupe.compatible(known.kind, kind) and dedupe.differs(known.essence, essence) is None:
                known.sessions.add(session)
                self.repeated += 1
                return
        room = self._vectors
        if room is None or len(room) == len(self.kept):
            grown = np.empty((max(256, 2 * len(self.kept)), self.embedder.dimensions), np.float32)
            grown[: len(self.kept)] = self.vectors
            self._vectors = room = grown
        room[len(self.kept)] = vector
        self.kept.append(Kept(essence=essence, kind=kind, importance=importance, sessions={session}))


def messages_of(persona: Persona, place: int) -> list[Episode]:
    """A session's messages. People have no name in the data ("User"), so they have none here."""
    found: list[Episode] = []
    for turn in persona.sessions[place].turns:
        if turn.message is not None:
            found.append(episode(turn.message, place, len(found)))
    return found


def episode(message: Message, session: int, position: int, *, named: bool = False) -> Episode:
    """A message as the bank would hold it; ``named`` whether its speaker's name is told."""
    assert message.time is not None and not isinstance(message.time, str)  # noqa: PT018  # the loader dates them
    return Episode(
        id=f"{session}:{position}", conversation=str(session), position=position, time=message.time,
        observed_at=message.time, channel="api", role=message.role,
        speaker=message.speaker if named else None, content=message.content,
        source_trust=SourceTrust.PRINCIPAL if message.role is Role.USER else SourceTrust.AGENT,
    )  # fmt: skip


def snippets(messages: Sequence[Episode]) -> Iterator[Snippet]:
    """The last six after every two new ones."""
    for end in range(_NEW, len(messages) + _NEW, _NEW):
        upto = min(end, len(messages))
        fresh = upto - (end - _NEW)
        if fresh > 0:
            yield Snippet(
                agent_id="", zone=UTC, messages=tuple(messages[max(0, upto - _SNIPPET) : upto]), fresh=fresh
            )


def lived(persona: Persona, extract: Extract, embedder: Embedder) -> Bank:
    """Everything that is kept of a life."""
    bank = Bank(embedder=embedder)
    for place in range(len(persona.sessions)):
        for snippet in snippets(messages_of(persona, place)):
            for one in extract(snippet, bank.familiar):
                bank.add(place, one.essence, one.kind, one.importance)
    return bank


@dataclass(frozen=True, kw_only=True, slots=True)
class Gold:
    """The gold memories of a life by session, with their vectors."""

    facts: tuple[Fact, ...]
    session_of: tuple[int, ...]
    vectors: Vectors

    @classmethod
    def of(cls, sessions: Sequence[Session], embedder: Embedder) -> Gold:
        """Those of the sessions."""
        pairs = [(fact, place) for place, session in enumerate(sessions) for fact in session.facts]
        return cls(
            facts=tuple(fact for fact, _ in pairs),
            session_of=tuple(place for _, place in pairs),
            vectors=embedder.embed([fact.text for fact, _ in pairs]),
        )

    def met(self, vectors: Vectors, sessions: Sequence[set[int]]) -> list[list[int]]:
        """For each essence the facts of its sessions that it says."""
        if not self.facts or not len(vectors):
            return [[] for _ in sessions]
        near = vectors @ self.vectors.T >= MATCH
        return [
            [fact for fact in np.flatnonzero(row).tolist() if self.session_of[fact] in where]
            for row, where in zip(near, sessions, strict=True)
        ]
