"""Regularities: what is done at the same times."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.rules.regular import FEWEST_DAYS, activities, part_of, regularity

MONDAY = datetime(2026, 3, 2)  # noqa: DTZ001  # local times


def _times(hour: float, *days: int) -> list[datetime]:
    return [MONDAY + timedelta(days=day, hours=hour) for day in days]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I'm coding again.", ("codes",)),
        ("Just back from my run!", ("goes running",)),
        ("Off to the gym", ("goes to the gym",)),
        ("Evening yoga done, now guitar.", ("does yoga", "plays the guitar")),
    ],
)
def test_what_somebody_does_is_read_off_his_words(text: str, told: tuple[str, ...]) -> None:
    assert activities(text) == told


@pytest.mark.parametrize(
    "text",
    [
        "Do you like coding?",
        "I skipped yoga.",
        "How do I start running",
        "Tom plays the guitar.",
        "I quit the gym.",
    ],
)
def test_what_is_asked_left_out_or_done_by_others_is_not_done(text: str) -> None:
    assert activities(text) == ()


def test_parts_of_the_day_are_told_apart() -> None:
    assert regularity(_times(20, 0, 1, 3, 4), ()) == "in the evening"
    assert regularity(_times(7, 0, 1, 3, 4), ()) == "in the morning"
    assert regularity(_times(23.5, 0, 1, 3, 4), ()) == "at night"


def test_the_same_weekday_of_four_weeks_is_told() -> None:
    assert regularity(_times(19, 1, 8, 15, 22), ()) == "on Tuesday evenings"
    assert regularity([*_times(9, 1, 15), *_times(19, 8, 22)], ()) == "on Tuesdays"


def test_weekends_are_told_as_such() -> None:
    assert regularity(_times(10, 5, 13, 19, 27), ()) == "at weekends, in the morning"


def test_any_time_of_the_day_is_no_rule() -> None:
    assert regularity([*_times(7, 0, 1), *_times(13, 2, 3), *_times(21, 4, 5)], ()) is None


def test_when_somebody_writes_anyway_is_no_rule() -> None:
    assert regularity(_times(20, 0, 1, 3, 4), _times(19, *range(8))) is None
    assert regularity(_times(20, 0, 1, 3, 4), _times(9, *range(8))) == "in the evening"


def test_only_the_latest_days_count() -> None:
    assert regularity([*_times(20, *range(8)), *_times(7, *range(8, 16))], ()) == "in the morning"


_MOMENTS = st.lists(st.integers(0, 24 * 60).map(lambda hour: MONDAY + timedelta(hours=hour)), max_size=12)


@given(_MOMENTS)
def test_fewer_days_than_enough_are_never_a_rule(times: list[datetime]) -> None:
    if len({moment.date() for moment in times}) < FEWEST_DAYS:
        assert regularity(times, ()) is None


@given(_MOMENTS, st.randoms())
def test_the_order_of_times_changes_nothing(times: list[datetime], chance: object) -> None:
    mixed = list(times)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    assert regularity(mixed, ()) == regularity(times, ())


@given(st.integers(0, 24 * 60 - 1))
def test_every_minute_has_its_part_of_the_day(minute: int) -> None:
    assert part_of(MONDAY + timedelta(minutes=minute)) in ("morning", "afternoon", "evening", "night")
