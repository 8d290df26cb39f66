"""Keyphrases of a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.message import checked_labels
from reverie.language.entity_names import MOST_READ
from reverie.language.topics import MOST_TOPICS, labels, topics


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I went to a support group yesterday", ["support group"]),
        ("We drank dark roast coffee, and coffee again.", ["dark roast coffee"]),
        (
            "The deploy of the payment service broke the nightly build.",
            ["deploy", "payment service", "nightly build"],
        ),
        ("My sister's wedding is in the old mill", ["sister wedding", "mill"]),
        ("a dairy-free recipe", ["dairy-free recipe"]),
        ("Kávét és süteményt ettünk", ["kávét és süteményt", "ettünk"]),
        ("мы пили зелёный чай", ["мы пили зелёный", "чай"]),
        ("한국 음식을 좋아해요", ["한국 음식을 좋아해요"]),
        ("猫が好き", ["猫が好き"]),
        ("हिन्दी किताब", ["हिन्दी किताब"]),
    ],
)
def test_topics_are_the_runs_between_words_that_name_nothing(text: str, expected: list[str]) -> None:
    assert sorted(topics(text)) == sorted(expected)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n ... 🎉",
        "Hey, thanks! How are you doing today?",
        "I really think so, it was great fun",
        "on Monday the 3rd of May 2023, two weeks ago",
        "painted",
        "x" * 100,
        "see foo_bar.py, a@b.example or https://example.org/x and 12345",
        "昨日は友達と一緒に東京タワーへ行きました",
    ],
)
def test_small_talk_dates_numbers_and_identifiers_are_no_topics(text: str) -> None:
    assert topics(text) == ()


def test_what_is_said_often_and_early_comes_first() -> None:
    assert topics("The garden. A lamp. The garden. A river. The garden.")[0] == "garden"
    assert topics("The lamp. The river.") == ("lamp", "river")


def test_a_topic_inside_a_better_one_is_left_out() -> None:
    assert topics("The ice cream machine melts the ice cream.") == ("ice cream machine", "melts")


def test_no_more_than_a_handful_are_kept() -> None:
    text = ". ".join(f"the {word}" for word in "lamp river tower bridge garden window candle".split())
    assert len(topics(text)) == MOST_TOPICS


def test_of_a_long_text_the_beginning_is_read() -> None:
    assert topics("the lamp and " * MOST_READ + "a river") == ("lamp",)


def test_what_the_entities_say_is_no_topic_beside_them() -> None:
    found = labels("Yesterday we saw New York and the old harbour of New York")
    assert (found.topics, found.entities) == (("harbour",), ("New York",))


@given(st.text())
def test_the_topics_of_any_text_are_labels_as_they_stand(text: str) -> None:
    found = topics(text)
    assert checked_labels(found, "topics") == found
    assert len(found) <= MOST_TOPICS
    assert all(topic == topic.casefold() and len(topic.split()) <= 3 for topic in found)
    assert topics(text) == found
