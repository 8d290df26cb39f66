"""Search by words: BM25 over the postings of the question's terms, by ``rules.bm25`` as on every engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reverie.rules.bm25 import DEFAULT, idf, weights
from reverie.store.executor import Corpus
from reverie.store.postgres import postings
from reverie.store.postgres.lexemes import LABEL_WORD, WORD, any_of, key, opened
from reverie.store.postgres.session import Session
from reverie.store.where import Clauses

Scores = NDArray[np.float32]

# One question for all: the corpus (whose third column alone is never null) and then the terms.
_STATISTICS = """SELECT c.texts, c.length, c.last, coalesce(i.seq, 0) FROM corpora AS c
LEFT JOIN indexed AS i ON i.agent_id = c.agent_id AND i.corpus = c.corpus WHERE c.agent_id = ? AND c.corpus = ?
UNION ALL SELECT term, texts, NULL, NULL FROM terms
WHERE agent_id = ? AND corpus = ? AND term = ANY (?::bigint[])"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Statistics:
    """What a search must know of an agent's corpus: its size, how many texts hold each term of the question (BM25's
    statistics), the last row's number, and up to which row the approximate index reaches (0: nowhere).
    """

    agent_id: str
    corpus: Corpus
    terms: Sequence[str]
    texts: int
    length: int
    last: int
    indexed: int
    held_by: Mapping[str, int]

    @property
    def mean(self) -> float:
        """The mean length of the texts, in terms."""
        return self.length / self.texts if self.texts else 0.0

    def idf(self, term: str) -> float:
        """How telling the term is."""
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


def statistics(session: Session, agent_id: str, corpus: Corpus, terms: Sequence[str]) -> Statistics:
    """The statistics as they are in this transaction."""
    keys = {key(agent_id, WORD, term): term for term in terms}
    rows = session.run(_STATISTICS, (agent_id, corpus, agent_id, corpus, list(keys)))
    (texts, length, last, indexed), *held = rows if rows and rows[0][2] is not None else [(0, 0, 0, 0), *rows]
    return Statistics(
        agent_id=agent_id, corpus=corpus, terms=terms, texts=texts, length=length, last=last, indexed=indexed,
        held_by={keys[term]: number for term, number, _, _ in held} if texts else {},
    )  # fmt: skip


class Ranked(NamedTuple):
    """Rows that hold a term of the question: their numbers, best score first, ties by number; and each row's score by
    its number (as far as numbers with a score go).
    """

    seqs: NDArray[np.int64]
    scores: Scores

    def of(self, seqs: Sequence[int]) -> Scores:
        """The scores of rows; 0 for one that holds none of the terms."""
        wanted = np.asarray(seqs, np.int64)
        known = wanted < len(self.scores)
        found = np.zeros(len(wanted), np.float32)
        found[known] = self.scores[wanted[known]]
        return found


NOTHING_RANKED = Ranked(np.empty(0, np.int64), np.empty(0, np.float32))


def ranked(session: Session, known: Statistics) -> Ranked:
    """All rows that hold a term of the question."""
    keys = {key(known.agent_id, WORD, term): term for term in known.held_by}
    found = postings.read(session, known.agent_id, known.corpus, list(keys)) if keys else {}
    parts = sorted((keys[term], part) for term, part in found.items() if len(part))
    if not parts:
        return NOTHING_RANKED
    together = np.concatenate([part for _, part in parts])
    idfs = np.array([known.idf(term) for term, _ in parts], np.float32).repeat(
        [len(part) for _, part in parts]
    )
    counts, lengths = together["count"].astype(np.float32), together["length"].astype(np.float32)
    summands = weights(counts, lengths, idfs, known.mean, DEFAULT)
    scores = np.bincount(together["seq"].astype(np.int64), weights=summands).astype(np.float32)
    held = np.flatnonzero(scores > 0)
    return Ranked(held[np.argsort(-scores[held], kind="stable")], scores)


def labelled(session: Session, known: Statistics, passing: Clauses, limit: int) -> Sequence[int]:
    """Numbers of the ``limit`` rows that pass whose topics and entities hold most of the terms; ties by number."""
    parts = [any_of(known.agent_id, LABEL_WORD, [term]) for term in known.terms]
    rows = session.run(
        "SELECT found.seq FROM"
        f" {known.corpus}_matching(?::tsquery, ?::text[]::tsquery[], ?::float8[]) AS found (seq, weight)"
        f" WHERE EXISTS (SELECT 1 FROM {known.corpus} WHERE seq = found.seq AND {passing.sql})"
        " ORDER BY found.weight DESC, found.seq LIMIT ?",
        (" | ".join(parts), parts, [1.0] * len(parts), *passing.params, limit),
    )
    return [seq for (seq,) in rows]
