"""As test_fuzzed, with many examples; and with messages of real people, where they are at hand."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from bench.capture_data import turns
from reverie import Reverie
from tests.services.bench import Clock
from tests.services.fuzzed import lived, talks
from tests.services.test_fuzzed import banks

pytestmark = pytest.mark.slow

__all__ = ["banks"]


@settings(max_examples=30, suppress_health_check=list(HealthCheck))
@given(talk=talks)
def test_any_talk_is_lived_through(
    banks: tuple[Reverie, Clock], talk: list[tuple[str, str, str | None]]
) -> None:
    assert lived(*banks, talk)[1] == []


def test_what_real_people_say_is_read(banks: tuple[Reverie, Clock], shared_data: Path) -> None:
    said = [
        (one.text, "user", one.speaker)
        for source in ("locomo", "realmem", "goemotions")
        for one in random.Random(source).sample(turns(shared_data, source), 80)
    ]
    for start in range(0, len(said), 40):
        assert lived(*banks, said[start : start + 40])[1] == []
