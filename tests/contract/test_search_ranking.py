"""Which rows come back: the nearest by meaning and the best by words, each with both numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reverie.domain.emotion import Emotion, emotion_bits
from reverie.domain.query import EVERYTHING, Filter
from reverie.domain.time import micros
from reverie.language.lexical_terms import query_terms
from reverie.ports.search import EpisodeCandidates, MemoryCandidates, Probe
from tests.contract.search_fixtures import DIRECTIONS, NOW, Searched, a_memory, an_episode, day
from tests.contract.search_fixtures import searched as searched
from tests.contract.search_reference import Text, found

_WORDS = ["garden", "river", "lantern", "bridge", "winter", "the", "cooking", "cooked"]
_texts = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=6).map(" ".join)
_rows = st.lists(st.tuples(_texts, st.integers(0, len(DIRECTIONS) - 1)), min_size=1, max_size=30)
_questions = st.fixed_dictionaries(
    {
        "vector": st.none() | st.integers(0, len(DIRECTIONS) - 1).map(lambda place: DIRECTIONS[place]),
        "terms": _texts.map(query_terms),
        "limit": st.integers(1, 8),
    }
).filter(lambda asked: asked["vector"] is not None or asked["terms"])
_tried = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


def _agree(got: MemoryCandidates | EpisodeCandidates, rows: list[Text], asked: dict[str, Any]) -> None:
    wanted = found(rows, vector=asked["vector"], words=asked["terms"], limit=asked["limit"])
    assert list(got.ids) == [one.id for one in wanted]
    np.testing.assert_allclose(got.semantic, [one.semantic for one in wanted], atol=1e-4)
    np.testing.assert_allclose(got.lexical, [one.lexical for one in wanted], rtol=1e-5)


@_tried
@given(rows=_rows, asked=_questions)
def test_both_lists_come_whole_in_order_of_storing(
    searched: Searched, rows: list[tuple[str, int]], asked: dict[str, Any]
) -> None:
    agent = f"agent {next(searched.numbers)}"
    directions = [direction for _, direction in rows]
    kept = [a_memory(f"r{place}", text) for place, (text, _) in enumerate(rows)]
    said = [an_episode(f"r{place}", text) for place, (text, _) in enumerate(rows)]
    searched.keep(*kept, vectors=directions, agent_id=agent)
    searched.say(*said, vectors=directions, agent_id=agent)
    texts = [_text(f"r{place}", *row) for place, row in enumerate(rows)]
    probe, view = Probe(filter=EVERYTHING, now=NOW, **asked), searched.view(agent)
    for got in (view.memories(probe), view.episodes(probe)):
        _agree(got, texts, asked)


def _text(id: str, text: str, direction: int) -> Text:
    return Text(id=id, text=text, vector=DIRECTIONS[direction])


def test_rows_that_fail_the_filter_take_no_place_in_either_list(searched: Searched) -> None:
    searched.keep(*(a_memory(f"m{n}", "a garden", tags=("kept",) if n >= 20 else ()) for n in range(25)))
    got = searched.memories(
        Filter(tags=frozenset({"kept"})), vector=DIRECTIONS[0], terms=query_terms("garden"), limit=4
    )
    assert list(got.ids) == ["m20", "m21", "m22", "m23"]


def test_a_memory_is_found_by_words_of_its_lesson_and_labels(searched: Searched) -> None:
    searched.keep(
        a_memory("essence", "the heron stands"),
        a_memory("lesson", lesson="look for the heron"),
        a_memory("tag", tags=("heron",)),
        a_memory("topic", topics=("grey heron",)),
        a_memory("entity", entities=("Heron",)),
        a_memory("nothing"),
    )
    got = searched.memories(terms=query_terms("herons"))
    assert list(got.ids) == ["essence", "lesson", "tag", "topic", "entity"]


def test_labels_counts_query_terms_in_topics_and_entities(searched: Searched) -> None:
    searched.keep(
        a_memory("both", "x", topics=("Cooking at home",), entities=("Anna",), tags=("garden",)),
        a_memory("one", "cooking with Anna in the garden", entities=("anna",)),
        a_memory("twice", "x", topics=("cooked meals", "cooking")),
        a_memory("none", "cooking with Anna in the garden", tags=("anna",)),
    )
    got = searched.memories(terms=query_terms("Does Anna cook in the garden?"), vector=DIRECTIONS[0])
    assert list(got.ids) == ["both", "one", "twice", "none"]
    assert got.labels.tolist() == [2, 1, 1, 0]


def test_labels_that_nobody_asks_for_come_as_zeros(searched: Searched) -> None:
    searched.keep(a_memory("m", topics=("cooking",)))
    searched.say(an_episode("e", topics=("cooking",)))
    assert searched.memories(terms=["cook"], labels=False).labels.tolist() == [0]
    got = searched.episodes(terms=["cook"], vector=DIRECTIONS[0], labels=False)
    assert got.labels.tolist() == [0]


def test_labels_of_episodes_count_in_the_same_way(searched: Searched) -> None:
    searched.say(an_episode("e1", topics=("cooking",), entities=("Anna",)), an_episode("e2", tags=("anna",)))
    got = searched.episodes(Filter(), terms=query_terms("Anna cooked"), vector=DIRECTIONS[0])
    assert got.labels.tolist() == [2, 0]


def test_without_vector_and_terms_the_latest_come(searched: Searched) -> None:
    searched.keep(*(a_memory(f"m{n}", at=day(when)) for n, when in enumerate((5, 1, 4, 2, 3))))
    got = searched.memories(limit=3)
    assert list(got.ids) == ["m0", "m2", "m4"]
    assert not got.semantic.any()
    assert not got.lexical.any()


def test_of_equally_late_rows_those_stored_last_come(searched: Searched) -> None:
    searched.say(*(an_episode(f"e{n}") for n in range(5)))
    assert list(searched.episodes(Filter(), limit=2).ids) == ["e3", "e4"]


def test_of_equally_near_rows_those_stored_first_come(searched: Searched) -> None:
    searched.keep(*(a_memory(f"m{n}", "a garden") for n in range(6)))
    got = searched.memories(vector=DIRECTIONS[0], terms=query_terms("garden"), limit=2)
    assert list(got.ids) == ["m0", "m1"]


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ({"vector": DIRECTIONS[0]}, ["m0", "m1"]),
        ({"terms": ["garden"]}, ["m0", "m1"]),
        ({}, ["m4", "m5"]),
    ],
)
def test_a_changed_row_keeps_its_place_among_equals(
    searched: Searched, asked: dict[str, Any], answer: list[str]
) -> None:
    searched.keep(*(a_memory(f"m{n}", "a garden") for n in range(6)))
    searched.view()
    searched.write(lambda unit: unit.memories.update(a_memory("m3", "a garden", pinned=True)))
    searched.write(lambda unit: unit.memories.update(a_memory("m0", "a garden", pinned=True)))
    assert list(searched.memories(**asked, limit=2).ids) == answer


def test_the_columns_of_a_memory_are_its_fields(searched: Searched) -> None:
    emotions = (Emotion.JOY, Emotion.NEUTRAL, Emotion.LOVE)
    full = a_memory(
        "full", emotions=emotions, importance=0.75, confidence=0.5, confidence_at=day(3),
        superseded_by="bare", reinforcement_count=7, last_reinforced_at=day(2), created_at=day(-1),
    )  # fmt: skip
    searched.keep(full, a_memory("bare"))
    got = searched.memories()
    assert list(got.ids) == ["full", "bare"]
    assert got.importance[0] == np.float32(0.75)
    assert np.isnan(got.importance[1])
    assert got.confidence.tolist() == [0.5, np.float32(0.9)]
    assert got.reinforcement_count.tolist() == [7, 1]
    assert got.fades_from.tolist() == [micros(day(3)), micros(NOW)]
    assert got.created_at.tolist() == [micros(day(-1)), micros(NOW)]
    assert got.emotions.tolist() == [emotion_bits(emotions), 0]
    assert got.superseded.tolist() == [True, False]
    assert got.version.tolist() == [0, 0]


def test_the_columns_of_an_episode_are_its_fields(searched: Searched) -> None:
    searched.say(
        an_episode("e1", time=day(1), importance=0.25, speaker="Ben"),
        an_episode("e2", time=day(-2)),
        an_episode("e3", speaker="Anna"),
    )
    got = searched.episodes(Filter())
    assert got.time.tolist() == [micros(day(1)), micros(day(-2)), micros(NOW)]
    assert got.importance[0] == np.float32(0.25)
    assert np.isnan(got.importance[1])
    assert [got.speakers[place] if place >= 0 else None for place in got.speaker] == ["Ben", None, "Anna"]


def test_every_column_has_the_type_that_the_port_says(searched: Searched) -> None:
    searched.keep(a_memory("m", "garden"))
    searched.say(an_episode("e", "garden"))
    for probed in ({}, {"vector": DIRECTIONS[1]}, {"terms": ["garden"]}, {"terms": ["absent"]}):
        memories, episodes = searched.memories(**probed), searched.episodes(Filter(), **probed)
        for name in ("semantic", "lexical", "importance", "confidence"):
            assert getattr(memories, name).dtype == np.float32
        for name in ("version", "fades_from", "reinforcement_count", "created_at", "emotions", "labels"):
            assert getattr(memories, name).dtype == np.int64
        assert memories.superseded.dtype == np.bool_
        for name in ("semantic", "lexical", "importance"):
            assert getattr(episodes, name).dtype == np.float32
        for name in ("time", "speaker", "labels"):
            assert getattr(episodes, name).dtype == np.int64


Nearest = Sequence[Sequence[tuple[str, float]]]


@pytest.mark.parametrize("of", ["memories", "episodes"])
def test_nearest_gives_each_query_its_rows_best_first(searched: Searched, of: str) -> None:
    tags = [("even",) if n % 2 == 0 else () for n in range(30)]
    if of == "memories":
        searched.keep(*(a_memory(f"r{n}", tags=some) for n, some in enumerate(tags)), vectors=range(30))
    else:
        searched.say(*(an_episode(f"r{n}", tags=some) for n, some in enumerate(tags)), vectors=range(30))

    def asked(filter: Filter, least: float | None = None) -> Nearest:
        view = searched.view()
        if of == "memories":
            return view.nearest(DIRECTIONS[:35], filter=filter, now=NOW, limit=5, least=least)
        return view.nearest_episodes(DIRECTIONS[:35], filter=filter, limit=5, least=least)

    for filter, places in ((EVERYTHING, range(30)), (Filter(tags=frozenset({"even"})), range(0, 30, 2))):
        for query, answers in zip(DIRECTIONS[:35], asked(filter), strict=True):
            wanted = sorted(((float(DIRECTIONS[n] @ query), f"r{n}") for n in places), reverse=True)[:5]
            assert [id for id, _ in answers] == [id for _, id in wanted]
            np.testing.assert_allclose([cosine for _, cosine in answers], [c for c, _ in wanted], atol=1e-4)
    everything, close = asked(EVERYTHING), asked(EVERYTHING, 0.4)
    assert close == [[(id, cosine) for id, cosine in near if cosine >= 0.4] for near in everything]
    assert 0 < sum(map(len, close)) < sum(map(len, everything))


def test_nearest_in_an_empty_bank_is_nothing_for_each_query(searched: Searched) -> None:
    assert list(searched.view().nearest(DIRECTIONS[:3], filter=EVERYTHING, now=NOW, limit=5)) == [[], [], []]
    assert list(searched.view().nearest_episodes(DIRECTIONS[:3], filter=Filter(), limit=5)) == [[], [], []]


@pytest.mark.parametrize("asked", [{}, {"terms": ["garden"]}, {"vector": DIRECTIONS[0]}])
def test_an_empty_bank_answers_with_nothing(searched: Searched, asked: dict[str, Any]) -> None:
    assert list(searched.memories(**asked).ids) == []
    assert list(searched.episodes(Filter(), **asked).ids) == []
