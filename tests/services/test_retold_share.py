"""How much a sleep may change: what says all that it said, and more of the same message, is not at stake."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reverie import Kind, Origin, Reverie, Settings
from reverie.domain.change import Revise
from reverie.rules.retold import keeps_all
from tests.services.beds import Bed, bed
from tests.services.bench import Clock, opened

pytestmark = pytest.mark.slow

MANY, LEAST = 48, 21
"""Memories, and those that change at least: more than 20, and more than a fifth of the bank."""
NAMES = "Owen Lena Adrian Imogen Bruno Carla Dario Elif Frank Greta Hanno Ines Jonas Karin Lars Mona".split()


@pytest.fixture(scope="module")
def lasting(lasting_place: str) -> Iterator[Reverie]:
    """One place for all these tests; each has an agent of its own."""
    with opened(lasting_place) as reverie:
        yield reverie


@pytest.fixture
def asleep(lasting: Reverie, clock: Clock, request: pytest.FixtureRequest) -> Bed:
    settings = Settings(capture=False)
    return bed(lasting, agent_id=request.node.name[:190], clock=clock, settings=settings)


def _parts(asleep: Bed) -> dict[str, tuple[str, str]]:
    """Messages of two sentences, and a memory of the first of each: by its id the message's id and text."""
    found = {}
    for number in range(MANY):
        name = f"{NAMES[number % 16]}{'abc'[number // 16] * 2}"
        text = f"My cousin {name} has {number + 20} goats. They live in a barn with {number + 60} windows."
        [said] = asleep.said(text, speaker="Rosa")
        part = asleep.knows(
            f"Rosa's cousin {name} has {number + 20} goats.", source_episodes=[said], kind=Kind.FACT
        )
        found[part.id] = (said, text)
    return found


def test_more_than_a_fifth_of_a_bank_may_be_told_whole(asleep: Bed) -> None:
    parts = _parts(asleep)
    done = asleep.sleep(
        *(
            Revise(memory_id=id, essence=f"Rosa said: {text}", reason="it is told whole", sources=(said,))
            for id, (said, text) in parts.items()
        )
    )
    assert done.refused is None
    assert sum(one.act == "revise" for one in done.changes) >= LEAST
    assert asleep.waiting() == 0


def test_the_first_night_of_a_talkative_bank_is_not_refused(lasting: Reverie, clock: Clock) -> None:
    mama = lasting.agent("talkative")
    for number in range(MANY):
        first = f"The choir of {NAMES[number % 16]} sang for {number + 20} people in the brewery. One forgot a verse."
        rest = f"The mayor of street {number} sold her bakery over cherry wine, and we took tram {number + 50} home."
        [said] = mama.observe([{"content": f"{first} {rest}", "speaker": "Rosa"}]).episode_ids
        mama.remember(
            f"Rosa said: {first}", source_episodes=(said,), origin=Origin.LOOP, source_trust="principal"
        )
    clock.wait(hours=12)
    done = mama.sleep()
    assert done.refused is None
    assert sum(one.reason == "it is told whole" for one in done.changes) >= LEAST


def test_what_leaves_something_out_still_counts(asleep: Bed) -> None:
    parts = _parts(asleep)
    done = asleep.sleep(
        *(
            Revise(memory_id=id, essence=text.partition(". ")[2], reason="shorter", sources=(said,))
            for id, (said, text) in parts.items()
        )
    )
    assert done.refused is not None
    assert f"of {MANY} memories" in done.refused


@pytest.mark.parametrize(
    ("wording", "known", "all_of_it"),
    [
        ("Rosa said: My cousin Owen has goats. I don't.", "Rosa's cousin Owen has goats.", True),
        ("Rosa said: My cousin Owen doesn't have goats.", "Rosa's cousin Owen has goats.", False),
        ("Rosa said: My cousin Owen has goats.", "Rosa's cousin Owen has no goats.", False),
        ("Rosa said: My cousin Owen has sheep.", "Rosa's cousin Owen has goats.", False),
        ("Anna eats eggs but no meat", "Anna eats meat but no eggs", False),
        ("Anna owes Ben 500 euros", "Ben owes Anna 500 euros", False),
        ("Anna said: Ben owes me 500 euros. He is broke.", "Ben owes Anna 500 euros", True),
        ("Anna said: I owe Ben 500 euros.", "Ben owes Anna 500 euros", False),
        ("Anna moved from Hull to York", "Anna moved from York to Hull", False),
        ("Anna moved to Hull from York", "Anna moved from Hull to York", False),
        ("Anna has goats. Ben has no sheep.", "Anna has sheep. Ben has no goats.", False),
        ("Anna has goats. Ben has no sheep.", "Ben has no sheep. Anna has goats.", True),
        ("Rosa said: My cousin Owen has goats. I don't.", "Ben said: My cousin Owen has goats.", False),
    ],
)
def test_each_sentence_stands_in_it_and_denies_as_much(wording: str, known: str, all_of_it: bool) -> None:
    assert keeps_all(wording, known) is all_of_it
