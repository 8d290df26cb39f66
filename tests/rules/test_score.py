"""The score of memories and episodes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.emotion import Emotion, emotion_bits
from reverie.domain.query import Strategy
from reverie.domain.time import MICROS_PER_DAY
from reverie.rules.candidates import EpisodeCandidates, MemoryCandidates
from reverie.rules.score import (
    EMOTION_MOST,
    EPISODE_WEIGHTS,
    MEMORY_WEIGHTS,
    Scored,
    best_first,
    relevance,
    score_episodes,
    score_memories,
)

NOW = 20_000 * MICROS_PER_DAY
BITS = (1 << len(Emotion)) - 1

rows = st.tuples(
    st.floats(-1, 1, width=32),
    st.floats(0, 1000, width=32),
    st.floats(0, 1, width=32) | st.just(float("nan")),
    st.floats(0, 1, width=32),
    st.integers(0, 20_100),
    st.integers(1, 100),
    st.integers(0, BITS),
)
tables = st.lists(rows, max_size=8)


def _memories(table: list[tuple[float, float, float, float, int, int, int]]) -> MemoryCandidates:
    columns = list(zip(*table, strict=True)) if table else [()] * 7
    days = np.array(columns[4], np.int64)
    return MemoryCandidates(
        ids=[f"m{place:03}" for place in range(len(table))],
        version=np.zeros(len(table), np.int64),
        semantic=np.array(columns[0], np.float32),
        lexical=np.array(columns[1], np.float32),
        importance=np.array(columns[2], np.float32),
        confidence=np.array(columns[3], np.float32),
        fades_from=days * MICROS_PER_DAY,
        reinforcement_count=np.array(columns[5], np.int64),
        created_at=days * MICROS_PER_DAY,
        emotions=np.array(columns[6], np.int64),
        labels=np.array(columns[5], np.int64) % 3,
        superseded=np.zeros(len(table), np.bool_),
    )


def _episodes(table: list[tuple[float, float, float, float, int, int, int]]) -> EpisodeCandidates:
    memories = _memories(table)
    return EpisodeCandidates(
        ids=memories.ids,
        semantic=memories.semantic,
        lexical=memories.lexical,
        importance=memories.importance,
        time=memories.created_at,
        speaker=memories.reinforcement_count % 3 - 1,
        speakers=("Anna", "Ben"),
        labels=memories.labels,
    )


def _picked(found: MemoryCandidates, order: list[int]) -> MemoryCandidates:
    columns = {
        name: getattr(found, name)[order] for name in MemoryCandidates.__dataclass_fields__ if name != "ids"
    }
    return replace(found, ids=[found.ids[place] for place in order], **columns)


def _all_scored(table: list[tuple[float, float, float, float, int, int, int]]) -> list[Scored]:
    return [
        *(score_memories(_memories(table), strategy=s, now=NOW, emotions=7, terms=2) for s in Strategy),
        *(score_episodes(_episodes(table), strategy=s, now=NOW, named={"Ben"}, terms=2) for s in Strategy),
    ]


@given(tables)
def test_the_terms_sum_to_the_score(table: list[tuple[float, float, float, float, int, int, int]]) -> None:
    for scored in _all_scored(table):
        assert scored.terms
        assert np.allclose(sum(scored.terms.values()), scored.score)
        assert len(scored.score) == len(scored.relevance) == len(table)


@given(tables)
def test_each_term_of_hybrid_lies_between_nothing_and_its_weight(
    table: list[tuple[float, float, float, float, int, int, int]],
) -> None:
    by_memory = score_memories(_memories(table), strategy=Strategy.HYBRID, now=NOW, emotions=BITS)
    by_episode = score_episodes(_episodes(table), strategy=Strategy.HYBRID, now=NOW, named={"Anna"})
    for scored, weights in (
        (by_memory, {**MEMORY_WEIGHTS, "emotion": EMOTION_MOST}), (by_episode, dict(EPISODE_WEIGHTS)),
    ):  # fmt: skip
        assert list(scored.terms) == list(weights)
        for name, column in scored.terms.items():
            assert np.all((column >= 0) & (column <= weights[name] + 1e-9)), name


@given(tables)
def test_each_other_strategy_scores_from_0_to_1(
    table: list[tuple[float, float, float, float, int, int, int]],
) -> None:
    for scored in _all_scored(table):
        assert np.all((scored.score >= 0) & (scored.score <= 1.2))
        assert np.all((scored.relevance > 0) & (scored.relevance < 1))


@given(tables, st.randoms(use_true_random=False))
def test_the_ranking_does_not_depend_on_the_order_of_candidates(
    table: list[tuple[float, float, float, float, int, int, int]], chance: object
) -> None:
    found = _memories(table)
    order = list(range(len(table)))
    chance.shuffle(order)  # type: ignore[attr-defined]
    shuffled = _picked(found, order)
    for strategy in Strategy:
        one = score_memories(found, strategy=strategy, now=NOW, terms=2)
        other = score_memories(shuffled, strategy=strategy, now=NOW, terms=2)
        assert [found.ids[i] for i in best_first(one, found.ids)] == [
            shuffled.ids[i] for i in best_first(other, shuffled.ids)
        ]


def _one(**changed: object) -> MemoryCandidates:
    found = _memories([(0.5, 5.0, 0.5, 0.9, 20_000, 1, 0)])
    return replace(found, **{name: np.array([value]) for name, value in changed.items()})  # type: ignore[arg-type]


def _score(found: MemoryCandidates, **how: object) -> float:
    return float(score_memories(found, strategy=Strategy.HYBRID, now=NOW, **how).score[0])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("shared", "bonus"),
    [([], 0.0), (["joy"], 0.05), (["joy", "love"], 0.10), (["joy", "love", "fear"], 0.15), ([*Emotion], 0.15),
     (["neutral"], 0.0)],
)  # fmt: skip
def test_the_bonus_is_a_twentieth_for_each_shared_emotion_and_neutral_earns_nothing(
    shared: list[str], bonus: float
) -> None:
    labels = [Emotion(label) for label in shared]
    asked = emotion_bits(Emotion, neutral=False)
    found = _one(emotions=np.int64(emotion_bits(labels)))
    scored = score_memories(found, strategy=Strategy.HYBRID, now=NOW, emotions=asked)
    assert scored.terms["emotion"][0] == pytest.approx(bonus)


@pytest.mark.parametrize(
    ("less", "more"),
    [
        ({"semantic": np.float32(0.4)}, {"semantic": np.float32(0.41)}),
        ({"lexical": np.float32(0)}, {"lexical": np.float32(0.1)}),
        ({"importance": np.float32(0.4)}, {"importance": np.float32("nan")}),
        ({"importance": np.float32("nan")}, {"importance": np.float32(0.6)}),
        ({"confidence": np.float32(0.6)}, {"confidence": np.float32(0.9)}),
        ({"reinforcement_count": np.int64(1)}, {"reinforcement_count": np.int64(2)}),
        ({"created_at": np.int64(0), "fades_from": np.int64(0)}, {"created_at": np.int64(NOW)}),
    ],
)
def test_what_answers_better_matters_more_is_surer_or_newer_scores_higher(
    less: dict[str, object], more: dict[str, object]
) -> None:
    assert _score(_one(**less)) < _score(_one(**more))


def test_a_count_beyond_the_cap_and_a_time_in_the_future_add_nothing() -> None:
    assert _score(_one(reinforcement_count=np.int64(20))) == _score(_one(reinforcement_count=np.int64(2000)))
    assert _score(_one(created_at=np.int64(NOW))) == _score(_one(created_at=np.int64(NOW * 2)))


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_relevance_grows_with_meaning_and_with_words_and_looks_at_nothing_else(
    meaning: float, words: float, more_meaning: float, more_words: float
) -> None:
    low = relevance(np.array([min(meaning, more_meaning)]), np.array([min(words, more_words)]))[0]
    high = relevance(np.array([max(meaning, more_meaning)]), np.array([max(words, more_words)]))[0]
    assert 0 < low <= high < 1


def test_equal_scores_rank_by_id_whatever_noise_is_in_the_last_bits() -> None:
    scored = Scored(score=np.array([0.5, 0.5 + 1e-12, 0.7]), relevance=np.zeros(3), terms={})
    assert best_first(scored, ["b", "a", "c"]).tolist() == [2, 1, 0]


def test_being_said_by_a_person_whom_the_query_names_is_a_boost_and_no_filter() -> None:
    found = _episodes([(0.5, 5.0, 0.5, 0.9, 20_000, count, 0) for count in (1, 2, 3)])
    scored = score_episodes(found, strategy=Strategy.HYBRID, now=NOW, named={"Ben"})
    assert scored.terms["speaker"].tolist() == [0.0, EPISODE_WEIGHTS["speaker"], 0.0]
    assert len(scored.score) == 3


def test_the_temporal_strategy_ranks_the_latest_first() -> None:
    found = _memories([(0.9, 9.0, 1.0, 0.9, day, 1, 0) for day in (5, 19_000, 7)])
    scored = score_memories(found, strategy=Strategy.TEMPORAL, now=NOW)
    assert best_first(scored, found.ids).tolist() == [1, 2, 0]
