"""A text at a glance: its words, and what is known of each."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.rules.glance import glance
from reverie.rules.glance_words import CLASSES, DAYS, FAMILY, MONTHS, NAME, NO_NAMES, NUMBERS, OPENING
from reverie.rules.terms import STOP_WORDS

OPENED = [*"Ana Zo\u00eb it is was. sings! quit left: isn't is_it".split(), "\u017fings", "\u0130s", "\u201c"]


@pytest.mark.parametrize(
    ("text", "sorts"),
    [
        ("The choir meets at 7:30", {"number", "time"}),
        ("We meet at 7 pm", {"number", "time"}),
        ("Lunch is at noon", {"time"}),
        ("It is on Tuesdays", {"day"}),
        ("She is born in March", {"month", "date"}),
        ("I have a cat and three chairs", {"number", "pet"}),
        ("One of us is at home", set()),
        ("He may come", set()),
        ("The bike is red", {"colour"}),
        ("room 12b", {"number"}),
    ],
)
def test_values_are_known_by_how_they_look_or_by_their_word(text: str, sorts: set[str]) -> None:
    assert glance(text).sorts == sorts


def test_names_are_words_in_a_capital_that_no_sentence_begins_with() -> None:
    assert glance("Yesterday Ana's flat was sold. Later Ben came").names == {"ana", "ben"}
    assert glance("Ana is tired").names == {"ana"}
    assert glance("I think that I'm tired on Monday").names == set()


def test_topics_are_what_it_tells_of_and_neither_values_nor_names() -> None:
    seen = glance("Then Ana moved the rehearsal of her choir to Tuesday at 7")
    assert seen.topics == glance("choir rehearsal").topics
    assert seen.values == {"tuesday", "7"}
    assert {"choir", "tuesday", "7"} <= seen.terms


def test_what_is_said_in_several_ways_is_one_topic() -> None:
    assert glance("my flat").topics == glance("an apartment").topics
    assert glance("my flat").terms != glance("an apartment").terms


def test_relatives_are_known_by_all_their_names() -> None:
    assert glance("Dale's mum and grandma's sis").kin == {"mother", "grandmother", "sister"}


@pytest.mark.parametrize(
    "text", ["I don't, she isn't and they haven't", "it's what we've been", "", " ...!", "'"]
)
def test_words_that_say_nothing_leave_nothing(text: str) -> None:
    seen = glance(text)
    assert not seen.terms | seen.topics | seen.values


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Ana živi v Mariboru", "mariboru"),
        ("安娜住在里斯本", "里斯"),
        ("Где живёт Анна?", "анна"),
        ("Zoë’s café", "cafe"),
    ],
)
def test_other_scripts_are_read_word_by_word_too(text: str, said: str) -> None:
    assert said in glance(text).terms


@given(st.lists(st.sampled_from(OPENED)).map(" ".join))
def test_a_name_that_begins_a_sentence_is_found_wherever_its_pattern_fits(text: str) -> None:
    names = {name.lower().removesuffix("'s") for name in NAME.findall(text) + OPENING.findall(text)}
    assert glance(text).names == names - NO_NAMES


def test_a_word_has_the_sorts_of_all_its_classes() -> None:
    for word in {*DAYS, *MONTHS, *NUMBERS}.union(*CLASSES.values()):
        sorts = glance(f"the {word}").sorts
        assert sorts >= {sort for sort, members in CLASSES.items() if word in members}, word
        assert ("day" in sorts, "month" in sorts) == (word in DAYS, word in MONTHS - STOP_WORDS), word
        assert ("number" in sorts) == (word in NUMBERS and word not in {"one", "first"}), word


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    seen = glance(text)
    assert seen.topics <= {FAMILY.get(term, term) for term in seen.terms}
    assert "" not in seen.terms
    assert all(name == name.lower() for name in seen.names)
