"""Words of change: what is over, what took its place, what is to be forgotten."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.rules.changing import dropped, is_marked, is_turned, replaced


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("Rosa switched from law to psychology.", {"law"}),
        ("Rosa drinks matcha instead of coffee.", {"coffe"}),
        ("Rosa traded the Civic in for a Kia.", {"civic"}),
        ("Rosa gave up the flute.", {"flute"}),
        ("Rosa no longer plays chess.", {"play", "chess"}),
        ("Her name is Sophia, not Sofie.", {"sofi"}),
        ("Bruno died on 3 May 2026.", {"bruno"}),
        ("The concert was cancelled.", {"concert"}),
        ("Rosa had to stop running because of her knee.", {"run"}),
        ("Rosa doesn't smoke any more.", {"smoke"}),
    ],
)
def test_what_is_over_is_named(text: str, old: set[str]) -> None:
    assert frozenset(old) in replaced(text)


def test_the_speakers_own_name_is_no_old_value() -> None:
    assert replaced("Tom left Rosa.", frozenset({"rosa"})) == ()


@pytest.mark.parametrize("text", ["Rosa likes tea.", "Rosa lives in Ghent.", "Tom met Rosa in Oslo."])
def test_plain_statements_name_nothing_that_is_over(text: str) -> None:
    assert replaced(text) == ()
    assert not is_turned(text)


def test_what_is_new_is_marked_but_has_not_turned() -> None:
    assert is_marked("Rosa has a new office.")
    assert not is_turned("Rosa has a new office.")
    assert is_turned("Rosa sits in the other office now.")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("Forget about the sailing boat.", {"sail", "boat"}),
        ("The sailing boat no longer matters.", {"sail", "boat"}),
        ("Scrap the podcast", {"podcast"}),
    ],
)
def test_what_is_to_be_forgotten_is_named(text: str, what: set[str]) -> None:
    assert dropped(text) == (frozenset(what),)


def test_nothing_in_particular_is_not_forgotten() -> None:
    assert dropped("Never mind that.") == ()
    assert dropped("forget it") == ()


@given(st.text(max_size=400))
def test_any_text_can_be_read(text: str) -> None:
    assert all(replaced(text))
    assert all(dropped(text))
