"""`python -m bench window`, on little."""

from __future__ import annotations

import json

import pytest

from bench.__main__ import main

pytestmark = pytest.mark.slow


def test_a_talk_is_summarized_the_first_time_and_not_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["window", "--n", "20", "--messages", "160", "--turns", "2", "--json"]) == 0
    metrics = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert metrics["first_calls"] >= 1
    assert metrics["again_calls"] == 0
    assert metrics["first_s"] > 0
    assert metrics["window_tokens"] <= 15_000 < metrics["talk_tokens"]
