"""Candidates straight from the database.

All that a process holds are postings (postings_cache.py), each of which the database is asked about before it is used,
and of each bank which embedder made its vectors and whether it had a graph. Each search compares that with what it
finds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from types import MappingProxyType

from reverie.domain.query import Filter
from reverie.domain.time import EPOCH
from reverie.ports.search import EpisodeCandidates, Floats, MemoryCandidates, Probe
from reverie.store.executor import Corpus
from reverie.store.postgres.candidates import episode_candidates, memory_candidates
from reverie.store.postgres.postings_cache import PostingsCache
from reverie.store.postgres.search_run import Readable, SearchRun, ViewState, head_of

_SPEAKERS = """SELECT speaker, sum(episodes)::bigint FROM participants WHERE agent_id = ?
GROUP BY speaker ORDER BY speaker"""
_MOST_ASSUMED = 10_000  # agents whose embedder is remembered


class PostgresSearch:
    """Views of banks; implements ``ports.search.Search``."""

    def __init__(self, store: Readable) -> None:
        self._store = store
        self._kept = PostingsCache()
        self._made_by: dict[str, tuple[str, int]] = {}
        self._large: set[tuple[str, Corpus]] = set()
        self._wide: set[tuple[str, Corpus, tuple[int, ...]]] = set()

    def view(self, agent_id: str) -> PostgresView:
        """Return the bank from now on. Costs a look at the agent's row where no question was put to it before."""
        assumed = self._made_by.get(agent_id)
        seen, embedder = (None, assumed) if assumed else head_of(self._store, agent_id)
        return PostgresView(
            agent_id=agent_id, store=self._store, kept=self._kept, seen=seen, embedder=embedder,
            made_by=self._made_by, large=self._large, wide=self._wide,
        )  # fmt: skip

    def close(self) -> None:
        """Drop everything that is held."""
        self._kept.clear()
        self._made_by.clear()
        self._large.clear()
        self._wide.clear()


class PostgresView(ViewState):
    """One agent's bank."""

    @cached_property
    def speakers(self) -> Mapping[str, int]:
        """Everyone who spoke in the bank's episodes, with how many of them, by name."""
        if self.embedder is None:  # nobody has written yet, or a copy is under way
            return MappingProxyType({})
        with self.store.reader(self.agent_id) as session:
            return MappingProxyType(dict(session.run(_SPEAKERS, (self.agent_id,))))

    def memories(self, probe: Probe) -> MemoryCandidates:
        """Return candidates among the memories; see ``ports.search``."""
        with self.store.reader(self.agent_id) as session:
            look = SearchRun(self, session, "memories", probe)
            found = memory_candidates(*look.candidates(), asked_about=probe.as_of or probe.now)
        self._assume(probe)
        return found

    def episodes(self, probe: Probe) -> EpisodeCandidates:
        """Return candidates among the episodes; ``as_of`` says nothing about what was said. See ``ports.search``."""
        with self.store.reader(self.agent_id) as session:
            look = SearchRun(self, session, "episodes", replace(probe, as_of=None))
            rows, lexical, held = look.candidates()
            found = episode_candidates(rows, lexical, held, look.context(rows))
        self._assume(probe)
        return found

    def nearest(
        self, vectors: Floats, *, filter: Filter, now: datetime, limit: int, least: float | None = None
    ) -> Sequence[Sequence[tuple[str, float]]]:
        """Return for each row of ``vectors`` the nearest current memories that pass; see ``ports.search``."""
        if self.embedder is None or limit < 1 or not len(vectors):
            return [[] for _ in vectors]
        with self.store.reader(self.agent_id) as session:
            look = SearchRun(self, session, "memories", Probe(filter=filter, now=now))
            return look.nearest_each(vectors, limit, least)

    def nearest_episodes(
        self, vectors: Floats, *, filter: Filter, limit: int, least: float | None = None
    ) -> Sequence[Sequence[tuple[str, float]]]:
        """Return for each row of ``vectors`` the nearest episodes that pass; see ``ports.search``."""
        if self.embedder is None or limit < 1 or not len(vectors):
            return [[] for _ in vectors]
        with self.store.reader(self.agent_id) as session:
            look = SearchRun(self, session, "episodes", Probe(filter=filter, now=EPOCH))
            found = look.nearest_each(vectors, limit, None)
        return [[one for one in some if least is None or one[1] >= least] for some in found]

    def _assume(self, probe: Probe) -> None:
        """Who asks with a vector has checked that it is of the bank's embedder."""
        if probe.vector is not None and self.embedder is not None and self.seen is not None:
            if len(self.made_by) >= _MOST_ASSUMED:
                self.made_by.clear()
            self.made_by[self.agent_id] = self.embedder
