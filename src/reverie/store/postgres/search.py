"""PostgresSearch: candidates straight from the database. Nothing is held in the process, so nothing goes stale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from types import MappingProxyType
from typing import Protocol

import numpy as np

from reverie.domain.query import Filter
from reverie.ports.search import EpisodeCandidates, Floats, Ints, MemoryCandidates, Probe
from reverie.store.executor import Corpus
from reverie.store.postgres import near, words
from reverie.store.postgres.candidates import (
    COSINE,
    NO_COSINE,
    Row,
    columns,
    episode_candidates,
    labels_held,
    memory_candidates,
    row,
)
from reverie.store.postgres.filters import conditions, may_be_narrow
from reverie.store.postgres.past import believed, past_rows
from reverie.store.postgres.session import Session
from reverie.store.where import Clauses


class Readable(Protocol):
    """What search needs of a store."""

    def reader(self, agent_id: str | None) -> AbstractContextManager[Session]:
        """A transaction that reads one agent's bank."""
        ...

    def look_after(self, agent_id: str, corpus: Corpus) -> None:
        """Sees to it that a large bank's rows are taken into the approximate index."""
        ...


_HEAD = "SELECT rev, embedder, dimensions FROM agents WHERE id = ?"
_SPEAKERS = """SELECT speaker, sum(episodes)::bigint FROM participants WHERE agent_id = ?
GROUP BY speaker ORDER BY speaker"""
_TIME = {"memories": "created_at", "episodes": "time"}
_MORE_READ = 20  # rows by words that are read beyond the limit, at least, since some won't pass
_TIME_PLACE = {"memories": 3, "episodes": 0}  # among the columns that the corpus alone has


class PostgresSearch:
    """Views of banks; implements ``ports.search.Search``."""

    def __init__(self, store: Readable) -> None:
        self._store = store

    def view(self, agent_id: str) -> PostgresView:
        """The bank from now on. Costs one look at the agent's row."""
        with self._store.reader(agent_id) as session:
            rows = session.run(_HEAD, (agent_id,))
        rev, embedder, dimensions = rows[0] if rows else (0, None, None)
        made_by = (embedder, dimensions) if embedder is not None and dimensions else None
        return PostgresView(agent_id=agent_id, store=self._store, rev=rev, embedder=made_by)

    def close(self) -> None:
        """Nothing is held."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PostgresView:
    """One agent's bank. Each call answers from one state of it, that of ``rev`` or a later one."""

    agent_id: str
    store: Readable = field(repr=False)
    rev: int
    embedder: tuple[str, int] | None

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
            look = _Look(self, session, "memories", probe)
            return memory_candidates(*look.candidates())

    def episodes(self, probe: Probe) -> EpisodeCandidates:
        """Candidates among the episodes; ``as_of`` says nothing about what was said. See ``ports.search``."""
        with self.store.reader(self.agent_id) as session:
            look = _Look(self, session, "episodes", replace(probe, as_of=None))
            return episode_candidates(*look.candidates())

    def nearest(
        self, vectors: Floats, *, filter: Filter, now: datetime, limit: int, least: float | None = None
    ) -> Sequence[Sequence[tuple[str, float]]]:
        """For each row of ``vectors`` the nearest current memories that pass; see ``ports.search``."""
        if self.embedder is None or limit < 1 or not len(vectors):
            return [[] for _ in vectors]
        with self.store.reader(self.agent_id) as session:
            look = _Look(self, session, "memories", Probe(filter=filter, now=now))
            return look.nearest_each(vectors, limit, least)


class _Look:
    """One search in one transaction: a pool of rows that holds each list whole, then the lists out of the pool."""

    def __init__(self, view: PostgresView, session: Session, corpus: Corpus, probe: Probe) -> None:
        self._session, self._corpus, self._probe = session, corpus, probe
        self._agent_id, self._embedder, self._store = view.agent_id, view.embedder, view.store
        self._limit = max(probe.limit, 0)
        where = probe.filter
        if probe.as_of is not None:  # states and supersession are of today
            where = replace(where, states=frozenset(), include_superseded=True)
        self._passing = self._conditions(where)
        self._words = words.statistics(session, view.agent_id, corpus, tuple(dict.fromkeys(probe.terms)))
        self._ranked = words.NOTHING_RANKED
        self._narrow = may_be_narrow(where)
        self._reached: near.Reach | None = None

    def candidates(self) -> tuple[list[Row], Floats, Ints]:
        """Rows of all lists in order of storing, with their BM25 and how many of the terms their labels hold."""
        pool = self._pool()
        lexical = self._ranked.of([one.seq for one in pool])
        for place, one in enumerate(pool):
            if one.lexical is not None:
                lexical[place] = one.lexical
        held = np.zeros(len(pool), np.int64)
        if self._probe.labels and self._probe.terms:
            held = labels_held(pool, self._probe.terms)
        keep = np.sort(self._chosen(pool, lexical, held))
        return [pool[place] for place in keep.tolist()], lexical[keep], held[keep]

    def nearest_each(
        self, vectors: Floats, limit: int, least: float | None
    ) -> Sequence[Sequence[tuple[str, float]]]:
        """For each vector the nearest rows with exact cosines, best first; ties by order of storing."""
        bank = self._bank()
        if bank is None:
            return [[] for _ in vectors]
        if least is None:
            ids = near.each(self._session, bank, self._passing, vectors, limit)
        else:
            ids = near.duplicates(self._session, bank, self._passing, vectors, limit, least)
        exact = near.cosines(self._session, bank, vectors, ids)
        return [
            [(id, cosine) for id, cosine in found[:limit] if least is None or cosine >= least]
            for found in exact
        ]

    def _reach(self) -> near.Reach:
        """How much the filter lets pass; counted when it is first asked for."""
        if self._reached is None:
            self._reached = near.MOST
            if self._narrow:
                self._reached = near.reach_of(self._session, self._corpus, self._passing, self._words.last)
        return self._reached

    def _conditions(self, where: Filter) -> Clauses:
        made = conditions(self._session, self._agent_id, where, self._corpus, self._probe.now)
        if self._probe.as_of is not None:
            believed(made, self._probe.as_of)
        return made

    def _bank(self) -> near.Bank | None:
        if self._embedder is None or not self._words.texts:
            return None
        if self._words.texts > near.EXACT_ROWS:
            self._store.look_after(self._agent_id, self._corpus)
        return near.Bank(
            agent_id=self._agent_id, corpus=self._corpus, embedder=self._embedder[0],
            dimensions=self._embedder[1], texts=self._words.texts,
            last=self._words.last, indexed=self._words.indexed,
        )  # fmt: skip

    def _pool(self) -> list[Row]:
        """All rows that may be of a list, in order of storing."""
        probe, found = self._probe, dict[tuple[int, int], Row]()
        bank = self._bank()
        if bank is not None and self._limit:
            rows: list[Row] = []
            if probe.terms:
                self._ranked = words.ranked(self._session, self._words)
            ids = [] if probe.vector is None else self._near(bank, probe.vector)
            if ids or probe.terms:
                rows += self._read_both(ids)
            if probe.terms and probe.labels:
                rows += self._labelled()
            if probe.vector is None and not probe.terms:
                rows += self._latest()
            found = {one.order: one for one in rows}
        if probe.as_of is not None and self._limit:
            where = self._conditions_of_past()
            embedder = self._embedder[0] if self._embedder else ""
            past = past_rows(self._session, self._words, where, probe.as_of, probe.vector, embedder)
            found |= {one.order: one for one in past}
        return [found[order] for order in sorted(found)]

    def _chosen(self, pool: Sequence[Row], lexical: Floats, held: Ints) -> Ints:
        """Places of the rows of each list, in no order."""
        probe, limit = self._probe, self._limit
        places = np.arange(len(pool))
        lists = []
        if probe.vector is not None:
            lists.append(np.lexsort((places, -np.array([one.cosine for one in pool])))[:limit])
        if probe.terms:
            best = np.lexsort((places, -lexical))[:limit]
            lists.append(best[lexical[best] > 0])
            most = np.lexsort((places, -held))[:limit]
            lists.append(most[held[most] > 0])
        if not lists:
            times = np.array([one.own[_TIME_PLACE[self._corpus]] for one in pool], np.int64)
            lists.append(np.lexsort((-places, -times))[:limit])
        return np.unique(np.concatenate(lists)).astype(np.int64)

    def _read_both(self, ids: Sequence[str]) -> list[Row]:
        """The rows near by meaning, which pass, and those with the best scores that do."""
        seqs, size = self._ranked.seqs, self._limit + max(self._limit // 5, _MORE_READ)
        first, seqs = set(seqs[:size].tolist()), seqs[size:]
        # Not one condition with OR: a filter that isn't leakproof would keep the policies' planner from both indexes.
        by_words = (
            f"seq = ANY (?::bigint[]) AND {self._passing.sql}",
            (sorted(first), *self._passing.params),
        )
        rows = self._read(("id = ANY (?)", (list(ids),)), by_words)
        passed = len({one.seq for one in rows} & first)
        if passed < self._limit and len(seqs):
            few = self._reach().few
            seqs = seqs if few is None else seqs[np.isin(seqs, np.asarray(few, np.int64))]
        while len(seqs) and passed < self._limit:
            size *= 4
            new = self._numbered(seqs[:size].tolist())
            passed, seqs = passed + len(new), seqs[size:]
            rows += new
        return rows

    def _labelled(self) -> list[Row]:
        """The rows whose labels hold most of the terms."""
        return self._numbered(words.labelled(self._session, self._words, self._passing, self._limit))

    def _latest(self) -> list[Row]:
        time = _TIME[self._corpus]
        query = (
            f"SELECT id FROM {self._corpus} WHERE {self._passing.sql} ORDER BY {time} DESC, seq DESC LIMIT ?"
        )
        return self._read((f"id = ANY (ARRAY({query}))", (*self._passing.params, self._limit)))

    def _near(self, bank: near.Bank, vector: Floats) -> Sequence[str]:
        return near.nearest(self._session, bank, self._passing, vector, self._limit, self._reach)

    def _numbered(self, seqs: Sequence[int]) -> list[Row]:
        """Those of the rows of these numbers that pass."""
        if not seqs:
            return []
        return self._read(
            (f"seq = ANY (?::bigint[]) AND {self._passing.sql}", (list(seqs), *self._passing.params))
        )

    def _read(self, *conditions: tuple[str, Sequence[object]]) -> list[Row]:
        """Rows of each condition, with their cosines; a row of two conditions comes twice."""
        vector = self._probe.vector
        cosine, known = NO_COSINE, list[object]()
        if vector is not None and self._embedder is not None:
            cosine, known = COSINE, [self._embedder[0], vector]
        read = columns(self._corpus, labels=self._probe.labels)
        selects = [
            f"SELECT {read}, {cosine} FROM {self._corpus} WHERE agent_id = ? AND {condition}"
            for condition, _ in conditions
        ]
        params = [value for _, given in conditions for value in (*known, self._agent_id, *given)]
        return [row(one) for one in self._session.run(" UNION ALL ".join(selects), params)]

    def _conditions_of_past(self) -> Clauses:
        """The filter over the memories that past wordings are of, whatever those memories say today."""
        where = replace(self._probe.filter, states=frozenset(), include_superseded=True)
        return conditions(self._session, self._agent_id, where, "memories", self._probe.now)
