"""How close a stored time lies to the spans that a question names."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.time import micros
from reverie.language.dates.questions import HALF_LIFE_AFTER_DAYS, HALF_LIFE_BEFORE_DAYS, Window, closeness

SINCE = datetime(2023, 5, 1, tzinfo=UTC)
UNTIL = datetime(2023, 6, 1, tzinfo=UTC)
MAY = Window(since=SINCE, until=UNTIL)
DAY = timedelta(days=1)
moments = st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


def close(moment: datetime, *windows: Window) -> float:
    return float(closeness(np.array([micros(moment)], np.int64), windows)[0])


def test_inside_a_window_closeness_is_its_certainty() -> None:
    assert close(SINCE, MAY) == close(UNTIL - timedelta(microseconds=1), MAY) == 1.0
    assert close(SINCE, Window(since=SINCE, until=UNTIL, certainty=0.5)) == 0.5


def test_closeness_halves_sooner_before_than_after() -> None:
    assert close(UNTIL + HALF_LIFE_AFTER_DAYS * DAY, MAY) == pytest.approx(0.5, abs=1e-6)
    assert close(SINCE - HALF_LIFE_BEFORE_DAYS * DAY, MAY) == pytest.approx(0.5)
    assert close(SINCE - 5 * DAY, MAY) < close(UNTIL + 5 * DAY, MAY)


def test_of_several_windows_the_best_counts() -> None:
    unsure = Window(since=UNTIL, until=UNTIL + DAY, certainty=0.3)
    assert close(UNTIL, MAY, unsure) == close(UNTIL, unsure, MAY) > 0.9


def test_without_windows_nothing_is_close() -> None:
    assert closeness(np.array([0, 1], np.int64), ()).tolist() == [0.0, 0.0]
    assert closeness(np.zeros(0, np.int64), (MAY,)).shape == (0,)


@given(moments, moments, moments)
def test_closeness_lies_between_0_and_1_for_any_times(one: datetime, other: datetime, at: datetime) -> None:
    since, until = sorted((one, other))
    window = Window(since=since, until=until + timedelta(microseconds=1))
    assert 0.0 <= close(at, window) <= 1.0
    assert (close(at, window) == 1.0) >= (since <= at <= until)
