"""The score: which candidates answer best, and why.

``score = 0.45 · semantic + other factors + emotion bonus`` (s1). Each signal is squashed to [0, 1] by
itself, without looking at the other candidates, so a hit's terms mean the same in every query and on every
engine. The weights stand in the two tables below; ``python -m bench fit --data FILE`` prints how they do
against their neighbours on LoCoMo conversations.

``relevance`` is a logistic curve over the semantic and lexical signals alone, fitted by the same command to
"is this one of the evidence turns" among the 20 best of each question; it compares across queries and
decides ``min_score``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from reverie.domain.query import Strategy
from reverie.domain.time import MICROS_PER_DAY
from reverie.rules.candidates import EpisodeCandidates, MemoryCandidates
from reverie.rules.decay import faded_confidences

Signal = NDArray[np.float64]

MEMORY_WEIGHTS: Mapping[str, float] = MappingProxyType(
    {
        "semantic": 0.45,
        "lexical": 0.30,
        "importance": 0.05,
        "recency": 0.03,
        "confidence": 0.05,
        "reinforcement": 0.03,
    }
)
EPISODE_WEIGHTS: Mapping[str, float] = MappingProxyType(
    {"semantic": 0.45, "lexical": 0.30, "importance": 0.03, "recency": 0.01, "speaker": 0.05}
)
EMOTION_STEP = 0.05
EMOTION_MOST = 0.15
LEXICAL_HALF = 18.0
RECENCY_HALF_LIFE_DAYS = 90.0
REINFORCEMENT_CAP = 20
UNJUDGED_IMPORTANCE = 0.5
RELEVANCE = (-5.25, 1.98, 8.25)


@dataclass(frozen=True, kw_only=True, slots=True)
class Scored:
    """Columns as long as the candidates: what orders them, what the floor looks at, and the score's
    summands by name.
    """

    score: Signal
    relevance: Signal
    terms: Mapping[str, Signal]


def score_memories(
    found: MemoryCandidates, *, strategy: Strategy, now: int, emotions: int = 0, terms: int = 0
) -> Scored:
    """Scores memories. ``now`` in microseconds; ``emotions`` are the query's as bits, without neutral;
    ``terms`` is how many query terms there are.
    """
    signals = {
        "semantic": _squashed_cosine(found.semantic),
        "lexical": _squashed_bm25(found.lexical),
        "importance": _importance(found.importance),
        "recency": _recency(np.maximum(found.created_at, found.fades_from), now),
        "confidence": faded_confidences(found.confidence, found.fades_from, now).astype(np.float64),
        "reinforcement": _reinforcement(found.reinforcement_count),
    }
    summands = {name: weight * signals[name] for name, weight in MEMORY_WEIGHTS.items()}
    if emotions:
        shared = np.bitwise_count(found.emotions & emotions).astype(np.float64)
        summands["emotion"] = np.minimum(EMOTION_STEP * shared, EMOTION_MOST)
    return _by(strategy, signals, summands, found.created_at, found.labels, terms)


def score_episodes(
    found: EpisodeCandidates, *, strategy: Strategy, now: int, named: Collection[str] = (), terms: int = 0
) -> Scored:
    """Scores episodes. ``named`` are the speakers whom the query names: said by one of them is a boost,
    never a filter.
    """
    codes = [code for code, speaker in enumerate(found.speakers) if speaker in named]
    signals = {
        "semantic": _squashed_cosine(found.semantic),
        "lexical": _squashed_bm25(found.lexical),
        "importance": _importance(found.importance),
        "recency": _recency(found.time, now),
        "speaker": np.isin(found.speaker, codes).astype(np.float64),
    }
    summands = {name: weight * signals[name] for name, weight in EPISODE_WEIGHTS.items()}
    return _by(strategy, signals, summands, found.time, found.labels, terms)


def relevance(semantic: Signal, lexical: Signal) -> Signal:
    """How likely a candidate belongs to the answer, in (0, 1), from its squashed signals alone."""
    bias, by_meaning, by_words = RELEVANCE
    curve: Signal = 1.0 / (1.0 + np.exp(-(bias + by_meaning * semantic + by_words * lexical)))
    return curve


def best_first(scored: Scored, ids: Collection[str]) -> NDArray[np.intp]:
    """Places of the candidates, best score first; equal scores in the order of their ids, so that every
    engine agrees.
    """
    falling = -np.round(scored.score, 9)
    order = np.argsort(falling)
    if (np.diff(falling[order]) > 0).all():
        return order
    return np.lexsort((np.asarray(list(ids), dtype=np.str_), falling))


def _by(
    strategy: Strategy,
    signals: Mapping[str, Signal],
    summands: dict[str, Signal],
    time: NDArray[np.int64],
    labels: NDArray[np.int64],
    terms: int,
) -> Scored:
    if strategy is Strategy.SEMANTIC:
        summands = {"semantic": signals["semantic"]}
    elif strategy is Strategy.LEXICAL:
        summands = {"lexical": signals["lexical"]}
    elif strategy is Strategy.TEMPORAL:
        summands = {"recency": _later_is_more(time)}
    elif strategy is Strategy.TOPIC:
        summands = {"topic": np.minimum(labels / max(terms, 1), 1.0)}
    total = np.zeros(len(time)) + sum(summands.values())
    return Scored(score=total, relevance=relevance(signals["semantic"], signals["lexical"]), terms=summands)


def _squashed_cosine(cosine: NDArray[np.float32]) -> Signal:
    return np.clip(cosine.astype(np.float64), 0.0, 1.0)


def _squashed_bm25(bm25: NDArray[np.float32]) -> Signal:
    raw = bm25.astype(np.float64)
    squashed: Signal = raw / (raw + LEXICAL_HALF)
    return squashed


def _importance(importance: NDArray[np.float32]) -> Signal:
    return np.where(np.isnan(importance), UNJUDGED_IMPORTANCE, importance).astype(np.float64)


def _recency(moment: NDArray[np.int64], now: int) -> Signal:
    days = np.maximum(now - moment, 0) / MICROS_PER_DAY
    recent: Signal = 0.5 ** (days / RECENCY_HALF_LIFE_DAYS)
    return recent


def _reinforcement(count: NDArray[np.int64]) -> Signal:
    capped = np.clip(count, 1, REINFORCEMENT_CAP)
    share: Signal = np.log(capped) / np.log(REINFORCEMENT_CAP)
    return share


def _later_is_more(time: NDArray[np.int64]) -> Signal:
    if not len(time):
        return np.zeros(0)
    first, last = int(time.min()), int(time.max())
    return np.ones(len(time)) if first == last else (time - first) / (last - first)
