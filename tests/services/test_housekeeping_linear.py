"""The work of housekeeping grows with a bank's size, not with its square, however alike the messages are."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from itertools import count
from pathlib import Path
from types import FrameType

import pytest

import reverie.store
from reverie import Agent, CaptureSettings, RememberSettings, Reverie, Settings
from tests.services.bench import DAY, NOON
from tests.services.conftest import Open

pytestmark = pytest.mark.slow

FEW, MANY, MOST_RATIO = 300, 900, 5
"""Three times as many messages may take at most five times the work; quadratic work would take nine times."""
WORDS = (
    "water coffee lunch bus train rain call mail walk shop desk print build test merge sync plan list".split()
)
TEXTS: dict[str, Callable[[int], str]] = {
    "the same": lambda _: "all good here, going on",
    "each ten times": lambda n: " ".join(WORDS[n // 10 // 17**place % 17] for place in range(3)),
    "alike but for a number": lambda n: f"the ferry left with {n} people and two dogs on board",
}
"""The n-th message; each is said on several days."""
STORE = str(Path(reverie.store.__file__).parent)
numbers = count()


@pytest.mark.parametrize("text", TEXTS.values(), ids=[*TEXTS])
def test_thrice_the_messages_take_about_thrice_the_work(open_bank: Open, text: Callable[[int], str]) -> None:
    reverie = open_bank(
        settings=Settings(capture=CaptureSettings(enabled=False), remember=RememberSettings(emotions=False))
    )
    few, many = (_work(_talkative(reverie, size, text)) for size in (FEW, MANY))
    for what in few:
        assert many[what] <= MOST_RATIO * few[what], f"{few[what]:,} and {many[what]:,} {what}"


def _talkative(reverie: Reverie, size: int, text: Callable[[int], str]) -> Agent:
    """An agent whose user said this many messages in ten days, in fifty conversations."""
    agent = reverie.agent(f"agent {next(numbers)}")
    step = 10 * DAY / size
    for part in range(50):
        places = range(part * size // 50, (part + 1) * size // 50)
        agent.observe(
            [
                {"content": text(n * 7919 % size), "time": NOON - timedelta(days=20) + n * step}
                for n in places
            ],
            conversation=f"{part}",
        )
    return agent


def _work(agent: Agent) -> Counter[str]:
    """Count the calls that housekeeping makes, in Python and in C, and the items that the store returns to it."""
    work = Counter[str]()

    def profile(frame: FrameType, event: str, value: object) -> None:
        if event in ("call", "c_call"):
            work["calls"] += 1
        elif event == "return" and isinstance(value, list | tuple | dict | set) and _is_store(frame):
            work["items"] += len(value)

    sys.setprofile(profile)
    try:
        done = agent.housekeeping()
    finally:
        sys.setprofile(None)
    assert done.episodes
    return work


def _is_store(frame: FrameType) -> bool:
    return frame.f_code.co_filename.startswith(STORE)
