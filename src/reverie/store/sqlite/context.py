"""What stands around episodes: their conversations' own match, and the messages before and behind them."""

from __future__ import annotations

import numpy as np

from reverie.domain.message import Role
from reverie.memory.scoring import NEIGHBOURS, SESSION, Context
from reverie.ports.search import Floats, Probe
from reverie.store.sqlite.columns import Mask, Rows
from reverie.store.sqlite.corpus import ASKS, SAYS_WHEN, Corpus
from reverie.store.sqlite.masks import ROLE_PLACE


def context_of(corpus: Corpus, probe: Probe, rows: Rows, lexical: Floats) -> Context:
    """Return the context of ``rows``; ``lexical`` is every row's BM25."""
    none = Context.none(len(rows))
    if not probe.context or not len(rows):
        return none
    traits = corpus.column("traits")
    beside = {offset: corpus.beside(rows, offset) for offset in NEIGHBOURS}
    if probe.vector is not None:
        _fill(none.around, corpus, probe.vector, list(beside.values()))
    session, before = none.session, none.before
    previous = beside[-1]
    after_another = _another(corpus, rows, previous)
    if probe.terms:
        rooms = corpus.column("conversation")
        session = corpus.postings.group_scores(probe.terms, rooms, SESSION)[rooms[rows]]
        before = np.where(previous >= 0, lexical[previous], np.float32(0))
    return Context(
        session=session,
        around=none.around,
        before=before,
        among=after_another | _another(corpus, rows, beside[1]),
        answers=after_another & (traits[previous] & ASKS > 0),
        says_when=traits[rows] & SAYS_WHEN > 0,
    )


def by_person(corpus: Corpus, rows: Rows) -> Mask:
    """Return whether somebody said each, not the agent itself, a tool or the system."""
    found: Mask = corpus.column("role")[rows] == ROLE_PLACE[Role.USER]
    return found


def _another(corpus: Corpus, rows: Rows, beside: Rows) -> Mask:
    """Return whether each of the rows and the one beside it (−1: none) are two persons'."""
    speaker = corpus.column("speaker")
    one, other = speaker[rows], speaker[beside]
    named = (beside >= 0) & (one >= 0) & (other >= 0) & (one != other)
    two: Mask = named & by_person(corpus, rows) & by_person(corpus, beside)
    return two


def _fill(around: Floats, corpus: Corpus, vector: Floats, beside: list[Rows]) -> None:
    """Put in the cosines of the rows beside, each row's computed once."""
    neighbours = np.stack(beside, axis=1)
    there = neighbours >= 0
    wanted, places = np.unique(neighbours[there], return_inverse=True)
    around[there] = corpus.vectors.cosines(corpus.vectors.prepared(vector), wanted)[places]
