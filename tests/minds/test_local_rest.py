"""The rest of a memory whose value has changed: no wording joins the new value with what was said of the
old one, the change reaches every memory that was made of the old message, and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reverie import Reverie
from reverie.domain.change import Contradict, Learn, Revise
from reverie.rules.before import BEFORE, now_of
from tests.minds.nights import changes, episode, memory

QUALIFIED = [
    ("My phone is a Nokia G42 with a dented corner, I bought it off Pawel.", "I bought a Fairphone.", "Fairphone",
     "what phone does Rosa have?", ["G42", "dented", "Pawel"]),
    ("I drive a 2011 Corsa with a dodgy clutch and 180,000 km on it", "I drive a Clio now", "Clio",
     "what car does Rosa drive?", ["2011", "clutch", "180"]),
    ("I drive a red Polo that my uncle left me", "traded the Polo in for a Kia Ceed", "Ceed",
     "what car does Rosa drive?", ["red", "uncle"]),
    ("my dentist is Dr Patel on Quay Street, gentle hands", "my dentist is Dr Osei now", "Osei",
     "who is Rosa's dentist?", ["Quay", "gentle"]),
    ("my therapist is Helga, she used to be a nurse in Bonn", "my therapist is Ruth now, Helga is on leave", "Ruth",
     "who is Rosa's therapist?", ["Bonn", "nurse"]),
    ("my landlord is Mr Healy, a retired guard from Mallow", "my landlord is Ms Quirke now", "Quirke",
     "who is Rosa's landlord?", ["guard", "Mallow"]),
    ("my sister Nora lives in Porto with her wife Bea who teaches at the school there",
     "Nora moved to Ghent in the spring, Bea stays behind", "Ghent", "where does Nora live?", ["Bea who", "teaches"]),
    ("I live in Derry in a houseboat that leaks", "I live in Sligo now", "Sligo",
     "where does Rosa live?", ["houseboat", "leaks"]),
    ("I work at Siemens as a draughtswoman, thirty hours a week", "I work at Bosch now", "Bosch",
     "where does Rosa work?", ["draughtswoman", "thirty"]),
    ("my girlfriend is Ada, a potter from Skye", "my girlfriend is Imke now", "Imke",
     "who is Rosa's girlfriend?", ["potter", "Skye"]),
    ("my rent is 700 with the bills in", "my rent is 780 now", "780", "how much is Rosa's rent?", ["bills"]),
    ("my bank is Santander, the branch with the rude clock", "moved to Monzo last week", "Monzo",
     "which bank does Rosa use?", ["rude"]),
    ("my laptop is a ThinkPad with a missing F key that Ger sold me", "bought a MacBook yesterday", "MacBook",
     "what laptop does Rosa use?", ["missing", "Ger"]),
    ("my piano teacher is Olga, she lives over the chemist's", "my piano teacher is Bram now", "Bram",
     "who is Rosa's piano teacher?", ["chemist"]),
]  # fmt: skip
BESIDE = [
    ("Momo's vet is Dr Abel in the old mill, she's due her jabs", "Dr Abel moved abroad, Momo sees Dr Crane now",
     "Crane", "who is Momo's vet?"),
    ("Momo's vet is Dr Abel in the old mill, she's due her jabs",
     "Dr Abel retired!! Momo sees Dr Crane now, the same mill. he gave her ham", "Crane", "who is Momo's vet?"),
    ("I'm reading Emma at the moment, the chapter with the picnic",
     "finished Emma at last. started Dracula this morning", "Dracula", "what is Rosa reading?"),
    ("I've signed up for the Dublin marathon in October, somebody stop me",
     "knee is wrecked, physio says no Dublin marathon, so I swapped my entry to the 5k", "5k",
     "which race is Rosa running?"),
    ("Paul cooked tonight, he's my boyfriend btw, we met at a ceilidh", "so. Paul and I split up in the end.",
     "split up", "does Rosa have a boyfriend?"),
    ("lessons are at six. oh and I drive a Micra that is mostly rust",
     "guess who's driving a Leaf. my cousin made me a mad price for it", "Leaf", "what car does Rosa drive?"),
    ("my sister Una works at the bank in Ennis with her friend Cait", "Una works at the zoo now", "zoo",
     "where does Una work?"),
]  # fmt: skip
NOT_THE_SAME = [
    ("Rosa said: Dr Abel retired!! Momo sees Dr Crane now, the same practice. she gave him ham, he's in love",
     "dentist done, no fillings, I'm a champion"),
    ("Momo's vet is Dr Abel.", "my dentist is Dr Osei now"),
    ("Rosa is reading Emma.", "finished Emma last night. bought Anna a present"),
    ("Rosa is reading Emma.", "finished Emma last night. bought a Kindle today"),
    ("Rosa is 34, she lives in a poky flat on Quay Street with her dog Momo.", "rent's 890 and I've a garden"),
    ("The assistant said: Lovely to meet Rosa, and Momo too.", "Momo sees Dr Crane now, the same practice"),
]  # fmt: skip


def _lived(path: Path, *nights: str) -> tuple[list[str], Reverie]:
    reverie = Reverie.open(path / "lived.bank")
    agent = reverie.agent("a", principals=["Rosa"])
    start = datetime(2026, 9, 1, 9, tzinfo=UTC)
    for number, said in enumerate(nights):
        time = (start + timedelta(days=3 * number)).isoformat()
        message = {"role": "user", "speaker": "Rosa", "content": said, "time": time}
        agent.observe([message], conversation=f"c{number}")
        agent.sleep()
    return [one.essence for one in agent.memories()], reverie


def _joined(essences: Sequence[str], value: str, qualifications: Sequence[str]) -> list[str]:
    """The sentences that have the value and what was said of the one before it."""
    parts = [
        part
        for essence in essences
        for part in re.split(r"(?<=[.!?])\s+", essence.replace(BEFORE, " ").replace("Dr ", "Dr_"))
    ]
    return [part for part in parts if value in part and any(one in part for one in qualifications)]


@pytest.mark.parametrize(("before", "now", "value", "asked", "qualifications"), QUALIFIED)
def test_a_new_value_is_never_put_beside_what_was_said_of_the_old_one(
    tmp_path: Path, before: str, now: str, value: str, asked: str, qualifications: Sequence[str]
) -> None:
    essences, reverie = _lived(tmp_path, before, now)
    with reverie:
        (first, *_) = reverie.agent("a").recall(asked).hits
    assert _joined(essences, value, qualifications) == []
    assert value in now_of(first.text)


@pytest.mark.parametrize(("before", "now", "value", "asked"), BESIDE)
def test_a_change_reaches_every_memory_that_has_the_old_value(
    tmp_path: Path, before: str, now: str, value: str, asked: str
) -> None:
    _, reverie = _lived(tmp_path, before, now)
    with reverie:
        (first, *_) = reverie.agent("a").recall(asked).hits
    assert value in now_of(first.text)


@pytest.mark.parametrize(("known", "said"), NOT_THE_SAME)
def test_a_title_a_name_or_a_purchase_beside_it_makes_no_change(known: str, said: str) -> None:
    found = changes([episode(said, 3)], known=[memory(known)])
    wordings = [now_of(one.essence) for one in found if isinstance(one, Revise)]
    assert not [one for one in wordings if not re.search("finished", one)]
    assert not [one for one in found if isinstance(one, Contradict)]


def test_what_else_a_message_told_stays_when_one_of_its_sentences_is_over() -> None:
    known = [
        memory("Rosa drives Micra (car).", id="plain", sources=["one"]),
        memory(
            "Rosa said: lessons are at six. oh and I drive a Micra that is mostly rust",
            id="whole",
            sources=["one"],
        ),
    ]
    found = changes([episode("I drive a Leaf now", 3)], known=known)
    revised = {one.memory_id: one.essence for one in found if isinstance(one, Revise)}
    assert "Leaf" in revised["plain"]
    assert (
        revised["whole"]
        == f"Rosa said: lessons are at six.{BEFORE}oh and I drive a Micra that is mostly rust"
    )


def test_the_plain_sentence_that_leads_a_memory_stays_where_it_tells_of_something_else() -> None:
    known = [memory("Nora's wife is Bea: Rosa's sister Nora lives in Porto with her wife Bea.")]
    (revised,) = [
        one for one in changes([episode("Nora moved to Ghent", 3)], known=known) if isinstance(one, Revise)
    ]
    assert now_of(revised.essence) == "Nora lives in Ghent. Nora's wife is Bea."
    assert revised.essence.endswith("lives in Porto with her wife Bea.")


def test_of_what_is_over_and_what_takes_its_place_the_latter_is_told() -> None:
    known = [memory("Rosa has a black Volvo V40 that her dad left her.")]
    found = changes([episode("sold the Volvo! bought a Honda Jazz off a student", 3)], known=known)
    (revised,) = [one for one in found if isinstance(one, Revise)]
    assert "Honda Jazz" in now_of(revised.essence)
    assert "dad" not in now_of(revised.essence)


def test_a_message_that_is_kept_whole_is_not_kept_in_part_too() -> None:
    said = "Dr Abel retired!! Momo sees Dr Crane now, the same practice. she gave him ham, he's in love"
    essences = [one.essence for one in changes([episode(said, 3)]) if isinstance(one, Learn)]
    assert sum("Crane" in one for one in essences) == 1
