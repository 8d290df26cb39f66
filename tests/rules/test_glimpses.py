"""Glimpses: what somebody lets be known by the way, told plainly."""

from __future__ import annotations

import pytest

from reverie.rules.claims import claims
from reverie.rules.glimpses import glimpses
from reverie.rules.glimpses_scene import Scene
from reverie.rules.glimpses_times import confirmed
from reverie.rules.sentences import sentences

NAMES = {name.lower(): name for name in ("Mara", "Ben", "Ines", "Theo", "Otis", "Nadia")}


def shown(text: str, *, topic: str = "", people: tuple[str, ...] = ("Ben",), behind: str = "") -> list[str]:
    scene = Scene(
        speaker="Mara", people=people, names=NAMES, topic=topic, behind=behind, women=frozenset({"Ines"})
    )
    found: list[str] = []
    before = ""
    for one in sentences(text):
        found += [glimpse.lead for glimpse in glimpses(one, before, scene) if glimpse.lead]
        before = f"{before} {one.text}"
    return found


SHOWN = [
    ("the Galaxy finally gave up, so it's an iPhone for me now", "Mara uses iPhone (phone)"),
    ("my Nokia is at 2 percent, typing fast", "Mara uses Nokia (phone)"),
    ("picked up the Yaris today, smells of plastic", "Mara drives Yaris (car)"),
    ("we adopted a kitten, she's called Miso", "Mara's pet is a kitten called Miso"),
    ("got the keys to the flat in Porto today!!", "Mara lives in Porto"),
    ("greetings from Lyon, boxes everywhere", "Mara lives in Lyon"),
    ("we moved to 22 Harbour Terrace last week", "Mara's street address is 22 Harbour Terrace"),
    ("started cello lessons, my fingers hurt", "Mara's instrument is cello"),
    ("my therapist Nadia says hi", "Mara's therapist is Nadia"),
    ("so Theo is my flatmate now", "Mara's flatmate is Theo"),
    ("Nadia wants it by Friday. She's my boss, so there", "Mara's boss is Nadia"),
    ("dentist called, they can only do 14 March now", "Mara's dentist appointment is on 14 March"),
    ("book club moved to Wednesdays", "Mara's book club is on Wednesdays"),
    ("the deadline slipped to 3 July", "Mara's deadline is on 3 July"),
    ("Osprey ships 3 July", "The Osprey is on 3 July"),
    ("Otis is 12 now", "Otis's age is 12 (12 years old)"),
    ("I've gone vegan", "Mara's diet is vegan"),
    ("it's green tea first thing now, every morning", "Mara's morning drink is green tea"),
    ("doctor put me on ramipril", "Mara's medicine is ramipril"),
    ("we're off to Crete in September, flights booked", "Mara's September holiday is in Crete"),
    ("reading Middlemarch for the book club", "Mara's book club reading is Middlemarch"),
    ("first day at Brightwater, lanyard and all", "Mara works at the company Brightwater"),
    ("from now on answer in German", "Mara's answer style is german"),
    ("I do aikido on Thursdays", "Mara's sport is aikido"),
]
NOTHING = """
if I had a Tesla I'd sleep in it
Ben bought a Yaris
should we get iPhones?
my sister's Galaxy died
I might move to Lyon
looked at the price of a MacBook, laughed
tried Vivaldi for an hour
can you write a paragraph about the harbour?
maybe Crete next year, a week in September
I was at the dentist on 14 March last year
explain it like I'm ten
I'm not vegan
remind me at 6:30
someone in the group plays the tuba
""".strip().splitlines()


@pytest.mark.parametrize(("said", "lead"), SHOWN, ids=[said for said, _ in SHOWN])
def test_what_is_let_be_known_by_the_way_is_told_plainly(said: str, lead: str) -> None:
    assert lead in shown(said)


@pytest.mark.parametrize("said", NOTHING)
def test_what_is_wished_supposed_asked_or_others_shows_nothing(said: str) -> None:
    assert not shown(said)


def test_she_goes_back_to_the_last_one_named_who_can_be_she() -> None:
    assert shown("SHE'S EIGHT TODAY!!!", people=("Ines", "Mara's dad")) == [
        "Ines's age is 8 (eight years old)"
    ]


def test_whom_nobody_named_before_the_agents_answer_may_name() -> None:
    said = shown("SHE'S EIGHT TODAY!!!", people=(), behind="Happy birthday to Ines.")
    assert said == ["Ines's age is 8 (eight years old)"]


def test_a_time_alone_is_that_of_what_was_spoken_of() -> None:
    assert shown("they've moved me to 7 May", topic="ugh, the dentist rang") == [
        "Mara's dentist appointment is on 7 May"
    ]


def test_a_span_of_days_is_no_time_of_anything() -> None:
    assert not shown("start with the exam, June 1st to 7th")


def test_a_corrected_value_is_given_with_the_old_one() -> None:
    [one] = sentences("turns out it isn't walnuts at all, it's sesame")
    [found] = glimpses(one, "", Scene(speaker="Mara"))
    assert (found.lead, found.old, found.value) == ("", "walnuts", "sesame")


@pytest.mark.parametrize(
    ("line", "lead"),
    [
        ("- Osprey: 15 May", "The Osprey is on 15 May"),
        ("Dentist is 7 May instead", "Mara's dentist appointment is on 7 May"),
        ("Of course. From tomorrow your digest comes at 18:00.", "Mara's digest is at 18:00"),
    ],
)
def test_what_the_agent_confirms_of_a_time_names_what_it_is_the_time_of(line: str, lead: str) -> None:
    assert [found for found, _ in confirmed(line, "Mara")] == [lead]


def test_what_the_agent_asks_confirms_nothing() -> None:
    assert not list(confirmed("Shall I move your digest to 18:00?", "Mara"))


@pytest.mark.parametrize("lead", [lead for _, lead in SHOWN])
def test_a_plain_sentence_is_a_claim_with_or_without_what_stands_behind(lead: str) -> None:
    [alone, *_], [led, *_] = claims(f"{lead}."), claims(f"{lead}: and so on.")
    assert alone.attribute == led.attribute
    assert alone.value == led.value


@pytest.mark.parametrize("attribute", ["boss", "morning drink", "street address", "answer style"])
def test_another_value_of_what_one_has_one_of_takes_the_place_of_the_old_one(attribute: str) -> None:
    [old, *_], [new, *_] = claims(f"Mara's {attribute} is Nadia."), claims(f"Mara's {attribute} is Theo.")
    assert new.about(old)
    assert new.replaces(old)
