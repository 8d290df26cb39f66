"""No text makes a pattern slow: each compiled pattern reads long near-misses of itself within a bound.

A pattern that takes time in proportion to the text stays below a twentieth of the bound, and one that takes quadratic
time exceeds it by far: a busy machine makes no difference.
"""

from __future__ import annotations

import re
import time

import pytest

from tests.found_patterns import Reading, patterns
from tests.near_misses import NearMiss, near_misses

pytestmark = pytest.mark.slow

LARGE, MOST_SECONDS = 100_000, 1.0
"""Characters, and the processor time that reading them may take. What is linear takes 0.05 s at most."""


def _seconds(reading: Reading, text: str) -> float:
    begun = time.process_time()
    if reading.anchored:
        reading.pattern.match(text)
    else:
        for _match in reading.pattern.finditer(text):
            pass
    return time.process_time() - begun


def slow_by(reading: Reading, large: int, most: float) -> NearMiss | None:
    """A near-miss of so many characters that takes a pattern longer; None where none does.

    Of all near-misses, those that take longest are read at the next size.
    """
    flags = reading.pattern.flags if isinstance(reading.pattern, re.Pattern) else 0
    reading.pattern.search("")  # RE2 makes its automaton at the first search
    left = near_misses(reading.pattern.pattern, flags)
    for size, kept in ((500, 6), (large // 10, 1), (large, 1)):
        spent = {miss: _seconds(reading, miss.text(size)) for miss in left}
        left = sorted(left, key=spent.__getitem__, reverse=True)[:kept]
        if left and spent[left[0]] > most:
            return left[0]
    return None


def test_every_pattern_is_found() -> None:
    every = patterns()
    assert len(every) > 100  # a search that finds nothing would prove nothing
    assert any(not isinstance(one.pattern, re.Pattern) for one in every)


@pytest.mark.parametrize(
    "pattern",
    [r"\s+$", r"<\s*/?\s*private", r"\bsk-(?=[\w-]*\d)[\w-]{20,200}", r"\"[^\"]*\"(?=:)|(?:a|ab)+:"],
)
def test_a_pattern_that_is_slow_is_noticed(pattern: str) -> None:
    assert slow_by(Reading(re.compile(pattern), "", anchored=False), 30_000, 0.05)


def test_no_pattern_takes_more_than_linear_time() -> None:
    slow = {
        f"{one.module}: {one.pattern.pattern[:80]!r}": miss
        for one in patterns()
        if (miss := slow_by(one, LARGE, MOST_SECONDS))
    }
    assert slow == {}
