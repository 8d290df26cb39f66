"""Names of people in a question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.language.names import name_words, named_speakers, without_names

SPEAKERS = ["Anna Nagy", "Al", "Will", "Jo", "王明", "Péter", "U1", "It", "Mary-Jane O'Neil"]


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("what does Anna drink?", ["Anna Nagy"]),
        ("what does anna drink?", ["Anna Nagy"]),
        ("Mrs NAGY's tea", ["Anna Nagy"]),
        ("what did they talk about in total?", []),
        ("what did Al say?", ["Al"]),
        ("al's tea", ["Al"]),
        ("will it rain?", []),
        ("did Will call?", ["Will"]),
        ("the job and the joke", []),
        ("was Jo there", ["Jo"]),
        ("王明说什么\uff1f", ["王明"]),
        ("péter and PÉTER", ["Péter"]),
        ("what did U1 say, and u10?", ["U1"]),
        ("what did u10 say?", []),
        ("is it there?", []),
        ("mary comes", ["Mary-Jane O'Neil"]),
        ("annabel comes", []),
        ("", []),
    ],
)
def test_a_query_names_speakers_by_whole_words(query: str, named: list[str]) -> None:
    assert named_speakers(query, SPEAKERS) == tuple(named)


def test_two_speakers_may_share_a_name() -> None:
    assert named_speakers("what does Anna say", ["Anna Nagy", "Anna Kis", "Ben"]) == ("Anna Kis", "Anna Nagy")


@pytest.mark.parametrize(
    ("query", "named", "rest"),
    [
        ("what does Anna drink?", ["Anna"], "what does drink?"),
        ("Anna's tea", ["Anna"], "tea"),
        ("anna\u2019s tea", ["Anna"], "tea"),
        ("Anna Nagy and Ben", ["Anna Nagy", "Ben"], "and"),
        ("Annabel drinks", ["Anna"], "Annabel drinks"),
        ("Anna?", ["Anna"], "Anna?"),
        ("what?", [], "what?"),
        ("a (b", ["(b"], "a"),
    ],
)
def test_names_alone_are_taken_out_unless_nothing_is_left(query: str, named: list[str], rest: str) -> None:
    assert without_names(query, named) == rest


names = st.text(min_size=1, max_size=12)


@given(st.text(), st.lists(names, max_size=4))
def test_a_query_without_names_still_says_something(query: str, speakers: list[str]) -> None:
    named = named_speakers(query, speakers)
    assert set(named) <= set(speakers)
    rest = without_names(query, named)
    assert any(c.isalnum() or c == "_" for c in rest) or rest == query


@given(st.text("abc ", max_size=10), st.lists(st.text("abcdef", min_size=3, max_size=8), max_size=4))
def test_a_long_enough_name_is_found_anywhere(words: str, speakers: list[str]) -> None:
    for speaker in speakers:
        assert speaker in named_speakers(f"{words} {speaker.upper()} {words}", speakers)


def test_the_words_of_a_name_are_its_parts_and_the_whole() -> None:
    assert name_words(["Anna Nagy", "Al"]) == {"anna", "nagy", "anna nagy", "al"}
