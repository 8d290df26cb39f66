"""When windows of validity tell two memories apart, and what two of them are together."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.memory import Memory
from reverie.memory.dedupe.guard import is_reworded, windows_conflict, with_window_of
from tests.memory.memories import NOON, a_memory


def _day(days: float | None) -> datetime | None:
    return None if days is None else NOON + timedelta(days=days)


def _said(said: float, begins: float | None, ends: float | None) -> Memory:
    at = NOON + timedelta(days=said)
    return a_memory(created_at=at, last_reinforced_at=at, valid_from=_day(begins), valid_to=_day(ends))


def _a_window(said: int, begins: int | None, length: int, *, ends: bool) -> Memory:
    return _said(said, begins, (begins or 0) + length if ends else None)


windows = st.builds(
    _a_window, st.integers(-9, 9), st.none() | st.integers(-9, 9), st.integers(1, 9), ends=st.booleans()
)


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        (_said(0, None, None), _said(0, None, None), False),
        (_said(0, -9, None), _said(0, None, None), False),
        (_said(0, 9, None), _said(0, None, None), False),
        (_said(-9, -9, None), _said(0, 0, None), False),
        (_said(0, None, 9), _said(0, None, None), False),
        (_said(0, -9, 9), _said(0, -5, None), False),
        (_said(0, -9, 9), _said(0, -5, 9), False),
        (_said(0, -9, -1), _said(0, None, None), True),
        (_said(0, -9, 0), _said(0, None, None), True),
        (_said(0, -9, -1), _said(-5, None, None), False),
        (_said(0, -9, 5), _said(0, 5, None), True),
        (_said(0, -9, -5), _said(0, -5, 5), True),
        (_said(0, -9, 5), _said(0, -9, 9), True),
    ],
    ids=[
        "neither has a window", "since when", "from when on", "two starts", "an end to come", "one of them ends",
        "two starts and one end", "ended", "ended just then", "said before it ended", "the one ends, the other begins",
        "one after the other", "two ends",
    ],
)  # fmt: skip
def test_only_ends_that_exclude_each_other_tell_windows_apart(
    one: Memory, other: Memory, apart: bool
) -> None:
    assert windows_conflict(one, other) is apart
    assert windows_conflict(other, one) is apart


@given(windows, windows)
def test_two_windows_together_have_a_length_and_fit_both(one: Memory, other: Memory) -> None:
    if windows_conflict(one, other):
        return
    both = with_window_of(one, other)
    assert both.valid_from is None or both.valid_to is None or both.valid_from < both.valid_to
    assert not windows_conflict(both, one)
    assert not windows_conflict(both, other)


def test_what_is_known_of_a_window_stays_and_what_isnt_is_filled() -> None:
    assert with_window_of(_said(0, None, None), _said(0, -5, 5)) == _said(0, -5, 5)
    assert with_window_of(_said(0, -9, None), _said(0, -5, 5)) == _said(0, -9, 5)
    assert with_window_of(_said(0, -9, 5), _said(0, None, None)) == _said(0, -9, 5)


@pytest.mark.parametrize(
    ("begins", "since"), [(-9, -9), (-5, -5), (-3, -5), (0, -5), (4, 4)],
    ids=["before", "when first said", "between", "when said again", "to come"],
)  # fmt: skip
def test_a_start_is_never_later_than_when_it_was_first_said(begins: int, since: int) -> None:
    assert with_window_of(_said(-5, None, None), _said(0, begins, None)).valid_from == _day(since)


@pytest.mark.parametrize("name", ["lesson", "valid_from", "valid_to"])
def test_another_lesson_or_window_is_another_wording(name: str) -> None:
    fields: dict[str, Any] = {name: "Ask" if name == "lesson" else NOON}
    assert is_reworded(a_memory(), a_memory(**fields))
    assert not is_reworded(a_memory(**fields), a_memory(**fields, tags=("a",)))
