"""Rows as candidates: which columns a search reads, and how they become ``memory.scoring.candidates``."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

import numpy as np

from reverie.domain.emotion import emotion_bits
from reverie.domain.message import Role
from reverie.domain.text_cache import text_cache
from reverie.domain.time import micros
from reverie.language import terms
from reverie.memory.scoring import Context, EpisodeCandidates, Floats, Ints, MemoryCandidates
from reverie.store.executor import Corpus
from reverie.store.rows import emotions, names

_COMMON = "seq, id, importance, {cosine}, 0, NULL, {labels}"
# Half precision is for choosing; the cosine that counts is of the vector as it was given.
COSINE = "CASE WHEN embedder = ? THEN -(vector <#> ?) ELSE 0 END"
NO_COSINE = "0::float8"
MEMORY_OWN = (
    "confidence, greatest(last_reinforced_at, confidence_at) AS fades_from, reinforcement_count, created_at, emotions,"
    " superseded_by IS NOT NULL AS superseded, valid_from, valid_to"
)
_MEMORY_OWN = 8  # columns
EPISODE_OWN = "time, speaker, conversation_id, position, role, bag"
_COLUMNS = {"memories": f"{_COMMON}, {MEMORY_OWN}", "episodes": f"{_COMMON}, {EPISODE_OWN}"}
CURRENT = 1 << 40
"""The place of the current wording behind all past ones."""


class EpisodeOwn(NamedTuple):
    """What EPISODE_OWN reads."""

    time: int
    speaker: str | None
    conversation: str
    position: int
    role: str
    bag: bytes


Row = tuple[Any, ...]
"""A candidate's row as it comes from the server: of hundreds none is made anew. Behind OWN stands what its corpus alone
has."""
SEQ, ID, IMPORTANCE, COSINE_OF, VERSION, LEXICAL, TOPICS, ENTITIES, OWN = range(9)
"""The places of a Row's values. ``VERSION`` 0 is the current wording; ``LEXICAL`` is None of a current one, whose BM25
the postings tell."""


def order(one: Row) -> tuple[int, int]:
    """Return the order of storing."""
    return one[SEQ], one[VERSION] or CURRENT


def columns(corpus: Corpus, *, labels: bool, cosine: str) -> str:
    """Return what a search reads of each row; topics and entities only where somebody asks."""
    return _COLUMNS[corpus].format(labels="topics, entities" if labels else "'[]', '[]'", cosine=cosine)


def memory_candidates(
    rows: Sequence[Row], lexical: Floats, labels: Ints, *, asked_about: datetime
) -> MemoryCandidates:
    """Return rows of memories, in order of storing; ``asked_about`` is the moment for which they should be true."""
    columns = list(zip(*rows, strict=True)) or [()] * (OWN + _MEMORY_OWN)
    confidence, fades_from, count, created, felt, superseded, valid_from, valid_to = columns[OWN:]
    moment = micros(asked_about)
    return MemoryCandidates(
        ids=columns[ID],
        version=np.array(columns[VERSION], np.int64),
        semantic=np.array(columns[COSINE_OF], np.float32),
        lexical=lexical,
        importance=_importance(columns[IMPORTANCE]),
        confidence=np.array(confidence, np.float32),
        fades_from=np.array(fades_from, np.int64),
        reinforcement_count=np.array(count, np.int64),
        created_at=np.array(created, np.int64),
        emotions=np.array([_bits(text) for text in felt], np.int64),
        labels=labels,
        superseded=np.array(superseded, np.bool_),
        valid=np.array(
            [
                (since is None or since <= moment) and (until is None or until > moment)
                for since, until in zip(valid_from, valid_to, strict=True)
            ],
            np.bool_,
        ),
    )


def episode_candidates(
    rows: Sequence[Row], lexical: Floats, labels: Ints, context: Context
) -> EpisodeCandidates:
    """Return rows of episodes, in order of storing."""
    own = [EpisodeOwn(*one[OWN:]) for one in rows]
    times, spoken = [one.time for one in own], [one.speaker for one in own]
    speakers = sorted({name for name in spoken if name is not None})
    place = {name: number for number, name in enumerate(speakers)}
    return EpisodeCandidates(
        ids=[one[ID] for one in rows],
        semantic=np.array([one[COSINE_OF] for one in rows], np.float32),
        lexical=lexical,
        importance=_importance([one[IMPORTANCE] for one in rows]),
        time=np.array(times, np.int64),
        speaker=np.array([-1 if name is None else place[name] for name in spoken], np.int64),
        speakers=speakers,
        person=np.array([one.role == Role.USER for one in own], np.bool_),
        labels=labels,
        **context.columns,
    )


def labels_held(rows: Sequence[Row], asked: Sequence[str]) -> Ints:
    """Return for each row how many of the terms stand in its topics and entities."""
    wanted = set(asked)
    held = np.zeros(len(rows), np.int64)
    for place, one in enumerate(rows):
        if one[TOPICS] != "[]" or one[ENTITIES] != "[]":
            words = {term for label in (*names(one[TOPICS]), *names(one[ENTITIES])) for term in terms(label)}
            held[place] = len(wanted & words)
    return held


def _importance(values: Sequence[float | None]) -> Floats:
    return np.array([np.nan if value is None else value for value in values], np.float32)


@text_cache(1 << 12)
def _bits(felt: object) -> int:
    return 0 if felt is None else emotion_bits(emotions(str(felt)) or ())
