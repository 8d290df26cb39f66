"""The relevance of memories and episodes: the probability that they answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from reverie.domain.query import Strategy
from reverie.memory.scoring.score import (
    ABOUT_THE_QUESTION,
    EPISODE_WEIGHTS,
    MEMORY_WEIGHTS,
    UNRELATED,
    Scored,
    episode_signals,
    leads,
    memory_relevance,
    memory_signals,
    score_episodes,
    score_memories,
)
from tests.memory.scored import HYBRID, Row, asking_all, episodes_of, memories_of, rows, tables

pytestmark = pytest.mark.slow

RELEVANT = (Strategy.HYBRID, Strategy.SEMANTIC, Strategy.LEXICAL)


def _abouts(table: Sequence[Row], strategy: Strategy) -> list[NDArray[np.float64]]:
    """The part of the scores that is about the question: of the rows as memories, and as episodes."""
    of_memories = memory_signals(memories_of(table), asking_all())
    of_episodes = episode_signals(episodes_of(table), asking_all())
    if strategy is not Strategy.HYBRID:
        return [signals[strategy] for signals in (of_memories, of_episodes)]
    return [
        np.sum([weight * signals[name] for name, weight in weights.items() if name in ABOUT_THE_QUESTION], axis=0)
        for signals, weights in ((of_memories, MEMORY_WEIGHTS), (of_episodes, EPISODE_WEIGHTS))
    ]  # fmt: skip


def _both(table: Sequence[Row], strategy: Strategy) -> list[Scored]:
    asked = asking_all(strategy)
    return [score_memories(memories_of(table), asked), score_episodes(episodes_of(table), asked)]


@pytest.mark.parametrize("strategy", RELEVANT)
@given(tables)
def test_relevance_grows_with_the_score_about_the_question(strategy: Strategy, table: list[Row]) -> None:
    for scored, about in zip(_both(table, strategy), _abouts(table, strategy), strict=True):
        assert np.all(np.diff(scored.relevance[np.argsort(about)]) >= -1e-12)


@pytest.mark.parametrize("strategy", RELEVANT)
@given(tables, rows)
def test_another_candidate_makes_none_more_relevant(strategy: Strategy, table: list[Row], one: Row) -> None:
    for few, more in zip(_both(table, strategy), _both([*table, one], strategy), strict=True):
        assert np.all(more.relevance[: len(table)] <= few.relevance + 1e-12)


@pytest.mark.parametrize("strategy", RELEVANT)
def test_a_close_second_makes_the_best_less_relevant(strategy: Strategy) -> None:
    best = Row(semantic=0.9, lexical=30.0)
    by_next = [
        _both([best, Row(semantic=share, lexical=30.0 * share)], strategy) for share in (0.1, 0.5, 0.7, 0.9)
    ]
    for of_one in zip(*by_next, strict=True):
        relevances = [scored.relevance[0] for scored in of_one]
        assert relevances == sorted(relevances, reverse=True)
        assert relevances[0] > relevances[-1]


def test_by_time_and_by_topic_nothing_has_a_relevance() -> None:
    for strategy in {*Strategy} - {*RELEVANT}:
        for scored in _both([Row(), Row(semantic=0.9)], strategy):
            assert scored.relevance.tolist() == [0, 0]


_points = st.lists(st.floats(0, 2), max_size=8)


@given(_points)
def test_the_lead_is_the_distance_to_the_best_other(points: list[float]) -> None:
    wanted = [
        value - max([UNRELATED, *points[:place], *points[place + 1 :]]) for place, value in enumerate(points)
    ]
    assert leads(np.array(points)).tolist() == pytest.approx(wanted)


def test_of_equally_good_ones_none_leads() -> None:
    assert leads(np.array([0.7, 0.7, 0.3])).tolist() == pytest.approx([0, 0, -0.4])


def test_a_single_candidate_leads_an_unrelated_one() -> None:
    assert leads(np.array([0.5])).tolist() == pytest.approx([0.5 - UNRELATED])
    assert leads(np.array([0.05])).tolist() == pytest.approx([0.05 - UNRELATED])
    assert leads(np.array([0.5, 0.05])).tolist() == pytest.approx([0.5 - UNRELATED, 0.05 - 0.5])
    assert leads(np.zeros(0)).tolist() == []


@given(tables, st.booleans())
def test_relevance_alone_is_the_scores_relevance(table: list[Row], named: bool) -> None:
    found, asked = memories_of(table), asking_all() if named else HYBRID
    assert memory_relevance(found, asked) == pytest.approx(score_memories(found, asked).relevance)


@given(rows, rows)
def test_relevance_looks_at_nothing_but_the_question(one: Row, other: Row) -> None:
    """Importance, confidence, age, reinforcement, emotions and validity order hits; they make none relevant."""
    asked = replace(asking_all(), windows=())
    mixed = one._replace(
        importance=other.importance, confidence=other.confidence, day=other.day, confirmed=other.confirmed,
        emotions=other.emotions, valid=other.valid,
    )  # fmt: skip
    relevances = score_memories(memories_of([one, mixed]), asked).relevance
    assert relevances[0] == relevances[1]
    alike = one._replace(importance=other.importance, day=other.day)
    relevances = score_episodes(episodes_of([one, alike]), asked).relevance
    assert relevances[0] == relevances[1]
