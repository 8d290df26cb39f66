"""Which memory's place a statement takes: that of the same one and the same thing, and of nothing beside it."""

from __future__ import annotations

import pytest

from reverie.domain.change import Change, Contradict, Learn, Revise
from reverie.minds.local import LocalMind
from tests.minds.nights import MODEL, changes, episode, memory, night

UNRELATED = [
    ("Anna's book club is on Mondays.", "Mondays are horrible now."),
    ("Anna wants to learn to juggle in the summer of 2026.", "Kim has stopped juggling, her wrist hurts."),
    ("Anna has a meeting with Dr Sato every first Thursday.", "Dr Sato has a new haircut now."),
    ("Anna's neighbour Lotte grows tomatoes.", "My tomatoes are dead now."),
    ("Anna's mother is a judge in Ghent.", "My mother-in-law is no longer a teacher."),
    ("Anna lives in Turin.", "My boss lives in Milan now."),
    ("Anna is allergic to cats.", "My roommate isn't allergic to cats anymore."),
    ("Anna's best friend is Zoe.", "Zoe's best friend is Ivan now."),
    ("Anna plays tennis on Sundays.", "Marta plays tennis on Fridays now."),
    ("Anna's wife is Rita.", "Rita's sister moved to Braga."),
    ("Anna keeps a spare key under the flowerpot.", "The flowerpot broke, Tom no longer sits on the balcony."),
    ("Anna's wedding is on 3 October: Anna is getting married on 3 October.",
     "Priya got engaged, to a man called Lachlan."),
    ("Priya lives in Bristol: Anna's friend Priya lives in Bristol, she's coming up at Easter.",
     "Priya's sister Anjali is the one with the nut allergy, not Priya."),
    ("Anna's learning language is Italian: Anna is learning Italian on Wednesday evenings.",
     "Lessons with Mrs Haldane on Saturday mornings, I play the cello."),
    ("Anna takes the 62 bus to work and it's late AGAIN.",
     "If I had a car to myself I'd drive... well, we have the Skoda Fabia but Tobias takes it."),
    ("Anna said: I can't function before my flat white. It's the one thing I have every single morning.",
     "I take 50 micrograms of levothyroxine every morning, half an hour before breakfast."),
    ("Anna lives in Leeds.", "What if I just quit? I'd live in Wales and own forty sheep now."),
    ("Anna's pet is a dog: Anna's dog Biscuit is snoring on Anna's feet.", "She has moved to Glasgow with the dog."),
    ("Anna's pet is a dog: Anna's dog Biscuit is snoring on Anna's feet.", "Priya rang. She has moved to Glasgow."),
    ("Anna's partner is Tobias: Anna lives in Leeds with their partner Tobias.",
     "Tobias and I are getting married on 12 September."),
]  # fmt: skip

CHANGED = [
    ("Anna lives in Turin.", "I live in Milan now."),
    ("Anna's boss lives in Turin.", "My boss lives in Milan now."),
    ("Anna's best friend is Zoe.", "My best friend is Ivan now."),
    ("Marta plays tennis on Sundays.", "Marta plays tennis on Fridays now."),
    ("Priya lives in Bristol.", "Priya rang. Priya lives in Glasgow now."),
    ("Anna's vet is Dr Keane.", "Dr Keane retired!! My vet is Dr Molloy now."),
]


def _touched(said: str, known: str) -> list[Change]:
    """What becomes of the one memory that is known."""
    old = memory(known, id="old")
    found = changes([episode(said, speaker="Anna")], [old])
    return [one for one in found if isinstance(one, Revise | Contradict) and one.memory_id == "old"]


@pytest.mark.parametrize(("known", "said"), UNRELATED)
def test_what_is_of_another_or_of_another_thing_changes_nothing(known: str, said: str) -> None:
    assert _touched(said, known) == []


@pytest.mark.parametrize(("known", "said"), CHANGED)
def test_what_is_of_the_same_one_and_thing_takes_its_place(known: str, said: str) -> None:
    assert len(_touched(said, known)) == 1


def test_who_lives_with_somebody_moves_along() -> None:
    [revised] = _touched(
        "I moved to Berlin last week.", "Anna's pet is a cat: Anna lives in Munich with their cat Miso."
    )
    assert isinstance(revised, Revise)
    now = revised.essence.partition(" Before that: ")[0]
    assert now == "Anna lives in Berlin. Anna's pet is a cat. Anna's cat is Miso."


def test_what_was_told_in_the_same_night_beside_the_old_value_is_learned_by_itself() -> None:
    said = [
        episode("I live in Munich with my cat Miso.", 0, speaker="Anna"),
        episode("I moved to Berlin last week.", 0.01, speaker="Anna"),
    ]
    found = LocalMind(MODEL).consolidate(night(said)).changes
    learned = [one for one in found if isinstance(one, Learn)]
    assert "Anna's pet is a cat. Anna's cat is Miso." in [one.essence for one in learned]
    over = {one.memory_id for one in found if isinstance(one, Contradict)}
    assert [one.essence for number, one in enumerate(learned) if f"new:{number}" in over] == [
        "Anna's pet is a cat: Anna lives in Munich with their cat Miso."
    ]


def test_the_landlord_stays_when_the_rent_goes_up() -> None:
    known = (
        "Anna's landlord is Mr Pickering: Anna pays 850 a month for the rent, which their landlord Mr Pickering thinks "
        "is charity."
    )
    rent = memory("Anna's rent is 850 a month.", id="rent")
    found = changes(
        [episode("The rent is 1,100 now, ouch, but no draught.", speaker="Anna")],
        [memory(known, id="old"), rent],
    )
    now = [one.essence.partition(" Before that: ")[0] for one in found if isinstance(one, Revise)]
    over = {one.memory_id for one in found if isinstance(one, Contradict)}
    assert "old" not in over
    assert any("Anna's landlord is Mr Pickering." in one for one in now)
    assert any("1,100" in one for one in now)


@pytest.mark.parametrize(
    ("known", "lead"),
    [
        ("Anna works at the company Zwickelhofer: Anna works at Zwickelhofer in Linz.",
         "Anna works at the company Brandauer"),
        ("Anna lives in Zwickelhofer.", "Anna lives in Brandauer"),
    ],
)  # fmt: skip
def test_what_somebody_moves_from_says_what_he_moves_to(known: str, lead: str) -> None:
    found = changes(
        [episode("I moved from Zwickelhofer to Brandauer last week.", speaker="Anna")],
        [memory(known, id="old")],
    )
    told = [one.essence for one in found if isinstance(one, Learn | Revise)]
    assert any(one.startswith(lead) for one in told), told
    homes = [one for one in told if "lives in Brandauer" in one]
    assert bool(homes) is ("lives" in lead)


@pytest.mark.parametrize(
    ("said", "now"),
    [
        ("Priya rang. She has moved to Glasgow!!", "Priya has moved to Glasgow"),
        ("My mum rang about Priya. She has moved to Glasgow!!", "Priya has moved to Glasgow"),
    ],
)
def test_she_is_whom_the_message_named_last(said: str, now: str) -> None:
    [revised] = _touched(said, "Priya lives in Bristol.")
    assert isinstance(revised, Revise)
    assert revised.essence.startswith(now)


def test_who_leaves_a_company_is_its_cook_no_more() -> None:
    [revised] = _touched(
        "Tobias left Brook's. He teaches at the catering college now.",
        "Tobias's job is line cook: Tobias is a line cook at Brook's so he laughs at Anna's marinades.",
    )
    assert isinstance(revised, Revise)
    assert "line cook" not in revised.essence.partition(" Before that: ")[0]
