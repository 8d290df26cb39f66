"""Conflict: what can't both be so, and what can."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.rules.conflict import are_in_conflict, other_value

FAR, NEAR, ALIKE = 0.4, 0.65, 0.8
CONFLICTS = [
    ("Anna lives in Munich", "Anna lives in Berlin", FAR),
    ("Anna likes coffee", "Anna hates coffee", FAR),
    ("Anna works at the harbour office", "Anna does not work at the harbour office", ALIKE),
    ("Anna keeps seven bees", "Anna keeps nine bees", ALIKE),
    ("Anna has a blue boat", "Anna got rid of the boat", FAR),
]
BOTH_SO = [
    ("Anna is allergic to peanuts", "Anna is allergic to shellfish", ALIKE),
    ("Anna lives in Rome", "Ben lives in Oslo", ALIKE),
    ("Anna keeps bees", "Anna sells honey", NEAR),
    ("Anna keeps bees", "Anna keeps bees", 1.0),
    ("Anna lives in Munich", "Anna lives in Berlin", 0.2),
]


@pytest.mark.parametrize(("one", "other", "cosine"), CONFLICTS)
def test_two_values_of_one_thing_are_in_conflict(one: str, other: str, cosine: float) -> None:
    assert are_in_conflict(one, other, cosine)
    assert are_in_conflict(other, one, cosine)


@pytest.mark.parametrize(("one", "other", "cosine"), BOTH_SO)
def test_what_can_both_be_so_is_not(one: str, other: str, cosine: float) -> None:
    assert not are_in_conflict(one, other, cosine)
    assert not are_in_conflict(other, one, cosine)


def test_what_is_said_to_be_otherwise_now_means_what_is_near() -> None:
    one, other = "Anna edits her notes in Vim", "Anna edits her notes in a green book"
    assert not are_in_conflict(one, other, NEAR)
    assert are_in_conflict(one, other, NEAR, said=("I switched, these days it is a green book",))


def test_another_value_is_one_of_the_same() -> None:
    assert other_value("Anna lives in Munich", "Anna lives in Berlin")
    assert not other_value("Anna lives in Munich", "Ben lives in Berlin")
    assert not other_value("Anna lives in Munich", "Anna lives in Munich by the river")


_texts = st.text(max_size=80)


@given(_texts, _texts, st.floats(-1, 1))
def test_conflict_is_the_same_from_both_sides(one: str, other: str, cosine: float) -> None:
    assert are_in_conflict(one, other, cosine) == are_in_conflict(other, one, cosine)
