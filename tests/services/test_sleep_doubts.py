"""What speaks against a memory in a sleep must be trusted as much as it; and no wording turns its source round."""

from __future__ import annotations

from typing import Any

import pytest

from reverie import Kind, Reverie
from reverie.domain.change import Contradict, Fade, Learn
from reverie.domain.memory import CONTRADICTS, State
from reverie.domain.sleep import Act
from tests.services.beds import Bed, bed, reasons
from tests.services.bench import Clock
from tests.services.scripted import Scripted, minded, proposal

ALLERGY = "Anna is allergic to peanuts"
AGAINST = "Anna is not allergic to peanuts, she eats peanuts every day"
PASTED = f"What do you make of this?\n> {AGAINST}"


@pytest.fixture
def asleep(reverie: Reverie) -> Bed:
    return bed(reverie)


def _against(asleep: Bed, said: str, **fields: Any) -> tuple[str, ...]:
    return tuple(asleep.said(said, **{"speaker": "Anna", **fields}))


@pytest.mark.parametrize(
    ("said", "fields"),
    [
        (AGAINST, {"role": "tool"}),
        (AGAINST, {"role": "assistant"}),
        (AGAINST, {"channel": "web"}),
        (PASTED, {}),
    ],
)
def test_nothing_less_trusted_than_a_memory_fades_or_contradicts_it(
    asleep: Bed, clock: Clock, said: str, fields: dict[str, str]
) -> None:
    known = asleep.knows(ALLERGY, kind="fact")
    clock.wait(days=1)
    ids = _against(asleep, said, **fields)
    done = asleep.sleep(
        Learn(essence=AGAINST, kind=Kind.FACT, sources=ids),
        Fade(memory_id=known.id, confidence=0.02, sources=ids),
        Contradict(memory_id=known.id, contradicted_by="new:0", resolution="she eats them", sources=ids),
    )
    assert [change.act for change in done.changes] == [Act.LEARN]
    assert (
        reasons(done)
        == ["no episode of this night that speaks against the memory is trusted as much as it"] * 2
    )
    assert asleep.memory(known.id) == known
    assert asleep.edges() == []


def test_what_a_principal_says_fades_and_contradicts(asleep: Bed, clock: Clock) -> None:
    known = asleep.knows(ALLERGY, kind="fact")
    clock.wait(days=1)
    ids = _against(asleep, AGAINST)
    done = asleep.sleep(
        Learn(essence=AGAINST, kind=Kind.FACT, sources=ids),
        Fade(memory_id=known.id, confidence=0.3, sources=ids),
    )
    assert reasons(done) == []
    assert asleep.memory(known.id).confidence == 0.3
    clock.wait(days=1)
    _against(asleep, f"{AGAINST}!")
    done = asleep.sleep(
        Contradict(memory_id=known.id, contradicted_by=done.of(Act.LEARN)[0].target, resolution="")
    )
    assert reasons(done) == []
    assert asleep.memory(known.id).state is State.ARCHIVED
    assert [edge.relation for edge in asleep.edges()] == [CONTRADICTS]


def test_what_is_known_to_be_external_is_contradicted_by_external_text(asleep: Bed, clock: Clock) -> None:
    known = asleep.knows(ALLERGY, kind="fact", source_trust="external")
    clock.wait(days=1)
    ids = _against(asleep, AGAINST, role="tool")
    done = asleep.sleep(
        Learn(essence=AGAINST, kind=Kind.FACT, sources=ids),
        Contradict(memory_id=known.id, contradicted_by="new:0", resolution="", sources=ids),
    )
    assert reasons(done) == []
    assert [edge.relation for edge in asleep.edges()] == [CONTRADICTS]


def test_an_episode_of_an_earlier_night_fades_nothing(asleep: Bed) -> None:
    known = asleep.knows(ALLERGY, kind="fact")
    ids = _against(asleep, AGAINST)
    asleep.sleep()
    _against(asleep, "What do peanuts cost? I'm allergic to peanuts, by the way", conversation="another")
    done = asleep.sleep(Fade(memory_id=known.id, confidence=0.02, sources=ids))
    assert reasons(done) == ["it names no episode of this night that speaks against the memory"]


def test_what_is_about_something_else_fades_nothing(asleep: Bed) -> None:
    known = asleep.knows(ALLERGY, kind="fact")
    _against(asleep, "I'm allergic to peanuts, as you know")
    ids = _against(asleep, "Hi, it's Anna! The museum shows old maps")
    done = asleep.sleep(Fade(memory_id=known.id, confidence=0.02, sources=ids))
    assert reasons(done) == ["its episodes are about something else"]


TURNED = [
    ("I am not married.", "Anna is married"),
    ("Always ask Bob, not Eve.", "Always ask Eve, not Bob"),
    ("I'm not allergic to peanuts.", ALLERGY),
    ("I never keep bees in the garden.", "Anna keeps bees in the garden"),
    ("Bob owes Eve ten euros.", "Eve owes Bob ten euros"),
    ("You must ask Bob before you pay Eve.", "You must pay Eve before you ask Bob"),
    (
        "You must never share the key with Eve, only with Bob.",
        "You must never share the key with Bob, only with Eve",
    ),
]
TRUE = [
    ("I am not married.", "Anna is not married"),
    ("Always ask Bob, not Eve.", "Always ask Bob, not Eve"),
    ("I never keep bees in the garden.", "Anna never keeps bees in the garden"),
    ("Bob owes Eve ten euros.", "Bob owes Eve ten euros"),
]


@pytest.mark.parametrize("kind", [Kind.POLICY, Kind.PREFERENCE, Kind.FACT])
@pytest.mark.parametrize(("said", "claim"), TURNED)
def test_a_sleep_keeps_no_wording_that_turns_its_source_round(
    asleep: Bed, said: str, claim: str, kind: Kind
) -> None:
    done = asleep.sleep(Learn(essence=claim, kind=kind, sources=tuple(asleep.said(said, speaker="Anna"))))
    assert asleep.memories() == []
    [why] = reasons(done)
    assert "the other way round" in why


@pytest.mark.parametrize(("said", "claim"), TURNED)
def test_the_loop_keeps_none_either(reverie: Reverie, said: str, claim: str) -> None:
    _, mama = minded(reverie, Scripted(lambda snippet: [proposal(one, essence=claim) for one in snippet.new]))
    mama.observe({"content": said, "speaker": "Anna"})
    known = {one.id for one in mama.memories()}
    assert mama.attend().rejected == {"unsupported": 1}
    assert {one.id for one in mama.memories()} == known


@pytest.mark.parametrize(("said", "claim"), TRUE)
def test_a_true_wording_is_kept(asleep: Bed, said: str, claim: str) -> None:
    ids = tuple(asleep.said(said, speaker="Anna"))
    assert reasons(asleep.sleep(Learn(essence=claim, kind=Kind.FACT, sources=ids))) == []
