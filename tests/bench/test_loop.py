"""`python -m bench loop` runs from end to end, and its arithmetic is right."""

from __future__ import annotations

import json

import pytest

from bench.__main__ import main
from bench.loop import _Bouts, _compared, _felt, _Observed


@pytest.mark.slow
def test_the_loops_bench_measures_both_ways_while_the_loop_is_at_work(
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = ["--rounds", "2", "--seconds", "0.5", "--pace", "0.02", "--every", "0.05", "--json"]
    assert main(["loop", *arguments]) == 0
    metrics = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert metrics.keys() >= {
        f"{name}_{what}" for name in ("single", "many", "chat") for what in ("ratio", "felt", "beside_p95_ms")
    }
    assert metrics["snippets"] > 0
    assert metrics["failures"] == 0


def test_what_is_felt_is_what_observes_took_longer_than_those_beside_them() -> None:
    quiet = [_Observed(10.0, 0.0)] * 8
    assert _felt([quiet]) == 0
    assert _felt([[*quiet, _Observed(18.0, 5.0), _Observed(10.0, 2.0), *quiet]]) == pytest.approx(8 / 180)


def test_a_pair_that_something_disturbed_counts_no_more_than_another() -> None:
    calm = [_Observed(10.0, 0.0)] * 3
    bouts = _Bouts(without=[calm, calm, calm], beside=[calm, [_Observed(90.0, 0.0)], calm])
    assert _compared("single", bouts)["single_ratio"] == 1
