"""What a sentence takes for granted, told plainly."""

from __future__ import annotations

import pytest

from reverie.rules.declared import declares
from reverie.rules.glimpses import glimpses
from reverie.rules.glimpses_scene import Scene
from reverie.rules.person import Voice, cleaned, third_person
from reverie.rules.sentences import sentences

SCENE = Scene(speaker="Ida", people=("Ida", "Noor"), names={"noor": "Noor"}, women=frozenset({"Noor"}))
VOICE = Voice(speaker="Ida", listener="The assistant", together="Ida")


def leads(text: str) -> list[str]:
    lines = sentences(text)
    return [
        one.lead
        for place, line in enumerate(lines)
        for one in glimpses(
            line,
            " ".join(each.text for each in lines[:place]),
            SCENE,
            " ".join(each.text for each in lines[place + 1 :]),
        )
    ]


@pytest.mark.parametrize(
    ("text", "lead"),
    [
        ("got it for my birthday, 3 June, from the whole team", "Ida's birthday is on 3 June"),
        ("Noor's getting married!! 12 May, she told me by text", "Noor's wedding is on 12 May"),
        ("the form asks for my occupation. Head baker, which sounds grand", "Ida's job is Head baker"),
        ("I had my number changed. New one: 020 555 0101.", "Ida's phone number is 020 555 0101"),
        ("boxes everywhere, but Selby is home now", "Ida lives in Selby"),
        ("My sister Noor called. She's up in Thurso, by the sea", "Noor lives in Thurso"),
        ("I asked Dr. Lunt, she's our vet, and she laughed", "Ida's vet is Dr. Lunt"),
        ("the dentist we go to now is Dr. Amari", "Ida's dentist is Dr. Amari"),
        ("the trouble with being left-handed, I smear it all", "Ida is left-handed"),
        ("half of book club was away so we moved it to Tuesdays", "Ida's book club is on Tuesdays"),
        ("I think I'm a vegan now? yes. it's done", "Ida's diet is vegan"),
        ("dentist rang about the diary. I'm in at 16:20, same day", "Ida's dentist appointment is at 16:20"),
    ],
)
def test_what_is_taken_for_granted_is_told_plainly(text: str, lead: str) -> None:
    assert lead in leads(text)


@pytest.mark.parametrize(
    "text",
    [
        "She's in Rome until Friday, on a trip with the school",
        "if Selby is home now, I'm the queen",
        "Noor has a form that asks for her occupation. Baker.",
    ],
)
def test_a_visit_a_supposition_and_another_ones_form_show_nothing(text: str) -> None:
    assert leads(text) == []


def test_who_introduces_himself_is_told_of_without_his_name_twice() -> None:
    told = third_person(cleaned("ok hi, I'm Ida, I bind books for a living"), VOICE)
    assert told == "Ida binds books for a living"


def test_a_small_i_in_an_english_sentence_is_the_speaker() -> None:
    assert third_person("So now i live by the sea", VOICE) == "So now Ida lives by the sea"


def test_a_sentence_may_begin_with_a_small_letter() -> None:
    assert [one.text for one in sentences("we're in. i live here now. see Dr. Lunt at 5 p.m. today")] == [
        "we're in.",
        "i live here now.",
        "see Dr. Lunt at 5 p.m. today",
    ]


@pytest.mark.parametrize(
    "text", ["I'm basically a champion", "My bread takes six hours, is that normal", "Leo bought a lamp"]
)
def test_a_boast_a_question_and_anothers_errand_are_not_declared(text: str) -> None:
    assert not declares(text, third_person(text, VOICE))
