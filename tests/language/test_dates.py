"""Which spans of time a question names."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.dates.phrases import phrases as read_phrases
from reverie.language.dates.questions import MAX_PHRASES, moments
from reverie.language.dates.spans import FEASTS, SEASONS
from reverie.language.dates.words import MONTHS, NUMBERS, ORDINALS, UNITS, WEEKDAYS, tokens

NOW = datetime(2023, 7, 12, 15, 30, tzinfo=UTC)
"""A Wednesday."""


def named(text: str, now: datetime = NOW) -> str:
    """The windows of a text, short: midnights as dates, and the certainty where it isn't 1."""
    return ", ".join(
        f"{_short(window.since)} {_short(window.until)}"
        + (f" ~{window.certainty:g}" if window.certainty < 1 else "")
        for window in moments(text, now)
    )


def _short(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}" if not (moment.hour or moment.minute) else f"{moment:%Y-%m-%dT%H:%M}"


@pytest.mark.parametrize(
    ("text", "window"),
    [
        ("7 May 2023", "2023-05-07 2023-05-08"),
        ("the 7th of May, 2023", "2023-05-07 2023-05-08"),
        ("May 7th, 2023", "2023-05-07 2023-05-08"),
        ("december 1,2023", "2023-12-01 2023-12-02"),
        ("Sun, 7 May 2023", "2023-05-07 2023-05-08"),
        ("2023-05-07", "2023-05-07 2023-05-08"),
        ("2023/05/07", "2023-05-07 2023-05-08"),
        ("2023-05-07T10:00", "2023-05-07 2023-05-08"),
        ("2023-05", "2023-05-01 2023-06-01"),
        ("7.5.2023", "2023-05-07 2023-05-08"),
        ("25/7/2023", "2023-07-25 2023-07-26"),
        ("会议于2023-05-07举行", "2023-05-07 2023-05-08"),
        ("May 2023", "2023-05-01 2023-06-01"),
        ("Dec. 2022", "2022-12-01 2023-01-01"),
        ("in 2022", "2022-01-01 2023-01-01"),
        ("29 February 2024", "2024-02-29 2024-03-01"),
    ],
)
def test_a_date_said_in_full_is_certain(text: str, window: str) -> None:
    assert named(text) == window


@pytest.mark.parametrize(
    ("text", "window"),
    [
        ("on 7 March", "2023-03-07 2023-03-08 ~0.8"),
        ("on Aug 15th", "2022-08-15 2022-08-16 ~0.8"),
        ("in May", "2023-05-01 2023-06-01 ~0.8"),
        ("in july", "2023-07-01 2023-08-01 ~0.8"),
        ("in August", "2022-08-01 2022-09-01 ~0.8"),
        ("December", "2022-12-01 2023-01-01 ~0.8"),
        ("on Friday", "2023-07-07 2023-07-08 ~0.8"),
        ("on Wednesday", "2023-07-12 2023-07-13 ~0.8"),
        ("on the 7th?", "2023-07-07 2023-07-08 ~0.8"),
        ("on the 31st", "2023-05-31 2023-06-01 ~0.8"),
        ("the second of May", "2023-05-02 2023-05-03 ~0.8"),
        ("29 February", "2020-02-29 2020-03-01 ~0.8"),
    ],
)
def test_what_is_left_unsaid_is_the_latest_that_has_begun(text: str, window: str) -> None:
    assert named(text) == window


@pytest.mark.parametrize(
    ("text", "window"),
    [
        ("today", "2023-07-12 2023-07-13"),
        ("yesterday", "2023-07-11 2023-07-12"),
        ("tomorrow", "2023-07-13 2023-07-14"),
        ("the day before yesterday", "2023-07-10 2023-07-11"),
        ("last night", "2023-07-11T18:00 2023-07-12T06:00"),
        ("tonight", "2023-07-12T18:00 2023-07-13T06:00"),
        ("this morning", "2023-07-12T05:00 2023-07-12T12:00"),
        ("yesterday evening", "2023-07-11T17:00 2023-07-12"),
        ("last Sunday morning", "2023-07-09T05:00 2023-07-09T12:00"),
        ("last Friday", "2023-07-07 2023-07-08"),
        ("last Wednesday", "2023-07-05 2023-07-06"),
        ("this Friday", "2023-07-14 2023-07-15"),
        ("next Wednesday", "2023-07-19 2023-07-20"),
        ("last week", "2023-07-03 2023-07-10"),
        ("this week", "2023-07-10 2023-07-17"),
        ("next week", "2023-07-17 2023-07-24"),
        ("last weekend", "2023-07-08 2023-07-10"),
        ("this past weekend", "2023-07-08 2023-07-10"),
        ("last month", "2023-06-01 2023-07-01"),
        ("last year", "2022-01-01 2023-01-01"),
        ("last May", "2023-05-01 2023-06-01"),
        ("last July", "2022-07-01 2022-08-01"),
        ("next January", "2024-01-01 2024-02-01"),
        ("this December", "2023-12-01 2024-01-01"),
        ("last summer", "2022-06-01 2022-09-01"),
        ("this summer", "2023-06-01 2023-09-01"),
        ("last Christmas", "2022-12-24 2022-12-27"),
    ],
)
def test_words_relative_to_now_are_read_from_the_askers_day(text: str, window: str) -> None:
    assert named(text) == window


@pytest.mark.parametrize(
    ("text", "window"),
    [
        ("two days ago", "2023-07-10 2023-07-11"),
        ("twenty-one days ago", "2023-06-21 2023-06-22"),
        ("a week ago", "2023-07-02 2023-07-09"),
        ("a few weeks ago", "2023-06-04 2023-07-02"),
        ("a couple of months ago", "2023-04-27 2023-05-28"),
        ("4 years ago", "2019-01-10 2020-01-12"),
        ("an hour ago", "2023-07-12T14:00 2023-07-12T15:00"),
        ("the last two weeks", "2023-06-28 2023-07-13"),
        ("over the past month", "2023-06-12 2023-07-13"),
        ("in the last week", "2023-07-05 2023-07-13"),
    ],
)
def test_a_distance_from_now_is_as_wide_as_people_round_it(text: str, window: str) -> None:
    assert named(text) == window


@pytest.mark.parametrize(
    ("text", "window"),
    [
        ("in early July 2022", "2022-07-01 2022-07-11"),
        ("mid-August 2022", "2022-08-11 2022-08-21"),
        ("the end of October 2022", "2022-10-21 2022-11-01"),
        ("late last year", "2022-09-01 2023-01-01"),
        ("the first half of September 2022", "2022-09-01 2022-09-16"),
        ("the second week of November 2022", "2022-11-08 2022-11-15"),
        ("the third weekend in May 2023", "2023-05-20 2023-05-22"),
        ("the last Friday of May 2023", "2023-05-26 2023-05-27"),
        ("the first Monday of May 2023", "2023-05-01 2023-05-02"),
        ("the last day of May 2023", "2023-05-31 2023-06-01"),
        ("the summer of 2023", "2023-06-01 2023-09-01"),
        ("winter 2022", "2021-12-01 2022-03-01 ~0.5, 2022-12-01 2023-03-01 ~0.5"),
        ("in the spring", "2023-03-01 2023-06-01 ~0.5"),
        ("Easter 2024", "2024-03-29 2024-04-02"),
        ("Thanksgiving 2022", "2022-11-24 2022-11-28"),
        ("Black Friday 2022", "2022-11-25 2022-11-26"),
        ("Mother's Day 2023", "2023-05-14 2023-05-15"),
        ("New Year's Eve", "2022-12-31 2023-01-01 ~0.5"),
    ],
)
def test_parts_seasons_and_feasts_are_found_in_their_year(text: str, window: str) -> None:
    assert named(text) == window


@pytest.mark.parametrize(
    ("text", "window"),
    [
        ("the week before 9 June 2023", "2023-06-02 2023-06-09"),
        ("the week of 7 June 2023", "2023-06-05 2023-06-12"),
        ("the weekend of July 15, 2023", "2023-07-15 2023-07-17"),
        ("the Sunday before October 25, 2022", "2022-10-23 2022-10-24"),
        ("the Tuesday before October 25, 2022", "2022-10-18 2022-10-19"),
        ("the Sunday after October 25, 2022", "2022-10-30 2022-10-31"),
        ("last weekend before April 10, 2023", "2023-04-08 2023-04-10"),
        ("the weekend before 9 April 2023", "2023-04-01 2023-04-03"),
        ("two weeks before August 11, 2023", "2023-07-25 2023-08-01"),
        ("three days after 1 May 2023", "2023-05-04 2023-05-05"),
        ("the day after Christmas 2022", "2022-12-27 2022-12-28"),
        ("between 3 and 5 May 2023", "2023-05-03 2023-05-06"),
        ("May 3-5, 2023", "2023-05-03 2023-05-06"),
        ("between August 11 and August 15 2023", "2023-08-11 2023-08-16 ~0.8"),
        ("from March to May 2023", "2023-03-01 2023-06-01 ~0.8"),
        ("between December and February", "2022-12-01 2023-03-01 ~0.8"),
        ("from Friday to Tuesday", "2023-07-07 2023-07-12 ~0.8"),
        ("since 1 March 2023", "2023-03-01 2023-07-12T15:30"),
        ("before May 2023", "2023-01-31 2023-05-01 ~0.5"),
        ("by 10 July 2022", "2022-04-12 2022-07-11 ~0.5"),
        ("after 3 June 2022", "2022-06-04 2022-09-02 ~0.5"),
    ],
)
def test_a_span_may_be_measured_from_another_date(text: str, window: str) -> None:
    assert named(text) == window


def test_a_date_with_slashes_has_both_readings() -> None:
    assert named("5/7/2023") == "2023-05-07 2023-05-08 ~0.5, 2023-07-05 2023-07-06 ~0.5"
    assert named("5/5/2023") == "2023-05-05 2023-05-06"


def test_recently_counts_only_where_nothing_else_is_named() -> None:
    assert named("What did she paint lately?") == "2023-06-12 2023-07-13 ~0.2"
    assert named("What did she recently paint, in May 2023?") == "2023-05-01 2023-06-01"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "May I ask you something?",
        "it may be late, may it not?",
        "we may 7 times ask",
        "this may help",
        "What did May and June say to April?",
        "the soldiers march through the city",
        "in their last march 3 people fell",
        "the Sun rose and I sat for a second",
        "what is 1984 about, the novel",
        "room 2023 on the 5th floor",
        "the fall of Rome and a spring in the bed",
        "once upon a time, years ago",
        "every Friday and each Monday",
        "half past nine",
        "the last day of school",
        "at 5:30 pm, version 2.5.2023.1, 10/2022/33",
        "call 2023-05-123 or 12345-05-07",
        "a path/2023-05-07 and file_2023-05-07",
        "31 Juni",
        "0 May 0000",
        "Feb 29, 2023",
        "9999 years ago",
    ],
)
def test_what_only_looks_like_a_date_names_none(text: str) -> None:
    assert named(text) == ""


def test_days_begin_and_end_in_the_askers_zone() -> None:
    window = moments("yesterday", datetime(2023, 7, 12, 23, 30, tzinfo=UTC), ZoneInfo("Asia/Tokyo"))[0]
    assert window.since == datetime(2023, 7, 11, 15, tzinfo=UTC)
    assert window.until == datetime(2023, 7, 12, 15, tzinfo=UTC)


def test_a_day_on_which_clocks_change_has_its_true_length() -> None:
    (window,) = moments("26 March 2023", NOW, ZoneInfo("Europe/Budapest"))
    assert window.until - window.since == timedelta(hours=23)


def test_a_day_that_a_zone_left_out_names_nothing() -> None:
    assert moments("30 December 2011", NOW, ZoneInfo("Pacific/Apia")) == ()


def test_several_dates_are_named_in_their_order_and_once() -> None:
    assert named("in 2022 or on 7 May 2023, yes, in 2022") == "2022-01-01 2023-01-01, 2023-05-07 2023-05-08"


def test_no_more_phrases_are_read_than_a_question_has() -> None:
    assert len(moments(" and ".join(f"in {year}" for year in range(1900, 2000)), NOW)) == MAX_PHRASES


WORDS = sorted({*MONTHS, *WEEKDAYS, *UNITS, *NUMBERS, *ORDINALS, *SEASONS, *FEASTS})
LINKS = "the of in on last next this past ago before after between and from to since until by early mid end".split()
DIGITS = [
    "2023",
    "7",
    "31",
    "29",
    "7th",
    "2023-05-07",
    "5/7/2023",
    "0",
    "-",
    ",",
    "few",
    "couple",
    "half",
    "'s",
]
phrases = st.lists(
    st.sampled_from([*WORDS, *map(str.capitalize, WORDS), *LINKS, *DIGITS]) | st.text(max_size=4), max_size=12
).map(" ".join)
zones = st.sampled_from(
    [UTC, ZoneInfo("Pacific/Apia"), ZoneInfo("Asia/Kathmandu"), ZoneInfo("America/St_Johns")]
)


@given(
    st.text() | phrases,
    st.integers(2, 3_652_000).map(lambda days: datetime(1, 1, 1, 15, tzinfo=UTC) + timedelta(days=days)),
    zones,
)
def test_any_text_at_any_time_gives_windows_that_have_a_length(
    text: str, now: datetime, zone: ZoneInfo
) -> None:
    for window in moments(text, now, zone):
        assert window.since < window.until
        assert 0 < window.certainty <= 1


@given(phrases)
def test_a_text_that_is_not_read_names_nothing(text: str) -> None:
    local = NOW.replace(tzinfo=None)
    named = [span for phrase in read_phrases([*tokens(text)], local) for span in phrase.spans]
    assert bool(named) == bool([*moments(text, NOW)])


def test_a_number_with_a_long_s_is_no_ordinal() -> None:
    assert named("on the 9\u017ft in May 2023") == "2023-05-01 2023-06-01"


@pytest.mark.parametrize(
    "piece", ["in May ", "1", "2023-", "1.", "the ", "early ", "between 3 and ", "a couple of ", " "]
)
def test_a_megabyte_of_anything_takes_no_quadratic_time(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    finished = threading.Event()

    def run() -> None:
        moments(text, NOW)
        finished.set()

    threading.Thread(target=run, daemon=True).start()
    assert finished.wait(60)
