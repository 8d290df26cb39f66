"""What a forgotten memory takes with it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.memory.forgetting.traces import (
    is_remainder,
    parted,
    same_text,
    sentences,
    source_without,
    surviving_labels,
    tombstone,
)

SECRET = b"s" * 32
any_text = st.text(st.characters(exclude_categories=["Cs"])) | st.lists(
    st.sampled_from(
        [
            "Anna likes tea. ",
            "Ben left! ",
            "Why?",
            "\n\n",
            '"Yes." ',
            "お茶が好き。",
            "3.5 km",
            "e.g. tea",
            " ",
        ]
    )
).map("".join)


@given(any_text)
def test_sentences_joined_are_the_text(text: str) -> None:
    assert "".join(sentences(text)) == text
    assert all(sentences(text))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One. Two! Three?", ["One. ", "Two! ", "Three?"]),
        ('He said "go." Then left.', ['He said "go." ', "Then left."]),
        ("line one\nline two", ["line one\n", "line two"]),
        ("お茶。好き\uff01", ["お茶。", "好き\uff01"]),
        ("What?! No...", ["What?! ", "No..."]),
        ("", []),
    ],
)
def test_a_sentence_ends_at_its_mark_or_line(text: str, parts: list[str]) -> None:
    assert sentences(text) == parts


@pytest.mark.parametrize(
    ("sentence", "essence", "held"),
    [
        ("My son Péter is allergic to peanuts.", "Péter is allergic to peanuts", True),
        ("PÉTER is ALLERGIC to peanuts!!", "Péter is allergic to peanuts", True),
        ("Péter called yesterday.", "Péter is allergic to peanuts", False),
        ("The weather is fine.", "Péter is allergic to peanuts", False),
        ("Tea!", "tea", True),
        ("Tea with milk and honey", "tea", True),
        ("ペーターはピーナッツアレルギーです。", "ペーターはピーナッツアレルギーです", True),
        ("...", "Péter is allergic to peanuts", False),
        ("", "x", False),
        ("???", "!!!", False),
    ],
)
def test_a_sentence_holds_what_shares_its_words(sentence: str, essence: str, held: bool) -> None:
    assert parted(sentence, [essence])[1] == ((sentence,) if held else ())


@given(any_text.filter(lambda text: any(c.isalnum() for c in text)))
def test_a_text_holds_itself(text: str) -> None:
    assert parted(text, [text])[0] == ""


def test_only_the_sentences_that_hold_the_essence_go() -> None:
    text = "Hi! Péter is allergic to peanuts. We meet at 5 on Monday."
    assert parted(text, ["Péter is allergic to peanuts"])[0] == "Hi! We meet at 5 on Monday."


@given(any_text, any_text)
def test_what_is_left_holds_none_of_it_and_was_all_there_before(text: str, essence: str) -> None:
    left, gone = parted(text, [essence])
    assert left in ("", left.strip())
    kept = [part for part in sentences(text) if not parted(part, [essence])[1]]
    assert left == "".join(kept).strip()
    assert sorted([*kept, *gone]) == sorted(sentences(text))


@pytest.mark.parametrize(
    "same",
    ["péter is allergic to peanuts", "PÉTER is   allergic to peanuts!!", "Pe\u0301ter is allergic\nto peanuts.",
     "“Péter is allergic to peanuts…”", "Péter is \uff41\uff4clergic to peanuts"],
)  # fmt: skip
def test_a_tombstone_ignores_case_spacing_and_punctuation(same: str) -> None:
    assert tombstone(SECRET, same) == tombstone(SECRET, "Péter is allergic to peanuts")


def test_a_tombstone_knows_one_text_with_its_secret() -> None:
    mark = tombstone(SECRET, "Péter is allergic to peanuts")
    assert len(mark) == 32
    assert mark != tombstone(SECRET, "Péter is allergic to walnuts")
    assert mark != tombstone(b"t" * 32, "Péter is allergic to peanuts")
    assert tombstone(SECRET, "!!!") != tombstone(SECRET, "???")


@pytest.mark.parametrize(
    ("text", "essence", "rest"),
    [
        (
            "The API key is sk-12.AB34.xyz99, keep it safe. Buy milk.",
            "The API key is sk-12.AB34.xyz99",
            "Buy milk.",
        ),
        ("My IP at home is 84.21.33.7 on fibre. Buy milk.", "My IP at home is 84.21.33.7", "Buy milk."),
        ("v1.2.3 is out at example.com today. Unrelated.", "v1.2.3 is out at example.com", "Unrelated."),
        (
            "Anna likes tea. Anna likes coffee and cake on Sundays.",
            "Anna likes tea",
            "Anna likes coffee and cake on Sundays.",
        ),
        ("Tom sold the red car to Eve.", "Bob has the red car key", "Tom sold the red car to Eve."),
    ],
)
def test_a_sentence_goes_whole_and_its_neighbours_stay(text: str, essence: str, rest: str) -> None:
    assert parted(text, [essence])[0] == rest
    assert is_remainder(rest, text)


@pytest.mark.parametrize(
    ("text", "wording", "rest", "unsure"),
    [
        # A quotation takes exactly its sentences.
        ("So. I ran. It hurt, a lot. We ran.", "I ran! It hurt, a lot.", "So. We ran.", True),
        ("I ran today, they say. Bye.", "ran today", "Bye.", False),
        # What says the same goes; what is near and stays makes it unsure.
        ("My son Tom is allergic to nuts. Bye.", "Tom is allergic to nuts", "Bye.", False),
        ("Tom is allergic to nuts. Nuts make Tom ill.", "Tom is allergic to nuts", "Nuts make Tom ill.", True),
        # The nearest goes where none says the same.
        ("I go to church every Sunday. Bye.", "Ann goes to church every Sunday", "Bye.", False),
        # Nothing goes where none is near.
        ("We kneel a lot. Bye.", "Ann goes to church every Sunday", "We kneel a lot. Bye.", True),
        # Each sentence of a wording is looked for.
        ("I ran today. We kneel a lot.", "Ann ran today. Ann goes to church.", "We kneel a lot.", True),
    ],
)  # fmt: skip
def test_a_source_loses_what_a_memory_rests_on(text: str, wording: str, rest: str, unsure: bool) -> None:
    found = source_without(text, [wording], frozenset({"ann"}))
    assert (found.rest, found.unsure) == (rest, unsure)


@pytest.mark.parametrize(
    "wordings",
    [["Anna is vegan", "Anna works in Lyon"], ["👎"]],
    ids=["one of two is found", "nothing to look for"],
)
def test_a_source_is_unsure_unless_every_wording_is_found(wordings: list[str]) -> None:
    found = source_without("I work in Lyon. I never touch any fish or cheese.", wordings, frozenset({"anna"}))
    assert found.rest
    assert found.unsure


def test_a_label_goes_with_the_words_that_it_names() -> None:
    before, after = "Peanuts make Péter ill. Bring water 🎉 to the old Mill.", "Bring water to the old Mill."
    labels = ("peanuts", "Peter", "water peanut", "Old Mill", "allergies", "#🎉", "🎉", "water")
    assert surviving_labels(labels, before, after) == ("Old Mill", "allergies", "#🎉", "water")


@given(st.lists(st.text()), st.text())
def test_where_nothing_goes_every_label_stays(labels: list[str], text: str) -> None:
    assert surviving_labels(labels, text, text) == tuple(labels)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Anna likes tea", "anna  likes TEA!", True),
        ("Anna likes tea", "Anna likes teas", False),
        ("…", "…", True),
        ("…", "?", False),
    ],
)
def test_alike_ignores_case_spacing_and_punctuation(one: str, other: str, same: bool) -> None:
    assert same_text(one, other) is same
