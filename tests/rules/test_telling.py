"""Which messages tell something of somebody's life: plain ones rank as a reader would rank them."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.minds.local.keeping import KEPT
from reverie.rules.telling import cues, tells
from reverie.rules.telling_weights import CUES

FACTS = (
    "We moved to Ghent on Saturday, the new flat is on Veldstraat.",
    "My sister Lena works at the hospital in Bergen now.",
    "I switched from Postgres to DuckDB for the larder project.",
    "The doctor put my dad on ramipril, 5 mg, since the amlodipine swelled his ankles.",
    "Our wedding is on 11 July, Owen can't make the June date.",
)
NOTHINGS = (
    "thanks, that helps!",
    "ok",
    "good morning",
    "Please sort these by date.",
    "Draft a short email to the landlord.",
    "What is a left join?",
    "can you explain that again?",
    "How do I undo a git rebase?",
)


@pytest.mark.parametrize(("fact", "nothing"), list(product(FACTS, NOTHINGS)))
def test_a_fact_of_ones_life_tells_more_than_thanks_orders_and_questions(fact: str, nothing: str) -> None:
    assert tells(fact) > tells(nothing)


@pytest.mark.parametrize("fact", FACTS)
def test_a_fact_of_ones_life_is_kept(fact: str) -> None:
    assert tells(fact) >= KEPT


@pytest.mark.parametrize("nothing", NOTHINGS)
def test_thanks_orders_and_questions_are_not_kept(nothing: str) -> None:
    assert tells(nothing) < KEPT


@pytest.mark.parametrize(
    ("bare", "said"),
    [
        ("I live in Ghent, maybe.", "I live in Ghent."),
        ("I bought a car.", "I bought a Kia Niro for 21,000 euros."),
        ("Thanks! I live in Ghent.", "I live in Ghent."),
        ("Write me a poem about Ghent.", "I wrote a poem about Ghent."),
    ],
)
def test_hedges_courtesy_and_orders_tell_less_and_names_and_numbers_more(bare: str, said: str) -> None:
    assert tells(said) > tells(bare)


@pytest.mark.parametrize("text", ["", " ", "\n\n\t"])
def test_an_empty_text_tells_nothing(text: str) -> None:
    assert tells(text) == 0.0


@given(st.text(max_size=300))
def test_any_text_has_a_probability_and_the_same_again(text: str) -> None:
    found = tells(text)
    assert 0.0 <= found <= 1.0
    assert tells(text) == found


@given(st.text(max_size=300))
def test_each_cue_of_any_text_has_its_weight(text: str) -> None:
    assert set(cues(text)) in (set(), set(CUES))


@given(st.text(alphabet=st.sampled_from("abc .!?\n"), max_size=500))
def test_what_stands_behind_the_first_thousand_characters_is_not_read(tail: str) -> None:
    head = ("We moved to Ghent on Saturday. " * 40)[:1_000]
    assert tells(head + tail) == tells(head)


def test_a_typographic_apostrophe_changes_nothing() -> None:
    said = "I've adopted a greyhound called Pip, and we've moved to Hull. It's the third flat."
    assert cues(said) == cues(said.replace("'", "\u2019"))
