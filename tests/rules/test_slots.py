"""Slots: whether a later statement gives the same thing another value."""

from __future__ import annotations

import pytest

from reverie.rules.before import now_of, with_before
from reverie.rules.declared import declares
from reverie.rules.slots import Told, is_otherwise, slot_of, thing_of


def otherwise(new: str, old: str, cosine: float = 0.6, *, changed: bool = False, around: str = "") -> bool:
    return is_otherwise(Told(text=new, changed=changed, around=around, names=frozenset({"ada"})), old, cosine)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Ada's chess club is on Monday.", "The chess club is on Thursday from now on."),
        ("Ada pays 620 for the nursery.", "Nursery is 655 as of April."),
        ("Ada's visa interview is on 4 May.", "They moved the visa interview to 19 May."),
        ("Ada's shed is painted green.", "Ada's shed is blue."),
        ("Ada's tram leaves at 7:40.", "The tram leaves at 7:52 now."),
    ],
)
def test_another_value_of_the_same_sort_for_the_same_thing_fills_the_slot(old: str, new: str) -> None:
    assert otherwise(new, old)
    assert not otherwise(new, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Ada's piano lesson is on Monday.", "Ada's Dutch lesson is on Friday."),
        ("Ada's flight to Rome is on 3 May.", "Ada's flight to Oslo is on 9 May."),
        ("Ada's sister is 31.", "Ada's brother is 28."),
        ("Ada's neighbour's rent is 700.", "Ada's rent is 640."),
        ("Ada has two hens.", "Ada has also got three ducks."),
    ],
)
def test_what_tells_of_something_else_leaves_it_alone(old: str, new: str) -> None:
    assert not otherwise(new, old)


def test_what_stands_beside_it_tells_what_it_replaces() -> None:
    old = "Ada's learning language is Danish."
    new = "Ada has begun Greek."
    assert otherwise(new, old, changed=True, around="The Danish is going nowhere. I've begun Greek.")
    assert not otherwise(new, old)


def test_a_far_statement_fills_no_slot() -> None:
    assert not otherwise("Nursery is 655 as of April.", "Ada pays 620 for the nursery.", 0.2)


def test_a_plain_sentence_tells_what_it_gives_a_value_to() -> None:
    assert thing_of("Ada's visa interview is on 4 May") == "visa interview"
    assert thing_of("Ada went home") == ""


def test_a_speakers_name_before_what_he_said_is_no_value() -> None:
    assert "name" not in slot_of("Ada said: The tram is late.").values


@pytest.mark.parametrize(
    "text",
    [
        "Our landlord is Mr Pike.",
        "I've taken up the oboe.",
        "We moved the hens to the lower field.",
        "My shift ends at 4.",
        "You can call me Addy.",
    ],
)
def test_what_is_so_of_oneself_is_declared(text: str) -> None:
    assert declares(text, text)


@pytest.mark.parametrize(
    "text",
    [
        "If I had a barn I'd keep goats.",
        "Maybe we'll try Lisbon.",
        "Remind me at 5 to call Pike.",
        "My uncle says he knew Elvis.",
        "Somebody bought the mill on Pike Lane.",
        "I nearly bought a harp in Ghent.",
        "Is it 4 already?",
        "I used to live in Madrid.",
        "I like your idea with the 3 columns.",
    ],
)
def test_wishes_orders_hearsay_and_questions_are_not(text: str) -> None:
    assert not declares(text, text)


def test_a_new_wording_names_what_was_before_where_it_lacks_what_that_is_about() -> None:
    names = frozenset({"ada"})
    worded = with_before("Ada cancelled Rockhouse, it's Steep Hall now.", "Ada climbs at Rockhouse.", names)
    assert worded.startswith("Ada cancelled Rockhouse")
    assert "climbs" in worded
    assert now_of(worded) == "Ada cancelled Rockhouse, it's Steep Hall now."
    assert (
        with_before("Ada climbs at Steep Hall.", "Ada climbs at Rockhouse.", names)
        == "Ada climbs at Steep Hall."
    )
