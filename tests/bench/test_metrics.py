"""The retrieval metrics, by hand."""

from __future__ import annotations

import math

import pytest

from bench.locomo_data import repaired
from bench.metrics import ndcg_at, recall_at, reciprocal_rank

RANKED = ["a", None, "b", "c", "d"]


def test_recall_is_the_share_of_the_evidence_among_the_best() -> None:
    assert recall_at(3, RANKED, ["b", "d"]) == 0.5
    assert recall_at(5, RANKED, ["b", "d"]) == 1.0


def test_reciprocal_rank_looks_at_the_first_evidence_alone() -> None:
    assert reciprocal_rank(RANKED, ["d", "b"]) == pytest.approx(1 / 3)
    assert reciprocal_rank(RANKED, ["z"]) == 0.0


def test_ndcg_is_one_for_the_best_order_and_falls_with_the_place() -> None:
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
def test_malformed_evidence_is_split_repaired_or_dropped(given: list[str], wanted: tuple[str, ...]) -> None:
    assert repaired(given, {"D8:6", "D9:17", "D11:26", "D30:5"}) == wanted
