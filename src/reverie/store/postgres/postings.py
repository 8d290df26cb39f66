"""For each term and label of a corpus the texts that hold it, kept so that a search reads whole terms at once.

The newest postings of a term lie in its row of ``terms`` (``tail``), which every write that brings the term appends to;
once they are PIECE bytes they become a row of ``postings`` and are left alone. So a question costs two statements,
whatever its words, and is scored by ``memory.scoring.bm25`` over arrays, as on the other engine.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from hashlib import sha256
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reverie.store.executor import Corpus, Executor
from reverie.store.postgres.lexemes import opened

POSTING = np.dtype([("seq", "<u4"), ("count", "<u2"), ("length", "<u4")])
"""A text by its number in the agent's corpus, how often the term stands in it, and how many terms it has."""
ROLL = 0
"""The term under which every episode stands with its length as count and its conversation (``room_of``) as length."""
PIECE = 1_800
"""Bytes at which a tail becomes a piece: what PostgreSQL still keeps in the row itself."""

FEW_ROWS, FEW_SHARE = 5_000, 50
"""Where no more rows than this bear a label or hold a keyword, or one in so many of a larger bank, they are listed by
their numbers.
"""

Postings = NDArray[np.void]
Ints = NDArray[np.integer]

MOST_COUNTED = np.iinfo(np.uint16).max

_COUNT_TEXTS = """INSERT INTO corpora (agent_id, corpus, texts, length, last) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (agent_id, corpus) DO UPDATE SET texts = corpora.texts + excluded.texts,
length = corpora.length + excluded.length, last = corpora.last + excluded.last RETURNING texts, last"""
_APPEND = """INSERT INTO terms AS known (agent_id, corpus, term, texts, tail)
SELECT ?, ?, new.term, new.texts, new.tail FROM unnest(?::bigint[], ?::bigint[], ?::bytea[]) AS new (term, texts, tail)
ON CONFLICT (agent_id, corpus, term) DO UPDATE
SET texts = known.texts + excluded.texts, tail = known.tail || excluded.tail RETURNING term, length(tail)"""
_PUT_ASIDE = """INSERT INTO postings (agent_id, corpus, term, upto, piece) SELECT agent_id, corpus, term, ?, tail
FROM terms WHERE agent_id = ? AND corpus = ? AND term = ANY (?::bigint[])"""
_BEGIN_ANEW = "UPDATE terms SET tail = '' WHERE agent_id = ? AND corpus = ? AND term = ANY (?::bigint[])"
_TAILS = "SELECT term, tail FROM terms WHERE agent_id = ? AND corpus = ? AND term = ANY (?::bigint[])"
_PIECES = """SELECT term, upto, piece FROM postings
WHERE agent_id = ? AND corpus = ? AND term = ANY (?::bigint[]) AND upto >= ?"""
_LESSEN = """UPDATE terms SET texts = terms.texts - gone.texts, tail = gone.tail
FROM unnest(?::bigint[], ?::bigint[], ?::bytea[]) AS gone (term, texts, tail)
WHERE terms.agent_id = ? AND terms.corpus = ? AND terms.term = gone.term"""
_REPLACE = """UPDATE postings SET piece = less.piece
FROM unnest(?::bigint[], ?::bigint[], ?::bytea[]) AS less (term, upto, piece)
WHERE postings.agent_id = ? AND postings.corpus = ? AND postings.term = less.term AND postings.upto = less.upto"""
_DROP_TERMS = (
    "DELETE FROM terms WHERE agent_id = ? AND corpus = ? AND term = ANY (?::bigint[]) AND texts <= 0"
)
_DROP_PIECES = """DELETE FROM postings WHERE agent_id = ? AND corpus = ? AND term = ANY (?::bigint[])
AND length(piece) = 0"""
_READ = """SELECT term, piece FROM postings WHERE agent_id = ? AND corpus = ? AND term = ANY (?::bigint[])
UNION ALL SELECT term, tail FROM terms WHERE agent_id = ? AND corpus = ? AND term = ANY (?::bigint[])"""


_READ_FEW = """SELECT term, CASE WHEN texts <= ? THEN tail END FROM terms
WHERE agent_id = ? AND corpus = ? AND term = ANY (?::bigint[])
UNION ALL SELECT p.term, p.piece FROM terms AS t JOIN postings AS p
ON p.agent_id = t.agent_id AND p.corpus = t.corpus AND p.term = t.term
WHERE t.agent_id = ? AND t.corpus = ? AND t.term = ANY (?::bigint[]) AND t.texts <= ?"""
_NONE = np.empty(0, "<u4")


@dataclass(frozen=True, kw_only=True, slots=True)
class CountedText:
    """A text as it is counted: its number, its bag of terms, how many terms there are."""

    seq: int
    bag: bytes
    length: int
    posted: Sequence[int] = ()
    """Keys of its labels and their words (``lexemes.posted``): counted once each."""
    room: int | None = None
    """Of an episode: its conversation on the roll."""


def bigints(values: Iterable[int]) -> str:
    """Whole numbers as an array's text: of a list psycopg takes each element by itself."""
    return f"{{{','.join(map(str, values))}}}"


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredText(CountedText):
    """A text of the row with this id."""

    id: str


def room_of(conversation: str) -> int:
    """Return a conversation's number on the roll: 32 bits of a hash; of 5,000 two share one with a chance of 0.3 %."""
    return int.from_bytes(sha256(conversation.encode(errors="replace")).digest()[:4], "little")


class Size(NamedTuple):
    """How many texts a corpus has, and the last number that it gave to a row."""

    texts: int
    last: int


def take_numbers(
    executor: Executor, agent_id: str, corpus: Corpus, *, texts: int, length: int, new: int
) -> Size:
    """Add to the counts of texts (negative numbers subtract), and give rows the last ``new`` numbers."""
    ((left, last),) = executor.run(_COUNT_TEXTS, (agent_id, corpus, texts, length, new))
    return Size(int(left), int(last))


def wipe(executor: Executor, agent_id: str, corpus: Corpus) -> None:
    """Remove all postings of a corpus."""
    for table in ("terms", "postings"):
        executor.run(f"DELETE FROM {table} WHERE agent_id = ? AND corpus = ?", (agent_id, corpus))


def append(
    executor: Executor, agent_id: str, corpus: Corpus, texts: Sequence[CountedText], last: int
) -> None:
    """Add the postings of texts; ``last`` is the greatest number of the corpus."""
    by_term = postings_of(texts)
    if not by_term:
        return
    terms = list(by_term)
    rows = executor.run(
        _APPEND,
        (
            agent_id, corpus, terms, [len(part) for part in by_term.values()],
            [part.tobytes() for part in by_term.values()],
        ),
    )  # fmt: skip
    full = [term for term, size in rows if size >= PIECE]
    if full:
        # Of each term one piece a write at most, and every write that appends has a greater last number than the ones
        # before, or adds to a text that was there: then its piece's number may be taken, and the tail just grows.
        taken = executor.run(
            "SELECT term FROM postings WHERE agent_id = ? AND corpus = ? AND term = ANY (?::bigint[]) AND upto = ?",
            (agent_id, corpus, full, last),
        )
        full = sorted(set(full) - {term for (term,) in taken})
        executor.run(_PUT_ASIDE, (last, agent_id, corpus, full))
        executor.run(_BEGIN_ANEW, (agent_id, corpus, full))


def remove(executor: Executor, agent_id: str, corpus: Corpus, texts: Sequence[CountedText]) -> None:
    """Remove the postings of texts, wherever they lie."""
    by_term = postings_of(texts)
    if not by_term:
        return
    terms = list(by_term)
    own = (agent_id, corpus)
    first = min(one.seq for one in texts)
    tails: dict[int, bytes] = dict(executor.run(_TAILS, (*own, terms)))
    left = {term: _without(bytes(tails[term]), by_term[term]["seq"]) for term in terms if term in tails}
    pieces = [
        (term, upto, bytes(piece), _without(bytes(piece), by_term[term]["seq"]))
        for term, upto, piece in executor.run(_PIECES, (*own, terms, first))
    ]
    changed = [(term, upto, less) for term, upto, piece, less in pieces if less != piece]
    executor.run(_LESSEN, (list(left), [len(by_term[term]) for term in left], list(left.values()), *own))
    if changed:
        executor.run(_REPLACE, (*map(list, zip(*changed, strict=True)), *own))
        executor.run(_DROP_PIECES, (*own, terms))
    executor.run(_DROP_TERMS, (*own, terms))


def read(executor: Executor, agent_id: str, corpus: Corpus, terms: Sequence[int]) -> Mapping[int, Postings]:
    """Return the postings of terms; a term that no text holds is left out."""
    return joined(executor.run(_READ, (agent_id, corpus, list(terms)) * 2))


def listed(
    executor: Executor, agent_id: str, corpus: Corpus, asked: Sequence[Collection[int]]
) -> Ints | None:
    """Return the numbers of rows that may hold one of the terms of each collection: of those that few rows hold. None
    where many hold each.
    """
    own = (agent_id, corpus, bigints(term for terms in asked for term in terms))
    rows = executor.run(_READ_FEW, (FEW_ROWS, *own, *own, FEW_ROWS))
    wide = {term for term, part in rows if part is None}
    found = joined((term, part) for term, part in rows if part is not None)
    few = [
        np.unique(np.concatenate([_NONE, *(found[term]["seq"] for term in terms if term in found)]))
        for terms in asked
        if wide.isdisjoint(terms)
    ]
    return reduce(np.intersect1d, few) if few else None


def joined(rows: Iterable[tuple[int, bytes]]) -> Mapping[int, Postings]:
    """Return the postings of terms, out of all pieces and tails of each."""
    parts: dict[int, list[bytes]] = {}
    for term, part in rows:
        parts.setdefault(term, []).append(part)
    return {term: np.frombuffer(b"".join(found), POSTING) for term, found in parts.items()}


def postings_of(texts: Sequence[CountedText]) -> Mapping[int, Postings]:
    """Return the postings of texts by term, terms ascending, texts in their order."""
    places, terms, counts = opened([one.bag for one in texts])
    made = np.empty(len(terms), POSTING)
    made["seq"] = np.array([one.seq for one in texts], np.int64)[places]
    made["count"] = counts
    made["length"] = np.array([one.length for one in texts], np.int64)[places]
    named = [(one.seq, 1, 0) for one in texts for _ in one.posted]
    if named:
        made = np.concatenate([made, np.array(named, POSTING)])
        terms = np.concatenate([terms, np.array([key for one in texts for key in one.posted], np.int64)])
    order = np.argsort(terms, kind="stable")
    terms, made = terms[order], made[order]
    starts = np.flatnonzero(np.diff(terms, prepend=terms[:1] - 1))
    found = dict(zip(terms[starts].tolist(), np.split(made, starts[1:]), strict=True)) if len(terms) else {}
    roll = [(one.seq, min(one.length, MOST_COUNTED), one.room) for one in texts if one.room is not None]
    if roll:
        found[ROLL] = np.array(roll, POSTING)
    return dict(sorted(found.items()))


def _without(part: bytes, seqs: NDArray[np.integer]) -> bytes:
    found = np.frombuffer(part, POSTING)
    gone = np.isin(found["seq"], seqs)
    return part if not gone.any() else found[~gone].tobytes()
