"""Past wordings: what was believed at a moment and is replaced now. They are few, and looked through one by one."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Any

from reverie.domain.time import micros
from reverie.language import memory_terms
from reverie.ports.search import Floats
from reverie.store.postgres.candidates import COSINE, MEMORY_OWN, NO_COSINE, Row
from reverie.store.postgres.lexemes import bag
from reverie.store.postgres.session import Session
from reverie.store.postgres.words import Statistics
from reverie.store.rows import names
from reverie.store.where import Clauses


def believed(clauses: Clauses, as_of: datetime) -> None:
    """Narrow clauses over current wordings to those believed and valid at a moment."""
    moment = micros(as_of)
    clauses.add("believed_from <= ?", moment)
    clauses.add("(valid_from IS NULL OR valid_from <= ?)", moment)
    clauses.add("(valid_to IS NULL OR valid_to > ?)", moment)


def past_rows(
    session: Session, words: Statistics, passing: Clauses, as_of: datetime, vector: Floats | None, embedder: str
) -> list[Row]:  # fmt: skip
    """Replaced wordings believed and valid at the moment, of memories that pass; in no order.

    They share with their memory what isn't wording: kind, labels, confidence and so on, as it stands now.
    """
    cosine = NO_COSINE if vector is None else COSINE
    known = () if vector is None else (embedder, vector)
    moment = micros(as_of)
    rows = session.run(
        "SELECT m.*, v.version, v.essence, v.lesson, v.cosine"
        f" FROM (SELECT memory_id, version, essence, lesson, {cosine} AS cosine FROM memory_versions"
        " WHERE agent_id = ? AND believed_from <= ? AND believed_to > ?"
        " AND (valid_from IS NULL OR valid_from <= ?) AND (valid_to IS NULL OR valid_to > ?)) AS v"
        f" JOIN (SELECT seq, id, tags, topics, entities, importance, {MEMORY_OWN} FROM memories"
        f" WHERE {passing.sql}) AS m ON m.id = v.memory_id",
        (*known, words.agent_id, moment, moment, moment, moment, *passing.params),
    )
    return [_row(words, one) for one in rows]


def _row(words: Statistics, values: tuple[Any, ...]) -> Row:
    seq, id, tags, topics, entities, importance, *own, version, essence, lesson, cosine = values
    counted = memory_terms(essence, lesson, names(tags))  # topics and entities are of the wording of today
    (lexical,) = words.scores([bag(words.agent_id, Counter(counted))], [len(counted)]).tolist()
    own[-2:] = None, None  # the memory's window is of today; this wording is valid, or it wouldn't be here
    return (seq, id, importance, cosine, version, lexical, topics, entities, *own)
