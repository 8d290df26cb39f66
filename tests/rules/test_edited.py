"""Where in a text stood what is left of it after it was altered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.rules.edited import Edited
from reverie.rules.patterns import captures


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.text("xyz", max_size=4)), max_size=5))
def test_what_was_left_alone_is_found_where_it_stood(steps: list[tuple[int, int, str]]) -> None:
    text = "".join(chr(0x4E00 + place) for place in range(60))  # each letter once
    edited = Edited(text)
    for _ in range(2):
        edits, place = list[tuple[int, int, str]](), 0
        for gap, length, new in steps:
            start = place + gap
            edits.append((start, start + length, new))
            place = start + length + 1
        if place < len(edited.text):
            edited.put(edits)
    for place, letter in enumerate(edited.text):
        if letter in text:
            start, end = edited.stood(place, place + 1)
            assert text[start:end] == letter


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("From now on, I'm vegan, don't ever suggest steak.", ["I'm vegan", "don't ever suggest steak"]),
        ('Anna wrote: "I got divorced and I moved." By the way I never eat honey.', ["I never eat honey"]),
        ("Pat: I got divorced\nI never eat honey.", ["I never eat honey"]),
        ("That's a joke... kidding. I *always* drink tea.", ["I *always* drink tea"]),
        (
            "I never eat honey. [shares a photo] I always drink tea.",
            ["I never eat honey", "I always drink tea"],
        ),
    ],
)
def test_a_capture_points_into_the_message_as_it_was_written(text: str, said: list[str]) -> None:
    assert [text[one.start : one.end] for one in captures(text, "Mara")] == said
