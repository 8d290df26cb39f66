"""The score of memories and episodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.emotion import Emotion, emotion_bits
from reverie.domain.query import Strategy
from reverie.domain.time import MICROS_PER_DAY
from reverie.rules.candidates import EpisodeCandidates, MemoryCandidates
from reverie.rules.score import (
    ABOUT_THE_QUESTION,
    EMOTION_MOST,
    EPISODE_WEIGHTS,
    LEXICAL_HALF,
    MEMORY_WEIGHTS,
    SESSION_HALF,
    TEMPORAL_DATE,
    Question,
    Scored,
    best_first,
    episode_signals,
    memory_relevance,
    memory_signals,
    score_episodes,
    score_memories,
)
from reverie.rules.when import Window

pytestmark = pytest.mark.slow

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
    session: float = 0.0
    around: tuple[float, ...] = ALONE
    before: float = 0.0
    answers: bool = False
    asks: bool = False
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
    session=_bm25,
    around=st.tuples(*[_cosines | st.just(NAN)] * 4),
    before=_bm25,
    answers=st.booleans(),
    asks=st.booleans(),
    says_when=st.booleans(),
)
tables = st.lists(rows, max_size=8)


def _window(first_day: int, days: int = 1, certainty: float = 1.0) -> Window:
    since = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=first_day)
    return Window(since=since, until=since + timedelta(days=days), certainty=certainty)


def _memories(table: Sequence[Row]) -> MemoryCandidates:
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


def _episodes(table: Sequence[Row]) -> EpisodeCandidates:
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
        session=np.array([row.session for row in table], np.float32),
        around=np.array([row.around for row in table], np.float32).reshape(-1, 4),
        before=np.array([row.before for row in table], np.float32),
        answers=np.array([row.answers for row in table], np.bool_),
        asks=np.array([row.asks for row in table], np.bool_),
        says_when=np.array([row.says_when for row in table], np.bool_),
    )


def _asked(strategy: Strategy = Strategy.HYBRID) -> Question:
    """A question that gives every signal something to do."""
    return Question(
        strategy=strategy, now=NOW, terms=2, windows=[_window(19_990, certainty=0.7), _window(20_050)],
        asks_when=True, named={"Ben"}, emotions=BITS,
    )  # fmt: skip


HYBRID = Question(strategy=Strategy.HYBRID, now=NOW)


def _picked(found: MemoryCandidates, order: list[int]) -> MemoryCandidates:
    columns = {
        name: getattr(found, name)[order] for name in MemoryCandidates.__dataclass_fields__ if name != "ids"
    }
    return replace(found, ids=[found.ids[place] for place in order], **columns)


def _all_scored(table: Sequence[Row]) -> list[tuple[Strategy, Scored]]:
    memories = [(s, score_memories(_memories(table), _asked(s))) for s in Strategy]
    return memories + [(s, score_episodes(_episodes(table), _asked(s))) for s in Strategy]


def _term(name: str, row: Row, question: Question = HYBRID) -> float:
    return float(score_episodes(_episodes([row]), question).terms[name][0])


@given(tables)
def test_the_terms_sum_to_the_score(table: list[Row]) -> None:
    for _, scored in _all_scored(table):
        assert scored.terms
        assert np.allclose(sum(scored.terms.values()), scored.score)
        assert len(scored.score) == len(scored.relevance) == len(table)


@given(tables)
def test_each_signal_lies_between_0_and_1_and_is_in_the_table(table: list[Row]) -> None:
    of_memories = memory_signals(_memories(table), _asked())
    of_episodes = episode_signals(_episodes(table), _asked())
    assert (list(of_memories), list(of_episodes)) == (list(MEMORY_WEIGHTS), list(EPISODE_WEIGHTS))
    for signals in (of_memories, of_episodes):
        for name, column in signals.items():
            assert column.shape == (len(table),), name
            assert np.all((column >= 0) & (column <= 1)), name


@given(tables)
def test_each_term_of_hybrid_lies_between_nothing_and_its_weight(table: list[Row]) -> None:
    by_memory = score_memories(_memories(table), _asked())
    by_episode = score_episodes(_episodes(table), _asked())
    for scored, weights in (
        (by_memory, {**MEMORY_WEIGHTS, "emotion": EMOTION_MOST}), (by_episode, dict(EPISODE_WEIGHTS)),
    ):  # fmt: skip
        assert list(scored.terms) == list(weights)
        for name, column in scored.terms.items():
            assert np.all((column >= 0) & (column <= weights[name] + 1e-9)), name


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
    found = _memories(table)
    order = list(range(len(table)))
    chance.shuffle(order)  # type: ignore[attr-defined]
    shuffled = _picked(found, order)
    for strategy in Strategy:
        one = score_memories(found, _asked(strategy))
        other = score_memories(shuffled, _asked(strategy))
        assert [found.ids[i] for i in best_first(one, found.ids)] == [
            shuffled.ids[i] for i in best_first(other, shuffled.ids)
        ]


@given(tables, rows)
def test_a_candidates_score_does_not_depend_on_the_others(table: list[Row], one: Row) -> None:
    alone = score_episodes(_episodes([one]), _asked())
    among = score_episodes(_episodes([*table, one]), _asked())
    assert among.score[-1] == pytest.approx(alone.score[0])
    assert among.relevance[-1] == pytest.approx(alone.relevance[0])


@pytest.mark.parametrize(
    ("shared", "bonus"),
    [([], 0.0), (["joy"], 0.05), (["joy", "love"], 0.10), (["joy", "love", "fear"], 0.15), ([*Emotion], 0.15),
     (["neutral"], 0.0)],
)  # fmt: skip
def test_the_bonus_is_a_twentieth_for_each_shared_emotion_and_neutral_earns_nothing(
    shared: list[str], bonus: float
) -> None:
    asked = replace(HYBRID, emotions=emotion_bits(Emotion, neutral=False))
    found = _memories([Row(emotions=emotion_bits([Emotion(label) for label in shared]))])
    assert score_memories(found, asked).terms["emotion"][0] == pytest.approx(bonus)


def test_a_question_without_emotions_gives_no_bonus() -> None:
    assert "emotion" not in score_memories(_memories([Row(emotions=BITS)]), HYBRID).terms


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
def test_what_answers_better_matters_more_is_surer_newer_or_still_true_scores_higher(
    less: Row, more: Row
) -> None:
    scores = score_memories(_memories([less, more]), HYBRID).score
    assert scores[0] < scores[1]


def test_what_is_true_no_more_loses_the_weight_of_validity_and_nothing_else() -> None:
    scores = score_memories(_memories([Row(valid=True), Row(valid=False)]), HYBRID).score
    assert scores[0] - scores[1] == pytest.approx(MEMORY_WEIGHTS["validity"])


def test_a_count_beyond_the_cap_and_a_time_in_the_future_add_nothing() -> None:
    table = [Row(confirmed=20), Row(confirmed=2000), Row(day=TODAY), Row(day=2 * TODAY)]
    scores = score_memories(_memories(table), HYBRID).score
    assert scores[0] == scores[1]
    assert scores[2] == scores[3]


@given(tables)
def test_relevance_grows_with_the_part_of_the_score_that_is_about_the_question(table: list[Row]) -> None:
    for strategy, scored in _all_scored(table):
        if strategy in (Strategy.HYBRID, Strategy.SEMANTIC, Strategy.LEXICAL):
            about = sum(scored.terms[name] for name in scored.terms if name in ABOUT_THE_QUESTION)
            order = np.argsort(about)
            assert np.all(np.diff(scored.relevance[order]) >= 0)


@given(tables, st.booleans())
def test_relevance_alone_is_the_scores_relevance(table: list[Row], named: bool) -> None:
    found, asked = _memories(table), _asked() if named else HYBRID
    assert memory_relevance(found, asked) == pytest.approx(score_memories(found, asked).relevance)


@given(rows, rows)
def test_relevance_looks_at_nothing_but_the_question(one: Row, other: Row) -> None:
    """Importance, confidence, age, reinforcement, emotions and validity order hits; they make none relevant."""
    asked = replace(_asked(), windows=())
    mixed = one._replace(
        importance=other.importance, confidence=other.confidence, day=other.day, confirmed=other.confirmed,
        emotions=other.emotions, valid=other.valid,
    )  # fmt: skip
    relevances = score_memories(_memories([one, mixed]), asked).relevance
    assert relevances[0] == relevances[1]
    alike = one._replace(importance=other.importance, day=other.day)
    relevances = score_episodes(_episodes([one, alike]), asked).relevance
    assert relevances[0] == relevances[1]


def test_equal_scores_rank_by_id_whatever_noise_is_in_the_last_bits() -> None:
    scored = Scored(score=np.array([0.5, 0.5 + 1e-12, 0.7]), relevance=np.zeros(3), terms={})
    assert best_first(scored, ["b", "a", "c"]).tolist() == [2, 1, 0]


def test_being_said_by_a_person_whom_the_query_names_is_a_boost_and_no_filter() -> None:
    found = _episodes([Row(confirmed=count) for count in (1, 2, 3)])
    scored = score_episodes(found, replace(HYBRID, named={"Ben"}))
    assert scored.terms["speaker"].tolist() == [0.0, EPISODE_WEIGHTS["speaker"], 0.0]
    assert len(scored.score) == 3


def test_half_of_the_weight_of_session_and_words_is_reached_at_their_half() -> None:
    assert _term("session", Row(session=SESSION_HALF)) == pytest.approx(EPISODE_WEIGHTS["session"] / 2)
    assert _term("lexical", Row(lexical=LEXICAL_HALF)) == pytest.approx(EPISODE_WEIGHTS["lexical"] / 2)
    assert _term("session", Row(session=0)) == 0


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
    assert _term("passage", Row(around=around)) == pytest.approx(EPISODE_WEIGHTS["passage"] * mean)


def test_a_reply_counts_the_words_before_it_only_where_these_ask() -> None:
    half = Row(before=LEXICAL_HALF, answers=True)
    assert _term("reply", half) == pytest.approx(EPISODE_WEIGHTS["reply"] / 2)
    assert _term("reply", half._replace(answers=False)) == 0
    assert _term("reply", half._replace(before=0.0)) == 0


def test_a_statement_is_what_asks_nothing() -> None:
    assert _term("statement", Row(asks=False)) == EPISODE_WEIGHTS["statement"]
    assert _term("statement", Row(asks=True)) == 0


def test_what_says_when_is_lifted_only_where_the_question_asks_for_a_time() -> None:
    asking = replace(HYBRID, asks_when=True)
    assert _term("when", Row(says_when=True), asking) == EPISODE_WEIGHTS["when"]
    assert _term("when", Row(says_when=False), asking) == 0
    assert _term("when", Row(says_when=True)) == 0


@pytest.mark.parametrize(("day", "certainty"), [(19_500, 1.0), (19_501, 1.0), (19_500, 0.4)])
def test_what_was_said_or_learned_in_a_time_that_the_question_names_is_lifted_by_its_certainty(
    day: int, certainty: float
) -> None:
    asking = replace(HYBRID, windows=[_window(19_500, days=2, certainty=certainty)])
    assert _term("date", Row(day=day), asking) == pytest.approx(EPISODE_WEIGHTS["date"] * certainty)
    of_memory = score_memories(_memories([Row(day=day)]), asking).terms["date"][0]
    assert of_memory == pytest.approx(MEMORY_WEIGHTS["date"] * certainty)


def test_what_lies_a_year_from_the_time_that_the_question_names_is_not_lifted() -> None:
    asking = replace(HYBRID, windows=[_window(19_500)])
    for day in (19_500 - 365, 19_500 + 365):
        assert _term("date", Row(day=day), asking) < 1e-9
    assert _term("date", Row(day=19_500)) == 0


def test_the_semantic_and_the_lexical_strategy_look_at_nothing_else() -> None:
    table = [
        Row(semantic=0.3, lexical=18.0, session=50, answers=True, before=50),
        Row(semantic=0.6, lexical=0),
    ]
    by_meaning = score_episodes(_episodes(table), _asked(Strategy.SEMANTIC))
    by_words = score_episodes(_episodes(table), _asked(Strategy.LEXICAL))
    assert (list(by_meaning.terms), list(by_words.terms)) == (["semantic"], ["lexical"])
    assert by_meaning.score.tolist() == pytest.approx([0.3, 0.6])
    assert by_words.score.tolist() == pytest.approx([0.5, 0.0])


def test_the_topic_strategy_scores_the_share_of_the_terms_that_are_labels() -> None:
    found = _memories([Row(confirmed=count) for count in (3, 4, 5)])  # labels 0, 1 and 2
    assert score_memories(found, _asked(Strategy.TOPIC)).terms["topic"].tolist() == [0.0, 0.5, 1.0]


def test_the_temporal_strategy_ranks_the_latest_first() -> None:
    found = _memories([Row(semantic=0.9, day=day) for day in (5, 19_000, 7)])
    scored = score_memories(found, Question(strategy=Strategy.TEMPORAL, now=NOW))
    assert best_first(scored, found.ids).tolist() == [1, 2, 0]
    assert list(scored.terms) == ["recency"]


def test_the_temporal_strategy_ranks_the_closest_to_a_named_time_first_and_of_equals_the_later() -> None:
    days = (19_400, 19_507, 19_500, 19_505, 19_999)
    asking = Question(strategy=Strategy.TEMPORAL, now=NOW, windows=[_window(19_500, days=6)])
    table = [Row(day=day) for day in days]
    ids = _memories(table).ids
    for scored in (score_memories(_memories(table), asking), score_episodes(_episodes(table), asking)):
        best = [days[place] for place in best_first(scored, ids)]
        assert best == [19_505, 19_500, 19_507, 19_999, 19_400]
        assert np.all(scored.terms["date"] <= TEMPORAL_DATE)


def test_without_candidates_there_are_no_scores() -> None:
    for strategy, scored in _all_scored([]):
        assert scored.score.shape == scored.relevance.shape == (0,), strategy
