"""The fit of linear weights and of the relevance curve, on simulated data whose truth is known."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from bench.softmax import curve, fitted

TRUE = np.array([2.0, -1.0, 0.5, 0.0])
List = tuple[NDArray[np.float64], NDArray[np.bool_]]


def _simulated(questions: int, seed: int = 3) -> list[List]:
    """Candidates of which one is the evidence, drawn with the probability that the true weights give it."""
    chance = np.random.default_rng(seed)
    lists = []
    for _ in range(questions):
        signals = chance.random((int(chance.integers(5, 30)), len(TRUE)))
        likely = np.exp(signals @ TRUE)
        evidence = np.zeros(len(signals), np.bool_)
        evidence[chance.choice(len(signals), p=likely / likely.sum())] = True
        lists.append((signals, evidence))
    return lists


def test_the_weights_that_made_the_data_are_found() -> None:
    assert fitted(_simulated(4000), ridge=0.0) == pytest.approx(TRUE, abs=0.2)


def test_at_the_fitted_weights_the_evidence_is_what_the_model_expects() -> None:
    """The slope of the likelihood is 0 there: signal by signal, evidence and expectation are equal."""
    lists = _simulated(50)
    weights = fitted(lists, ridge=0.0)
    expected, seen = np.zeros(len(TRUE)), np.zeros(len(TRUE))
    for signals, evidence in lists:
        likely = np.exp(signals @ weights)
        expected += signals.T @ (likely / likely.sum())
        seen += signals[evidence].mean(axis=0)
    assert expected == pytest.approx(seen, abs=1e-3)


def test_a_question_without_evidence_teaches_nothing() -> None:
    lists = _simulated(50)
    silent = [(signals, np.zeros(len(signals), np.bool_)) for signals, _ in _simulated(20, seed=4)]
    assert fitted([*lists, *silent]).tolist() == fitted(lists).tolist()


def test_several_pieces_of_evidence_share_their_question_evenly() -> None:
    signals = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    one, other = fitted([(signals, np.array([True, True, False]))])
    assert one == pytest.approx(other)
    assert one > 0


def test_a_constant_added_to_a_signal_changes_nothing() -> None:
    lists = _simulated(50)
    moved = [(signals + np.array([5.0, 0.0, -3.0, 1.0]), evidence) for signals, evidence in lists]
    assert fitted(moved) == pytest.approx(fitted(lists), abs=1e-6)


def test_a_ridge_pulls_the_weights_towards_nothing_and_makes_separable_data_finite() -> None:
    lists = [(np.array([[1.0], [0.0]]), np.array([True, False]))]
    weak, strong = fitted(lists, ridge=1e-3)[0], fitted(lists, ridge=1.0)[0]
    assert 0 < strong < weak < 20


@pytest.mark.parametrize(("bias", "slope"), [(-2.0, 3.0), (-6.0, 8.0), (0.5, -1.0)])
def test_the_curve_that_made_the_data_is_found(bias: float, slope: float) -> None:
    chance = np.random.default_rng(5)
    scores = chance.random(50_000)
    truth = chance.random(len(scores)) < 1 / (1 + np.exp(-(bias + slope * scores)))
    assert curve(scores[:, None], truth) == pytest.approx((bias, slope), abs=0.25)


@pytest.mark.parametrize(
    "scores", [[0.1, 0.2, 0.8, 0.9], [0.499, 0.499, 0.501, 0.501], [0.0, 0.0, 100.0, 100.0]]
)
def test_a_score_that_parts_true_from_false_without_fault_gets_a_steep_and_finite_curve(
    scores: list[float],
) -> None:
    bias, slope = curve(np.array(scores)[:, None], np.array([False, False, True, True]))
    assert np.isfinite([bias, slope]).all()
    likely = 1 / (1 + np.exp(-(bias + slope * np.array(scores))))
    assert likely[:2].max() < 0.5 < likely[2:].min()


@pytest.mark.parametrize("truth", [True, False])
def test_where_all_or_none_is_true_the_curve_says_so_at_every_score(truth: bool) -> None:
    bias, slope = curve(np.array([[0.1], [0.5], [0.9]]), np.array([truth] * 3))
    likely = 1 / (1 + np.exp(-(bias + slope * np.array([0.1, 0.5, 0.9]))))
    assert ((likely > 0.9) == truth).all()


def test_a_curve_has_a_slope_for_each_number() -> None:
    chance = np.random.default_rng(6)
    rows = chance.random((50_000, 2))
    truth = chance.random(len(rows)) < 1 / (1 + np.exp(-(-1.0 + rows @ np.array([2.0, -3.0]))))
    assert curve(rows, truth) == pytest.approx((-1.0, 2.0, -3.0), abs=0.2)


def test_what_counts_twice_is_as_if_it_were_there_twice() -> None:
    lists = _simulated(30)
    shares = [2.0 if place < 10 else 1.0 for place in range(len(lists))]
    assert fitted(lists, shares) == pytest.approx(fitted([*lists, *lists[:10]]), abs=1e-6)
    rows, truth = np.array([[0.1], [0.5], [0.9]]), np.array([False, True, False])
    twice = curve(np.vstack([rows, rows[:1]]), np.append(truth, truth[0]))
    assert curve(rows, truth, np.array([2.0, 1.0, 1.0])) == pytest.approx(twice, abs=1e-2)
