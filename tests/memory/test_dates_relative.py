"""What the relative dates of a quotation mean: resolved beside the words, never inside them."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.memory import Quoted
from reverie.domain.message import Role
from reverie.language.dates.questions import relative_days
from reverie.memory.quoting.quotations import quotation, with_dates

AT = datetime(2026, 3, 12, 23, 30, tzinfo=UTC)  # a Thursday


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("I moved yesterday.", [("yesterday", "2026-03-11")]),
        ("Back from Porto last week, and off again tomorrow.",
         [("last week", "2026-03-02/2026-03-08"), ("tomorrow", "2026-03-13")]),
        ("We met three days ago.", [("three days ago", "2026-03-09")]),
        ("My exam is on Friday.", []),  # the last one, or the next
        ("It was in May 2025, on 3 May 2025.", []),
        ("I like tea.", []),
        ("We watched Tomorrow Never Dies last week.", [("last week", "2026-03-02/2026-03-08")]),
        ("He loves The Day After Tomorrow, he says.", []),
        ("Yesterday Anna came. Tomorrow Bert comes.", [("Yesterday", "2026-03-11"), ("Tomorrow", "2026-03-13")]),
        ("I saw Anna Yesterday, SEE YOU TOMORROW BERT", [("Yesterday", "2026-03-11"), ("TOMORROW", "2026-03-13")]),
        ("Off again Next Friday.", [("Next Friday", "2026-03-13")]),
    ],
)  # fmt: skip
def test_relative_words_get_their_days(text: str, days: list[tuple[str, str]]) -> None:
    assert [*relative_days(text, AT)] == days


def test_the_day_is_that_of_the_agents_zone() -> None:
    assert relative_days("I moved today.", AT, ZoneInfo("Asia/Tokyo")) == (("today", "2026-03-13"),)


def test_a_quotation_keeps_its_words_and_shows_their_days() -> None:
    said = Quoted(episode="e", role=Role.USER, speaker="Anna", at=AT)
    found = with_dates(said, "I moved yesterday.", UTC)
    assert found is not None
    assert quotation("I moved yesterday.", found, UTC) == (
        "Anna, 12 March 2026: I moved yesterday. [yesterday = 2026-03-11]"
    )


@given(st.text(max_size=200), st.datetimes(timezones=st.just(UTC)))
def test_no_text_and_no_time_fails(text: str, at: datetime) -> None:
    assert all(words in text for words, _ in relative_days(text, at))
