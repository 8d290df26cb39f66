"""The order of hits beyond their scores: repetitions step back, the newer of two comes before the older."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from reverie.language.lexical_terms import terms
from reverie.memory.dedupe.guard import texts_differ
from reverie.memory.scoring.order import LATER, NEWER_GAP, SAME_WORDS, STEP, Pair, lifts, outdated, repeated

WORDS = ["ash", "birch", "cedar", "elm", "fir", "oak", "7", "40", "b2"]
texts = st.lists(st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join), max_size=12)
scores = st.lists(st.floats(0, 3, allow_subnormal=False), min_size=2, max_size=8).map(
    lambda values: sorted(values, reverse=True)
)


def _repeat(one: str, other: str) -> bool:
    """What the rule promises, told plainly."""
    words, others = set(terms(one)), set(terms(other))
    if not words | others or len(words & others) < SAME_WORDS * len(words | others):
        return False
    return texts_differ(one, other) is None


@given(texts)
def test_only_what_repeats_a_better_one_steps_back(said: list[str]) -> None:
    back = repeated(said)
    kept = [place for place in range(len(said)) if place not in back]
    for place in range(len(said)):
        assert (place in back) == any(_repeat(said[place], said[other]) for other in kept if other < place)


def test_the_first_of_equal_texts_stays_and_the_others_step_back() -> None:
    tea = "Anna drinks green tea in the morning"
    assert repeated([tea, "Ben sells an oak table", tea, f"{tea}!", tea.upper()]) == {2, 3, 4}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the train leaves at 7:40 on every weekday", "the train leaves at 8:40 on every weekday"),
        ("the code of the blue door is 4711", "the code of the blue door is 4712"),
        ("flat B2 in the old house by the lake", "flat B3 in the old house by the lake"),
        ("the train to Porto leaves in the evening", "the train to Porto leaves in the evening at 8"),
        ("I like green tea in the morning", "I don't like green tea in the morning"),
    ],
)
def test_a_number_or_a_negation_keeps_texts_apart(one: str, other: str) -> None:
    assert repeated([one, other]) == set()


def test_texts_without_words_repeat_nothing() -> None:
    assert repeated(["", "...", "the", ""]) == set()


def test_texts_that_share_some_words_are_different() -> None:
    assert repeated(["Anna likes green tea", "Ben likes green tea", "Anna sells green tea"]) == set()


@st.composite
def _ranked(draw: st.DrawFn) -> tuple[list[float], list[Pair]]:
    """Scores, best first, and pairs that agree on who is older."""
    values = draw(scores)
    places = range(len(values))
    age = draw(st.permutations(places))
    ends = st.tuples(st.sampled_from(places), st.sampled_from(places)).filter(lambda two: two[0] != two[1])
    pairs = []
    for one, other in draw(st.lists(ends, max_size=8)):
        older, newer = sorted((one, other), key=lambda place: age[place])
        pairs.append(Pair(older=older, newer=newer, surely=draw(st.booleans())))
    return values, pairs


def _counts(pair: Pair, values: Sequence[float]) -> bool:
    return pair.surely or values[pair.older] - values[pair.newer] <= NEWER_GAP


def _after(values: Sequence[float], added: Mapping[int, float]) -> list[float]:
    return [value + added.get(place, 0.0) for place, value in enumerate(values)]


@given(_ranked())
def test_the_newer_of_a_pair_that_counts_ends_before_the_older(
    ranked: tuple[list[float], list[Pair]],
) -> None:
    values, pairs = ranked
    after = _after(values, lifts(values, pairs))
    for pair in pairs:
        if _counts(pair, values):
            assert after[pair.newer] > after[pair.older]


@given(_ranked())
def test_only_a_newer_one_is_lifted_to_just_before_an_older(
    ranked: tuple[list[float], list[Pair]],
) -> None:
    values, pairs = ranked
    added = lifts(values, pairs)
    after = _after(values, added)
    for place, more in added.items():
        olders = [pair.older for pair in pairs if pair.newer == place and _counts(pair, values)]
        assert more > 0
        assert after[place] == pytest.approx(max(after[older] for older in olders) + STEP, abs=STEP / 10)


@given(_ranked())
def test_near_ones_that_answer_less_well_stay(
    ranked: tuple[list[float], list[Pair]],
) -> None:
    values, pairs = ranked
    far = [pair for pair in pairs if not _counts(pair, values)]
    assert lifts(values, far) == {}


@pytest.mark.parametrize(
    ("gap", "surely", "lifted"),
    [
        (0.0, False, True),
        (NEWER_GAP - 1e-9, False, True),
        (NEWER_GAP + 1e-6, False, False),
        (2.0, True, True),
    ],
)
def test_near_ones_swap_within_the_gap_sure_ones_always(gap: float, surely: bool, lifted: bool) -> None:
    added = lifts([1.0, 1.0 - gap], [Pair(older=0, newer=1, surely=surely)])
    assert added == ({1: pytest.approx(gap + STEP)} if lifted else {})


def test_a_newer_one_that_leads_already_is_left_alone() -> None:
    assert lifts([1.0, 0.5], [Pair(older=1, newer=0, surely=True)]) == {}


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
def test_a_chain_of_corrections_ends_with_the_newest_first(
    order: list[int],
) -> None:
    values = [0.9, 0.6, 0.4, 0.1]
    links = [Pair(older=place, newer=place + 1, surely=True) for place in range(3)]
    after = _after(values, lifts(values, [links[place] for place in order]))
    assert after == sorted(after)
    assert after[3] - after[0] == pytest.approx(3 * STEP)


def test_what_stands_between_a_pair_stays_behind_the_older() -> None:
    values = [0.9, 0.8, 0.3]
    after = _after(values, lifts(values, [Pair(older=0, newer=2, surely=True)]))
    assert after[2] > after[0] > after[1]


def test_pairs_that_contradict_each_other_come_to_an_end() -> None:
    circle = [Pair(older=0, newer=1, surely=True), Pair(older=1, newer=0, surely=True)]
    added: Mapping[int, Any] = lifts([0.5, 0.5], circle)
    assert all(more <= 4 * STEP + 1e-12 for more in added.values())


_Told = tuple[list[float], list[float], list[int], NDArray[np.float32]]


@st.composite
def _told(draw: st.DrawFn) -> _Told:
    """Scores, terms lexical, times and cosines of some hits."""
    size = draw(st.integers(0, 6))
    values = draw(st.lists(st.floats(-1, 3), min_size=size, max_size=size))
    times = draw(st.lists(st.integers(-3, 3), min_size=size, max_size=size))
    cosines = draw(st.lists(st.floats(-1, 1, width=32), min_size=size * size, max_size=size * size))
    words = draw(st.lists(st.floats(0, 0.4), min_size=size, max_size=size))
    return values, words, times, np.array(cosines, np.float32).reshape(size, size)


def _outdated(scores: Sequence[float], times: Sequence[int], alike: NDArray[np.float32]) -> Sequence[float]:
    """Of hits that have as many words of the question."""
    return outdated(scores, [0.1] * len(scores), times, alike)


def _alike(size: int, cosine: float = 1.0) -> NDArray[np.float32]:
    return np.full((size, size), cosine, np.float32)


@given(_told())
def test_a_later_one_takes_at_most_the_limit(
    told: _Told,
) -> None:
    taken = outdated(*told)
    assert len(taken) == len(told[0])
    assert all(-LATER <= points <= 0 for points in taken)


@given(_told())
def test_the_latest_and_those_of_one_time_lose_nothing(
    told: _Told,
) -> None:
    values, words, times, alike = told
    for points, time in zip(outdated(*told), times, strict=True):
        assert time < max(times) or points == 0
    assert outdated(values, words, [0] * len(values), alike) == [0] * len(values)


def test_the_earlier_of_two_alike_loses_to_a_best_later() -> None:
    assert _outdated([1.0, 1.0], [2, 1], _alike(2)) == [0, pytest.approx(-LATER)]
    assert _outdated([0.4, 0.9], [1, 2], _alike(2)) == [pytest.approx(-LATER), 0]


def test_it_loses_the_more_the_more_alike_they_are() -> None:
    lost = [-_outdated([1.0, 1.0], [1, 2], _alike(2, cosine))[0] for cosine in (-0.5, 0.0, 0.3, 0.6, 1.0)]
    assert lost[0] == lost[1] == 0
    assert lost[1:] == sorted(set(lost[1:]))


def test_it_loses_the_more_the_better_the_later_one_scores() -> None:
    lost = [-_outdated([1.0, score], [1, 2], _alike(2))[0] for score in (-0.5, 0.0, 0.5, 0.9, 1.0)]
    assert lost[0] == lost[1] == 0
    assert lost[1:] == sorted(set(lost[1:]))


def test_of_several_later_ones_the_one_that_takes_most_counts() -> None:
    alone = _outdated([1.0, 0.9], [1, 2], _alike(2))
    assert _outdated([1.0, 0.9, 0.5], [1, 2, 3], _alike(3))[0] == alone[0] < 0


@pytest.mark.parametrize("scores", [[], [0.7]])
def test_one_alone_loses_nothing(scores: list[float]) -> None:
    assert _outdated(scores, [1] * len(scores), _alike(len(scores))) == [0] * len(scores)


@pytest.mark.parametrize("score", [0.0, -0.2])
def test_where_nothing_scores_nothing_is_lost(score: float) -> None:
    assert _outdated([score] * 3, [1, 2, 3], _alike(3)) == [0, 0, 0]


def test_a_later_one_that_lacks_asked_words_takes_nothing() -> None:
    assert outdated([1.0, 0.9], [0.2, 0.1], [1, 2], _alike(2)) == [0, 0]
    assert outdated([1.0, 0.9], [0.1, 0.2], [1, 2], _alike(2))[0] < 0
