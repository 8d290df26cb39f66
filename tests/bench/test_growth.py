"""bench growth: the slope between sizes, and the ratios."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench import growth


def _figures(folder: Path, size: int, rest: float) -> Path:
    path = folder / f"{size}.json"
    path.write_text(
        json.dumps(
            {"n": size, "recall_rest_p50_ms": rest, "recall_rest_p95_ms": 2 * rest, "embed_query_p50_ms": 2.0,
             "rest_ratio_to_embedding": rest / 2.0}
        )
    )  # fmt: skip
    return path


@pytest.mark.parametrize(("times", "slope"), [((1.0, 10.0), 1.0), ((1.0, 1.0), 0.0), ((1.0, 100.0), 2.0)])
def test_the_steepest_growth_is_the_slope_of_the_logarithms(
    tmp_path: Path, times: tuple[float, float], slope: float
) -> None:
    files = [_figures(tmp_path, 10 ** (4 + place), time) for place, time in enumerate(times)]
    found = growth.run(figures=files[::-1])
    assert found["steepest"] == pytest.approx(slope, abs=1e-4)
    assert found["ratio_at_10000"] == pytest.approx(times[0] / 2)


def test_one_size_has_a_ratio_and_no_growth(tmp_path: Path) -> None:
    assert growth.run(figures=[_figures(tmp_path, 500, 1.0)]) == {"ratio_at_500": 0.5}
