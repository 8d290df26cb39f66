"""No text makes a pattern slow: the time that one takes grows no faster than the text.

Each compiled pattern reads near-misses of itself, ten times as long and again ten times. The patterns of the
hand-written reader of English are left out: they read cut texts alone (tests/services/test_hostile_texts.py).
"""

from __future__ import annotations

import ast
import inspect
import re
import time
from collections.abc import Iterable
from functools import lru_cache

import pytest

from tests.found_patterns import Reading, modules, patterns
from tests.near_misses import NearMiss, near_misses

pytestmark = pytest.mark.slow

READER = ("reverie.minds.local", "reverie.rules.answering")
"""Where the reader of English begins; what these alone import belongs to it."""
OTHERS = ("reverie.services.redact", "reverie.rules.fence")
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


def _takes_more(reading: Reading, seed: NearMiss, size: int, least: float) -> bool:
    """Whether a text takes more than a time, twice."""
    return all(_seconds(reading, seed, size) > least for _ in range(2))


def slow_by(reading: Reading, *, up_to: int = LARGE) -> NearMiss | None:
    """A near-miss that takes a pattern more time than in proportion to its length; None where none does."""
    flags = reading.pattern.flags if isinstance(reading.pattern, re.Pattern) else 0
    spent: dict[NearMiss, float] = {}
    reading.pattern.search("")  # RE2 makes its automaton at the first search
    for seed in near_misses(reading.pattern.pattern, flags):
        _seconds(reading, seed, SMALL)
        before = _seconds(reading, seed, SMALL)
        least = MOST * QUICK * SMALL
        if before > least and _takes_more(reading, seed, SMALL, least):
            return seed
        spent[seed] = _seconds(reading, seed, MIDDLE)
        least = MOST * max(before, QUICK * SMALL)
        if spent[seed] > least and _takes_more(reading, seed, MIDDLE, least):
            return seed
    for seed in sorted(spent, key=spent.__getitem__, reverse=True)[: WORST if up_to >= LARGE else 0]:
        least = MOST * max(spent[seed], QUICK * MIDDLE)
        if _seconds(reading, seed, LARGE) > least and _takes_more(reading, seed, LARGE, least):
            return seed
    return None


@lru_cache(1)
def _imports() -> dict[str, set[str]]:
    """By module, the modules of ours that it imports."""
    every = {module.__name__: module for module in modules()}
    found: dict[str, set[str]] = {}
    for name, module in every.items():
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.ImportFrom) and node.module:
                named = {f"{node.module}.{one.name}" for one in node.names} | {node.module}
                found.setdefault(name, set()).update(named & every.keys())
    return found


def _reached(roots: Iterable[str]) -> set[str]:
    """The modules below these, and what they import, however far."""
    imports = _imports()
    waiting = [name for root in roots for name in imports if name == root or name.startswith(f"{root}.")]
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += imports.get(name, ())
    return found


@lru_cache(1)
def _by_reader() -> tuple[list[Reading], list[Reading]]:
    """The reader's patterns, and all others."""
    reader = {
        name
        for name in _reached(READER) - _reached(OTHERS)
        if name.startswith(("reverie.rules", "reverie.minds"))
    }
    every = patterns()
    return [one for one in every if one.module in reader], [one for one in every if one.module not in reader]


def test_every_pattern_is_found() -> None:
    reader, others = _by_reader()
    assert len(reader) + len(others) > 400  # a search that finds nothing would prove nothing
    assert any(not isinstance(one.pattern, re.Pattern) for one in others)


@pytest.mark.parametrize(
    "pattern",
    [r"\s+$", r"<\s*/?\s*private", r"\bsk-(?=[\w-]*\d)[\w-]{20,200}", r"\"[^\"]*\"(?=:)|(?:a|ab)+:"],
)
def test_a_pattern_that_is_slow_is_noticed(pattern: str) -> None:
    assert slow_by(Reading(re.compile(pattern), "", anchored=False)) is not None


def test_no_pattern_takes_more_than_linear_time() -> None:
    _, others = _by_reader()
    slow = {f"{one.module}: {one.pattern.pattern[:80]!r}": seed for one in others if (seed := slow_by(one))}
    assert slow == {}
