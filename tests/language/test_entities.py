"""Names in a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.message import checked_labels
from reverie.language.entity_names import MOST_ENTITIES, MOST_READ, entities


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("we flew to New York and saw the Louvre later", ["New York", "Louvre"]),
        (
            "she reads the Lord of the Rings and visits the University of London",
            ["Lord of the Rings", "University of London"],
        ),
        ("with Ludwig van Beethoven and Jean-Luc O'Brien", ["Ludwig van Beethoven", "Jean-Luc O'Brien"]),
        ("at Anna's house with Klára\u2019s cat", ["Anna", "Klára"]),
        ("I met Dr. Smith", ["Dr Smith"]),
        ("NASA and the BBC said OK, LOL", ["NASA", "BBC"]),
        ("it runs on PyTorch, GPT-4 and an iPhone", ["PyTorch", "GPT-4", "iPhone"]),
        ("see src/reverie/x.py, foo_bar.py and os.path", ["src/reverie/x.py", "foo_bar.py", "os.path"]),
        ("look at https://www.example.org/a?b=c", ["example.org"]),
        ("ask @ben about #release-2", ["@ben", "#release-2"]),
        ("in Москва and at Σίγμα", ["Москва", "Σίγμα"]),
    ],
)
def test_names_are_found_as_they_are_written(text: str, expected: list[str]) -> None:
    assert list(entities(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Anna prefers tea", ["Anna"]),
        ("Anna was here", ["Anna"]),
        ("Anna's tea", ["Anna"]),
        ("New York is large", ["New York"]),
        ("Tell Anna. Anna, come", ["Anna"]),
        ("Yesterday Anna came", ["Anna"]),
        ("Visiting Paris was nice", ["Paris"]),
        ("Tea for two, please", []),
        ("Thanks! Great work. Sounds good", []),
        ('She said: "Come home"', []),
    ],
)
def test_a_sentences_first_word_is_a_name_only_with_evidence(text: str, expected: list[str]) -> None:
    assert list(entities(text)) == expected


def test_a_known_speaker_is_a_name_even_where_a_sentence_opens() -> None:
    assert entities("Caroline, how are you?") == ()
    assert entities("Caroline, how are you?", ["Caroline Smith"]) == ("Caroline",)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I think I'm fine, and I am",
        "on Monday or Tuesdays in May and December",
        "I LOVE THIS SO MUCH GUYS",
        "he/she and/or 24/7, e.g. this, i.e. that",
        "12345 and 3.5 or 2023-05-07",
        "the key sk_live_51H8xK2eZ9 is secret",
        "all in small letters",
        "@ # @@ ## a@ b#",
    ],
)
def test_what_only_looks_like_a_name_is_none(text: str) -> None:
    assert entities(text) == ()


def test_the_most_frequent_come_first_and_no_more_than_a_handful() -> None:
    names = [f"Name{letter * 3}" for letter in "abcdefghij"]
    text = "we saw " + ", ".join([*names, names[7]])
    assert entities(text) == (names[7], *names[: MOST_ENTITIES - 1])


def test_a_part_of_a_longer_name_is_left_out() -> None:
    assert entities("at the Maritime Museum; the Museum is closed") == ("Maritime Museum",)


def test_of_a_long_text_the_beginning_is_read() -> None:
    assert entities("with Anna " * MOST_READ + "and Ben") == ("Anna",)


@given(st.text(), st.lists(st.text()))
def test_the_entities_of_any_text_are_labels_as_they_stand(text: str, speakers: list[str]) -> None:
    found = entities(text, speakers)
    assert checked_labels(found, "entities") == found
    assert len(found) <= MOST_ENTITIES
    assert entities(text, speakers) == found
