"""Days and spans of days as narratives write them, and as they are read again."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.dates.days import DAY, SPAN, span_text

days = st.dates(date(1900, 1, 1), date(2199, 12, 31)).map(
    lambda day: datetime(day.year, day.month, day.day, tzinfo=UTC)
)


@pytest.mark.parametrize(
    ("first", "last", "text"),
    [
        ((2026, 3, 7), (2026, 3, 7), "7 March 2026"),
        ((2026, 3, 1), (2026, 3, 13), "1\u201313 March 2026"),
        ((2026, 2, 28), (2026, 3, 3), "28 February \u2013 3 March 2026"),
        ((2025, 12, 30), (2026, 1, 2), "30 December 2025 \u2013 2 January 2026"),
    ],
)
def test_what_two_days_share_is_said_once(
    first: tuple[int, int, int], last: tuple[int, int, int], text: str
) -> None:
    assert span_text(datetime(*first, tzinfo=UTC), datetime(*last, tzinfo=UTC)) == text


@given(days, st.integers(0, 900))
def test_what_is_written_is_known_again(first: datetime, length: int) -> None:
    span = span_text(first, first + timedelta(days=length))
    assert re.fullmatch(SPAN, span)
    assert (re.fullmatch(DAY, span) is not None) is (length == 0)


@pytest.mark.parametrize("text", ["", "yesterday", "7 March", "\u2013 7 March 2026", "7 Mars 2026"])
def test_anything_else_is_no_span(text: str) -> None:
    assert re.fullmatch(SPAN, text) is None
