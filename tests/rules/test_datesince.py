"""Since when a statement says that something is so."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from reverie.rules.datesince import begun
from reverie.rules.terms import terms

SAID = datetime(2026, 3, 3, 9, tzinfo=UTC)  # a Tuesday


def _begun(text: str, about: str = "") -> str | None:
    found = begun(text, frozenset(terms(about)), SAID, UTC)
    return None if found is None else found.date().isoformat()


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("I've lived in Hull since 2019.", "2019-01-01"),
        ("I have been a teacher ever since May 2021", "2021-05-01"),
        ("I started at the bakery in January.", "2026-01-01"),
        ("We bought the house on 7 May 2023.", "2023-05-07"),
        ("She moved out last week.", "2026-02-23"),
        ("Tom broke his arm yesterday", "2026-03-02"),
    ],
)
def test_since_and_the_past_tense_say_since_when(text: str, since: str) -> None:
    assert _begun(text) == since


@pytest.mark.parametrize(
    "text",
    [
        "I want to run the 10k in York in August.",
        "My leave is 20 to 29 May.",
        "My friend Priya lives in Bristol, she's coming up at Easter.",
        "I'm flying to Oslo on Friday.",
        "I start at the bakery on Monday.",
        "I'm learning Italian on Wednesday evenings.",
        "I work from home on Friday afternoons.",
        "I went swimming on Saturday mornings for years.",
        "We had choir every Friday.",
        "Since I'm so tired, I drink coffee.",
        "I like Easter.",
        "",
        "I started in January and she left in February.",
    ],
)
def test_any_other_time_says_nothing_of_how_long_it_has_been_so(text: str) -> None:
    assert _begun(text) is None


def test_the_clause_counts_that_tells_what_it_is_about() -> None:
    text = "I live in Bristol now, I moved to Leeds in January, she was in Oslo last week"
    assert (_begun(text, "leeds"), _begun(text, "bristol"), _begun(text, "oslo")) == (
        "2026-01-01", None, "2026-02-23",
    )  # fmt: skip
    assert _begun("I got married in January", "husband") == "2026-01-01"


def test_nothing_is_raised_at_the_ends_of_the_calendar() -> None:
    first, last = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
    assert begun("I moved last week, since yesterday", frozenset(), first, UTC) is None
    assert begun("I moved yesterday", frozenset(), last, UTC) == datetime(9999, 12, 30, tzinfo=UTC)
