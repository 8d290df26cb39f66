"""Work grows with what there is and no faster: housekeeping, and what reads one large hostile text."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import reverie.store
from reverie import Agent, CaptureSettings, RememberSettings, Reverie, Settings
from reverie.errors import InvalidInput
from reverie.wiring import assembly
from tests.services.bench import DAY, NOON, opened
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


LARGE = 1 << 18
SMALL = LARGE // 4
MOST, TRIES = 4.8, 4
"""How much longer four times as much may take, in the best of so many tries. A try measures both, one after the other:
a busy machine slows both. The smaller one is no smaller, as a tenth of it fits into a processor's cache, where each
call takes three quarters of its time.
"""
NOISE = 0.12
SEEDS = [
    "sk-", "token=", "secret:", "passwd:", "pwd:", "api_key:", "sk-a-", "-----BEGIN ",
    "password is a1b2c3 ", "password=a1b2c3 ", "key'='",
    "4", "41 ", "@", "a@b.", "<private>", "<private ", "< ", "longwordwithoutend", "\n", " \t", '"', "'", "I ",
    "https://a:b", "curl -u a:b12345 ", "cookie: a=b; ", "[redacted: x]", "key[", "QUJDREVGR0hJSktM ",
    "\u200b", "\uff11", "<reverie-context ",
]  # fmt: skip


def _seconds(agent: Agent, seed: str, size: int) -> float:
    text = "so " + seed * ((size - 4) // len(seed.encode())) + "."
    begun = time.process_time()
    with suppress(InvalidInput):  # placeholders may make it too long to be stored
        agent.observe({"role": "tool", "content": text})
    return time.process_time() - begun


@pytest.fixture(scope="module")
def lasting_reverie(
    judging: Callable[[int], Any], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Reverie]:
    """One bank for all seeds, with the built-in model, which has read its rules."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assembly, "_own_judge", judging)
        with opened(tmp_path_factory.mktemp("hostile") / "agents.bank") as reverie:
            reverie.agent("anna").observe("my token is none")
            yield reverie


@pytest.mark.parametrize("seed", SEEDS)
def test_a_hostile_message_takes_no_longer_than_its_length(seed: str, lasting_reverie: Reverie) -> None:
    agent = lasting_reverie.agent(f"agent {next(numbers)}")
    least = float("inf")
    for _ in range(TRIES):
        spent = _seconds(agent, seed, LARGE)
        if spent <= MOST * NOISE:  # then no smaller one is asked
            return
        least = min(least, spent / max(NOISE, _seconds(agent, seed, SMALL)))
        if least <= MOST:
            return
    pytest.fail(f"four times as much took {least:.1f} times as long")
