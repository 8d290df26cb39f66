"""docs/recall.md shows the weights that rank."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from reverie.memory.scoring.score import EPISODE_WEIGHTS, MEMORY_WEIGHTS, TERMS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "recall.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (\w+) \| ([\d. +–]+) \| ([\d. +–]+) \|", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("column", "weights"), [(1, MEMORY_WEIGHTS), (2, EPISODE_WEIGHTS)])
def test_the_table_shows_the_weights(column: int, weights: Mapping[str, float]) -> None:
    shown = {row[0]: sorted(map(float, re.findall(r"[\d.]+", row[column]))) for row in ROWS}
    used: dict[str, list[float]] = {row[0]: [] for row in ROWS}
    for signal, weight in weights.items():
        used[TERMS.get(signal, signal)].append(weight)
    assert shown == {term: sorted(each) for term, each in used.items()}
