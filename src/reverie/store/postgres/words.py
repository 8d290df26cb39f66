"""Search by words: BM25 over the postings of the question's terms, by ``memory.scoring.bm25`` as on every engine."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reverie.memory.scoring import DEFAULT, idf, weights
from reverie.store.executor import Corpus
from reverie.store.postgres import postings
from reverie.store.postgres.lexemes import LABEL_WORD, WORD, key, opened
from reverie.store.postgres.postings import ROLL, Postings, bigints, joined
from reverie.store.postgres.postings_cache import VERSION, CachedPostings, PostingsCache
from reverie.store.postgres.session import Ask, Session

Scores = NDArray[np.float32]

# One question for all: the agent with its corpus (whose third column alone is never null), the terms with their
# versions and latest postings, and the older ones (where the second is null). Of terms at hand no postings are sent,
# and none of labels that many rows bear, as those aren't listed.
_STATISTICS = f"""WITH held AS MATERIALIZED (
    SELECT t.term, t.texts, t.tail, {VERSION}, (?::bigint[])[array_position(?::bigint[], t.term)] AS known,
        t.term = ANY (?::bigint[]) AND t.texts > greatest(?, c.last / ?) AS wide
    FROM terms AS t LEFT JOIN corpora AS c ON c.agent_id = t.agent_id AND c.corpus = t.corpus
    WHERE t.agent_id = ? AND t.corpus = ? AND t.term = ANY (?::bigint[])
) SELECT coalesce(c.texts, 0), coalesce(c.length, 0), coalesce(c.last, 0), coalesce(i.seq, 0),
convert_to(a.rev || ' ' || coalesce(a.dimensions, 0) || ' ' || coalesce(a.embedder, ''), 'UTF8') FROM agents AS a
LEFT JOIN corpora AS c ON c.agent_id = a.id AND c.corpus = ?
LEFT JOIN indexed AS i ON i.agent_id = a.id AND i.corpus = c.corpus WHERE a.id = ?
UNION ALL SELECT term, texts, NULL, version, CASE WHEN version = known OR wide THEN NULL ELSE tail END FROM held
UNION ALL SELECT term, NULL, NULL, NULL, string_agg(piece, ''::bytea) FROM postings WHERE agent_id = ? AND corpus = ?
AND term = ANY (ARRAY(SELECT term FROM held WHERE version <> known AND NOT wide)) GROUP BY term"""
_UNKNOWN = 0
"""No row's version."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Statistics:
    """What a search must know of an agent's corpus: its size, how many texts hold each term of the question (BM25's
    statistics) and which (``postings``), the last row's number, and up to which row the approximate index reaches (0:
    nowhere). ``rev``: the bank's revision. ``embedder``: whose vectors it holds, and of how many dimensions; None while
    it has none.
    """

    agent_id: str
    corpus: Corpus
    terms: Sequence[str]
    texts: int
    length: int
    last: int
    indexed: int
    rev: int
    embedder: tuple[str, int] | None
    held_by: Mapping[str, int]
    postings: Mapping[str, Postings]
    label_words: Sequence[Postings]
    """Of terms that stand in labels: the rows of each."""
    labels: LabelledRows | None
    """What the filter's labels say of its rows; None where it names no label."""

    @property
    def mean(self) -> float:
        """The mean length of the texts, in terms."""
        return self.length / self.texts if self.texts else 0.0

    def idf(self, term: str) -> float:
        """Return how telling the term is."""
        return idf(self.texts, self.held_by.get(term, 0))

    def scores(self, bags: Sequence[bytes], lengths: Sequence[int]) -> Scores:
        """BM25 of texts by their bags; 0 for one that shares no term with the question."""
        if not bags or not self.terms:
            return np.zeros(len(bags), np.float32)
        ordered = sorted(set(self.terms))
        keys = np.array([key(self.agent_id, WORD, term) for term in ordered], np.int64)
        order = np.argsort(keys)
        places, found, counts = opened(bags)
        slots = np.searchsorted(keys[order], found).clip(max=len(keys) - 1)
        hit = keys[order][slots] == found
        rows, which = places[hit], order[slots[hit]]
        if not len(rows):
            return np.zeros(len(bags), np.float32)
        idfs = np.array([self.idf(term) for term in ordered], np.float32)
        parts = weights(counts[hit], np.asarray(lengths, np.float32)[rows], idfs[which], self.mean, DEFAULT)
        return np.bincount(rows, weights=parts, minlength=len(bags)).astype(np.float32)


@dataclass(frozen=True, kw_only=True, slots=True)
class LabelledRows:
    """The rows that bear a filter's labels: at most what ``share`` of all, and, where a field's labels are rare, the
    numbers of the ``few`` that bear those, ascending. ``exact``: these bear all that is asked.
    """

    share: float
    few: NDArray[np.int64] | None
    exact: bool


def statistics(
    session: Session, agent_id: str, corpus: Corpus, terms: Sequence[str], kept: PostingsCache, *,
    label_words: bool = False, labels: Sequence[Sequence[int]] = (), meanwhile: Callable[[Ask], object] | None = None,
) -> Statistics:  # fmt: skip
    """Return the statistics as they are in this transaction. Postings are taken from ``kept`` where they are the same
    now. ``label_words``: those of the terms in labels, too. ``labels``: keys of the filter's (``lexemes.label_keys``).
    ``meanwhile`` is called once the server was asked, and may send another statement behind.
    """
    keys = {key(agent_id, WORD, term): term for term in terms}
    in_labels = [key(agent_id, LABEL_WORD, term) for term in terms] if label_words else []
    filtered = [one for field in labels for one in field]
    told = _told(session, agent_id, corpus, [*keys, *in_labels, *filtered], kept, meanwhile, filtered)
    texts, length, last, indexed = told.size
    return Statistics(
        agent_id=agent_id, corpus=corpus, terms=terms, texts=texts, length=length, last=last, indexed=indexed,
        rev=told.rev, embedder=told.embedder,
        held_by={keys[term]: number for term, number in told.held_by.items() if term in keys} if texts else {},
        postings={keys[term]: part for term, part in told.postings.items() if term in keys},
        label_words=[told.postings[term] for term in in_labels if term in told.postings],
        labels=_labelled_rows(told, labels) if labels else None,
    )  # fmt: skip


def _labelled_rows(told: _CorpusState, labels: Sequence[Sequence[int]]) -> LabelledRows:
    few, share = None, 1.0
    for field in labels:
        share = min(share, sum(told.held_by.get(one, 0) for one in field) / max(told.size[0], 1))
        if all(one in told.postings for one in field if one in told.held_by):
            found = [told.postings[one]["seq"] for one in field if one in told.postings]
            rows = np.unique(np.concatenate([np.empty(0, np.int64), *found]))
            few = rows if few is None else np.intersect1d(few, rows)
    exact = few is not None and all(
        one in told.postings for field in labels for one in field if one in told.held_by
    )
    return LabelledRows(share=share, few=few, exact=exact)


def roll_of(session: Session, agent_id: str, kept: PostingsCache) -> Postings | None:
    """Return which conversation each episode belongs to (``postings.ROLL``), as it is in this transaction."""
    return _told(session, agent_id, "episodes", [ROLL], kept).postings.get(ROLL)


@dataclass(frozen=True, kw_only=True, slots=True)
class _CorpusState:
    """What the server tells: the corpus's texts, length, last number and index, the bank's revision and embedder, and
    of each term how many texts hold it, and which.
    """

    size: tuple[int, int, int, int]
    rev: int
    embedder: tuple[str, int] | None
    held_by: Mapping[int, int]
    postings: Mapping[int, Postings]


def _told(
    session: Session, agent_id: str, corpus: Corpus, keys: Collection[int], kept: PostingsCache,
    meanwhile: Callable[[Ask], object] | None = None, labels: Collection[int] = (),
) -> _CorpusState:  # fmt: skip
    own, asked, known = (agent_id, corpus), bigints(keys), kept.of(agent_id, corpus, keys)
    versions = bigints(known[term].version if term in known else _UNKNOWN for term in keys)
    most = (postings.FEW_ROWS, postings.FEW_SHARE)
    params = (versions, asked, bigints(labels), *most, *own, asked, corpus, agent_id, *own)
    rows = session.run(_STATISTICS, params, meanwhile=meanwhile)
    size, rev, embedder = (0, 0, 0, 0), 0, None
    if rows and rows[0][2] is not None:
        (texts, length, last, indexed, head), *rows = rows
        size = (texts, length, last, indexed)
        rev, embedder = _opened(head)
    found = dict(joined((term, part) for term, _, _, _, part in rows if part is not None))
    held = {term: (number, version) for term, number, _, version, _ in rows if number is not None}
    kept.keep(
        *own,
        {term: CachedPostings(held[term][1], part) for term, part in found.items() if term in held},
    )
    for term, (_, version) in held.items():
        if term not in found and term in known and version == known[term].version:
            found[term] = known[term].postings
    held_by = {term: number for term, (number, _) in held.items()}
    return _CorpusState(size=size, rev=rev, embedder=embedder, held_by=held_by, postings=found)


def _opened(head: bytes) -> tuple[int, tuple[str, int] | None]:
    rev, dimensions, embedder = head.decode().split(" ", 2)
    return int(rev), (embedder, int(dimensions)) if embedder and int(dimensions) else None


@dataclass(frozen=True, slots=True)
class RankedRows:
    """Each row's score by its number, as far as numbers with a score go."""

    scores: Scores

    def of(self, seqs: Sequence[int]) -> Scores:
        """Return the scores of rows; 0 for one that holds none of the terms."""
        wanted = np.asarray(seqs, np.int64)
        known = wanted < len(self.scores)
        found = np.zeros(len(wanted), np.float32)
        found[known] = self.scores[wanted[known]]
        return found

    def among(self, seqs: NDArray[np.int64]) -> RankedRows:
        """Return these rows alone, with their scores."""
        scores = np.zeros(len(self.scores), np.float32)
        known = seqs[seqs < len(scores)]
        scores[known] = self.scores[known]
        return RankedRows(scores)

    def first(self, number: int) -> NDArray[np.int64]:
        """Return the numbers of rows that hold a term, best score first, ties by number: so many at least, or all."""
        held = np.flatnonzero(self.scores > 0)
        worse = -self.scores[held]
        if number < len(held):
            near = np.flatnonzero(worse <= np.partition(worse, number)[number])
            held, worse = held[near], worse[near]
        return held[np.argsort(worse, kind="stable")]


NOTHING_RANKED = RankedRows(np.empty(0, np.float32))


def ranked(known: Statistics) -> RankedRows:
    """Return all rows that hold a term of the question."""
    keys = {key(known.agent_id, WORD, term): term for term in known.held_by}
    parts = [(term, known.postings[term]) for _, term in sorted(keys.items()) if len(known.postings[term])]
    if not parts:
        return NOTHING_RANKED
    together = np.concatenate([part for _, part in parts])
    idfs = np.array([known.idf(term) for term, _ in parts], np.float32).repeat(
        [len(part) for _, part in parts]
    )
    counts, lengths = together["count"].astype(np.float32), together["length"].astype(np.float32)
    summands = weights(counts, lengths, idfs, known.mean, DEFAULT)
    return RankedRows(np.bincount(together["seq"].astype(np.int64), weights=summands).astype(np.float32))


def by_labels(known: Statistics) -> RankedRows:
    """Return the rows whose topics and entities hold terms of the question, by how many they hold."""
    if not any(map(len, known.label_words)):
        return NOTHING_RANKED
    seqs = np.concatenate([part["seq"] for part in known.label_words]).astype(np.int64)
    return RankedRows(np.bincount(seqs).astype(np.float32))
