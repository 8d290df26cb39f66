"""No message holds a process up: the processor time of observing one grows no faster than its length."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import pytest

from reverie import Agent
from reverie.errors import InvalidInput
from tests.services.bench import opened

pytestmark = pytest.mark.slow

LARGE = 1 << 18
SMALL = LARGE // 10
MOST, TRIES = 12, 3
"""How much longer ten times as much may take, in the best of so many tries: a busy machine adds to a time."""
NOISE = 0.05
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


@pytest.mark.usefixtures("real_feelings")
@pytest.mark.parametrize("seed", SEEDS)
def test_a_hostile_message_takes_no_longer_than_its_length(seed: str, tmp_path: Path) -> None:
    with opened(tmp_path / "agents.bank") as reverie:
        agent = reverie.agent("anna")
        agent.observe("my token is none")  # reads the rules
        before = min(_seconds(agent, seed, SMALL) for _ in range(2))
        allowed, spent = MOST * max(before, NOISE), float("inf")
        for _ in range(TRIES):
            if spent > allowed:
                spent = min(spent, _seconds(agent, seed, LARGE))
        assert spent <= allowed
