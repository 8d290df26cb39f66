"""Search by meaning: exactly where few rows are asked, over the HNSW index and the rows behind it where many are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np
from pgvector import HalfVector

from reverie.ports.search import Floats, Ints
from reverie.store.executor import Corpus, Row
from reverie.store.postgres import postings
from reverie.store.postgres.connection import SEARCH_WIDTH
from reverie.store.postgres.postings import bigints
from reverie.store.postgres.session import Ask, PendingResult, Session
from reverie.store.where import Clauses

EXACT_ROWS = 10_000
"""Up to so many rows are scanned exactly: about a millisecond a thousand (``python -m bench switch``), every filter is
exact, and storing needs no graph.
"""
DUPLICATE_WIDTH = 40
"""HNSW's ``ef_search`` where only what is almost the same is looked for."""

_NOTHING_INDEXED = 0
_WORTH_SAMPLING, _SAMPLED = 2_000, (80, 500)  # rows
_IN_DOUBT = 2.5  # times as many as are few: what the small sample may take for few
_WIDEST = 1000  # what pgvector allows
_MOST_LOOKED = 2_000  # at once: an iterative scan gives more than its width
_SET_WIDTH = "SET LOCAL hnsw.ef_search = {}"
_LARGE_SHARE, _LEAST_SHARE = 0.3, 0.01
_TELLING = 6  # rows that passed, from which on their share says something
_SPARE = 1.15  # how many more rows are looked at than should be enough
_TOGETHER = 8  # vectors from which on it is worth to send all rows here once
_PAGE = 10_000  # rows that are sent here at once
_FIRST = 16  # nearest neighbours, of which as a rule none is close enough to be the same
_HALF_ERROR = 0.002  # what half precision may take from a cosine, generously


@dataclass(frozen=True, kw_only=True, slots=True)
class VectorBank:
    """What a search by meaning must know of an agent's corpus: its vectors' maker and how far the index reaches."""

    agent_id: str
    corpus: Corpus
    embedder: str
    dimensions: int
    texts: int
    last: int
    indexed: int

    @property
    def small(self) -> bool:
        """Whether all of it may be scanned."""
        return self.texts <= EXACT_ROWS or self.indexed == _NOTHING_INDEXED


@dataclass(frozen=True, kw_only=True, slots=True)
class RowColumns:
    """What is read of each row that is found: columns and their parameters."""

    columns: str
    params: Sequence[object] = ()


ID = RowColumns(columns="id")


@dataclass(frozen=True, kw_only=True, slots=True)
class FilterReach:
    """How much of a bank a filter lets pass: about what ``share``, and the numbers of all ``few`` rows if it is few."""

    share: float
    few: Sequence[int] | None = None


MOST = FilterReach(share=0.9)
"""What is taken of a filter until it shows that it lets fewer pass."""


def nearest(
    session: Session, bank: VectorBank, passing: Clauses, vector: Floats, limit: int, reach: Callable[[], FilterReach],
    reading: RowColumns = ID, meanwhile: Callable[[Ask], object] | None = None, ahead: PendingResult | None = None,
    listed: bool = False, share: float | None = None,
) -> Sequence[Row]:  # fmt: skip
    """Return the nearest rows that pass, in no order: more than ``limit`` where there are as many, to be ordered by
    their exact cosines, since half precision may swap neighbours. ``reach`` is asked where few of the first rows pass.
    ``meanwhile`` is called once the first statement was sent, and may send another behind it; ``ahead`` is that
    statement where it was sent already (``walk_ahead``). ``listed``: few rows pass, and the filter names them;
    ``share``: about which part of all passes, where that is known.
    """
    take = _taken(limit)
    half = HalfVector(vector)
    if bank.small or listed:
        return session.run(
            *_scan(bank, passing.sql, passing.params, half, take, reading), meanwhile=meanwhile
        )
    walked = _walked(session, bank, passing, half, take, reach, reading, meanwhile, ahead, share)
    if walked is not None:
        return [*walked, *_behind(session, bank, passing, half, take, reading)]
    few = reach().few
    if few is not None:
        these = (bank.agent_id, bigints(few))
        return session.run(
            *_scan(bank, "agent_id = ? AND seq = ANY (?::bigint[])", these, half, take, reading)
        )
    return session.run(*_scan(bank, passing.sql, passing.params, half, take, reading))


def walk_ahead(
    ask: Ask, agent_id: str, corpus: Corpus, embedder: tuple[str, int], passing: Clauses, vector: Floats, limit: int,
    reading: RowColumns,
) -> PendingResult | None:  # fmt: skip
    """Return what ``nearest`` asks first of a bank that has a graph, as most likely it still has, before the rest is
    known of it; None where that isn't all the same.
    """
    take = _taken(limit)
    look = _enough(take, MOST.share)
    if look > SEARCH_WIDTH:
        return None
    bank = VectorBank(
        agent_id=agent_id,
        corpus=corpus,
        embedder=embedder[0],
        dimensions=embedder[1],
        texts=0,
        last=0,
        indexed=0,
    )
    return ask(*_looked_at(bank, passing, HalfVector(vector), look, reading))


def _taken(limit: int) -> int:
    """Return how many rows to take for a list of the nearest."""
    return limit + max(limit // 12, 8)


def _behind(
    session: Session, bank: VectorBank, passing: Clauses, half: HalfVector, take: int, reading: RowColumns
) -> Sequence[Row]:
    """Return the nearest of the rows that the index doesn't hold yet."""
    if bank.indexed >= bank.last:
        return []
    condition, params = f"{passing.sql} AND seq > ?", (*passing.params, bank.indexed)
    return session.run(*_scan(bank, condition, params, half, take, reading))


def _walked(
    session: Session, bank: VectorBank, passing: Clauses, half: HalfVector, take: int, reach: Callable[[], FilterReach],
    reading: RowColumns, meanwhile: Callable[[Ask], object] | None, ahead: PendingResult | None, known: float | None,
) -> Sequence[Row] | None:  # fmt: skip
    """Return rows out of the graph; None where they can't be relied on, and rows must be scanned.

    A filter may go with the meaning (a tag of another topic than the question's): then the rows near to the question
    hardly pass, and a walk that goes on until enough do gives any, not the nearest. So the nearest rows are looked at
    first, whether they pass or not: at once as many as should be enough, where the share that passes is known.
    """
    share = MOST.share
    first = 0 if known is None or ahead is not None else _enough(take, known)
    width = min(max(SEARCH_WIDTH, _enough(take, share)), _WIDEST)
    if width > SEARCH_WIDTH:
        session.run(_SET_WIDTH.format(width))
    while True:
        look = first if width < first <= _MOST_LOOKED else min(_enough(take, share), width)
        if ahead is not None:
            rows = session.take(ahead, meanwhile)
        else:
            rows = session.run(*_looked_at(bank, passing, half, look, reading), meanwhile=meanwhile)
        ahead = meanwhile = None
        if not rows or rows[0][0] < look:
            return None
        found = [row[1:] for row in rows]
        if len(found) >= take:
            return found
        if reach().few is not None:
            return None
        expected = look * reach().share / 2
        share = min(reach().share, len(found) / look, share / 2)
        # A wider look that is to find too few as well is worth its time only where this one told too little.
        if look >= width or (_enough(take, share) > width and len(found) >= max(expected, _TELLING)):
            break
    if len(found) < expected:
        return None
    if 2 * take > width:
        session.run(_SET_WIDTH.format(min(2 * take, _WIDEST)))
    found = session.run(*_indexed(bank, passing, half, take, reading))
    return found if len(found) == take else None


def _enough(take: int, share: float) -> int:
    """Return how many rows to look at so that as a rule enough of them pass."""
    return ceil(take * _SPARE / max(share, _LEAST_SHARE))


def _looked_at(
    bank: VectorBank, passing: Clauses, half: HalfVector, look: int, reading: RowColumns
) -> tuple[str, tuple[object, ...]]:
    """Return how many of the nearest rows the index gave, in front of each of those that pass."""
    # Looked up all at once, in the order of their ids: less than one after the other costs.
    query = (
        f"WITH near AS MATERIALIZED ({_walk(bank)} LIMIT ?) SELECT (SELECT count(*) FROM near), {reading.columns}"
        f" FROM {bank.corpus} WHERE id = ANY (ARRAY(SELECT id FROM near)) AND {passing.sql} AND embedder = ?"
    )
    return query, (bank.agent_id, half, look, *reading.params, *passing.params, bank.embedder)


def _walk(bank: VectorBank) -> str:
    """Return ids as the index gives them, nearest first. Its parameters are the agent and the vector."""
    size = f"halfvec({int(bank.dimensions)})"
    return (
        f"SELECT id FROM {bank.corpus}_near WHERE agent_id = ? AND vector_dims(near) = {int(bank.dimensions)}"
        f" ORDER BY near::{size} <#> ?::{size}"
    )


def _scan(
    bank: VectorBank,
    condition: str,
    params: Sequence[object],
    half: HalfVector,
    take: int,
    reading: RowColumns,
) -> tuple[str, tuple[object, ...]]:
    """Return the nearest rows of all that the condition lets pass."""
    # Without the cast to a length this isn't the index's expression, so the planner can't take the index.
    ids = f"SELECT id FROM {bank.corpus} WHERE {condition} AND embedder = ? ORDER BY near <#> ?::halfvec, seq LIMIT ?"
    # What is read lies out of line, in part: of the nearest alone.
    query = f"SELECT {reading.columns} FROM {bank.corpus} WHERE agent_id = ? AND id = ANY (ARRAY({ids}))"
    return query, (*reading.params, bank.agent_id, *params, bank.embedder, half, take)


def _indexed(
    bank: VectorBank, passing: Clauses, half: HalfVector, take: int, reading: RowColumns
) -> tuple[str, tuple[object, ...]]:
    """Return the nearest rows that the index holds and that pass."""
    # Rows are joined one after the other as the index gives them, nearest first, until enough pass.
    query = (
        f"SELECT m.* FROM ({_walk(bank)}) AS n CROSS JOIN LATERAL (SELECT {reading.columns} FROM {bank.corpus}"
        f" WHERE id = n.id AND {passing.sql} AND embedder = ? LIMIT 1) AS m LIMIT ?"
    )
    return query, (bank.agent_id, half, *reading.params, *passing.params, bank.embedder, take)


def enough(take: int, reach: FilterReach) -> int:
    """Return how many rows to look at so that as a rule so many of them pass; of those that are listed all do."""
    return _enough(take, reach.share if reach.few is None else 1.0)


def reach_of(session: Session, corpus: Corpus, passing: Clauses, last: int) -> FilterReach:
    """Return how much passes. ``last``: the greatest number of a row. A sample of rows, evenly spaced, tells first
    whether it is worth listing those that pass, and a larger one where that is in doubt.
    """
    few, share = max(postings.FEW_ROWS, last // postings.FEW_SHARE), 1.0
    if last > _WORTH_SAMPLING:
        for size in _SAMPLED:
            share = _share_of(session, corpus, passing, np.linspace(1, last, size, dtype=np.int64))
            if share > _LARGE_SHARE or share * last > few * _IN_DOUBT:
                return FilterReach(share=share)
            if share * last < few / _IN_DOUBT:
                break
        if share * last > few * _SPARE:
            return FilterReach(share=share)
    query = f"SELECT seq FROM {corpus} WHERE {passing.sql} LIMIT ?"
    rows = session.run(query, (*passing.params, few + 1))
    listed = [seq for (seq,) in rows]
    return FilterReach(share=share) if len(listed) > few else FilterReach(share=share, few=listed)


def _share_of(session: Session, corpus: Corpus, passing: Clauses, seqs: Ints) -> float:
    query = f"SELECT count(*) FROM {corpus} WHERE {passing.sql} AND seq = ANY (?::bigint[])"
    ((passed,),) = session.run(query, (*passing.params, bigints(seqs.tolist())))
    return float(passed) / len(seqs)


def duplicates(
    session: Session, bank: VectorBank, passing: Clauses, vectors: Floats, limit: int, least: float
) -> Sequence[Sequence[str]]:
    """Return for each vector ids of rows with about that cosine at least, somewhat more than ``limit`` if there are so
    many.

    What the index holds is looked up vector by vector, the rows behind it (of a small bank all) are read once for all.
    """
    read = _scanned_together if len(vectors) >= _TOGETHER else _scanned_apart
    found = read(session, bank, passing, vectors, least, limit)
    if bank.small:
        return found
    session.run(_SET_WIDTH.format(DUPLICATE_WIDTH))
    crowded = set()
    for place, count, id, passes in session.run(*_close_ones(bank, passing, vectors, least)):
        if count == _FIRST:
            crowded.add(place - 1)
        elif passes:
            found[place - 1].append(id)
    for place in crowded:  # all that came are close: there may be more
        rows = session.run(*_indexed(bank, passing, HalfVector(vectors[place]), limit + limit // 4, ID))
        found[place] += [id for (id,) in rows]
    return found


def _close_ones(
    bank: VectorBank, passing: Clauses, vectors: Floats, least: float
) -> tuple[str, tuple[object, ...]]:
    """For all vectors at once, of the nearest _FIRST that the index holds those that are close: the vector's place from
    1, how many are close to it, the row's id and whether it passes.
    """
    dimensions = int(bank.dimensions)
    size = f"halfvec({dimensions})"
    query = (
        "SELECT close.place, count(*) OVER (PARTITION BY close.place), close.id,"
        f" EXISTS (SELECT 1 FROM {bank.corpus} WHERE id = close.id AND {passing.sql}"
        " AND embedder = ?)"
        " FROM (SELECT v.place, n.id FROM unnest(?::halfvec[]) WITH ORDINALITY AS v (near, place), LATERAL ("
        f"SELECT m.id, m.near::{size} <#> v.near::{size} AS negative FROM {bank.corpus}_near AS m"
        f" WHERE m.agent_id = ? AND vector_dims(m.near) = {dimensions}"
        f" ORDER BY m.near::{size} <#> v.near::{size} LIMIT ?) AS n WHERE n.negative <= ?) AS close"
    )
    halves = [HalfVector(vector) for vector in vectors]
    return query, (
        *passing.params, bank.embedder, halves, bank.agent_id, _FIRST, _HALF_ERROR - least,
    )  # fmt: skip


def each(
    session: Session, bank: VectorBank, passing: Clauses, vectors: Floats, limit: int
) -> Sequence[Sequence[str]]:
    """Return for each vector ids of the nearest rows, somewhat more than ``limit`` where there are as many."""
    return [
        [id for (id,) in nearest(session, bank, passing, vector, limit, lambda: MOST)] for vector in vectors
    ]


def cosines(
    session: Session, bank: VectorBank, vectors: Floats, ids: Sequence[Sequence[str]]
) -> Sequence[Sequence[tuple[str, float]]]:
    """Return for each vector its rows with their exact cosines, best first; ties by order of storing."""
    wanted = sorted({id for some in ids for id in some})
    if not wanted:
        return [[] for _ in ids]
    rows = session.run(
        f"SELECT id, seq, vector FROM {bank.corpus} WHERE agent_id = ? AND id = ANY (?)",
        (bank.agent_id, wanted),
    )
    stored = {id: (seq, session.to_vector(vector)) for id, seq, vector in rows}
    found = []
    for vector, some in zip(vectors, ids, strict=True):
        scored = [
            (-float(np.dot(stored[id][1], vector)), stored[id][0], id)
            for id in dict.fromkeys(some)
            if id in stored
        ]
        found.append([(id, -negative) for negative, _, id in sorted(scored)])
    return found


def _scanned_apart(
    session: Session, bank: VectorBank, passing: Clauses, vectors: Floats, least: float, limit: int
) -> list[list[str]]:
    """As ``_scanned_together``, each vector by itself: the server compares, and sends what is close alone."""
    query = (
        f"SELECT id FROM {bank.corpus} WHERE {passing.sql} AND embedder = ? AND seq > ?"
        " AND near <#> ?::halfvec <= ? ORDER BY near <#> ?::halfvec, seq LIMIT ?"
    )
    behind = 0 if bank.small else bank.indexed
    found = []
    for half in map(HalfVector, vectors):
        asked = (bank.embedder, behind, half, _HALF_ERROR - least, half, limit + limit // 4)
        found.append([id for (id,) in session.run(query, (*passing.params, *asked))])
    return found


def _scanned_together(
    session: Session, bank: VectorBank, passing: Clauses, vectors: Floats, least: float, limit: int
) -> list[list[str]]:
    """Return for each vector ids of rows that the index doesn't hold: all these are read once, and compared here."""
    found: list[list[str]] = [[] for _ in vectors]
    # As pgvector sends it: two bytes of dimensions, two unused, then the numbers, most significant byte first.
    head = np.dtype([("", "V4"), ("near", ">f2", (bank.dimensions,))])
    query = (
        f"SELECT id, halfvec_send(near), seq FROM {bank.corpus} WHERE {passing.sql} AND embedder = ? AND seq > ?"
        " ORDER BY seq LIMIT ?"
    )
    behind = 0 if bank.small else bank.indexed
    while rows := session.run(query, (*passing.params, bank.embedder, behind, _PAGE)):
        matrix = np.frombuffer(b"".join(row[1] for row in rows), head)["near"].astype(np.float32)
        for ids, close in zip(found, vectors @ matrix.T, strict=True):
            near = np.flatnonzero(close >= least - _HALF_ERROR)
            best = near[np.argsort(-close[near], kind="stable")[: limit + limit // 4]]
            ids += [rows[place][0] for place in best.tolist()]
        if len(rows) < _PAGE:
            break
        behind = rows[-1][2]
    return found
