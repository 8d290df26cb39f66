"""What the rules that veto leave out of a night's sleep, and what they leave in."""

from __future__ import annotations

import pytest

from tests.minds.nights import changes, episode, memory


def essences(*said: str, speaker: str | None = "Rosa") -> list[str]:
    night = [episode(one, place / 100, speaker=speaker, conversation="c") for place, one in enumerate(said)]
    return [getattr(one, "essence", "") for one in changes(night)]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("My dentist said: no sugar. I'm allergic to penicillin.", "allergic to penicillin"),
        ("Turns out my sister told everyone: I'm allergic to nuts.", "allergic to nuts"),
        ("I'm allergic to penicillin.\nBest,\nTom", "allergic to penicillin"),
        ("Prescribed levothyroxine, metformin, atorvastatin", "levothyroxine"),
        ("Blood pressure medication: ramipril, amlodipine", "ramipril"),
        ("I live in an orphanage", "Rosa lives in an orphanage"),
        ("We live in a converted bus", "Rosa lives in a converted bus"),
        ("i live in florence", "Rosa lives in florence"),
        ("Can you write a poem? My wife Ana turns 40 on 3 May.", "Ana"),
        (
            "Tobias is allergic to latex, must tell the florist about the gloves?? is that a thing",
            "Tobias is allergic",
        ),
        ("never book lifts... kidding. I work at Lidl now.", "Lidl"),
    ],
)
def test_what_somebody_tells_of_himself_is_learned(said: str, told: str) -> None:
    assert any(told in one for one in essences(said))


def test_a_question_behind_what_is_told_is_no_memory() -> None:
    told = essences("Tobias is allergic to latex, must tell the florist about the gloves?? is that a thing")
    assert not any("a thing" in one for one in told)


def test_a_signature_proves_nothing_of_whoever_has_no_known_name() -> None:
    for speaker in (None, "rosa92", "Ms Rosa Lima"):
        assert essences("I moved to Hull in May.\nBest,\nRosa", speaker=speaker)


def test_a_pasted_recipe_is_kept_as_it_stands_and_nobodys_doing() -> None:
    told = essences(
        "pasting Mireille's recipe so I find it: Sourdough. I use 500 g flour, 350 g water, 10 g salt. I bake it at 240"
        " for 40 minutes. My oven runs hot."
    )
    assert not [one for one in told if one.startswith(("Rosa bakes", "Rosa uses", "Rosa's oven"))]
    assert [one for one in told if one.startswith("Rosa said: pasting Mireille's recipe")]


def test_what_would_be_moves_nobodys_house() -> None:
    said = episode("what if I just quit and became a shepherd? I'd live in Wales and own forty sheep")
    assert changes([said], known=[memory("Rosa lives in York.")]) == ()


def test_a_joke_that_is_taken_back_makes_nothing_whatever_stands_behind_it() -> None:
    assert essences("I live on the moon now... kidding. I like your jokes") == []


def test_a_message_that_takes_back_its_own_joke_leaves_the_one_before() -> None:
    told = essences("I moved to Hull in May.", "and my landlord is a vampire, jk")
    assert any("Hull" in one for one in told)
