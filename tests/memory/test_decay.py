"""What time does to confidence and activation."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.kinds import Priority
from reverie.domain.time import micros
from reverie.memory.decay import (
    COUNT_CAP,
    FADE_FACTOR,
    FADE_FLOOR,
    activation,
    faded_confidence,
    faded_confidences,
)
from tests.memory.memories import NOON, moments, shares

DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("confidence", "days", "faded"),
    [
        (0.9, 0, 0.9),
        (0.9, 29.999, 0.9),
        (0.9, 30, 0.81),
        (0.9, 59.999, 0.81),
        (0.9, 60, 0.729),
        (0.9, -100, 0.9),
        (0.31, 30, 0.279),
        (0.31, 3000, 0.279),
        (0.3, 3000, 0.3),
        (0.2, 3000, 0.2),
        (0.0, 3000, 0.0),
        (1.0, 100_000, FADE_FACTOR**12),
    ],
)
def test_confidence_fades_by_a_tenth_every_full_30_days(confidence: float, days: float, faded: float) -> None:
    assert faded_confidence(confidence, NOON, NOON + DAY * days) == pytest.approx(faded)


@given(shares, moments, moments, moments)
def test_time_never_takes_confidence_below_the_faded_floor(
    confidence: float, since: object, one: object, other: object
) -> None:
    earlier, later = sorted((one, other))  # type: ignore[type-var]
    first = faded_confidence(confidence, since, earlier)  # type: ignore[arg-type]
    second = faded_confidence(confidence, since, later)  # type: ignore[arg-type]
    assert second <= first <= confidence
    assert second >= min(confidence, FADE_FLOOR * FADE_FACTOR)


def _column_equals_scalar(confidence: float, days: float) -> None:
    now = NOON + DAY * days
    column = faded_confidences(
        np.array([confidence], np.float32), np.array([micros(NOON)], np.int64), micros(now)
    )
    assert column.dtype == np.float32
    assert float(column[0]) == pytest.approx(faded_confidence(confidence, NOON, now), rel=1e-6, abs=1e-30)


@given(shares, st.floats(-100, 5000))
def test_a_column_fades_as_a_single_memory_does(confidence: float, days: float) -> None:
    _column_equals_scalar(confidence, days)


@pytest.mark.parametrize("steps", range(13))
@pytest.mark.parametrize("days", [0, 29.9999999, 30, 60, 89.9999999, 90, 360, 4000])
def test_a_column_fades_as_a_single_memory_at_the_floor(steps: int, days: float) -> None:
    for confidence in (FADE_FLOOR / FADE_FACTOR**steps, float(np.float32(FADE_FLOOR / FADE_FACTOR**steps))):
        _column_equals_scalar(min(confidence, 1.0), days)


def test_columns_of_no_length_fade_to_columns_of_no_length() -> None:
    assert faded_confidences(np.zeros(0, np.float32), np.zeros(0, np.int64), 0).shape == (0,)


def _active(priority: Priority = Priority.HIGH, **changed: object) -> float:
    values = {
        "reinforcement_count": 3,
        "touches": 2,
        "last_reinforced_at": NOON,
        "last_touched_at": None,
        "now": NOON,
    }
    return activation(priority, **(values | changed))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("priority", "weight"),
    [(Priority.CRITICAL, 1.0), (Priority.HIGH, 0.8), (Priority.MEDIUM, 0.6), (Priority.NORMAL, 0.4)],
)
def test_activation_is_priority_times_freshness_times_counts(priority: Priority, weight: float) -> None:
    assert _active(priority) == pytest.approx(weight * 5)
    assert _active(priority, now=NOON + 90 * DAY) == pytest.approx(weight * 5 / 2)
    assert _active(priority, now=NOON + 180 * DAY) == pytest.approx(weight * 5 / 4)


def test_counts_are_capped() -> None:
    assert _active(Priority.CRITICAL, reinforcement_count=15, touches=4) == pytest.approx(19)
    assert _active(Priority.CRITICAL, reinforcement_count=15, touches=5000) == COUNT_CAP
    assert _active(Priority.CRITICAL, reinforcement_count=5000) == COUNT_CAP


def test_idleness_counts_from_the_latest_evidence_or_touch() -> None:
    later = NOON + 90 * DAY
    assert _active(last_touched_at=later, now=later) == _active()
    assert _active(last_reinforced_at=later, last_touched_at=NOON, now=later) == _active()


@given(
    st.sampled_from(Priority), st.integers(1, 100), st.integers(0, 100), moments, st.none() | moments, moments
)
def test_waiting_never_raises_activation(
    priority: Priority, count: int, touches: int, reinforced: object, touched: object, now: object
) -> None:
    def at(moment: object) -> float:
        return activation(
            priority,
            reinforcement_count=count,
            touches=touches,
            last_reinforced_at=reinforced,  # type: ignore[arg-type]
            last_touched_at=touched,  # type: ignore[arg-type]
            now=moment,  # type: ignore[arg-type]
        )

    assert 0 <= at(now + 10 * DAY) <= at(now) <= 20  # type: ignore[operator]
