"""What stands around episodes: their conversations' own match, and the messages before and behind them.

Which conversation an episode belongs to stands on the roll (``postings.ROLL``): so the BM25 of whole conversations is
counted from arrays, as on the other engine, and no rows are read for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from pgvector import HalfVector

from reverie.domain.message import Role
from reverie.language import ASKING, TIME_TERMS
from reverie.memory.scoring import NEIGHBOURS, SESSION, Context, idf, weights
from reverie.ports.search import Floats, Probe
from reverie.store.postgres.candidates import OWN, SEQ, EpisodeOwn, Row
from reverie.store.postgres.lexemes import BAG, WORD, key
from reverie.store.postgres.postings_cache import PostingsCache
from reverie.store.postgres.session import Session
from reverie.store.postgres.words import RankedRows, Statistics, roll_of

_BEFORE, _BEHIND = NEIGHBOURS.index(-1), NEIGHBOURS.index(1)

# The cosine of the vector in half precision: it is one of four of a mean.
_BESIDE = """SELECT e.conversation_id, e.position, e.seq,
CASE WHEN e.embedder = ? THEN -(e.near <#> ?::halfvec) ELSE 0 END, wanted.read AND e.content ~ ?, e.role, e.speaker
FROM unnest(?::text[], ?::bigint[], ?::boolean[]) AS wanted (room, place, read) JOIN episodes AS e
ON e.agent_id = ? AND e.conversation_id = wanted.room COLLATE "C" AND e.position = wanted.place"""

Place = tuple[str, int]


def context_of(
    session: Session,
    known: Statistics,
    kept: PostingsCache,
    ranked: RankedRows,
    rows: Sequence[Row],
    probe: Probe,
    embedder: str | None,
) -> Context:
    """Return the context of these rows of episodes."""
    none = Context.none(len(rows))
    if not probe.context or not rows:
        return none
    own = [EpisodeOwn(*one[OWN:]) for one in rows]
    beside = _beside(session, known.agent_id, own, probe, embedder)
    around, before = none.around, none.before.copy()
    among, answers = none.among.copy(), none.answers.copy()
    for row, one in enumerate(own):
        for column, offset in enumerate(NEIGHBOURS):
            found = beside.get((one.conversation, one.position + offset))
            if found is not None and probe.vector is not None:
                around[row, column] = found.cosine
            if found is None or column not in (_BEFORE, _BEHIND):
                continue
            another = _are_two(one, found)
            among[row] |= another
            if column == _BEFORE:
                before[row], answers[row] = ranked.of([found.seq])[0], another and found.asks
    times = {key(known.agent_id, WORD, term) for term in TIME_TERMS}
    return Context(
        session=_sessions(session, known, kept, [one[SEQ] for one in rows]),
        around=around,
        before=before,
        among=among,
        answers=answers,
        says_when=np.array(
            [not times.isdisjoint(np.frombuffer(one.bag, BAG)["term"].tolist()) for one in own], np.bool_
        ),
    )


@dataclass(frozen=True, slots=True)
class _Neighbour:
    seq: int
    cosine: float
    asks: bool
    role: str
    speaker: str | None


def _are_two(one: EpisodeOwn, other: _Neighbour) -> bool:
    """Return whether two messages are two persons'."""
    persons = one.role == other.role == Role.USER
    return persons and None not in (one.speaker, other.speaker) and one.speaker != other.speaker


def _beside(
    session: Session, agent_id: str, own: Sequence[EpisodeOwn], probe: Probe, embedder: str | None
) -> Mapping[Place, _Neighbour]:
    """Return the messages beside, whether they are candidates or not, by conversation and position."""
    wanted = sorted({(one.conversation, one.position + offset) for one in own for offset in NEIGHBOURS})
    # Of those before it counts whether they ask, and of them alone.
    before = {(one.conversation, one.position - 1) for one in own}
    vector = None if probe.vector is None or embedder is None else HalfVector(probe.vector)
    rows = session.run(
        _BESIDE if vector is not None else _BESIDE.replace("-(e.near <#> ?::halfvec)", "0"),
        (
            embedder or "",
            *(() if vector is None else (vector,)),
            ASKING,
            [room for room, _ in wanted],
            [place for _, place in wanted],
            [one in before for one in wanted],
            agent_id,
        ),
    )
    return {
        (room, place): _Neighbour(seq, float(cosine), asks, role, speaker)
        for room, place, seq, cosine, asks, role, speaker in rows
    }


def _sessions(session: Session, known: Statistics, kept: PostingsCache, seqs: Sequence[int]) -> Floats:
    """Return the BM25 of each row's whole conversation, among the conversations."""
    asked = [(term, known.postings[term]) for term in sorted(known.postings) if len(known.postings[term])]
    roll = roll_of(session, known.agent_id, kept) if asked else None
    if roll is None or not len(roll):
        return np.zeros(len(seqs), np.float32)
    rooms, places = np.unique(roll["length"], return_inverse=True)
    lengths = np.bincount(places, weights=roll["count"])
    greatest = max(int(roll["seq"].max()), *seqs, *(int(found["seq"].max()) for _, found in asked))
    room_of = np.full(greatest + 1, len(rooms), np.int64)  # what is on no roll counts for no conversation
    room_of[roll["seq"].astype(np.int64)] = places
    mean = float(roll["count"].sum(dtype=np.float64)) / len(rooms)
    scores = np.zeros(len(rooms) + 1)
    for _, found in asked:
        rows = room_of[found["seq"].astype(np.int64)]
        tf = np.bincount(rows, weights=found["count"], minlength=len(rooms))[: len(rooms)]
        hit = np.flatnonzero(tf)
        scores[hit] += weights(
            tf[hit].astype(np.float32),
            lengths[hit].astype(np.float32),
            idf(len(rooms), len(hit), SESSION),
            mean,
            SESSION,
        )
    return scores.astype(np.float32)[room_of[np.asarray(seqs, np.int64)]]
