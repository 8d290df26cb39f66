"""What a forget leaves of wordings that carry an earlier one: what is so now, with what was so before behind it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from reverie import Agent, Episode, Forgot, Forgotten, Kind, Origin, Reverie
from reverie.domain.change import Change, Learn, Reinforce, Revise
from tests.services.bench import Clock, kept
from tests.services.nights import slept
from tests.services.traces import holding

pytestmark = pytest.mark.slow

WORD = "Zanzibarquux"
PAIRS = {
    "Biscuit's vet is Dr Keane at the Zanzibarquux clinic.": "Biscuit sees Dr Molloy now, Dr Keane retired.",
    "My climbing wall is the Zanzibarquux on Harbour Road.": "My new climbing wall is the Ost.",
    "My car is a Zanzibarquux Yaris with a cracked screen.": "I sold my car, the Yaris, and my car is a Volvo now.",
}
OLD, NEW = "My climbing wall is the Boulderhaus on Harbour Road.", "My new climbing wall is the Ost."
BOTH = f"{NEW} Owen and the mayor had lasagne at Luca's tavern in Ghent."


def _said(reverie: Reverie, clock: Clock, text: str, *changes: Change) -> str:
    """Something is said, in a conversation of its own, and slept on by a mind that makes these changes of it; the id of
    the message.
    """
    clock.wait(days=3)
    (id,) = (
        reverie.agent("mama")
        .observe([{"content": text, "speaker": "Rosa"}], conversation=f"of {clock.now:%d %B}")
        .episode_ids
    )
    clock.wait(hours=12)
    done = slept(reverie, *changes)
    assert len(done.changes) == len(changes), done.sleep.rejected
    return id


def _learned(reverie: Reverie, clock: Clock, text: str) -> tuple[str, str]:
    """It is said, and a night learns it word for word; the ids of the message and of the memory."""
    said = _said(reverie, clock, text, Learn(essence=text, kind=Kind.FACT, sources=(text,)))
    [known] = [one for one in reverie.agent("mama").memories() if one.essence == text]
    return said, known.id


def _taken_over(reverie: Reverie, clock: Clock, known: str, text: str, wording: str) -> str:
    """It is said, and a night rewords a memory by it; the id of the message."""
    change = Revise(memory_id=known, essence=wording, reason="changed", sources=(text,))
    return _said(reverie, clock, text, change)


def _essences(agent: Agent) -> list[str]:
    return [one.essence for one in agent.memories(deep=True)]


def _by_id(agent: Agent, id: str) -> Forgot:
    return agent.forget(id)


def _by_conversation(agent: Agent, id: str) -> Forgot:
    said = agent.get(id)
    assert isinstance(said, Episode)
    return agent.forget(conversation=said.conversation)


@pytest.mark.parametrize("forget", [_by_id, _by_conversation])
@pytest.mark.parametrize(("old", "new"), PAIRS.items())
def test_what_was_so_before_goes_with_the_message_that_said_it(
    reverie: Reverie, mama: Agent, clock: Clock, old: str, new: str, forget: Callable[[Agent, str], Forgot]
) -> None:
    first, known = _learned(reverie, clock, old)
    second = _taken_over(reverie, clock, known, new, f"{new} {old}")
    assert _essences(mama) == [f"{new} {old}"]
    receipt = forget(mama, first)
    assert receipt.reworded_memories == (known,)
    assert receipt.still_told == (second,)
    assert holding(mama, WORD) == []
    assert _essences(mama) == [new]


def test_what_another_message_says_too_stays(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    first, known = _learned(reverie, clock, OLD)
    again = "The Boulderhaus is my climbing wall, on Harbour Road."
    _said(reverie, clock, again, Reinforce(memory_id=known, reason="again", sources=(again,)))
    _taken_over(reverie, clock, known, NEW, f"{NEW} {OLD}")
    mama.forget(first)
    assert _essences(mama) == [f"{NEW} {OLD}"]


def test_each_quotation_goes_with_its_own_message(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    said: list[str] = []
    for text in ("My climbing wall is the Zanzibarquux on Harbour Road.", NEW):
        clock.wait(days=3)
        said += mama.observe([{"content": text, "speaker": "Rosa"}], conversation=text).episode_ids
        clock.wait(hours=12)
        mama.sleep()
    assert WORD in " ".join(_essences(mama))
    assert {one.quoted.episode for one in mama.memories() if one.quoted is not None} == {*said}
    receipt = mama.forget(said[0])
    assert len(receipt.memories) == 1
    assert holding(mama, WORD) == []
    [left] = mama.memories(deep=True)
    assert left.essence == NEW
    assert left.quoted is not None
    assert left.quoted.episode == said[1]


def test_a_clause_taken_over_goes_with_its_message(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    old, new = "Rosa works as a nurse and her dog Zanzibarquux snores", "Rosa works as a teacher now"
    (first,) = mama.observe([{"content": old, "speaker": "Rosa"}]).episode_ids
    job = mama.remember(
        f"{old}.", source_episodes=[first], origin=Origin.LOOP, source_trust="principal"
    ).memory
    slept(reverie)
    clock.wait(days=1)
    mama.observe([{"content": new, "speaker": "Rosa"}], conversation="new")
    clock.wait(hours=9)
    wording = "Rosa works as a teacher now and her dog Zanzibarquux snores."
    done = slept(reverie, Revise(memory_id=job.id, essence=wording, reason="changed", sources=(new,)))
    assert len(done.changes) == 1, done.sleep.rejected
    mama.forget(first)
    assert _essences(mama) == ["Rosa works as a teacher now."]
    assert holding(mama, WORD) == []


def test_a_past_wording_that_quotes_it_goes(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    old, newest = (
        "My climbing wall is the Zanzibarquux on Harbour Road.",
        "My new climbing wall is the Kletterwerk.",
    )
    first, known = _learned(reverie, clock, old)
    _taken_over(reverie, clock, known, NEW, f"{NEW} {old}")
    _taken_over(reverie, clock, known, newest, newest)
    assert holding(mama, WORD)
    mama.forget(first)
    assert holding(mama, WORD) == []
    assert _essences(mama) == [newest]


def test_what_an_older_message_says_may_be_learned(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    first, known = _learned(reverie, clock, OLD)
    second = _taken_over(reverie, clock, known, BOTH, NEW)
    newer = kept(
        mama, "Rosa climbs at the Ost, a new climbing wall", source_episodes=[second], origin=Origin.LOOP
    )
    receipt = mama.forget(newer.id)
    assert receipt.memories == (newer.id,)
    assert _essences(mama) == [OLD]
    assert holding(mama, "the Ost") == []
    mama.remember(OLD, source_episodes=[first])
    with pytest.raises(Forgotten):
        mama.remember(newer.essence)
