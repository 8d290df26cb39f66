"""The score: which candidates answer best, and why.

``score = 0.45 · semantic + other factors + emotion bonus`` (s1). Each signal is squashed to [0, 1] by
itself, without looking at the other candidates, so it means the same in every query and on every
engine (what moves hits among each other comes later: ``memory.scoring.order``). The weights stand in the
two tables below, fitted across domains by ``python -m bench fit`` and scaled so that semantic carries 0.45; what each
signal gives on data that it wasn't fitted on, and what was left out: ``docs/why/ranking.md``. A hit tells its signals
in the few terms of TERMS.

``relevance`` is the probability that the hit answers: a logistic curve over the part of the score that is about the
question (not importance, recency and their like) and over its lead, how far that is above the best other candidate's,
fitted by the same command. It compares across queries and decides ``min_score``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reverie.domain.meanings import MEANINGS
from reverie.domain.query import Strategy
from reverie.domain.time import MICROS_PER_DAY
from reverie.language.dates import Window, closeness
from reverie.memory.decay import faded_confidences
from reverie.memory.scoring.candidates import EpisodeCandidates, MemoryCandidates

Signal = NDArray[np.float64]
_NOTHING = np.zeros(1)

MEMORY_WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "semantic": 0.45,
        "lexical": 0.40,
        "date": 0.20,
        "recency": 0.12,
        "validity": 0.05,
        "importance": 0.05,
        "confidence": 0.05,
        "reinforcement": 0.03,
    }
)
EPISODE_WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "semantic": 0.45,
        "lexical": 0.39,
        "session": 0.35,
        "passage": 0.40,
        "reply": 0.45,
        "date": 0.28,
        "when": 0.10,
        "speaker": 0.24,
        "person": 0.14,
        "importance": 0.03,
    }
)
"""What the signals of an episode mean: ``date``, it was said at, or soon after, a time that the question names;
``when``, the question asks for a time and it says one; ``speaker``, one whom the question names said it; ``person``,
somebody did, not the agent itself, a tool or the system. Where people talk with each other, what stands around a
message tells as well: ``session``, its whole conversation shares the question's words; ``passage``, the messages around
it are near in meaning; ``reply``, the message before is another person's, asks, and shares words with the question."""
TERMS: Mapping[str, str] = MappingProxyType(
    {
        "session": "context", "passage": "context", "reply": "context", "when": "date", "person": "speaker",
        "validity": "strength", "importance": "strength", "confidence": "strength", "reinforcement": "strength",
    }
)  # fmt: skip
"""The term that tells a signal, where it isn't one of its own."""
EMOTION_STEP = 0.05
EMOTION_MOST = 0.15
LEXICAL_HALF = 18.0
SESSION_HALF = 10.0
RECENCY_HALF_LIFE_DAYS = 90.0
REINFORCEMENT_CAP = 20
UNJUDGED_IMPORTANCE = 0.5
TEMPORAL_DATE = 0.9  # of strategy temporal's score, where the question names a time
ABOUT_THE_QUESTION = frozenset(
    {"semantic", "lexical", "session", "passage", "reply", "when", "date", "speaker"}
)
UNRELATED = 0.2
"""About so much the best of a bank scores for a question that has nothing to do with it: the lead of a candidate that
has no other beside it is reckoned against that."""


class Curve(NamedTuple):
    """The logistic curve of a relevance: log odds = bias + slope · score about the question + lead · its lead."""

    bias: float
    slope: float
    lead: float


MEMORY_RELEVANCE: Mapping[Strategy, Curve] = MappingProxyType(
    {
        Strategy.HYBRID: Curve(-2.4, 3.3, 12.2),
        Strategy.SEMANTIC: Curve(-2.9, 2.9, 9.1),
        Strategy.LEXICAL: Curve(-0.6, 0.0, 7.0),
    }
)
EPISODE_RELEVANCE: Mapping[Strategy, Curve] = MappingProxyType(
    {
        Strategy.HYBRID: Curve(-2.9, 2.7, 7.9),
        Strategy.SEMANTIC: Curve(-3.9, 3.7, 3.7),
        Strategy.LEXICAL: Curve(-1.4, 0.0, 5.0),
    }
)
"""The curves by strategy. By time or by topic nothing has a relevance: it is 0."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Scored:
    """Columns as long as the candidates: what orders them, what the floor looks at, and the score's
    summands by name.
    """

    score: Signal
    relevance: Signal
    terms: Mapping[str, Signal]


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """What the score must know of a question.

    ``now`` in microseconds; ``terms`` is how many query terms there are; ``windows`` are the spans of time that it
    names, ``asks_when`` whether it asks for one; ``named`` are the speakers whom it names: said by one of them is a
    boost, never a filter; ``emotions`` are the query's as bits, without neutral.
    """

    strategy: Strategy
    now: int
    terms: int = 0
    windows: Sequence[Window] = ()
    asks_when: bool = False
    named: Collection[str] = ()
    emotions: int = 0


def score_memories(found: MemoryCandidates, question: Question) -> Scored:
    """Score memories."""
    signals = memory_signals(found, question)
    summands = _weighed(signals, MEMORY_WEIGHTS)
    if question.emotions:
        shared = np.bitwise_count(found.emotions & question.emotions).astype(np.float64)
        summands["emotion"] = np.minimum(EMOTION_STEP * shared, EMOTION_MOST)
    times = _Times(found.created_at, signals["date"])
    return _by(question, signals, summands, times, found.labels, MEMORY_RELEVANCE)


def memory_relevance(found: MemoryCandidates, question: Question) -> Signal:
    """Return the relevance of ``score_memories`` for strategy hybrid, without the rest of the score."""
    about = MEMORY_WEIGHTS["semantic"] * _squashed_cosine(found.semantic)
    about += MEMORY_WEIGHTS["lexical"] * _squashed(found.lexical, LEXICAL_HALF)
    if question.windows:
        about += MEMORY_WEIGHTS["date"] * closeness(found.created_at, question.windows)
    return _likely(about, MEMORY_RELEVANCE[Strategy.HYBRID])


def memory_signals(found: MemoryCandidates, question: Question) -> dict[str, Signal]:
    """Return the signals of MEMORY_WEIGHTS, each in [0, 1]."""
    now = question.now
    return {
        "semantic": _squashed_cosine(found.semantic),
        "lexical": _squashed(found.lexical, LEXICAL_HALF),
        "date": closeness(found.created_at, question.windows),
        "validity": found.valid.astype(np.float64),
        "importance": _importance(found.importance),
        "recency": _recency(np.maximum(found.created_at, found.fades_from), now),
        "confidence": faded_confidences(found.confidence, found.fades_from, now).astype(np.float64),
        "reinforcement": _reinforcement(found.reinforcement_count),
    }


def score_episodes(found: EpisodeCandidates, question: Question) -> Scored:
    """Score episodes."""
    signals = episode_signals(found, question)
    summands = _weighed(signals, EPISODE_WEIGHTS)
    times = _Times(found.time, signals["date"])
    return _by(question, signals, summands, times, found.labels, EPISODE_RELEVANCE)


def episode_signals(found: EpisodeCandidates, question: Question) -> dict[str, Signal]:
    """Return the signals of EPISODE_WEIGHTS, each in [0, 1]."""
    codes = [code for code, speaker in enumerate(found.speakers) if speaker in question.named]
    return {
        "semantic": _squashed_cosine(found.semantic),
        "lexical": _squashed(found.lexical, LEXICAL_HALF),
        "session": _squashed(found.session, SESSION_HALF) * found.among,
        "passage": _passage(found.around) * found.among,
        "reply": _squashed(found.before, LEXICAL_HALF) * found.answers,
        "when": (found.says_when & question.asks_when).astype(np.float64),
        "date": closeness(found.time, question.windows),
        "speaker": np.isin(found.speaker, codes).astype(np.float64),
        "person": found.person.astype(np.float64),
        "importance": _importance(found.importance),
    }


def best_first(scored: Scored, ids: Collection[str]) -> NDArray[np.intp]:
    """Return places of the candidates, best score first; equal scores in the order of their ids, so that every
    engine agrees.
    """
    falling = -scored.score.round(9)
    order = falling.argsort()
    ranked = falling[order]
    if (ranked[1:] > ranked[:-1]).all():
        return order
    return np.lexsort((np.asarray(list(ids), dtype=np.str_), falling))


@dataclass(frozen=True, slots=True)
class _Times:
    """When candidates were learned or said, and how close that is to what the question names."""

    time: NDArray[np.int64]
    closeness: Signal


def _by(
    question: Question,
    signals: Mapping[str, Signal],
    summands: dict[str, Signal],
    times: _Times,
    labels: NDArray[np.int64],
    curves: Mapping[Strategy, Curve],
) -> Scored:
    strategy = question.strategy
    if strategy is Strategy.SEMANTIC:
        summands = {"semantic": signals["semantic"]}
    elif strategy is Strategy.LEXICAL:
        summands = {"lexical": signals["lexical"]}
    elif strategy is Strategy.TEMPORAL:
        summands = _by_time(question, times)
    elif strategy is Strategy.TOPIC:
        summands = {"topic": np.minimum(labels / max(question.terms, 1), 1.0)}
    total: Signal = sum(summands.values(), start=_NOTHING)
    terms = _told(summands)
    if strategy not in curves:  # by time or by topic nothing has a relevance
        return Scored(score=total, relevance=np.zeros(len(labels)), terms=terms)
    about = [summand for name, summand in summands.items() if name in ABOUT_THE_QUESTION]
    likely = _likely(sum(about, start=_NOTHING), curves[strategy])
    return Scored(score=total, relevance=likely, terms=terms)


def _weighed(signals: Mapping[str, Signal], weights: Mapping[str, float]) -> dict[str, Signal]:
    return {name: weight * signals[name] for name, weight in weights.items()}


def _told(summands: Mapping[str, Signal]) -> Mapping[str, Signal]:
    """Return the summands by the terms that tell them."""
    terms: dict[str, Signal] = {}
    for name, summand in summands.items():
        term = TERMS.get(name, name)
        terms[term] = terms[term] + summand if term in terms else summand
    return terms


def leads(about: Signal) -> Signal:
    """Return how far each is above the best of the others, or below it."""
    if not len(about):
        return about
    best = about.argmax()
    others = np.partition(about, -2)[-2] if len(about) > 1 else UNRELATED
    ahead: Signal = about - max(float(about[best]), UNRELATED)
    ahead[best] = about[best] - max(float(others), UNRELATED)
    return ahead


def _likely(about: Signal, curve: Curve) -> Signal:
    odds = curve.bias + curve.slope * about + curve.lead * leads(about)
    likely: Signal = 1.0 / (1.0 + np.exp(-odds))
    return likely


def _by_time(question: Question, times: _Times) -> dict[str, Signal]:
    """Return the closest to what the question names, else the latest; of equally close ones the later."""
    recency = _later_is_more(times.time)
    if not question.windows:
        return {"recency": recency}
    return {"date": TEMPORAL_DATE * times.closeness, "recency": (1 - TEMPORAL_DATE) * recency}


def _passage(around: NDArray[np.float32]) -> Signal:
    """Return the mean cosine of the neighbours that are there."""
    there = ~np.isnan(around)
    cosines = np.where(there, np.clip(around, 0.0, 1.0), 0.0).astype(np.float64)
    mean: Signal = cosines.sum(axis=1) / np.maximum(there.sum(axis=1), 1)
    return mean


def _squashed_cosine(cosine: NDArray[np.float32]) -> Signal:
    return np.minimum(np.maximum(cosine.astype(np.float64), 0.0), 1.0)  # a third of what np.clip takes


def _squashed(bm25: NDArray[np.float32], half: float) -> Signal:
    raw = bm25.astype(np.float64)
    squashed: Signal = raw / (raw + half)
    return squashed


def _importance(importance: NDArray[np.float32]) -> Signal:
    return np.where(np.isnan(importance), UNJUDGED_IMPORTANCE, importance).astype(np.float64)


def _recency(moment: NDArray[np.int64], now: int) -> Signal:
    days = np.maximum(now - moment, 0) / MICROS_PER_DAY
    recent: Signal = 0.5 ** (days / RECENCY_HALF_LIFE_DAYS)
    return recent


def _reinforcement(count: NDArray[np.int64]) -> Signal:
    if (count <= 1).all():  # as a rule; what log(1) would give
        return np.zeros(len(count))
    capped = np.clip(count, 1, REINFORCEMENT_CAP)
    share: Signal = np.log(capped) / np.log(REINFORCEMENT_CAP)
    return share


def _later_is_more(time: NDArray[np.int64]) -> Signal:
    if not len(time):
        return np.zeros(0)
    first, last = int(time.min()), int(time.max())
    return np.ones(len(time)) if first == last else (time - first) / (last - first)


def explained(terms: Mapping[str, float]) -> str:
    """Return the terms that count, the weightiest first, with what each says, as one line: they add up to the score."""
    counted = sorted(
        ((name, points) for name, points in terms.items() if round(points, 3)), key=lambda term: -abs(term[1])
    )
    parts = "; ".join(f"{points:+.3f} {name} ({MEANINGS[name]})" for name, points in counted)
    return f"{sum(terms.values()):.3f} = {parts}" if parts else "0.000: nothing speaks for it"
