"""The score of memories and episodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.emotion import Emotion, emotion_bits
from reverie.domain.meanings import MEANINGS
from reverie.domain.query import Strategy
from reverie.memory.scoring.candidates import MemoryCandidates
from reverie.memory.scoring.score import (
    ABOUT_THE_QUESTION,
    EMOTION_MOST,
    EPISODE_WEIGHTS,
    LEXICAL_HALF,
    MEMORY_WEIGHTS,
    SESSION_HALF,
    TEMPORAL_DATE,
    TERMS,
    Question,
    Scored,
    best_first,
    episode_signals,
    memory_signals,
    score_episodes,
    score_memories,
)
from tests.memory.scored import (
    ALONE,
    BITS,
    HYBRID,
    NAN,
    NOW,
    TODAY,
    Row,
    a_window,
    asking_all,
    episodes_of,
    memories_of,
    rows,
    tables,
)

pytestmark = pytest.mark.slow

MOVED = ("newer", "repeat")
"""The terms that come once the hits stand beside each other."""


def _picked(found: MemoryCandidates, order: list[int]) -> MemoryCandidates:
    columns = {
        name: getattr(found, name)[order] for name in MemoryCandidates.__dataclass_fields__ if name != "ids"
    }
    return replace(found, ids=[found.ids[place] for place in order], **columns)


def _all_scored(table: Sequence[Row]) -> list[tuple[Strategy, Scored]]:
    memories = [(s, score_memories(memories_of(table), asking_all(s))) for s in Strategy]
    return memories + [(s, score_episodes(episodes_of(table), asking_all(s))) for s in Strategy]


def _term(name: str, row: Row, question: Question = HYBRID) -> float:
    return float(score_episodes(episodes_of([row]), question).terms[name][0])


def _signal(name: str, row: Row, question: Question = HYBRID) -> float:
    return float(episode_signals(episodes_of([row]), question)[name][0])


def _most(weights: Mapping[str, float]) -> dict[str, float]:
    """What each term can come to."""
    most: dict[str, float] = {}
    for name, weight in weights.items():
        term = TERMS.get(name, name)
        most[term] = most.get(term, 0.0) + weight
    return most


@given(tables)
def test_the_terms_sum_to_the_score(table: list[Row]) -> None:
    for _, scored in _all_scored(table):
        assert scored.terms
        assert np.allclose(sum(scored.terms.values()), scored.score)
        assert len(scored.score) == len(scored.relevance) == len(table)


@given(tables)
def test_each_signal_lies_between_0_and_1_and_is_in_the_table(table: list[Row]) -> None:
    of_memories = memory_signals(memories_of(table), asking_all())
    of_episodes = episode_signals(episodes_of(table), asking_all())
    assert (of_memories.keys(), of_episodes.keys()) == (MEMORY_WEIGHTS.keys(), EPISODE_WEIGHTS.keys())
    for signals in (of_memories, of_episodes):
        for name, column in signals.items():
            assert column.shape == (len(table),), name
            assert np.all((column >= 0) & (column <= 1)), name


@given(tables)
def test_each_hybrid_term_lies_within_its_weight(table: list[Row]) -> None:
    by_memory = score_memories(memories_of(table), asking_all())
    by_episode = score_episodes(episodes_of(table), asking_all())
    for scored, most in (
        (by_memory, {**_most(MEMORY_WEIGHTS), "emotion": EMOTION_MOST}), (by_episode, _most(EPISODE_WEIGHTS)),
    ):  # fmt: skip
        assert list(scored.terms) == list(most)
        for name, column in scored.terms.items():
            assert np.all((column >= 0) & (column <= most[name] + 1e-9)), name


@given(tables)
def test_a_term_is_the_sum_of_the_weighed_signals_that_it_tells(table: list[Row]) -> None:
    memories, episodes, asked = memories_of(table), episodes_of(table), asking_all()
    for scored, signals, weights in (
        (score_memories(memories, asked), memory_signals(memories, asked), MEMORY_WEIGHTS),
        (score_episodes(episodes, asked), episode_signals(episodes, asked), EPISODE_WEIGHTS),
    ):
        for term, column in scored.terms.items():
            told = [weights[name] * signals[name] for name in weights if TERMS.get(name, name) == term]
            assert term == "emotion" or np.allclose(column, sum(told))


def test_a_hit_has_at_most_eight_terms_whatever_moves_it_later() -> None:
    for _, scored in _all_scored([Row()]):
        assert len({*scored.terms, *MOVED}) <= 8


def test_every_term_has_a_meaning_and_every_meaning_is_a_terms() -> None:
    assert {*MOVED, *(term for _, scored in _all_scored([Row()]) for term in scored.terms)} == set(MEANINGS)


def test_only_signals_have_other_terms_or_are_about_questions() -> None:
    signals = {*MEMORY_WEIGHTS, *EPISODE_WEIGHTS}
    assert set(TERMS) <= signals
    assert signals >= ABOUT_THE_QUESTION


@given(tables)
def test_each_other_strategy_scores_from_0_to_1(table: list[Row]) -> None:
    for strategy, scored in _all_scored(table):
        assert np.all((scored.relevance >= 0) & (scored.relevance < 1))
        if strategy is not Strategy.HYBRID:
            assert np.all((scored.score >= 0) & (scored.score <= 1 + 1e-9))


def test_semantic_carries_its_share_in_both_tables() -> None:
    assert MEMORY_WEIGHTS["semantic"] == EPISODE_WEIGHTS["semantic"] == 0.45


@given(tables, st.randoms(use_true_random=False))
def test_the_ranking_does_not_depend_on_the_order_of_candidates(table: list[Row], chance: object) -> None:
    found = memories_of(table)
    order = list(range(len(table)))
    chance.shuffle(order)  # type: ignore[attr-defined]
    shuffled = _picked(found, order)
    for strategy in Strategy:
        one = score_memories(found, asking_all(strategy))
        other = score_memories(shuffled, asking_all(strategy))
        assert [found.ids[i] for i in best_first(one, found.ids)] == [
            shuffled.ids[i] for i in best_first(other, shuffled.ids)
        ]


@given(tables, rows)
def test_a_candidates_score_does_not_depend_on_the_others(table: list[Row], one: Row) -> None:
    alone = score_episodes(episodes_of([one]), asking_all())
    among = score_episodes(episodes_of([*table, one]), asking_all())
    assert among.score[-1] == pytest.approx(alone.score[0])


@pytest.mark.parametrize(
    ("shared", "bonus"),
    [([], 0.0), (["joy"], 0.05), (["joy", "love"], 0.10), (["joy", "love", "fear"], 0.15), ([*Emotion], 0.15),
     (["neutral"], 0.0)],
)  # fmt: skip
def test_each_shared_emotion_earns_a_twentieth(shared: list[str], bonus: float) -> None:
    asked = replace(HYBRID, emotions=emotion_bits(Emotion, neutral=False))
    found = memories_of([Row(emotions=emotion_bits([Emotion(label) for label in shared]))])
    assert score_memories(found, asked).terms["emotion"][0] == pytest.approx(bonus)


def test_a_question_without_emotions_gives_no_bonus() -> None:
    assert "emotion" not in score_memories(memories_of([Row(emotions=BITS)]), HYBRID).terms


@pytest.mark.parametrize(
    ("less", "more"),
    [
        (Row(semantic=0.4), Row(semantic=0.41)),
        (Row(lexical=0), Row(lexical=0.1)),
        (Row(importance=0.4), Row(importance=NAN)),
        (Row(importance=NAN), Row(importance=0.6)),
        (Row(confidence=0.6), Row(confidence=0.9)),
        (Row(confirmed=1), Row(confirmed=2)),
        (Row(day=0), Row(day=TODAY)),
        (Row(valid=False), Row(valid=True)),
    ],
)
def test_every_signal_raises_the_score(less: Row, more: Row) -> None:
    scores = score_memories(memories_of([less, more]), HYBRID).score
    assert scores[0] < scores[1]


def test_what_is_true_no_more_loses_validity_alone() -> None:
    scores = score_memories(memories_of([Row(valid=True), Row(valid=False)]), HYBRID).score
    assert scores[0] - scores[1] == pytest.approx(MEMORY_WEIGHTS["validity"])


def test_counts_over_the_cap_and_future_times_add_nothing() -> None:
    table = [Row(confirmed=20), Row(confirmed=2000), Row(day=TODAY), Row(day=2 * TODAY)]
    scores = score_memories(memories_of(table), HYBRID).score
    assert scores[0] == scores[1]
    assert scores[2] == scores[3]


def test_equal_scores_rank_by_id_despite_noise() -> None:
    scored = Scored(score=np.array([0.5, 0.5 + 1e-12, 0.7]), relevance=np.zeros(3), terms={})
    assert best_first(scored, ["b", "a", "c"]).tolist() == [2, 1, 0]


def test_a_named_speaker_is_a_boost_and_no_filter() -> None:
    found = episodes_of([Row(confirmed=count) for count in (1, 2, 3)])
    scored = score_episodes(found, replace(HYBRID, named={"Ben"}))
    person, named = EPISODE_WEIGHTS["person"], EPISODE_WEIGHTS["speaker"]
    assert scored.terms["speaker"].tolist() == pytest.approx([person, person + named, person])
    assert len(scored.score) == 3


def test_a_persons_words_come_before_the_agents_and_tools() -> None:
    assert _term("speaker", Row(person=True)) == pytest.approx(EPISODE_WEIGHTS["person"])
    assert _term("speaker", Row(person=False)) == 0


def test_half_of_session_and_words_is_reached_at_their_half() -> None:
    assert _signal("session", Row(session=SESSION_HALF)) == pytest.approx(0.5)
    assert _signal("lexical", Row(lexical=LEXICAL_HALF)) == pytest.approx(0.5)
    assert _signal("session", Row(session=0)) == 0


def test_context_counts_only_where_people_talk_together() -> None:
    row = Row(session=50, around=(0.5, 0.5, 0.5, 0.5))
    for name in ("session", "passage"):
        assert _signal(name, row) > 0
        assert _signal(name, row._replace(among=False)) == 0
    assert _term("context", row) > _term("context", row._replace(among=False)) == 0


@pytest.mark.parametrize(
    ("around", "mean"),
    [
        (ALONE, 0.0),
        ((0.4, 0.4, 0.4, 0.4), 0.4),
        ((NAN, 0.75, NAN, NAN), 0.75),
        ((NAN, 0.25, 0.75, NAN), 0.5),
        ((-1.0, 0.5, NAN, NAN), 0.25),
    ],
)
def test_passage_is_the_mean_of_the_neighbours_that_are_there(around: tuple[float, ...], mean: float) -> None:
    assert _signal("passage", Row(around=around)) == pytest.approx(mean)


def test_a_reply_counts_only_another_persons_question() -> None:
    half = Row(before=LEXICAL_HALF, answers=True)
    assert _signal("reply", half) == pytest.approx(0.5)
    assert _signal("reply", half._replace(answers=False)) == 0
    assert _signal("reply", half._replace(before=0.0)) == 0


def test_what_says_when_is_lifted_only_if_asked_for_a_time() -> None:
    asking = replace(HYBRID, asks_when=True)
    assert _term("date", Row(says_when=True), asking) == EPISODE_WEIGHTS["when"]
    assert _term("date", Row(says_when=False), asking) == 0
    assert _term("date", Row(says_when=True)) == 0


@pytest.mark.parametrize(("day", "certainty"), [(19_500, 1.0), (19_501, 1.0), (19_500, 0.4)])
def test_a_named_time_lifts_by_its_certainty(day: int, certainty: float) -> None:
    asking = replace(HYBRID, windows=[a_window(19_500, days=2, certainty=certainty)])
    assert _term("date", Row(day=day), asking) == pytest.approx(EPISODE_WEIGHTS["date"] * certainty)
    of_memory = score_memories(memories_of([Row(day=day)]), asking).terms["date"][0]
    assert of_memory == pytest.approx(MEMORY_WEIGHTS["date"] * certainty)


def test_a_year_away_from_a_named_time_nothing_is_lifted() -> None:
    asking = replace(HYBRID, windows=[a_window(19_500)])
    for day in (19_500 - 365, 19_500 + 365):
        assert _term("date", Row(day=day), asking) < 1e-9
    assert _term("date", Row(day=19_500)) == 0


def test_semantic_and_lexical_look_at_nothing_else() -> None:
    table = [
        Row(semantic=0.3, lexical=18.0, session=50, answers=True, before=50),
        Row(semantic=0.6, lexical=0),
    ]
    by_meaning = score_episodes(episodes_of(table), asking_all(Strategy.SEMANTIC))
    by_words = score_episodes(episodes_of(table), asking_all(Strategy.LEXICAL))
    assert (list(by_meaning.terms), list(by_words.terms)) == (["semantic"], ["lexical"])
    assert by_meaning.score.tolist() == pytest.approx([0.3, 0.6])
    assert by_words.score.tolist() == pytest.approx([0.5, 0.0])


def test_topic_scores_the_share_of_terms_that_are_labels() -> None:
    found = memories_of([Row(confirmed=count) for count in (3, 4, 5)])  # labels 0, 1 and 2
    assert score_memories(found, asking_all(Strategy.TOPIC)).terms["topic"].tolist() == [0.0, 0.5, 1.0]


def test_the_temporal_strategy_ranks_the_latest_first() -> None:
    found = memories_of([Row(semantic=0.9, day=day) for day in (5, 19_000, 7)])
    scored = score_memories(found, Question(strategy=Strategy.TEMPORAL, now=NOW))
    assert best_first(scored, found.ids).tolist() == [1, 2, 0]
    assert list(scored.terms) == ["recency"]


def test_temporal_ranks_the_closest_first_then_the_later() -> None:
    days = (19_400, 19_507, 19_500, 19_505, 19_999)
    asking = Question(strategy=Strategy.TEMPORAL, now=NOW, windows=[a_window(19_500, days=6)])
    table = [Row(day=day) for day in days]
    ids = memories_of(table).ids
    for scored in (score_memories(memories_of(table), asking), score_episodes(episodes_of(table), asking)):
        best = [days[place] for place in best_first(scored, ids)]
        assert best == [19_505, 19_500, 19_507, 19_999, 19_400]
        assert np.all(scored.terms["date"] <= TEMPORAL_DATE)


def test_without_candidates_there_are_no_scores() -> None:
    for strategy, scored in _all_scored([]):
        assert scored.score.shape == scored.relevance.shape == (0,), strategy
