"""Whose doing a clause tells, and whose a thing is."""

from __future__ import annotations

import pytest

from reverie.rules.claims import claims
from reverie.rules.doers import Doer, doer, is_others_affair, owner

OTHERS = [
    ("my sister-in-law adopted a whippet called Juno", "whippet"),
    ("the woman across the road drives a Volvo", "Volvo"),
    ("our postman took up the banjo", "banjo"),
    ("one of the interns got a hamster named Biscuit", "hamster"),
    ("the new girl at work is a vegan", "vegan"),
    ("everyone in my team uses Obsidian", "Obsidian"),
    ("their son plays the cello", "cello"),
    ("Sally and Tom bought a Kia", "Kia"),
    ("Anna's bought a Kia", "Kia"),
    ("my neighbour was over. It's called Rolo", "Rolo"),
    ("my ex quit the bank, joined Lidl", "Lidl"),
    ("mam bought an iPhone", "iPhone"),
    ("some lad in my class bought a Vespa", "Vespa"),
]
OWN = [
    ("started a new job at Ikea", "Ikea"),
    ("Recently bought a Kia", "Kia"),
    ("me and Kev took up badminton", "badminton"),
    ("my wife and I bought a Kia", "Kia"),
    ("after mam left I switched to Firefox", "Firefox"),
    ("Lena left, I kept the flat in Malmo", "Malmo"),
    ("my mail's at Fastmail now", "Fastmail"),
    ("my notes all live in Notion", "Notion"),
]
UNSURE = [
    ("Kev got me a hamster", "hamster"),
    ("the doctor put me on sertraline", "sertraline"),
    ("the switch to Firefox took a day", "Firefox"),
]


@pytest.mark.parametrize(
    ("text", "value", "whose"),
    [
        *((text, value, Doer.OTHER) for text, value in OTHERS),
        *((text, value, Doer.OWN) for text, value in OWN),
        *((text, value, Doer.UNSURE) for text, value in UNSURE),
    ],
)
def test_the_subject_of_a_clause_says_whose_doing_it_is(text: str, value: str, whose: Doer) -> None:
    assert doer(text, text.index(value)) is whose


@pytest.mark.parametrize(
    ("text", "thing", "whose"),
    [
        ("my lovely little flat is in Ghent", "flat", Doer.OWN),
        ("the neighbour's rent is 900", "rent", Doer.OTHER),
        ("her rent is 900", "rent", Doer.OTHER),
        ("today's shift is at 9", "shift", Doer.UNSURE),
        ("the rent is 900", "rent", Doer.UNSURE),
        ("everyone in my team uses Obsidian", "Obsidian", Doer.UNSURE),
    ],
)
def test_the_word_before_a_thing_says_whose_it_is(text: str, thing: str, whose: Doer) -> None:
    assert owner(text, text.index(thing)) is whose


def test_what_anothers_landlord_does_is_anothers_affair() -> None:
    assert is_others_affair("Liam's landlord put the rent up", 25)
    assert not is_others_affair("our landlord put the rent up", 23)


@pytest.mark.parametrize(
    ("text", "attribute", "subject"),
    [
        ("Mara's ex got a Tesla", "car", "mara's ex"),
        ("The boss bought a Tesla", "car", "mara's boss"),
        ("Mara said: The landlord drives a Jaguar.", "car", "mara's landlord"),
        ("Mara's neighbours bought a Nissan Leaf", "car", "mara's neighbours"),
        ("Mara's ex-husband moved to Rotterdam", "home", "mara's ex-husband"),
        ("Mara's brother in law quit Ryanair and joined Google as a developer", "employer", "mara's brother"),
        ("Half Mara's class uses Notion.", "uses notes", "mara's half"),
        ("One of the interns switched to Firefox", "uses browser", "one of the interns"),
        ("Mara's new car is a Tesla", "car", "mara"),
        ("Mara's morning drink is matcha", "the drink morn", "mara"),
    ],
)
def test_a_claim_is_of_who_does_it(text: str, attribute: str, subject: str) -> None:
    found = {one.attribute: one for one in claims(text, "Mara")}
    assert subject in found[attribute].subjects


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Mara's rent is 2,000 a month", {"2000", "month"}),
        ("Mara's budget is 1,250,000 yen", {"1250000", "yen"}),
        ("Mara's favourite colours are red, blue", {"red"}),
    ],
)
def test_a_number_is_read_whole(text: str, value: set[str]) -> None:
    assert claims(text, "Mara")[0].value == value


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Mara said: First day at the Crawford done.", "the Crawford"),
        ("Mara started at the Bank of Ghent on Monday.", "the Bank of Ghent"),
        ("Mara bought a Honda Jazz off a student.", "Honda Jazz"),
        ("Mara drives an old Skoda with a dent.", "Skoda"),
    ],
)
def test_a_name_ends_before_a_small_word(text: str, told: str) -> None:
    assert claims(text, "Mara")[0].told == told


@pytest.mark.parametrize(
    "text", ["Mara got a new pup from a breeder, a collie called Pip.", "Mara has a parrot named Linux."]
)
def test_what_is_called_like_a_tool_is_none(text: str) -> None:
    assert not [one for one in claims(text, "Mara") if one.attribute.startswith("uses")]
