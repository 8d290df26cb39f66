"""`bench fit` on little invented data: the signals are those of recall, and who is judged has taught nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from bench import fit, locomo_data
from bench.__main__ import main
from bench.fit import Asked
from bench.vectors import KeptVectors
from reverie.embedders.minilm import MiniLM
from reverie.rules.score import ABOUT_THE_QUESTION, EPISODE_WEIGHTS, MEMORY_WEIGHTS

FACTS = [
    "Anna adopted a puppy called Biscuit from the shelter.",
    "Anna's sister opened a bakery in Lisbon.",
    "Anna trains for the half marathon in June.",
]
QUERIES = ["What is my puppy called?", "Where is my sister's bakery?", "What am I training for?"]


def _metrics(arguments: Sequence[str], said: pytest.CaptureFixture[str]) -> dict[str, float]:
    assert main([*arguments, "--json"]) == 0
    metrics = json.loads(said.readouterr().out.splitlines()[-1])
    assert all(isinstance(value, int | float) for value in metrics.values())
    return dict(metrics)


@pytest.fixture
def little_realmem(tmp_path: Path) -> Path:
    """Two personas: a session that leaves three facts behind, and one that asks for each."""
    folder = tmp_path / "realmem"
    folder.mkdir()
    for name in ("Anna_A", "Anna_B"):
        told = [{"speaker": "User", "content": text, "is_query": False} for text in FACTS]
        asked = []
        for text, fact in zip(QUERIES, FACTS, strict=True):
            used = [{"session_uuid": "s1", "content": fact}]
            asked += [
                {"speaker": "User", "content": text, "is_query": True},
                {"speaker": "Assistant", "content": "Let me see.", "memory_used": used},
            ]
        facts = [{"content": text, "source_turn": place} for place, text in enumerate(FACTS, 1)]
        sessions = [
            {"session_uuid": "s1", "current_time": "2026-01-05 (Monday)", "dialogue_turns": told,
             "extracted_memory": facts},
            {"session_uuid": "s2", "current_time": "2026-01-09 (Friday)", "dialogue_turns": asked,
             "extracted_memory": []},
        ]  # fmt: skip
        (folder / f"{name}_dialogues_1k.json").write_text(json.dumps({"dialogues": sessions}), "utf-8")
    return folder


def test_episodes_and_memories_are_fitted_each_on_their_own_data(
    little_locomo: Path, little_realmem: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["fit", "--data", str(little_locomo), "--memories", str(little_realmem)]
    metrics = _metrics(arguments, capsys)
    assert (metrics["n"], metrics["memories_n"]) == (6, 6)
    for prefix, table in (("", EPISODE_WEIGHTS), ("memories_", MEMORY_WEIGHTS)):
        start = f"{prefix}fitted_weight_"
        known = {name.removeprefix(start) for name in metrics if name.startswith(start)}
        more = {"recency"} if prefix else {"statement"}
        assert known == set(table) & (ABOUT_THE_QUESTION | more)
        assert metrics[f"{prefix}fitted_weight_semantic"] == 0.45
        assert metrics[f"{prefix}recall@10"] == 1.0
        assert 0 < metrics[f"{prefix}floor_97"] < 1


def test_without_memories_the_episodes_are_fitted_alone(
    little_locomo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    metrics = _metrics(["fit", "--data", str(little_locomo)], capsys)
    assert not [name for name in metrics if name.startswith("memories_")]


def test_candidates_are_ranked_by_the_shipped_weights_as_recall_ranks_them(little_locomo: Path) -> None:
    asked = fit.of_episodes(locomo_data.read(little_locomo), KeptVectors(MiniLM()))
    assert [one.main for one in asked].count(False) == 2  # category 5
    for one in asked:
        assert list(one.signals) == list(EPISODE_WEIGHTS)
        totals = one.total(EPISODE_WEIGHTS)
        assert np.all(np.diff(totals) <= 1e-9)
        assert one.ranked(EPISODE_WEIGHTS).tolist() == one.is_evidence.tolist()


def _asked(group: int, best: str, *, main: bool = True) -> Asked:
    """A question whose evidence is what one signal likes, and the other doesn't."""
    other = {"semantic": "lexical", "lexical": "semantic"}[best]
    return Asked(
        group=group,
        main=main,
        signals={best: np.array([0.9, 0.1, 0.2]), other: np.array([0.1, 0.9, 0.2])},
        is_evidence=np.array([True, False, False]),
        evidence=1,
    )


def test_a_group_is_judged_with_weights_that_the_others_taught() -> None:
    asked = [_asked(0, "lexical"), *[_asked(1, "semantic") for _ in range(5)]]
    weights = {
        one.group: weights
        for one, weights in fit.left_out(asked, ["semantic", "lexical"], {"rest": 0.1}, 0.45)
    }
    assert weights[0]["semantic"] > 0 > weights[0]["lexical"]
    assert weights[0]["rest"] == 0.1
    assert weights[1]["lexical"] / weights[1]["semantic"] < 0


def test_questions_that_are_not_among_the_main_ones_teach_nothing() -> None:
    names = ["semantic", "lexical"]
    taught = [_asked(0, "semantic"), _asked(1, "semantic")]
    trap = [_asked(place % 2, "lexical", main=False) for place in range(8)]
    weights = [found for one, found in fit.left_out([*taught, *trap], names, {}, 0.45) if one.main]
    assert weights == [found for _, found in fit.left_out(taught, names, {}, 0.45)]


def test_recall_and_rank_are_counted_over_the_main_questions_or_over_the_others() -> None:
    right, wrong = {"semantic": 1.0, "lexical": 0.0}, {"semantic": 0.0, "lexical": 1.0}
    pairs = [
        (_asked(0, "semantic"), right),
        (_asked(0, "semantic"), wrong),
        (_asked(0, "semantic", main=False), wrong),
    ]
    assert fit.judged(pairs, main=True) == {"recall@5": 1.0, "recall@10": 1.0, "mrr": pytest.approx(2 / 3)}
    assert fit.judged(pairs, main=False)["mrr"] == pytest.approx(1 / 3)
