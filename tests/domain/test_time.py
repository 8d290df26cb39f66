"""Times from outside, as UTC inside."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.time import from_micros, micros, to_utc, zone_of
from reverie.errors import InvalidInput

BUDAPEST = ZoneInfo("Europe/Budapest")
NEW_YORK = ZoneInfo("America/New_York")


def _utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc,arg-type]


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ("2026-11-20T09:30:00+01:00", _utc(2026, 11, 20, 8, 30)),
        ("2026-11-20T09:30:00Z", _utc(2026, 11, 20, 9, 30)),
        ("2026-11-20 09:30", _utc(2026, 11, 20, 8, 30)),
        (" 2026-11-20T09:30:00.123456 ", _utc(2026, 11, 20, 8, 30, 0, 123456)),
        ("20261120T093000", _utc(2026, 11, 20, 8, 30)),
        ("2026-07-01", _utc(2026, 6, 30, 22)),
        ("2026-W47-5", _utc(2026, 11, 19, 23)),
        (date(2026, 7, 1), _utc(2026, 6, 30, 22)),
        (datetime(2026, 7, 1, 12), _utc(2026, 7, 1, 10)),  # noqa: DTZ001
        (datetime(2026, 7, 1, 12, tzinfo=NEW_YORK), _utc(2026, 7, 1, 16)),
        (datetime(2026, 7, 1, 12, tzinfo=timezone(timedelta(hours=5, minutes=45))), _utc(2026, 7, 1, 6, 15)),
    ],
)
def test_a_time_without_a_zone_is_read_in_the_agents(value: object, moment: datetime) -> None:
    assert to_utc(value, zone=BUDAPEST) == moment
    assert to_utc(value, zone=BUDAPEST).tzinfo is UTC


def test_a_skipped_time_has_the_offset_before_the_gap() -> None:
    assert to_utc("2026-03-29T02:30:00", zone=BUDAPEST) == _utc(2026, 3, 29, 1, 30)


def test_a_time_that_comes_twice_is_the_first_unless_folded() -> None:
    assert to_utc("2026-10-25T02:30:00", zone=BUDAPEST) == _utc(2026, 10, 25, 0, 30)
    second = datetime(2026, 10, 25, 2, 30, fold=1)  # noqa: DTZ001
    assert to_utc(second, zone=BUDAPEST) == _utc(2026, 10, 25, 1, 30)


def test_the_first_and_last_moments_are_times_where_utc_reaches() -> None:
    assert to_utc("0001-01-01T00:00:00Z") == datetime.min.replace(tzinfo=UTC)
    assert to_utc("9999-12-31T23:59:59.999999") == datetime.max.replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "value",
    ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", datetime.min.replace(tzinfo=BUDAPEST)],
)
def test_a_time_that_utc_cannot_hold_is_refused(value: object) -> None:
    with pytest.raises(InvalidInput, match="years 1 to 9999"):
        to_utc(value)


@pytest.mark.parametrize(
    "value",
    [
        "", "yesterday", "2026-13-01", "2026-02-30", "2026-11-20T25:00", "12:30", "1763629200", "\ud800", "\x00",
        "2026-11-20T09:30:00+99:00", "2026-11-20" * 1000, "\uff12\uff10\uff12\uff16-11-20",
    ],
)  # fmt: skip
def test_text_that_is_no_time_is_refused_without_quoting_it(value: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        to_utc(value, field="since")
    assert refused.value.field == "since"
    assert len(value) < 5 or value not in str(refused.value)


@pytest.mark.parametrize("value", [5, 1763629200.0, True, [], {}, b"2026-11-20", timedelta(1), object()])
def test_what_is_neither_text_nor_a_time_is_refused_by_its_type(value: object) -> None:
    with pytest.raises(InvalidInput, match="is not a time; give a datetime or ISO 8601 text"):
        to_utc(value)


@given(st.text(st.characters()) | st.text("0123456789-:T.+ZW ", max_size=30), st.timezones())
def test_any_text_is_a_time_or_is_refused(text: str, zone: ZoneInfo) -> None:
    try:
        moment = to_utc(text, zone=zone)
    except InvalidInput:
        return
    assert moment.utcoffset() == timedelta(0)


@given(st.datetimes(timezones=st.none() | st.timezones()))
def test_any_datetime_is_a_time_or_lies_outside_the_years(moment: datetime) -> None:
    try:
        made = to_utc(moment, zone=NEW_YORK)
    except InvalidInput:
        assert moment.year in (1, 9999)
        return
    assert made.tzinfo is UTC


@given(st.datetimes(timezones=st.just(UTC)))
def test_microseconds_hold_every_moment_exactly(moment: datetime) -> None:
    assert from_micros(micros(moment)) == moment


def test_a_zone_is_known_by_its_iana_name() -> None:
    assert zone_of("Europe/Budapest") == BUDAPEST


@pytest.mark.parametrize(
    "name", ["", "Mars/Olympus", "Europe", "../etc/passwd", "/etc/localtime", "a\x00b", "\ud800", "x" * 5000, None, 5]
)  # fmt: skip
def test_a_name_of_no_zone_is_refused_with_an_example(name: object) -> None:
    with pytest.raises(InvalidInput, match="Europe/Budapest"):
        zone_of(name)
