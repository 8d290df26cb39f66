"""What a long hostile message costs the rules that veto: time that grows with its length, not with the square of it."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from reverie.minds.local.carrying import _BESIDE
from reverie.rules.addressed import parted
from reverie.rules.doers import doer
from reverie.rules.english import is_english
from reverie.rules.figurative import figurative
from reverie.rules.jest import taken_back
from reverie.rules.made_up import is_made_up
from reverie.rules.quoting import own
from reverie.rules.vital import vital

READ: dict[str, Callable[[str], object]] = {
    "own": lambda text: own(text, "Rosa"),
    "parted": parted,
    "taken back": taken_back,
    "doer": lambda text: doer(text, len(text) - 1),
    "figurative": figurative,
    "made up": is_made_up,
    "english": is_english,
    "vital": vital,
    "beside": _BESIDE.split,
}
HOSTILE = [
    "\n", " ", "'", '"', "a", "A", "1", ".", "!?", "A'", "A-", "so ", "and ", ", don't tell me ", "I said ",
    " I'm it, is ",
    "Anna said: I ", "kidding ", "Hi Rosa ", "\n1234 ", "was like I ", " 'I am it' ", "please ",
]  # fmt: skip
FEW, MANY = 3_000, 12_000  # characters; twelve thousand are read


def spent(read: Callable[[str], object], unit: str, length: int) -> float:
    """Seconds of the processor, the least of three readings."""
    text = f"I always love it{unit * (length // len(unit))}!x"
    found = []
    for number in range(3):
        started = time.process_time()
        read(text + str(number))  # nothing is remembered of the one before
        found.append(time.process_time() - started)
    return min(found)


@pytest.mark.parametrize("name", READ)
def test_four_times_the_length_takes_no_more_than_some_times_the_time(name: str) -> None:
    """Sixteen times as long, what is quadratic takes; from 3 ms on, below which a clock tells little."""
    for unit in HOSTILE:
        few, many = spent(READ[name], unit, FEW), spent(READ[name], unit, MANY)
        assert many < max(9 * few, 0.003) + 0.02, f"{unit!r}: {few:.4f} s, then {many:.4f} s"
        assert many < 2
