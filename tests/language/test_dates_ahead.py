"""Moments that lie ahead, as a sentence names them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.dates import due_text, moments_ahead

ZONE = ZoneInfo("Europe/Budapest")
SATURDAY = datetime(2026, 11, 28, 10, tzinfo=ZONE)
ZONES = [
    ZoneInfo(name) for name in ("UTC", "Europe/Budapest", "America/New_York", "Pacific/Apia", "Asia/Kolkata")
]
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _read(text: str, now: datetime = SATURDAY) -> list[str]:
    return [f"{one.at.astimezone(ZONE):%Y-%m-%d %H:%M}" for one in moments_ahead(text, now, ZONE)]


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("tomorrow", "2026-11-29 23:59"),
        ("tomorrow at nine", "2026-11-29 09:00"),
        ("tomorrow at 3", "2026-11-29 15:00"),
        ("tomorrow evening at nine", "2026-11-29 21:00"),
        ("tomorrow morning", "2026-11-29 12:00"),
        ("9am tomorrow", "2026-11-29 09:00"),
        ("at 9:30 on Monday", "2026-11-30 09:30"),
        ("the day after tomorrow at noon", "2026-11-30 12:00"),
        ("Thursday", "2026-12-03 23:59"),
        ("Saturday", "2026-12-05 23:59"),
        ("next Friday at 5 p.m.", "2026-12-04 17:00"),
        ("on Friday at two in the afternoon", "2026-12-04 14:00"),
        ("on the 7th", "2026-12-07 23:59"),
        ("3 December", "2026-12-03 23:59"),
        ("28 November", "2026-11-28 23:59"),
        ("January 5th", "2027-01-05 23:59"),
        ("Monday, 7 December 2026", "2026-12-07 23:59"),
        ("3.12.2026 18:00", "2026-12-03 18:00"),
        ("2026-12-03", "2026-12-03 23:59"),
        ("tonight", "2026-11-28 23:59"),
        ("tonight at 8", "2026-11-28 20:00"),
        ("today at nine", "2026-11-28 21:00"),
        ("at nine", "2026-11-28 21:00"),
        ("at 9am", "2026-11-29 09:00"),
        ("in 20 minutes", "2026-11-28 10:20"),
        ("in an hour", "2026-11-28 11:00"),
        ("in two days at noon", "2026-11-30 12:00"),
        ("in two weeks", "2026-12-12 23:59"),
    ],
)
def test_a_moment_is_the_next_that_the_words_may_mean(text: str, at: str) -> None:
    assert _read(text) == [at]


@pytest.mark.parametrize(
    "text",
    [
        "next week", "in May", "in a few days", "Christmas", "every Friday", "from Friday", "Friday's meeting",
        "Friday or Monday", "5/7/2026", "1 November", "31 November", "at 9 people", "at 9%", "at 25:00",
        "a week from Friday", "on Friday at half past nine", "tomorrow at 9am EST", "in 99999999 days", "",
    ],
)  # fmt: skip
def test_what_may_mean_another_time_is_no_moment(text: str) -> None:
    assert _read(text) == []


def test_moments_come_in_their_order_with_their_places() -> None:
    text = "Friday at noon, then in two hours"
    found = moments_ahead(text, SATURDAY, ZONE)
    assert [text[one.start : one.end] for one in found] == ["Friday at noon", "in two hours"]


@given(
    zone=st.sampled_from(ZONES),
    now=st.datetimes(datetime(2000, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001
    weekday=st.integers(0, 6), hour=st.integers(0, 23), minute=st.integers(0, 59),
)  # fmt: skip
def test_a_weekday_with_a_time_shows_on_the_zones_clocks(
    zone: ZoneInfo, now: datetime, weekday: int, hour: int, minute: int
) -> None:
    (one,) = moments_ahead(f"on {WEEKDAYS[weekday]} at {hour:02}:{minute:02}", now, zone)
    local, today = one.at.astimezone(zone), now.astimezone(zone).date()
    shown = datetime.combine(local.date(), datetime.min.time()).replace(hour=hour, minute=minute, tzinfo=zone)
    if shown.astimezone(UTC).astimezone(zone).replace(tzinfo=None) == shown.replace(tzinfo=None):
        assert (local.weekday(), local.hour, local.minute) == (weekday, hour, minute)
        assert today < local.date() <= today + timedelta(days=7)
        assert not local.fold  # of an hour that comes twice the first
    else:  # the clocks left it out, so it is as much later
        assert local.replace(tzinfo=None) > shown.replace(tzinfo=None)


@given(
    zone=st.sampled_from(ZONES),
    now=st.datetimes(datetime(2000, 1, 1), datetime(2090, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001
    days=st.integers(1, 90),
)  # fmt: skip
def test_a_day_ends_at_its_own_2359(zone: ZoneInfo, now: datetime, days: int) -> None:
    (one,) = moments_ahead(f"in {days} days", now, zone)
    local = one.at.astimezone(zone)
    meant: date = now.astimezone(zone).date() + timedelta(days=days)
    if zone.key != "Pacific/Apia" or meant != date(2011, 12, 30):  # a day that this zone left out
        assert (local.date(), local.hour, local.minute) == (meant, 23, 59)
        assert ":" not in due_text(local)


@given(
    st.text(max_size=200)
    | st.lists(st.sampled_from("in at on the 9 am 9999 two days Friday 3 December : - tomorrow".split())).map(
        " ".join
    )
)
def test_no_text_raises_and_what_is_read_lies_within_it(text: str) -> None:
    for one in moments_ahead(text, SATURDAY, ZONE):
        assert 0 <= one.start < one.end <= len(text)
