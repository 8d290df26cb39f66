from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.doors.cli import words

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("passed", "text"),
    [
        (timedelta(seconds=59), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(hours=23, minutes=59), "23 hours ago"),
        (timedelta(days=2), "2 days ago"),
        (timedelta(days=61), "2 months ago"),
        (timedelta(days=800), "2 years ago"),
        (timedelta(days=-3), "in 3 days"),
    ],
)
def test_an_age_is_told_in_its_largest_whole_unit(passed: timedelta, text: str) -> None:
    assert words.age(NOW - passed, NOW) == text


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 B"), (1023, "1023 B"), (2048, "2.0 KiB"), (3 << 30, "3.0 GiB")]
)
def test_a_size_is_told_in_binary_units(count: int, text: str) -> None:
    assert words.size(count) == text


@given(st.lists(st.floats(0, 1), max_size=9))
def test_rounded_terms_add_up_to_the_rounded_sum(values: list[float]) -> None:
    shown, total = words.rounded_to_sum(values, 3)
    assert sum(round(value * 1000) for value in shown) == round(total * 1000)


@given(st.lists(st.floats(0, 1), max_size=9))
def test_no_term_is_moved_by_more_than_a_unit_of_its_last_digit(values: list[float]) -> None:
    shown, _ = words.rounded_to_sum(values, 3)
    assert all(abs(one - other) <= 0.001 + 1e-9 for one, other in zip(shown, values, strict=True))
