"""The score of memories and episodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from reverie.domain.emotion import Emotion, emotion_bits
from reverie.domain.meanings import MEANINGS
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
    TERMS,
    UNRELATED,
    Question,
    Scored,
    best_first,
    episode_signals,
    leads,
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
        person=np.array([row.person for row in table], np.bool_),
        labels=memories.labels,
        session=np.array([row.session for row in table], np.float32),
        around=np.array([row.around for row in table], np.float32).reshape(-1, 4),
        before=np.array([row.before for row in table], np.float32),
        among=np.array([row.among for row in table], np.bool_),
        answers=np.array([row.answers for row in table], np.bool_),
        says_when=np.array([row.says_when for row in table], np.bool_),
    )


def _asked(strategy: Strategy = Strategy.HYBRID) -> Question:
    """A question that gives every signal something to do."""
    return Question(
        strategy=strategy, now=NOW, terms=2, windows=[_window(19_990, certainty=0.7), _window(20_050)],
        asks_when=True, named={"Ben"}, emotions=BITS,
    )  # fmt: skip


HYBRID = Question(strategy=Strategy.HYBRID, now=NOW)
RELEVANT = (Strategy.HYBRID, Strategy.SEMANTIC, Strategy.LEXICAL)
MOVED = ("newer", "repeat")
"""The terms that come once the hits stand beside each other."""


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


def _signal(name: str, row: Row, question: Question = HYBRID) -> float:
    return float(episode_signals(_episodes([row]), question)[name][0])


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
    of_memories = memory_signals(_memories(table), _asked())
    of_episodes = episode_signals(_episodes(table), _asked())
    assert (of_memories.keys(), of_episodes.keys()) == (MEMORY_WEIGHTS.keys(), EPISODE_WEIGHTS.keys())
    for signals in (of_memories, of_episodes):
        for name, column in signals.items():
            assert column.shape == (len(table),), name
            assert np.all((column >= 0) & (column <= 1)), name


@given(tables)
def test_each_term_of_hybrid_lies_between_nothing_and_its_weights(table: list[Row]) -> None:
    by_memory = score_memories(_memories(table), _asked())
    by_episode = score_episodes(_episodes(table), _asked())
    for scored, most in (
        (by_memory, {**_most(MEMORY_WEIGHTS), "emotion": EMOTION_MOST}), (by_episode, _most(EPISODE_WEIGHTS)),
    ):  # fmt: skip
        assert list(scored.terms) == list(most)
        for name, column in scored.terms.items():
            assert np.all((column >= 0) & (column <= most[name] + 1e-9)), name


@given(tables)
def test_a_term_is_the_sum_of_the_weighed_signals_that_it_tells(table: list[Row]) -> None:
    for scored, signals, weights in (
        (score_memories(_memories(table), _asked()), memory_signals(_memories(table), _asked()), MEMORY_WEIGHTS),
        (score_episodes(_episodes(table), _asked()), episode_signals(_episodes(table), _asked()), EPISODE_WEIGHTS),
    ):  # fmt: skip
        for term, column in scored.terms.items():
            told = [weights[name] * signals[name] for name in weights if TERMS.get(name, name) == term]
            assert term == "emotion" or np.allclose(column, sum(told))


def test_a_hit_has_at_most_eight_terms_whatever_moves_it_later() -> None:
    for _, scored in _all_scored([Row()]):
        assert len({*scored.terms, *MOVED}) <= 8


def test_every_term_has_a_meaning_and_every_meaning_is_a_terms() -> None:
    assert {*MOVED, *(term for _, scored in _all_scored([Row()]) for term in scored.terms)} == set(MEANINGS)


def test_only_signals_are_told_by_other_terms_or_are_about_the_question() -> None:
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


def _abouts(table: Sequence[Row], strategy: Strategy) -> list[NDArray[np.float64]]:
    """The part of the scores that is about the question: of the rows as memories, and as episodes."""
    of_memories = memory_signals(_memories(table), _asked())
    of_episodes = episode_signals(_episodes(table), _asked())
    if strategy is not Strategy.HYBRID:
        return [signals[strategy] for signals in (of_memories, of_episodes)]
    return [
        np.sum([weight * signals[name] for name, weight in weights.items() if name in ABOUT_THE_QUESTION], axis=0)
        for signals, weights in ((of_memories, MEMORY_WEIGHTS), (of_episodes, EPISODE_WEIGHTS))
    ]  # fmt: skip


def _both(table: Sequence[Row], strategy: Strategy) -> list[Scored]:
    asked = _asked(strategy)
    return [score_memories(_memories(table), asked), score_episodes(_episodes(table), asked)]


@pytest.mark.parametrize("strategy", RELEVANT)
@given(tables)
def test_within_a_question_relevance_grows_with_the_part_of_the_score_that_is_about_it(
    strategy: Strategy, table: list[Row]
) -> None:
    for scored, about in zip(_both(table, strategy), _abouts(table, strategy), strict=True):
        assert np.all(np.diff(scored.relevance[np.argsort(about)]) >= -1e-12)


@pytest.mark.parametrize("strategy", RELEVANT)
@given(tables, rows)
def test_another_candidate_makes_none_more_relevant(strategy: Strategy, table: list[Row], one: Row) -> None:
    for few, more in zip(_both(table, strategy), _both([*table, one], strategy), strict=True):
        assert np.all(more.relevance[: len(table)] <= few.relevance + 1e-12)


@pytest.mark.parametrize("strategy", RELEVANT)
def test_the_best_is_the_less_relevant_the_nearer_the_next_comes_to_it(strategy: Strategy) -> None:
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
def test_the_lead_is_how_far_each_is_above_the_best_of_the_others(points: list[float]) -> None:
    wanted = [
        value - max([UNRELATED, *points[:place], *points[place + 1 :]]) for place, value in enumerate(points)
    ]
    assert leads(np.array(points)).tolist() == pytest.approx(wanted)


def test_of_equally_good_ones_none_leads() -> None:
    assert leads(np.array([0.7, 0.7, 0.3])).tolist() == pytest.approx([0, 0, -0.4])


def test_one_without_others_leads_what_has_nothing_to_do_with_the_question() -> None:
    assert leads(np.array([0.5])).tolist() == pytest.approx([0.5 - UNRELATED])
    assert leads(np.array([0.05])).tolist() == pytest.approx([0.05 - UNRELATED])
    assert leads(np.array([0.5, 0.05])).tolist() == pytest.approx([0.5 - UNRELATED, 0.05 - 0.5])
    assert leads(np.zeros(0)).tolist() == []


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
    person, named = EPISODE_WEIGHTS["person"], EPISODE_WEIGHTS["speaker"]
    assert scored.terms["speaker"].tolist() == pytest.approx([person, person + named, person])
    assert len(scored.score) == 3


def test_what_a_person_said_comes_before_what_the_agent_or_a_tool_did() -> None:
    assert _term("speaker", Row(person=True)) == pytest.approx(EPISODE_WEIGHTS["person"])
    assert _term("speaker", Row(person=False)) == 0


def test_half_of_session_and_words_is_reached_at_their_half() -> None:
    assert _signal("session", Row(session=SESSION_HALF)) == pytest.approx(0.5)
    assert _signal("lexical", Row(lexical=LEXICAL_HALF)) == pytest.approx(0.5)
    assert _signal("session", Row(session=0)) == 0


def test_conversation_and_neighbours_count_only_where_persons_talk_with_each_other() -> None:
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


def test_a_reply_counts_the_words_before_it_only_where_another_person_asks_them() -> None:
    half = Row(before=LEXICAL_HALF, answers=True)
    assert _signal("reply", half) == pytest.approx(0.5)
    assert _signal("reply", half._replace(answers=False)) == 0
    assert _signal("reply", half._replace(before=0.0)) == 0


def test_what_says_when_is_lifted_only_where_the_question_asks_for_a_time() -> None:
    asking = replace(HYBRID, asks_when=True)
    assert _term("date", Row(says_when=True), asking) == EPISODE_WEIGHTS["when"]
    assert _term("date", Row(says_when=False), asking) == 0
    assert _term("date", Row(says_when=True)) == 0


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
