"""Words that say when in relation to the time of speaking become dates that read well where they stand."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from reverie.rules.datesaid import dated

THURSDAY = datetime(2026, 9, 10, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "means"),
    [
        ("Ms Byrne is last year's teacher.", "Ms Byrne is 2025's teacher."),
        ("Ms Byrne is last year's", "Ms Byrne is 2025's"),
        ("Rosa, last year\u2019s winner, is here.", "Rosa, 2025's winner, is here."),
        ("Yesterday's soup was cold.", "9 September 2026's soup was cold."),
        ("The storm of last week's end took the roof.", "The storm of the week of 31 August 2026's end took the roof."),
        ("The last week's storm took it.", "The week of 31 August 2026's storm took it."),
        ("Today's the day!", "10 September 2026 is the day!"),
        ("Today's my birthday.", "10 September 2026 is my birthday."),
    ],
)  # fmt: skip
def test_what_belongs_to_a_time_belongs_to_its_date(said: str, means: str) -> None:
    assert dated(said, THURSDAY, UTC) == means


@pytest.mark.parametrize(
    ("said", "means"),
    [
        ("last month I got a raise", "In August 2026 I got a raise"),
        ("I moved and last month I got a raise", "I moved and in August 2026 I got a raise"),
        ("I slept badly and yesterday I was ill.", "I slept badly and on 9 September 2026 I was ill."),
        ("I lost Pip last month but last week she was back.",
         "I lost Pip in August 2026 but in the week of 31 August 2026 she was back."),
        ("It was dull between last month and this week.",
         "It was dull between August 2026 and the week of 7 September 2026."),
        ("Since yesterday I feel fine.", "Since 9 September 2026 I feel fine."),
        ("My arms feel like noodles today.", "My arms feel like noodles on 10 September 2026."),
        ("arms like noodles today", "arms like noodles on 10 September 2026"),
    ],
)  # fmt: skip
def test_a_date_has_the_preposition_that_its_place_asks_for(said: str, means: str) -> None:
    assert dated(said, THURSDAY, UTC) == means


@pytest.mark.parametrize(
    ("said", "means"),
    [
        ("Biscuit died on sunday", "Biscuit died on 6 September 2026"),
        ("Biscuit died on Sunday", "Biscuit died on 6 September 2026"),
        ("biscuit died on sunday, we are so sad", "biscuit died on 6 September 2026, we are so sad"),
        ("I broke my arm on monday and cried.", "I broke my arm on 7 September 2026 and cried."),
        ("We lost her on tuesday night.", "We lost her on the night of 8 September 2026."),
        ("I'll see her on sunday.", "I'll see her on 13 September 2026."),
        ("I need it on sunday.", "I need it on 13 September 2026."),
    ],
)
def test_a_weekday_is_a_date_in_small_letters_too(said: str, means: str) -> None:
    assert dated(said, THURSDAY, UTC) == means


@pytest.mark.parametrize(
    "said",
    [
        "We play on sunday.",
        "I ran on monday, tuesday and friday.",
        "I swam every sunday.",
        "I swim on sundays.",
    ],
)
def test_a_weekday_that_comes_again_or_has_no_tense_stays(said: str) -> None:
    assert dated(said, THURSDAY, UTC) == said


@pytest.mark.parametrize(
    "text",
    [
        "I'm learning Italian on Wednesday evenings.",
        "I went swimming on Saturday mornings for years.",
        "We'll have choir on Friday each week.",
        "He went there every other Friday.",
        "She usually took the bus on Friday.",
        "We're meeting on Tuesdays.",
        "I cooked on Sunday lunchtimes",
    ],
)
def test_a_day_that_comes_again_and_again_gets_no_date(text: str) -> None:
    assert dated(text, datetime(2026, 3, 3, 9, tzinfo=UTC), UTC) == text


def test_a_single_evening_keeps_its_date() -> None:
    said = datetime(2026, 3, 3, 9, tzinfo=UTC)
    assert dated("I went out on Friday evening", said, UTC) == "I went out on the evening of 27 February 2026"
