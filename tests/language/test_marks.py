"""Marks: words that are looked up, and phrases that are tried only where a word of theirs stands."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.marked_words import Marks, marks
from reverie.minds.local.changing import MARKED, TURNED

EVERY = (MARKED, TURNED)
SAID = marks("red blue", ("used", "used to"), ("got grew", r"(?:got|grew) \w+er"))
WORDS = (
    "now no longer any more these days from today next week on used to gave given up me called off turns out went "
    "back new job another one got rid of brought forward is over broke split done with cut pushed has gone first day "
    "came down grew taller not A but since last learned how to rose was she again red Ana's 7:30"
).split()

ODD = ("n\u00e9", "\u0130T", "\u0131t", "u\u017fed", "\u212anow", "WAS", "now_", "\u00abnow\u00bb")


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("a RED door", True),
        ("the reds", False),
        ("it's blue's", True),
        ("she used to sing", True),
        ("she used two", False),
        ("it grew taller", True),
        ("it grew", False),
        ("the door is red, ž", True),
        ("ž used to", True),
        ("", False),
    ],
)
def test_words_and_phrases_are_found_between_bounds_of_words(text: str, stands: bool) -> None:
    assert SAID.stand_in(text) is stands


@pytest.mark.parametrize("one", EVERY)
@given(words=st.lists(st.sampled_from(WORDS), max_size=14))
def test_they_are_the_same_as_where_everything_is_tried(one: Marks, words: list[str]) -> None:
    text = " ".join(words)
    assert one.stand_in(text) is (one.either.search(text) is not None)


@pytest.mark.parametrize("one", EVERY)
@given(words=st.lists(st.sampled_from([*WORDS, *ODD]), max_size=14))
def test_so_they_are_beyond_ascii_and_in_capitals(one: Marks, words: list[str]) -> None:
    text = " ".join([*words, "é"])
    assert one.stand_in(text) is (one.either.search(text) is not None)


def test_every_hint_stands_in_its_phrases() -> None:
    """A phrase whose hint is misspelt would never be tried."""
    for one in EVERY:
        for hint, phrase in one.phrases.items():
            assert re.search(rf"\b{hint}", phrase.pattern) or hint in {"learned", "learnt"}, (
                hint,
                phrase.pattern,
            )
