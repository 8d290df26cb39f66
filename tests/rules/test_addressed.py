"""What of a sentence is said to the assistant, and what isn't meant by the letter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.rules.addressed import parted
from reverie.rules.figurative import figurative
from reverie.rules.patterns import captures


@pytest.mark.parametrize(
    ("text", "apart"),
    [
        (
            "I'm vegetarian since I was 15, don't ever suggest the chicken place again please",
            "I'm vegetarian since I was 15. Don't ever suggest the chicken place again please",
        ),
        (
            "I hate lifts so never put me above the second floor",
            "I hate lifts. Never put me above the second floor",
        ),
        (
            "I have a nut allergy and never recommend satay to me",
            "I have a nut allergy. Never recommend satay to me",
        ),
        (
            "my back is bad, so please never book me a window seat",
            "my back is bad. Please never book me a window seat",
        ),
        ("I hate small talk, keep it short", "I hate small talk. Keep it short"),
        (
            "Tobias is allergic to latex, must I tell the florist? is that a thing",
            "Tobias is allergic to latex. Must I tell the florist? is that a thing",
        ),
        ("I'm vegan, can I eat this?", "I'm vegan. Can I eat this?"),
        ("always answer in short sentences, I'm dyslexic", "always answer in short sentences. I'm dyslexic"),
    ],
)
def test_an_order_is_a_sentence_of_its_own(text: str, apart: str) -> None:
    assert parted(text) == apart


@pytest.mark.parametrize(
    "text",
    [
        "I love tea and never drink coffee",
        "I'm vegan and don't eat honey",
        "I don't drive, never have",
        "I live alone and always cook on Sundays",
        "I never eat breakfast and I always skip lunch",
        "I smoke five cigarettes a day, please no lecture",
        "I told them, please don't call me at work",
        "do I call him, or should I wait?",
        "if I move to Hull, can I keep my number?",
        "Tom is a nurse, isn't he?",
        "Tom is a nurse, is he?",
        "I bake at night and keep it for breakfast",
    ],
)
def test_what_goes_on_telling_is_not_parted(text: str) -> None:
    assert parted(text) == text


def test_both_are_captured_as_if_they_stood_alone() -> None:
    found = captures("I'm vegan, don't ever book a steakhouse please", "Mara")
    assert [one.essence for one in found] == ["Mara is vegan", "Don't ever book a steakhouse"]


@pytest.mark.parametrize(
    "text",
    [
        "I live in hope",
        "I live in denial",
        "I live in my pyjamas these days",
        "I live in constant fear of my boss",
        "I've died. dead.",
        "I own like a million socks lol",
        "I'd kill for a coffee",
        "I'm basically married to my sofa at this point",
        "my horoscope says I'll marry a dentist in 2027.",
        "my tarot app says I'll move to Peru in March",
        "oh yeah sure, I just love being on hold for an hour",
        "love waiting three hours for the bus",
        "gotta love paying 12 quid for a sandwich",
    ],
)
def test_it_is_not_meant_by_the_letter(text: str) -> None:
    assert figurative(text)
    assert captures(text, "Mara") == ()


@pytest.mark.parametrize(
    "text",
    [
        "I live in Leuven",
        "i live in ghent",
        "I live in the city centre",
        "I live in a caravan",
        "I live in my sister's spare room",
        "I've lived in three cities",
        "I live in an orphanage",
        "We live in a converted bus",
        "I live in accommodation for nurses",
        "i live in florence",
        "i live in provence",
        "I have to love my job, I'm a nurse",
        "My medium steak is what I always have",
        "I'm literally allergic to my cat",
        "my dog died",
        "I'm dead serious, I quit Deloitte",
        "My tooth is killing me.",
        "I love getting up late",
        "I love sitting in the rain with a book",
        "I love it when my daughter sings",
        "wow, I just love this flat",
        "I have five cats",
        "my doctor says I'll need a new hip",
    ],
)
def test_it_is_meant(text: str) -> None:
    assert not figurative(text)


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    assert isinstance(figurative(text), bool)
    assert parted(text) or not text
