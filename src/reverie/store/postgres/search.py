"""PostgresSearch: candidates straight from the database.

All that a process holds are postings (kept.py), each of which the database is asked about before it is used, and of
each bank which embedder made its vectors and whether it had a graph, which each search compares with what it finds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from types import MappingProxyType
from typing import Any, Protocol

from reverie.domain.query import Filter
from reverie.domain.time import EPOCH
from reverie.errors import EmbedderMismatch
from reverie.ports.search import EpisodeCandidates, Floats, MemoryCandidates, Probe
from reverie.store.executor import Corpus
from reverie.store.postgres import words
from reverie.store.postgres.candidates import episode_candidates, memory_candidates
from reverie.store.postgres.kept import Kept
from reverie.store.postgres.look import Look
from reverie.store.postgres.session import Session


class Readable(Protocol):
    """What search needs of a store."""

    def reader(self, agent_id: str | None) -> AbstractContextManager[Session]:
        """A transaction that reads one agent's bank."""
        ...

    def second(self, agent_id: str) -> AbstractContextManager[Session | None]:
        """Another transaction for who reads in one, over a connection that is at hand; None where none is."""
        ...

    def glance(self, agent_id: str, sql: str, params: Sequence[object]) -> Sequence[Any]:
        """The rows of one statement over one agent's bank, for less than a transaction of ``reader`` costs."""
        ...

    def look_after(self, agent_id: str, corpus: Corpus) -> None:
        """Sees to it that a large bank's rows are taken into the approximate index."""
        ...


_HEAD = "SELECT rev, embedder, dimensions FROM agents WHERE id = ?"
_SPEAKERS = """SELECT speaker, sum(episodes)::bigint FROM participants WHERE agent_id = ?
GROUP BY speaker ORDER BY speaker"""
_MOST_ASSUMED = 10_000  # agents whose embedder is remembered


class PostgresSearch:
    """Views of banks; implements ``ports.search.Search``."""

    def __init__(self, store: Readable) -> None:
        self._store = store
        self._kept = Kept()
        self._made_by: dict[str, tuple[str, int]] = {}
        self._large: set[tuple[str, Corpus]] = set()

    def view(self, agent_id: str) -> PostgresView:
        """The bank from now on. Costs a look at the agent's row where no question was put to it before."""
        assumed = self._made_by.get(agent_id)
        seen, embedder = (None, assumed) if assumed else _head(self._store, agent_id)
        return PostgresView(
            agent_id=agent_id, store=self._store, kept=self._kept, seen=seen, embedder=embedder,
            made_by=self._made_by, large=self._large,
        )  # fmt: skip

    def close(self) -> None:
        """Lets go of all that is held."""
        self._kept.clear()
        self._made_by.clear()
        self._large.clear()


def _head(store: Readable, agent_id: str) -> tuple[int, tuple[str, int] | None]:
    """The bank's revision, and whose vectors it holds."""
    rows = store.glance(agent_id, _HEAD, (agent_id,))
    rev, embedder, dimensions = rows[0] if rows else (0, None, None)
    return rev, (embedder, dimensions) if embedder is not None and dimensions else None


@dataclass(frozen=True, kw_only=True, eq=False)
class PostgresView:
    """One agent's bank. Each call answers from one state of it, that of ``rev`` or a later one.

    Where nobody looked at the agent's row (``seen``, its revision, is None), ``embedder`` is what the bank's was when
    this process last put a question to it that it had embedded (``made_by``, by agent). A call that finds another
    raises EmbedderMismatch.
    """

    agent_id: str
    store: Readable = field(repr=False)
    kept: Kept = field(repr=False)
    seen: int | None
    embedder: tuple[str, int] | None
    made_by: dict[str, tuple[str, int]] = field(repr=False)
    large: set[tuple[str, Corpus]] = field(repr=False)
    """Which corpora had a graph when this process last asked: most likely they have one now."""

    @cached_property
    def rev(self) -> int:
        """The revision that it shows at least."""
        return _head(self.store, self.agent_id)[0] if self.seen is None else self.seen

    @cached_property
    def speakers(self) -> Mapping[str, int]:
        """Everyone who spoke in the bank's episodes, with how many of them, by name."""
        if self.embedder is None:  # nobody has written yet, or a copy is under way
            return MappingProxyType({})
        with self.store.reader(self.agent_id) as session:
            return MappingProxyType(dict(session.run(_SPEAKERS, (self.agent_id,))))

    def memories(self, probe: Probe) -> MemoryCandidates:
        """Candidates among the memories; see ``ports.search``."""
        with self.store.reader(self.agent_id) as session:
            look = Look(self, session, "memories", probe)
            found = memory_candidates(*look.candidates(), asked_about=probe.as_of or probe.now)
        self._assume(probe)
        return found

    def episodes(self, probe: Probe) -> EpisodeCandidates:
        """Candidates among the episodes; ``as_of`` says nothing about what was said. See ``ports.search``."""
        with self.store.reader(self.agent_id) as session:
            look = Look(self, session, "episodes", replace(probe, as_of=None))
            rows, lexical, held = look.candidates()
            found = episode_candidates(rows, lexical, held, look.context(rows))
        self._assume(probe)
        return found

    def begin_memories(self, probe: Probe) -> Callable[[Floats], MemoryCandidates]:
        """See ``ports.search``. Everything waits for the vector: the server is asked once."""
        return lambda vector: self.memories(replace(probe, vector=vector))

    def begin_episodes(self, probe: Probe) -> Callable[[Floats], EpisodeCandidates]:
        """See ``begin_memories``."""
        return lambda vector: self.episodes(replace(probe, vector=vector))

    def nearest(
        self, vectors: Floats, *, filter: Filter, now: datetime, limit: int, least: float | None = None
    ) -> Sequence[Sequence[tuple[str, float]]]:
        """For each row of ``vectors`` the nearest current memories that pass; see ``ports.search``."""
        if self.embedder is None or limit < 1 or not len(vectors):
            return [[] for _ in vectors]
        with self.store.reader(self.agent_id) as session:
            look = Look(self, session, "memories", Probe(filter=filter, now=now))
            return look.nearest_each(vectors, limit, least)

    def nearest_episodes(
        self, vectors: Floats, *, filter: Filter, limit: int, least: float | None = None
    ) -> Sequence[Sequence[tuple[str, float]]]:
        """For each row of ``vectors`` the nearest episodes that pass; see ``ports.search``."""
        if self.embedder is None or limit < 1 or not len(vectors):
            return [[] for _ in vectors]
        with self.store.reader(self.agent_id) as session:
            look = Look(self, session, "episodes", Probe(filter=filter, now=EPOCH))
            found = look.nearest_each(vectors, limit, None)
        return [[one for one in some if least is None or one[1] >= least] for some in found]

    def embedder_in(self, found: words.Statistics) -> tuple[str, int] | None:
        """The embedder in a transaction that found this. Raises EmbedderMismatch where another was assumed."""
        if self.seen is not None:
            return self.embedder
        self.__dict__.setdefault("rev", found.rev)  # of the first call, unless somebody asked before
        if found.embedder != self.embedder:
            self.made_by.pop(self.agent_id, None)
            if found.embedder is not None and self.embedder is not None:
                raise EmbedderMismatch(self.agent_id, found.embedder[0], self.embedder[0])
        return found.embedder

    def _assume(self, probe: Probe) -> None:
        """Who asks with a vector has checked that it is of the bank's embedder."""
        if probe.vector is not None and self.embedder is not None and self.seen is not None:
            if len(self.made_by) >= _MOST_ASSUMED:
                self.made_by.clear()
            self.made_by[self.agent_id] = self.embedder
