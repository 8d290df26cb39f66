"""A night's sleep gives nobody's facts to the speaker but the speaker's own."""

from __future__ import annotations

import pytest

from tests.minds.nights import changes, episode

OTHERS = [
    "my flatmate Anna started a new job at Apple",
    "the boss bought a Tesla",
    "mam bought an iPhone",
    "my neighbour got a puppy, called it Rolo",
    "the lads at work got a goldfish called Kevin",
    "the guy upstairs plays the trombone",
    "the neighbour's rent is 2,000 a month",
    "my sister had a baby girl, they named her Nell",
    "my study buddy is learning Japanese on Duolingo",
    "Liam's landlord put the rent up to 1,400 a month",
    "my brother in law quit his job at Ryanair and joined Google as a developer",
    "grandad started taking ramipril for his blood pressure",
    "some lad in my class bought a Vespa",
    "my mate Sean is training for a marathon",
    'my boss goes "I\'m moving to Berlin" out of nowhere',
    "Dear Rosa, I have moved to Limerick and my new number is 085 1234567. Love, Auntie Pat",
    "can you fix my cousin's CV text: I am a pilot and I live in Dubai. I speak five languages.",
    "Nuala: I bought a Kia\nme: nice\nNuala: I also quit my job at Dell",
    "I live in hope",
]
OWN = [
    ("started a new job at Ikea", "Rosa works at the company Ikea"),
    ("Got a Skoda!", "Rosa drives Skoda"),
    ("we adopted a beagle called Fig", "Rosa's pet is a beagle"),
    ("my wife and I bought a Nissan Leaf", "Rosa drives Nissan Leaf"),
    ("the doctor put me on sertraline", "Rosa's medicine is sertraline"),
    ("Tom got us a hamster for Christmas, we named it Nacho", "Rosa's hamster is Nacho"),
    ("our landlord put my rent up to 1,350 a month", "Rosa's rent is 1,350 a month"),
    ("after mam left I switched to Firefox", "Rosa uses Firefox (browser)"),
    ("I hate lifts, but bought a Honda Jazz off a student", "Rosa drives Honda Jazz"),
    (
        'I told them "I quit" and walked out, I start at Siemens on Monday',
        "Rosa works at the company Siemens",
    ),
]


def _essences(said: str) -> list[str]:
    return [getattr(one, "essence", "") for one in changes([episode(said)])]


@pytest.mark.parametrize("said", OTHERS)
def test_what_is_of_others_is_not_told_of_the_speaker(said: str) -> None:
    told = [one.partition(": ")[0] for one in _essences(said)]
    wrong = ("Rosa works", "Rosa drives", "Rosa uses", "Rosa lives", "Rosa speaks", "Rosa moved", "Rosa also")
    things = (
        "pet",
        "puppy",
        "baby",
        "instrument",
        "rent",
        "learning",
        "training",
        "medicine",
        "number",
        "job",
    )
    assert not [one for one in told if one.startswith((*wrong, *(f"Rosa's {thing} is" for thing in things)))]
    assert not [one for one in told if '"Rosa' in one]


@pytest.mark.parametrize(("said", "told"), OWN)
def test_what_is_the_speakers_is(said: str, told: str) -> None:
    assert any(one.startswith(told) for one in _essences(said))


def test_a_pronoun_behind_somebodys_husband_is_the_husband() -> None:
    told = _essences("Orla's husband is called Dermot, he's a guard")
    assert told
    assert not any(one.startswith("Orla's job") for one in told)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("my sister had a baby girl, they named her Nell", "Rosa's sister's baby is Nell"),
        ("Orla had the baby! they named her Nell", "Orla's baby is Nell"),
    ],
)
def test_a_baby_is_told_of_whose_it_is(said: str, told: str) -> None:
    assert any(one.startswith(told) for one in _essences(said))
