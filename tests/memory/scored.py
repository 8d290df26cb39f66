"""What the tests of the score rank: a row that is a memory and an episode at once, and questions about it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from reverie.domain.emotion import Emotion
from reverie.domain.query import Strategy
from reverie.domain.time import MICROS_PER_DAY
from reverie.language.dates.questions import Window
from reverie.memory.scoring.candidates import EpisodeCandidates, MemoryCandidates
from reverie.memory.scoring.score import Question

TODAY = 20_000
NOW = TODAY * MICROS_PER_DAY
BITS = (1 << len(Emotion)) - 1
NAN = float("nan")
ALONE = (NAN, NAN, NAN, NAN)


class Row(NamedTuple):
    """A candidate, memory and episode at once; ``day`` is when it was learned or said."""

    semantic: float = 0.5
    lexical: float = 5.0
    importance: float = 0.5
    confidence: float = 0.9
    day: int = TODAY
    confirmed: int = 1
    emotions: int = 0
    valid: bool = True
    person: bool = True
    session: float = 0.0
    around: tuple[float, ...] = ALONE
    before: float = 0.0
    among: bool = True
    answers: bool = False
    says_when: bool = False


_cosines = st.floats(-1, 1, width=32)
_bm25 = st.floats(0, 1000, width=32)
_share = st.floats(0, 1, width=32)
rows = st.builds(
    Row,
    semantic=_cosines,
    lexical=_bm25,
    importance=_share | st.just(NAN),
    confidence=_share,
    day=st.integers(0, 20_100),
    confirmed=st.integers(1, 100),
    emotions=st.integers(0, BITS),
    valid=st.booleans(),
    person=st.booleans(),
    session=_bm25,
    around=st.tuples(*[_cosines | st.just(NAN)] * 4),
    before=_bm25,
    among=st.booleans(),
    answers=st.booleans(),
    says_when=st.booleans(),
)
tables = st.lists(rows, max_size=8)


def a_window(first_day: int, days: int = 1, certainty: float = 1.0) -> Window:
    since = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=first_day)
    return Window(since=since, until=since + timedelta(days=days), certainty=certainty)


def memories_of(table: Sequence[Row]) -> MemoryCandidates:
    days = np.array([row.day for row in table], np.int64)
    counts = np.array([row.confirmed for row in table], np.int64)
    return MemoryCandidates(
        ids=[f"m{place:03}" for place in range(len(table))],
        version=np.zeros(len(table), np.int64),
        semantic=np.array([row.semantic for row in table], np.float32),
        lexical=np.array([row.lexical for row in table], np.float32),
        importance=np.array([row.importance for row in table], np.float32),
        confidence=np.array([row.confidence for row in table], np.float32),
        fades_from=days * MICROS_PER_DAY,
        reinforcement_count=counts,
        created_at=days * MICROS_PER_DAY,
        emotions=np.array([row.emotions for row in table], np.int64),
        labels=counts % 3,
        superseded=np.zeros(len(table), np.bool_),
        valid=np.array([row.valid for row in table], np.bool_),
    )


def episodes_of(table: Sequence[Row]) -> EpisodeCandidates:
    memories = memories_of(table)
    return EpisodeCandidates(
        ids=memories.ids,
        semantic=memories.semantic,
        lexical=memories.lexical,
        importance=memories.importance,
        time=memories.created_at,
        speaker=memories.reinforcement_count % 3 - 1,
        speakers=("Anna", "Ben"),
        person=np.array([row.person for row in table], np.bool_),
        labels=memories.labels,
        session=np.array([row.session for row in table], np.float32),
        around=np.array([row.around for row in table], np.float32).reshape(-1, 4),
        before=np.array([row.before for row in table], np.float32),
        among=np.array([row.among for row in table], np.bool_),
        answers=np.array([row.answers for row in table], np.bool_),
        says_when=np.array([row.says_when for row in table], np.bool_),
    )


def asking_all(strategy: Strategy = Strategy.HYBRID) -> Question:
    """A question that gives every signal something to do."""
    return Question(
        strategy=strategy, now=NOW, terms=2, windows=[a_window(19_990, certainty=0.7), a_window(20_050)],
        asks_when=True, named={"Ben"}, emotions=BITS,
    )  # fmt: skip


HYBRID = Question(strategy=Strategy.HYBRID, now=NOW)
