"""What no veto takes: allergies, medicines and conditions, standing rules, told plainly of oneself."""

from __future__ import annotations

import pytest

from reverie.rules.figurative import figurative
from reverie.rules.made_up import made_up
from reverie.rules.patterns import captures
from reverie.rules.patterns_clause import mocking
from reverie.rules.sentences import sentences
from reverie.rules.vital import vital

VITAL = [
    "I'm allergic to penicillin",
    "I am severely allergic to nuts!",
    "im a type 1 diabetic",
    "I've got a nut allergy",
    "I have asthma",
    "I take 20 mg of ramipril in the morning",
    "I\u2019m on sertraline",
    "I never eat honey",
    "we always take our shoes off",
    "Please never call before nine",
    "don't ever book Thai",
]
OTHER = [
    "My brother is allergic to penicillin",
    "I'm allergic to Mondays",
    "He thinks I'm allergic to nuts",
    "If I were allergic to nuts, what then?",
    "Am I allergic to nuts?",
    "I have two cats",
    "I always loved her",
    "never mind that",
]


@pytest.mark.parametrize("text", VITAL)
def test_it_is_vital(text: str) -> None:
    assert vital(text)


@pytest.mark.parametrize("text", OTHER)
def test_it_is_not(text: str) -> None:
    assert not vital(text)


@pytest.mark.parametrize(
    "text",
    [
        "I'm allergic to nuts, one of them almost killed me",
        "Oh great, I'm allergic to latex",
        "I never eat meat, as if that helped the million hens",
    ],
)
def test_neither_idiom_nor_mockery_takes_it(text: str) -> None:
    assert not figurative(text)
    assert not mocking(text)


def test_a_supposition_before_it_doesnt_take_it_but_a_story_around_it_does() -> None:
    assert made_up(sentences("Suppose I sold the house. I'm allergic to nuts.")) == {0}
    assert made_up(sentences("Let's role-play. I'm allergic to iron.")) == {0, 1}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("My dentist said: no sugar. I'm allergic to penicillin.", "Mara is allergic to penicillin"),
        ("My doctor texted me the results: I'm allergic to penicillin.", "Mara is allergic to penicillin"),
        ("Edit: I never eat honey.", "Mara never eats honey"),
        ("Interview tomorrow: I always wear black", "Mara always wears black"),
        ("Song of the day: I never eat meat", "Mara never eats meat"),
        ("Correct: I'm allergic to nuts, not to milk.", "Mara is allergic to nuts, not to milk"),
        ("Check this: I'm allergic to penicillin, is amoxicillin ok?", "Mara is allergic to penicillin"),
        ("I got an email from HR: I need a badge. Also I'm allergic to nuts.", "Mara is allergic to nuts"),
        ("I'm allergic to penicillin.\nBest,\nPat", "Mara is allergic to penicillin"),
        ('Anna wrote: "I moved and I got divorced." By the way I never eat honey.', "Mara never eats honey"),
    ],
)
def test_what_leads_to_it_or_stands_behind_doesnt_take_it(text: str, told: str) -> None:
    assert [one.essence for one in captures(text, "Mara")] == [told]
