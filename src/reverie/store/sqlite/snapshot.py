"""A bank in memory: one immutable snapshot, and the search over it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from types import MappingProxyType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from reverie.domain.query import Filter
from reverie.ports.search import EpisodeCandidates, Floats, MemoryCandidates, Probe
from reverie.store.sqlite.columns import Mask, Names, Rows
from reverie.store.sqlite.context import by_person, context_of
from reverie.store.sqlite.corpus import EPISODE_COLUMNS, MEMORY_COLUMNS, Corpus
from reverie.store.sqlite.masks import episode_mask, memory_mask, superseded_in, valid_at

_COMPACT_QUERIES = 4  # from so many queries on, copying a small selection once beats gathering it for each
_COMPACT_SHARE = 4  # one part in so many of the rows is a small selection


@dataclass(frozen=True, kw_only=True, slots=True)
class Identity:
    """What tells one life of a bank from another: when it differs, nothing of an older snapshot holds.

    ``secret`` is the hash of the agent's secret: a replaced file, or an agent that began anew, has another.
    """

    secret: int
    embedder: tuple[str, int] | None


@dataclass(frozen=True, kw_only=True, eq=False)
class Snapshot:
    """One state of one agent's bank. Never changes; any number of threads may ask it.

    Later snapshots share its memory: they write behind its rows only, and `names` only grow.
    """

    rev: int
    identity: Identity | None
    memory_rows: Corpus
    episode_rows: Corpus
    scopes: Names[tuple[str, ...]] = field(default_factory=Names)
    conversations: Names[str] = field(default_factory=Names)
    channels: Names[str] = field(default_factory=Names)
    speaker_names: Names[str] = field(default_factory=Names)

    @classmethod
    def empty(cls, identity: Identity | None = None) -> Self:
        """Return a bank with nothing in it, at revision 0."""
        dimensions = identity.embedder[1] if identity and identity.embedder else 1
        return cls(
            rev=0,
            identity=identity,
            memory_rows=Corpus.empty(MEMORY_COLUMNS, dimensions),
            episode_rows=Corpus.empty(EPISODE_COLUMNS, dimensions),
        )

    @property
    def embedder(self) -> tuple[str, int] | None:
        """Id and dimensions of the embedder that made the bank's vectors; None while there are none."""
        return self.identity.embedder if self.identity else None

    @cached_property
    def speakers(self) -> Mapping[str, int]:
        """Everyone who spoke in the bank's episodes, with how many of them, by name."""
        spoken = self.episode_rows.column("speaker")[self.episode_rows.alive]
        counts = np.bincount(spoken[spoken >= 0])
        names = self.speaker_names.values
        spoke = sorted((names[code], int(counts[code])) for code in np.flatnonzero(counts))
        return MappingProxyType(dict(spoke))

    def memories(self, probe: Probe) -> MemoryCandidates:
        """Return candidates among the memories; see ``ports.search``."""
        corpus = self.memory_rows
        mask = memory_mask(corpus, self.scopes, probe.filter, now=probe.now, as_of=probe.as_of)
        rows, semantic, lexical = _candidates(corpus, probe, mask)
        return MemoryCandidates(
            ids=corpus.ids.to_be_read(rows),
            version=corpus.column("version")[rows].astype(np.int64),
            semantic=semantic,
            lexical=lexical[rows],
            importance=corpus.column("importance")[rows],
            confidence=corpus.column("confidence")[rows],
            reinforcement_count=corpus.column("reinforcement_count")[rows],
            fades_from=corpus.column("fades_from")[rows],
            created_at=corpus.column("time")[rows],
            emotions=corpus.column("emotions")[rows].astype(np.int64),
            labels=_labels(corpus, probe, rows),
            superseded=superseded_in(corpus.column("facet")[rows]),
            valid=valid_at(corpus, rows, probe.as_of or probe.now),
        )

    def episodes(self, probe: Probe) -> EpisodeCandidates:
        """Return candidates among the episodes; ``as_of`` says nothing about what was said. See ``ports.search``."""
        corpus = self.episode_rows
        mask = episode_mask(corpus, self.conversations, self.channels, self.speaker_names, probe.filter)
        rows, semantic, lexical = _candidates(corpus, probe, mask)
        speaker, speakers = self._speakers_of(rows)
        context = context_of(corpus, probe, rows, lexical)
        return EpisodeCandidates(
            ids=corpus.ids.to_be_read(rows),
            semantic=semantic,
            lexical=lexical[rows],
            importance=corpus.column("importance")[rows],
            time=corpus.column("time")[rows],
            speaker=speaker,
            speakers=speakers,
            person=by_person(corpus, rows),
            labels=_labels(corpus, probe, rows),
            **context.columns,
        )

    def nearest(
        self, vectors: Floats, *, filter: Filter, now: datetime, limit: int, least: float | None = None
    ) -> Sequence[Sequence[tuple[str, float]]]:
        """Return for each row of ``vectors`` the nearest current memories that pass; see ``ports.search``."""
        corpus = self.memory_rows
        mask = memory_mask(corpus, self.scopes, filter, now=now)
        passing = int(np.count_nonzero(mask))
        if not passing or limit < 1:
            return [[] for _ in vectors]
        if len(vectors) >= _COMPACT_QUERIES and passing < len(corpus) // _COMPACT_SHARE:
            corpus = corpus.only(np.flatnonzero(mask))
            mask = np.ones(passing, np.bool_)
        return [
            list(zip(corpus.ids.of(rows), cosines.tolist(), strict=True))
            for rows, cosines in corpus.nearest_each(
                np.asarray(vectors, np.float32), limit, mask, least=least
            )
        ]

    def nearest_episodes(
        self, vectors: Floats, *, filter: Filter, limit: int, least: float | None = None
    ) -> Sequence[Sequence[tuple[str, float]]]:
        """Return for each row of ``vectors`` the nearest episodes that pass; see ``ports.search``."""
        corpus = self.episode_rows
        mask = episode_mask(corpus, self.conversations, self.channels, self.speaker_names, filter)
        if not mask.any() or limit < 1:
            return [[] for _ in vectors]
        return [
            list(zip(corpus.ids.of(rows), cosines.tolist(), strict=True))
            for rows, cosines in corpus.nearest_each(
                np.asarray(vectors, np.float32), limit, mask, least=least
            )
        ]

    def _speakers_of(self, rows: Rows) -> tuple[NDArray[np.int64], list[str]]:
        """Return for each row its speaker's place among the rows' speakers by name; numbers differ by history."""
        codes = self.episode_rows.column("speaker")[rows]
        names = {code: self.speaker_names.values[code] for code in np.unique(codes).tolist() if code >= 0}
        speakers = sorted(names.values())
        place = {code: speakers.index(name) for code, name in names.items()}
        return np.fromiter((place.get(code, -1) for code in codes.tolist()), np.int64, len(codes)), speakers


def _labels(corpus: Corpus, probe: Probe, rows: Rows) -> NDArray[np.int64]:
    if not probe.labels:
        return np.zeros(len(rows), np.int64)
    return corpus.words.count({hash(term) for term in probe.terms}, rows)


def _labelled(corpus: Corpus, probe: Probe, mask: Mask) -> Rows:
    rows = np.flatnonzero(corpus.words.with_any({hash(term) for term in probe.terms}) & mask)
    return corpus.greatest(rows, _labels(corpus, probe, rows), probe.limit)


def _by_words(corpus: Corpus, probe: Probe, mask: Mask, lexical: Floats) -> Rows:
    """Return the rows with the best BM25 and labels; without terms and a vector the latest."""
    if not probe.terms:
        return corpus.latest(probe.limit, mask) if probe.vector is None else np.empty(0, np.intp)
    rows = corpus.best(lexical, probe.limit, mask)
    return np.union1d(rows, _labelled(corpus, probe, mask)) if probe.labels else rows


def _candidates(corpus: Corpus, probe: Probe, mask: Mask) -> tuple[Rows, Floats, Floats]:
    """Return rows of both lists in order of storing, each with its cosine; then the BM25 of every row of the corpus."""
    lexical = np.zeros(len(corpus), np.float32)
    if not mask.any():
        return np.empty(0, np.intp), np.empty(0, np.float32), lexical
    if probe.terms:
        lexical = corpus.postings.scores(probe.terms)
    rows = _by_words(corpus, probe, mask, lexical)
    if probe.vector is None:
        cosines = np.zeros(len(rows), np.float32)
    else:
        near, cosines, more = corpus.nearest_and(
            corpus.vectors.prepared(probe.vector), probe.limit, mask, rows
        )
        also = np.ones(len(corpus), np.bool_)
        also[near] = False
        new = also[rows]
        rows, cosines = np.concatenate((near, rows[new])), np.concatenate((cosines, more[new]))
    places = corpus.places(rows)
    return rows[places], cosines[places], lexical
