"""Since when a memory that a sleep makes is true in the world."""

from __future__ import annotations

import pytest

from reverie import Agent
from tests.services.bench import NOON, Clock

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("said", "word", "since"),
    [
        ("I've lived in Hull since 2019.", "Hull", "2019-01-01"),
        ("I moved to Leeds last week.", "Leeds", "2026-11-09"),
        ("My leave is 20 to 29 May.", "leave", f"{NOON:%Y-%m-%d}"),
        ("I'm learning Italian on Wednesday evenings.", "Wednesday evenings", f"{NOON:%Y-%m-%d}"),
        ("My friend Priya lives in Bristol, she's coming up at Easter.", "Bristol", f"{NOON:%Y-%m-%d}"),
    ],
)
def test_only_what_says_since_when_is_true_before_it_was_said(
    mama: Agent, clock: Clock, said: str, word: str, since: str
) -> None:
    mama.observe([{"content": said, "speaker": "Anna"}])
    clock.wait(hours=12)
    mama.sleep()
    [memory] = [one for one in mama.memories() if word in one.essence]
    assert memory.valid_from is not None
    assert memory.valid_from.date().isoformat() == since
