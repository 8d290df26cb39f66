"""One search in one transaction, from the statistics of the question's words to the rows of its lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import itemgetter
from typing import Any, Protocol

import numpy as np

from reverie.domain.query import Filter
from reverie.errors import EmbedderMismatch
from reverie.memory.scoring import Context
from reverie.ports.search import Floats, Ints, Probe
from reverie.store.executor import Corpus
from reverie.store.postgres import near, words
from reverie.store.postgres.candidates import (
    COSINE,
    COSINE_OF,
    LEXICAL,
    NO_COSINE,
    OWN,
    SEQ,
    Row,
    columns,
    labels_held,
    order,
)
from reverie.store.postgres.context import context_of
from reverie.store.postgres.filters import bearing, conditions, labels_of, may_be_narrow, without_labels
from reverie.store.postgres.lexemes import label_keys
from reverie.store.postgres.past_wordings import believed, past_rows
from reverie.store.postgres.postings import bigints
from reverie.store.postgres.postings_cache import PostingsCache
from reverie.store.postgres.session import Ask, PendingResult, Session
from reverie.store.where import Clauses

_HEAD = "SELECT rev, embedder, dimensions FROM agents WHERE id = ?"
_TIME = {"memories": "created_at", "episodes": "time"}
_MORE_READ = 20  # rows by words that are read beyond the limit, at least, since some won't pass
_TIME_PLACE = {"memories": 3, "episodes": 0}  # among the columns that the corpus alone has
_MOST_LARGE = 10_000  # corpora, and labels, of which it is remembered that they have a graph, or are wide
_WIDE = 0.5  # of all rows
_SEQ = itemgetter(SEQ)


class Readable(Protocol):
    """What search needs of a store."""

    def reader(self, agent_id: str | None) -> AbstractContextManager[Session]:
        """Return a transaction that reads one agent's bank."""
        ...

    def glance(self, agent_id: str, sql: str, params: Sequence[object]) -> Sequence[Any]:
        """Return the rows of one statement over one agent's bank, for less than a transaction of ``reader`` costs."""
        ...

    def look_after(self, agent_id: str, corpus: Corpus) -> None:
        """Have a large bank's rows taken into the approximate index."""
        ...


def head_of(store: Readable, agent_id: str) -> tuple[int, tuple[str, int] | None]:
    """Return the bank's revision, and whose vectors it holds."""
    rows = store.glance(agent_id, _HEAD, (agent_id,))
    rev, embedder, dimensions = rows[0] if rows else (0, None, None)
    return rev, (embedder, dimensions) if embedder is not None and dimensions else None


@dataclass(frozen=True, kw_only=True, eq=False)
class ViewState:
    """What a view of one agent's bank knows before it asks. Each call answers from one state of the bank, that of
    ``rev`` or a later one.

    Where nobody looked at the agent's row (``seen``, its revision, is None), ``embedder`` is what the bank's was when
    this process last put a question to it that it had embedded (``made_by``, by agent). A call that finds another
    raises EmbedderMismatch.
    """

    agent_id: str
    store: Readable = field(repr=False)
    kept: PostingsCache = field(repr=False)
    seen: int | None
    embedder: tuple[str, int] | None
    made_by: dict[str, tuple[str, int]] = field(repr=False)
    large: set[tuple[str, Corpus]] = field(repr=False)
    """Which corpora had a graph when this process last asked: most likely they have one now."""
    wide: set[tuple[str, Corpus, tuple[int, ...]]] = field(repr=False)
    """Which labels most rows of a corpus bore then."""

    @cached_property
    def rev(self) -> int:
        """The revision that it shows at least."""
        return head_of(self.store, self.agent_id)[0] if self.seen is None else self.seen

    def embedder_in(self, found: words.Statistics) -> tuple[str, int] | None:
        """Return the embedder in a transaction that found this. Raise EmbedderMismatch where another was assumed."""
        if self.seen is not None:
            return self.embedder
        self.__dict__.setdefault("rev", found.rev)  # of the first call, unless somebody asked before
        if found.embedder != self.embedder:
            self.made_by.pop(self.agent_id, None)
            if found.embedder is not None and self.embedder is not None:
                raise EmbedderMismatch(self.agent_id, found.embedder[0], self.embedder[0])
        return found.embedder


class SearchRun:
    """One search in one transaction: a pool of rows that holds each list whole, then the lists out of the pool."""

    def __init__(self, view: ViewState, session: Session, corpus: Corpus, probe: Probe) -> None:
        self._session, self._corpus, self._probe = session, corpus, probe
        self._agent_id, self._store = view.agent_id, view.store
        self._limit = max(probe.limit, 0)
        where = probe.filter
        if probe.as_of is not None:  # states and supersession are of today
            where = replace(where, states=frozenset(), include_superseded=True)
        self._beside = self._conditions(without_labels(where))  # what is asked beside labels
        self._rest = self._passing = bearing(self._beside, where)
        terms = tuple(dict.fromkeys(probe.terms))
        self._kept = view.kept
        self._ranked = words.NOTHING_RANKED
        self._reached: near.FilterReach | None = None
        self._ahead: PendingResult | None = None
        self._embedder = view.embedder
        labels = label_keys(view.agent_id, labels_of(where))
        self._labels = (view.agent_id, corpus, tuple(one for field in labels for one in field))
        self._wide = view.wide
        walks = (view.agent_id, corpus) in view.large and (not labels or self._labels in view.wide)
        self._words = words.statistics(
            session, view.agent_id, corpus, terms, self._kept, label_words=probe.labels, labels=labels,
            meanwhile=self._walk_ahead if walks else None,
        )  # fmt: skip
        self._embedder = view.embedder_in(self._words)
        self._large = view.large
        self._narrow = may_be_narrow(where)
        self._few: Ints | None = (
            None  # the numbers of rows that alone may pass ``_rest``, where a label tells them
        )
        if self._words.labels is not None:
            self._narrow_by(self._words.labels, alone=not may_be_narrow(without_labels(where)))

    def candidates(self) -> tuple[list[Row], Floats, Ints]:
        """Return rows of all lists in order of storing, with their BM25 and how many of the terms their labels hold."""
        pool = self._pool()
        lexical = self._ranked.of([one[SEQ] for one in pool])
        if self._probe.as_of is not None:
            for place, one in enumerate(pool):
                if one[LEXICAL] is not None:
                    lexical[place] = one[LEXICAL]
        held = np.zeros(len(pool), np.int64)
        if self._probe.labels and self._probe.terms:
            held = labels_held(pool, self._probe.terms)
        keep = np.sort(self._chosen(pool, lexical, held))
        return [pool[place] for place in keep.tolist()], lexical[keep], held[keep]

    def context(self, rows: Sequence[Row]) -> Context:
        """Return what stands around episodes."""
        embedder = self._embedder and self._embedder[0]
        return context_of(self._session, self._words, self._kept, self._ranked, rows, self._probe, embedder)

    def nearest_each(
        self, vectors: Floats, limit: int, least: float | None
    ) -> Sequence[Sequence[tuple[str, float]]]:
        """Return for each vector the nearest rows with exact cosines, best first; ties by order of storing."""
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

    def _reach(self) -> near.FilterReach:
        """Return how much the filter lets pass; counted when it is first asked for."""
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

    def _narrow_by(self, labelled: words.LabelledRows, *, alone: bool) -> None:
        """Take in what the postings say of the filter's labels; ``alone``: nothing else narrows it."""
        if labelled.share >= _WIDE and len(self._wide) < _MOST_LARGE:
            self._wide.add(self._labels)
        else:
            self._wide.discard(self._labels)
        if labelled.few is None:
            if alone:
                self._reached = near.FilterReach(share=labelled.share)
            return
        self._few = labelled.few
        numbers = labelled.few.tolist()
        self._reached = near.FilterReach(share=labelled.share, few=numbers)
        if labelled.exact:
            self._rest = self._beside
        self._passing = self._rest.also("seq = ANY (?::bigint[])", bigints(numbers))

    def _walk_ahead(self, ask: Ask) -> None:
        """Send what a bank with a graph is asked first anyway, before it is known to have one."""
        vector, embedder = self._probe.vector, self._embedder
        if vector is not None and embedder is not None and self._limit:
            self._ahead = near.walk_ahead(
                ask, self._agent_id, self._corpus, embedder, self._passing, vector, self._limit, self._reading
            )

    def _bank(self) -> near.VectorBank | None:
        if self._embedder is None or not self._words.texts:
            return None
        if self._words.texts > near.EXACT_ROWS:
            self._store.look_after(self._agent_id, self._corpus)
        bank = near.VectorBank(
            agent_id=self._agent_id, corpus=self._corpus, embedder=self._embedder[0],
            dimensions=self._embedder[1], texts=self._words.texts,
            last=self._words.last, indexed=self._words.indexed,
        )  # fmt: skip
        if bank.small:
            self._large.discard((self._agent_id, self._corpus))
        elif len(self._large) < _MOST_LARGE:
            self._large.add((self._agent_id, self._corpus))
        return bank

    def _pool(self) -> list[Row]:
        """Return all rows that may be of a list, in order of storing."""
        probe, found = self._probe, list[Row]()
        bank = self._bank()
        if bank is not None and self._limit:
            rows = self._found(bank)
            if probe.vector is None and not probe.terms:
                rows += self._latest()
            found = [*{one[SEQ]: one for one in rows}.values()]
        if probe.as_of is not None and self._limit:
            where = self._conditions_of_past()
            embedder = self._embedder[0] if self._embedder else ""
            found += past_rows(self._session, self._words, where, probe.as_of, probe.vector, embedder)
            return sorted(found, key=order)
        return sorted(found, key=_SEQ)

    def _chosen(self, pool: Sequence[Row], lexical: Floats, held: Ints) -> Ints:
        """Return places of the rows of each list, in no order."""
        probe, limit = self._probe, self._limit
        places = np.arange(len(pool))
        lists = []
        if probe.vector is not None:
            lists.append(np.lexsort((places, -np.array([one[COSINE_OF] for one in pool])))[:limit])
        if probe.terms:
            best = np.lexsort((places, -lexical))[:limit]
            lists.append(best[lexical[best] > 0])
            most = np.lexsort((places, -held))[:limit]
            lists.append(most[held[most] > 0])
        if not lists:
            times = np.array([one[OWN + _TIME_PLACE[self._corpus]] for one in pool], np.int64)
            lists.append(np.lexsort((-places, -times))[:limit])
        return np.unique(np.concatenate(lists)).astype(np.int64)

    def _found(self, bank: near.VectorBank) -> list[Row]:
        """Return the rows near by meaning, those with the best scores by words and those whose labels hold most of the
        terms, of those that pass.
        """
        vector = self._probe.vector
        if not self._probe.terms:
            return [] if vector is None else [*self._near(bank, vector, None)]
        lists: list[tuple[words.RankedRows, int]] = []
        first: list[PendingResult] = []

        def rank(ask: Ask) -> None:
            self._ranked = words.ranked(self._words)
            lists.append((self._may_pass(self._ranked), self._size))
            lists.append((self._may_pass(words.by_labels(self._words)), self._limit))
            seqs = np.unique(np.concatenate([one.first(size)[:size] for one, size in lists]))
            if len(seqs):
                first.append(ask(*self._numbered_by(seqs.tolist())))

        if vector is None:
            rank(self._session.ask)
            rows = list[Row]()
        else:
            rows = [*self._near(bank, vector, rank)]
        found = first[0].fetchall() if first else []
        return rows + found + [row for one, size in lists for row in self._further(one, size, found)]

    def _may_pass(self, ranked: words.RankedRows) -> words.RankedRows:
        return ranked if self._few is None else ranked.among(self._few)

    def _near(
        self, bank: near.VectorBank, vector: Floats, meanwhile: Callable[[Ask], object] | None
    ) -> Sequence[Row]:
        """Return the nearest rows that pass, and some more."""
        passing, reading = self._passing, self._reading
        return near.nearest(
            self._session, bank, passing, vector, self._limit, self._reach, reading, meanwhile, self._ahead,
            listed=self._few is not None, share=None if self._reached is None else self._reached.share,
        )  # fmt: skip

    @property
    def _size(self) -> int:
        """How many rows by words are read first: some won't pass."""
        return self._limit + max(self._limit // 5, _MORE_READ)

    def _further(self, ranked: words.RankedRows, size: int, found: Sequence[Row]) -> list[Row]:
        """Return those of a list behind its first ``size`` that it still needs; ``found``: what passes of those."""
        head = set(ranked.first(size)[:size].tolist())
        needed = self._limit - sum(1 for one in found if one[SEQ] in head)
        seqs = ranked.first(len(ranked.scores))[len(head) :] if needed > 0 else np.empty(0, np.int64)
        if len(seqs):
            few = self._reach().few
            seqs = seqs if few is None else seqs[np.isin(seqs, np.asarray(few, np.int64))]
        rows: list[Row] = []
        while len(seqs) and len(rows) < needed:
            size = self._size + near.enough(needed - len(rows), self._reach())
            rows += self._numbered(seqs[:size].tolist())
            seqs = seqs[size:]
        return rows

    def _latest(self) -> list[Row]:
        time = _TIME[self._corpus]
        rows = f"{self._corpus} WHERE {self._passing.sql}"
        if self._few is not None:  # sorted, not looked for among all rows in their order
            rows = f"(SELECT id, {time}, seq FROM {rows} OFFSET 0) AS few"
        query = f"SELECT id FROM {rows} ORDER BY {time} DESC, seq DESC LIMIT ?"
        read = self._read(f"id = ANY (ARRAY({query}))", (*self._passing.params, self._limit))
        return self._session.run(*read)

    def _numbered(self, seqs: Sequence[int]) -> list[Row]:
        """Return those of the rows of these numbers that pass."""
        return self._session.run(*self._numbered_by(seqs)) if seqs else []

    def _numbered_by(self, seqs: Sequence[int]) -> tuple[str, tuple[object, ...]]:
        return self._read(
            f"seq = ANY (?::bigint[]) AND {self._rest.sql}", (bigints(seqs), *self._rest.params)
        )

    def _read(self, condition: str, params: Sequence[object]) -> tuple[str, tuple[object, ...]]:
        """Return what a search reads, of the rows that the condition lets pass."""
        reading = self._reading
        query = f"SELECT {reading.columns} FROM {self._corpus} WHERE agent_id = ? AND {condition}"
        return query, (*reading.params, self._agent_id, *params)

    @cached_property
    def _reading(self) -> near.RowColumns:
        """The columns of a candidate, with its cosine."""
        cosine, known = NO_COSINE, tuple[object, ...]()
        if self._probe.vector is not None and self._embedder is not None:
            cosine, known = COSINE, (self._embedder[0], self._probe.vector)
        read = columns(self._corpus, labels=self._probe.labels, cosine=cosine)
        return near.RowColumns(columns=read, params=known)

    def _conditions_of_past(self) -> Clauses:
        """Return the filter over the memories that past wordings are of, whatever those memories say today."""
        where = replace(self._probe.filter, states=frozenset(), include_superseded=True)
        return conditions(self._session, self._agent_id, where, "memories", self._probe.now)
