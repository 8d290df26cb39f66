"""`bench activation`: what counts as covered, what is chosen, and the whole command on a little life."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bench.__main__ import main
from bench.activation import SMALL_TALK
from bench.activation_fit import LEAST_RELEVANCE, Choice, Weighed, choose, report
from tests.bench.test_realmem import BAKERY, HELLO, PUPPY, RACE, _answer, _fact, _query, _session


def _weighed(relevance: list[float], needed: list[int], **more: Any) -> Weighed:
    size = len(relevance)
    usual: dict[str, Any] = {
        "relevance": np.array(relevance),
        "activation": np.ones(size),
        "count": np.ones(size),
        "tokens": np.full(size, 10),
        "needed": np.array(needed, np.float64),
        "of": max(sum(needed), 1),
        "frame": 5,
    }
    return Weighed(**usual | more)


def test_covered_is_the_share_of_what_is_needed_that_fits() -> None:
    one = _weighed([0.5, 0.4, 0.3], [1, 0, 1])
    assert one.covered(Choice(exponent=0), 25) == 0.5
    assert one.covered(Choice(exponent=0), 35) == 1.0
    assert one.covered(Choice(exponent=0), 14) == 0.0


def test_what_is_too_large_is_passed_over_as_in_the_block() -> None:
    one = _weighed([0.5, 0.4, 0.3], [0, 0, 1], tokens=np.array([10, 999, 10]))
    assert one.covered(Choice(exponent=0), 25) == 1.0


def test_nothing_is_covered_where_the_best_is_below_the_least_relevance_nor_what_is_below_the_threshold() -> (
    None
):
    one = _weighed([0.5, 0.2], [1, 1], activation=np.array([0.1, 1.0]))
    assert one.covered(Choice(exponent=0, least_relevance=0.3), 99) == 1.0
    assert one.covered(Choice(exponent=0, least_relevance=0.6), 99) == 0.0
    assert one.covered(Choice(exponent=0, threshold=0.1), 99) == 0.5


def test_the_rule_squashes_a_count_that_misleads_and_keeps_one_that_helps() -> None:
    misled = _weighed([0.5, 0.4], [1, 0], count=np.array([1.0, 20.0]))
    helped = _weighed([0.5, 0.4], [0, 1], count=np.array([1.0, 20.0]))
    assert choose([misled], 15).exponent == 0.0
    assert choose([helped], 15).exponent > 0.0


def test_the_rule_takes_the_highest_threshold_that_costs_next_to_nothing() -> None:
    assert choose([_weighed([0.5, 0.4], [1, 1])] * 9, 99).least_relevance == max(LEAST_RELEVANCE)
    assert choose([_weighed([0.09, 0.021], [1, 1])] * 9, 99).least_relevance == max(
        one for one in LEAST_RELEVANCE if one <= 0.09
    )


def test_each_persona_is_judged_by_what_was_chosen_on_the_others() -> None:
    misled = _weighed([0.5, 0.4], [1, 0], count=np.array([1.0, 20.0]))
    helped = _weighed([0.5, 0.4], [0, 1], count=np.array([1.0, 20.0]))
    assert report([(0, misled), (1, helped)], 15)["covered_left_out"] == 0.0
    assert "covered_left_out" not in report([(0, misled)], 15)


@pytest.mark.slow
def test_activation_measures_a_little_life_beside_the_baselines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [_query("Where did my sister open her bakery?"), _answer(("b", BAKERY))]
    for name in ("Anna", "Ben"):
        dialogues = [
            _session("a", "2026-01-05", HELLO, [_fact(PUPPY)]),
            _session("b", "2026-01-06", HELLO, [_fact(BAKERY)]),
            _session("c", "2026-01-07", HELLO, [_fact(RACE)]),
            _session("d", "2026-01-08", asked),
        ]
        path = tmp_path / f"{name}_dialogues_256k.json"
        path.write_text(json.dumps({"dialogues": dialogues}), encoding="utf-8")
    assert main(["activation", "--data", str(tmp_path), "--budget", "52", "--json"]) == 0
    metrics = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert metrics["n"] == 2
    assert metrics["covered_ours"] == metrics["covered_similarity"] == metrics["covered_left_out"] == 1.0
    assert metrics["entered"] == 1
    assert metrics["tokens"] <= 52
    assert metrics["small_talk_entered"] < 1
    assert len(SMALL_TALK) == 12


@pytest.mark.slow
def test_context_measures_a_bank_with_all_layers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["context", "--n", "40", "--queries", "8", "--json"]) == 0
    metrics = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (metrics["n"], metrics["tasks"]) == (40, 8)
    assert (
        min(metrics[f"{name}_p50_ms"] for name in ("context", "rest", "known", "standing", "recall_known"))
        > 0
    )
    assert metrics["entered"] > 9
