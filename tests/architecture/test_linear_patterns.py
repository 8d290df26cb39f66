"""No text makes a pattern slow: the time that one takes grows no faster than the text.

Each compiled pattern reads near-misses of itself, ten times as long and again ten times.
"""

from __future__ import annotations

import re
import time

import pytest

from tests.found_patterns import Reading, patterns
from tests.near_misses import NearMiss, near_misses

pytestmark = pytest.mark.slow

SMALL, MIDDLE, LARGE = 2_000, 20_000, 200_000
MOST = 12
"""How much longer ten times as much may take."""
QUICK = 5e-7
"""Seconds of processor time a character: what takes less is no trouble, and too short to be told from noise. RE2 stays
below where a pattern has too many states for its quick engine, too.
"""
WORST = 2
"""Near-misses of a pattern, those that cost it most, that are tried at the largest size."""


def _seconds(reading: Reading, seed: NearMiss, size: int) -> float:
    """The processor time of reading a near-miss of so many characters."""
    text = seed.text(size)
    begun = time.process_time()
    if reading.anchored:
        reading.pattern.match(text)
    else:
        for _match in reading.pattern.finditer(text):
            pass
    return time.process_time() - begun


_TRIES = 6


def _takes_more(reading: Reading, seed: NearMiss, size: int, smaller: int) -> bool:
    """Whether a text takes more than in proportion to a smaller one, however often both are read one after the other:
    other processes make some readings slow.
    """
    for _ in range(_TRIES):
        least = MOST * max(_seconds(reading, seed, smaller) if smaller else 0.0, QUICK * (smaller or size))
        if _seconds(reading, seed, size) <= least:
            return False
    return True


def slow_by(reading: Reading, *, up_to: int = LARGE) -> NearMiss | None:
    """A near-miss that takes a pattern more time than in proportion to its length; None where none does."""
    flags = reading.pattern.flags if isinstance(reading.pattern, re.Pattern) else 0
    spent: dict[NearMiss, float] = {}
    reading.pattern.search("")  # RE2 makes its automaton at the first search
    for seed in near_misses(reading.pattern.pattern, flags):
        _seconds(reading, seed, SMALL)
        before = _seconds(reading, seed, SMALL)
        least = MOST * QUICK * SMALL
        if before > least and _takes_more(reading, seed, SMALL, 0):
            return seed
        spent[seed] = _seconds(reading, seed, MIDDLE)
        least = MOST * max(before, QUICK * SMALL)
        if spent[seed] > least and _takes_more(reading, seed, MIDDLE, SMALL):
            return seed
    for seed in sorted(spent, key=spent.__getitem__, reverse=True)[: WORST if up_to >= LARGE else 0]:
        least = MOST * max(spent[seed], QUICK * MIDDLE)
        if _seconds(reading, seed, LARGE) > least and _takes_more(reading, seed, LARGE, MIDDLE):
            return seed
    return None


def test_every_pattern_is_found() -> None:
    every = patterns()
    assert len(every) > 400  # a search that finds nothing would prove nothing
    assert any(not isinstance(one.pattern, re.Pattern) for one in every)


@pytest.mark.parametrize(
    "pattern",
    [r"\s+$", r"<\s*/?\s*private", r"\bsk-(?=[\w-]*\d)[\w-]{20,200}", r"\"[^\"]*\"(?=:)|(?:a|ab)+:"],
)
def test_a_pattern_that_is_slow_is_noticed(pattern: str) -> None:
    assert slow_by(Reading(re.compile(pattern), "", anchored=False)) is not None


def test_no_pattern_takes_more_than_linear_time() -> None:
    slow = {
        f"{one.module}: {one.pattern.pattern[:80]!r}": seed for one in patterns() if (seed := slow_by(one))
    }
    assert slow == {}
