"""The arithmetic of the benches, on data whose answer is known."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bench.activation_fit import Choice, Weighed
from bench.invented import invent
from bench.locomo_data import repaired
from bench.locomo_floors import Judged, floor_figures, floor_that_keeps
from bench.metrics import ndcg_at, recall_at, reciprocal_rank
from bench.realmem_data import persona
from bench.softmax import curve, fitted
from tests.bench.conftest import _realmem
from tools.judges.talks import KINDS, TALKS, read

RANKED = ["a", None, "b", "c", "d"]


def test_retrieval_figures_follow_their_definitions() -> None:
    assert (recall_at(3, RANKED, ["b", "d"]), recall_at(5, RANKED, ["b", "d"])) == (0.5, 1.0)
    assert reciprocal_rank(RANKED, ["d", "b"]) == pytest.approx(1 / 3)
    assert reciprocal_rank(RANKED, ["z"]) == 0.0
    assert ndcg_at(10, ["b", "d", "a"], ["d", "b"]) == 1.0
    assert ndcg_at(10, RANKED, ["b"]) == pytest.approx(1 / math.log2(4))


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (["D8:6; D9:17"], ("D8:6", "D9:17")),
        (["D:11:26"], ("D11:26",)),
        (["D30:05"], ("D30:5",)),
        (["D10:19", "D"], ()),
        (["D8:6", "D8:6"], ("D8:6",)),
    ],
)
def test_malformed_evidence_is_repaired_or_dropped(given: list[str], wanted: tuple[str, ...]) -> None:
    assert repaired(given, {"D8:6", "D9:17", "D11:26", "D30:5"}) == wanted


def test_evidence_is_known_before_the_question() -> None:
    life = persona("Anna", _realmem()["dialogues"])
    assert [query.evidence for query in life.queries()] == [("1.0",)]
    assert (life.matching.exactly, life.matching.unmatched) == (1, 1)
    times = [turn.time for session in life.sessions for turn in session.turns]
    assert times == sorted(set(times))


def test_a_floor_keeps_what_reaches_it_and_refuses_the_rest() -> None:
    found = [
        Judged(evidence=e, without=w, elsewhere=None)
        for e, w in ((0.9, 0.1), (0.5, 0.2), (0.3, 0.05), (0.2, 0.4))
    ]
    assert floor_figures(found, 0.3) == {"kept": 0.75, "refused": 0.75}
    assert [floor_that_keeps(found, share) for share in (1.0, 0.75, 0.5)] == [0.2, 0.3, 0.5]


def test_coverage_is_the_share_of_the_needed_that_fits() -> None:
    one = Weighed(
        relevance=np.array([0.5, 0.4, 0.3]), activation=np.ones(3), count=np.ones(3), tokens=np.full(3, 10),
        needed=np.array([1.0, 0.0, 1.0]), of=2, frame=5,
    )  # fmt: skip
    assert [one.covered(Choice(exponent=0), budget) for budget in (14, 25, 35)] == [0.0, 0.5, 1.0]


def test_invented_texts_follow_from_seed_and_number() -> None:
    many = list(invent(1, 0, 500))
    assert list(invent(1, 490, 10)) == many[490:]
    assert len({one.text for one in many}) == len(many)
    coded = list(invent(1, 0, 100, coded=True))
    assert Counter(one.code for one in coded).most_common(1)[0][1] == 1


TRUE = np.array([2.0, -1.0, 0.5, 0.0])


def _simulated(questions: int) -> list[tuple[NDArray[np.float64], NDArray[np.bool_]]]:
    """Candidates of which one is the evidence, drawn with the probability that the true weights give it."""
    chance = np.random.default_rng(3)
    lists = []
    for _ in range(questions):
        signals = chance.random((int(chance.integers(5, 30)), len(TRUE)))
        likely = np.exp(signals @ TRUE)
        evidence = np.zeros(len(signals), np.bool_)
        evidence[chance.choice(len(signals), p=likely / likely.sum())] = True
        lists.append((signals, evidence))
    return lists


def test_the_weights_and_the_curve_that_made_the_data_are_found() -> None:
    assert fitted(_simulated(2000), ridge=0.0) == pytest.approx(TRUE, abs=0.3)
    chance = np.random.default_rng(6)
    rows = chance.random((20_000, 2))
    truth = chance.random(len(rows)) < 1 / (1 + np.exp(-(-1.0 + rows @ np.array([2.0, -3.0]))))
    assert curve(rows, truth) == pytest.approx((-1.0, 2.0, -3.0), abs=0.25)


@pytest.mark.parametrize("path", sorted(TALKS.glob("*.txt")), ids=lambda path: path.stem)
def test_a_labelled_talk_reads_and_its_labels_fit(path: Path) -> None:
    lines = [line for said in read(path) for line in said.lines]
    assert len(lines) > 150
    assert all(line.whose == "o" and line.kind in KINDS and line.importance for line in lines if line.lasting)
    assert {line.replaces for line in lines if line.replaces} <= {line.id for line in lines}
