"""What housekeeping costs grows with a bank's size, not with its square, however alike its messages are."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from itertools import count
from time import process_time

import pytest

from reverie import Agent, Reverie
from tests.services.bench import DAY, NOON

pytestmark = pytest.mark.slow

FEW, MANY, MOST_RATIO = 500, 5_000, 15
"""Ten times as many messages may take so many times as long."""
WORDS = (
    "water coffee lunch bus train rain call mail walk shop desk print build test merge sync plan list".split()
)
TEXTS: dict[str, Callable[[int], str]] = {
    "the same": lambda _: "all good here, going on",
    "each ten times": lambda n: " ".join(WORDS[n // 10 // 17**place % 17] for place in range(3)),
    "alike but for a number": lambda n: f"the ferry left with {n} people and two dogs on board",
}
"""What is said as the n-th thing; each thing is said on several days."""
numbers = count()


@pytest.mark.parametrize("text", TEXTS.values(), ids=[*TEXTS])
def test_ten_times_the_messages_cost_about_ten_times(reverie: Reverie, text: Callable[[int], str]) -> None:
    few, many = (_cost(_talkative(reverie, size, text)) for size in (FEW, MANY))
    assert many <= MOST_RATIO * few, f"{few:.2f} s and {many:.2f} s"


def _talkative(reverie: Reverie, size: int, text: Callable[[int], str]) -> Agent:
    """An agent whose user said so many things within ten days, in five conversations a day."""
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


def _cost(agent: Agent) -> float:
    started = process_time()
    done = agent.housekeeping()
    assert done.episodes
    return process_time() - started
