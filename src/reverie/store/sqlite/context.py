"""What stands around episodes: their conversations' own match, and the messages before and behind them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from reverie.ports.search import Floats, Probe
from reverie.rules.bm25 import SESSION
from reverie.store.sqlite.columns import Rows
from reverie.store.sqlite.corpus import ASKS, SAYS_WHEN, Corpus

OFFSETS = (-2, -1, 1, 2)


@dataclass(frozen=True, kw_only=True, slots=True)
class Context:
    """The columns of ``EpisodeCandidates`` that look beyond the row."""

    session: Floats
    around: Floats
    before: Floats
    answers: NDArray[np.bool_]
    asks: NDArray[np.bool_]
    says_when: NDArray[np.bool_]

    @classmethod
    def of(cls, corpus: Corpus, probe: Probe, rows: Rows, lexical: Floats) -> Self:
        """The context of ``rows``; ``lexical`` is every row's BM25."""
        traits = corpus.column("traits")
        around = np.full((len(rows), len(OFFSETS)), np.nan, np.float32)
        none = np.zeros(len(rows), np.float32)
        no = np.zeros(len(rows), np.bool_)
        if not probe.context or not len(rows):
            return cls(session=none, around=around, before=none, answers=no, asks=no, says_when=no)
        beside = {offset: corpus.beside(rows, offset) for offset in OFFSETS}
        if probe.vector is not None:
            _fill(around, corpus, probe.vector, list(beside.values()))
        session, before = none, none
        previous = beside[-1]
        if probe.terms:
            conversation = corpus.column("conversation")
            session = corpus.postings.group_scores(probe.terms, conversation, SESSION)[conversation[rows]]
            before = np.where(previous >= 0, lexical[previous], np.float32(0))
        return cls(
            session=session,
            around=around,
            before=before,
            answers=(previous >= 0) & (traits[previous] & ASKS > 0),
            asks=traits[rows] & ASKS > 0,
            says_when=traits[rows] & SAYS_WHEN > 0,
        )


def _fill(around: Floats, corpus: Corpus, vector: Floats, beside: list[Rows]) -> None:
    """Puts in the cosines of the rows beside, each row's computed once."""
    neighbours = np.stack(beside, axis=1)
    there = neighbours >= 0
    wanted, places = np.unique(neighbours[there], return_inverse=True)
    around[there] = corpus.vectors.cosines(corpus.vectors.prepared(vector), wanted)[places]
