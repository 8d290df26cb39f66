"""Whose affair a statement tells of: what is of one says nothing of another's."""

from __future__ import annotations

import pytest

from reverie.rules.whose import are_of_others, last_named, people_of


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Anna's boss lives in Milan now.", "Anna lives in Turin."),
        ("Anna's roommate isn't allergic to cats anymore.", "Anna is allergic to cats."),
        ("Zoe's best friend is Ivan now.", "Anna's best friend is Zoe."),
        ("Anna said: Kim has stopped juggling, her wrist hurts.", "Anna wants to learn to juggle."),
        ("Anna said: my boss lives in Milan now.", "Anna lives in Turin."),
        ("Marta plays tennis on Fridays now.", "Anna plays tennis on Sundays."),
        ("Rita's sister moved to Braga.", "Anna's wife is Rita."),
        (
            "Anna said: The flowerpot broke, Tom no longer sits on it.",
            "Anna keeps a key under the flowerpot.",
        ),
        ("Anna's tomatoes are dead now.", "Anna's neighbour Lotte grows tomatoes."),
        ("Priya got engaged, to a man called Lachlan.", "Roz's wedding is on 3 October."),
        ("The user's boss lives in Milan now.", "The user lives in Turin."),
    ],
)
def test_one_is_of_another(new: str, old: str) -> None:
    assert are_of_others(people_of(new, "Anna", changed=True), people_of(old, "Anna"))


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Anna lives in Milan now.", "Anna lives in Turin."),
        ("Anna's boss is Okafor now.", "Anna's boss is Deirdre."),
        ("Okafor is Anna's boss now.", "Anna's boss is Deirdre."),
        ("Anna lives with Sam now.", "Anna's flatmate is Priya."),
        ("Biscuit sees Dr Molloy now.", "Biscuit's vet is Dr Keane."),
        ("Hutch was promoted, Rosa answers to Delgado now.", "Rosa answers to Hutch."),
        ("Rosa said: They put me on forklift nine now.", "Rosa is on forklift four."),
        ("Rosa said: My doctor has put me on a vegan diet.", "Rosa is a vegetarian."),
        ("Nursery is 655 now.", "Rosa pays 600 for the childcare."),
        ("Rosa's new climbing wall is the Ost.", "Rosa's climbing wall is the Boulderhaus."),
        ("Priya moved to Glasgow.", "Anna's friend Priya lives in Bristol."),
        ("The user lives in Milan now.", "Anna lives in Turin."),
    ],
)
def test_both_may_be_of_the_same(new: str, old: str) -> None:
    assert not are_of_others(people_of(new, "Anna", changed=True), people_of(old, "Anna"))


@pytest.mark.parametrize(
    ("before", "who"),
    [
        ("Priya rang.", {"priya"}),
        ("Tom met Priya. It was good.", {"priya"}),
        ("My sister Nell called.", {"roz's sister", "nell"}),
        ("I rang.", set()),
        ("", set()),
    ],
)
def test_a_pronoun_goes_back_to_the_last_one_named(before: str, who: set[str]) -> None:
    assert last_named(before, "Roz") == who


def test_what_begins_with_a_pronoun_is_of_somebody_named_before() -> None:
    assert people_of("Roz said: She has moved to Glasgow.").pronoun
    assert not people_of("Priya rang. She has moved to Glasgow.").pronoun
