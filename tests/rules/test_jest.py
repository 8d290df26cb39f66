"""What its speaker takes back, and how far that reaches."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.rules.jest import is_jest, taken_back
from reverie.rules.patterns import captures


def left(text: str) -> str:
    for start, end in reversed(taken_back(text)):
        text = text[:start] + text[end:]
    return text


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("never book lifts... kidding. I like your jokes", "I like your jokes"),
        ("I never eat fish - just kidding!", ""),
        ("I live in a castle (jk). I'm vegan", "I'm vegan"),
        ("I'm vegan now /s", ""),
        ("I'm allergic to nuts. My boss is a robot. Just kidding!", "I'm allergic to nuts."),
        ("My boss is a robot. I never eat meat. Kidding!", ""),
    ],
)
def test_it_takes_back_what_stands_before_it(text: str, rest: str) -> None:
    assert left(text).strip() == rest


@pytest.mark.parametrize(
    "text",
    [
        "I'm not kidding, I never eat fish",
        "no kidding, I moved",
        "She was just joking but I moved",
        "joking aside, I moved",
        "are you kidding? I never eat meat",
        "My dad is always joking. I love him",
    ],
)
def test_what_only_has_the_word_takes_back_nothing(text: str) -> None:
    assert taken_back(text) == []


def test_a_message_by_itself_takes_back_the_one_before_only_where_it_says_nothing_else() -> None:
    assert is_jest("haha jk!")
    assert not is_jest("I married my sofa, jk")


def test_a_standing_order_in_jest_is_not_captured_and_what_stands_behind_is() -> None:
    assert (
        captures("don't ever put me through to voicemail jokes again... kidding. I like your jokes", "Anna")
        == ()
    )
    told = captures("I always sleep on the roof, jk! I never eat honey.", "Anna")
    assert [one.essence for one in told] == ["Anna never eats honey"]


@given(st.text("kidng jo.,!I'm just/s\n", max_size=120))
def test_any_text_is_read(text: str) -> None:
    found = taken_back(text)
    assert all(0 <= start < end <= len(text) for start, end in found)
    assert all(one[1] <= two[0] for one, two in pairwise(found))
