"""What a forget leaves of wordings that carry or replace an earlier one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from reverie import Agent, Episode, Forgot, Forgotten, Kind, Origin, Reverie
from reverie.domain.change import Change, Fade, Learn, Reinforce, Revise
from tests.services.bench import Clock, kept
from tests.services.nights import slept, undone
from tests.services.traces import holding

pytestmark = pytest.mark.slow

HOME = "Anna lives in Porto"
SHELTER = "Anna lives in the shelter Lindenquux"
FARO = "Anna lives in Faro by the sea"


def _night(reverie: Reverie, clock: Clock, text: str, *changes: Change) -> tuple[str, str]:
    """Something is said and slept on; the ids of the message and of the sleep."""
    clock.wait(days=1)
    (said,) = (
        reverie.agent("mama").observe([{"content": text, "speaker": "Anna"}], conversation=text).episode_ids
    )
    clock.wait(hours=9)
    report = slept(reverie, *changes)
    assert len(report.changes) == len(changes), report.sleep.rejected
    return said, report.sleep.id


def _revise(id: str, text: str) -> Revise:
    return Revise(memory_id=id, essence=text, reason="she moved", sources=(text,))


def _vector(agent: Agent, id: str) -> list[float]:
    with agent._desk.store.read(agent.id) as unit:
        return [float(one) for one in unit.memories.vectors([id])[id]]


def _versions(agent: Agent, id: str) -> list[int]:
    with agent._desk.store.read(agent.id) as unit:
        return [one.version for one in unit.memories.versions(id)]


def test_a_forgotten_rewording_leaves_the_old_words(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    home = kept(mama, HOME, lesson="Ask where she is", tags=["home"])
    vector = _vector(mama, home.id)
    said, _ = _night(reverie, clock, SHELTER, _revise(home.id, SHELTER))
    assert _vector(mama, home.id) != vector
    receipt = mama.forget(said)
    assert (receipt.memories, receipt.reworded_memories) == ((), (home.id,))
    [after] = mama.memories()
    assert replace(after, updated_at=home.updated_at) == home
    assert after.updated_at == clock.now
    assert _vector(mama, home.id) == vector
    assert _versions(mama, home.id) == []
    assert holding(mama, "Lindenquux") == []


def test_its_new_words_are_not_learned_again(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    home = kept(mama, HOME)
    said, _ = _night(reverie, clock, SHELTER, _revise(home.id, SHELTER))
    mama.forget(said)
    with pytest.raises(Forgotten):
        mama.revise(home.id, essence=SHELTER)


def test_another_source_keeps_no_forgotten_words(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    told = mama.observe([{"content": HOME, "speaker": "Anna"}], conversation="old").episode_ids
    home = kept(mama, HOME, source_episodes=told)
    slept(reverie)
    said, _ = _night(reverie, clock, SHELTER, _revise(home.id, SHELTER))
    receipt = mama.forget(said)
    assert receipt.unlinked_memories == receipt.reworded_memories == (home.id,)
    [after] = mama.memories()
    assert (after.essence, after.source_episodes) == (HOME, told)
    assert holding(mama, "Lindenquux") == []


def test_a_range_of_time_does_the_same(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    home = kept(mama, HOME)
    clock.wait(days=3)
    since = clock.now
    _night(reverie, clock, SHELTER, _revise(home.id, SHELTER))
    receipt = mama.forget(since=since)
    assert receipt.reworded_memories == (home.id,)
    assert [one.essence for one in mama.memories()] == [HOME]
    assert holding(mama, "Lindenquux") == []


def test_what_changed_since_for_another_reason_stays(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    home = kept(mama, HOME)
    said, _ = _night(reverie, clock, SHELTER, _revise(home.id, SHELTER))
    mama.revise(home.id, priority="critical", confidence=0.3)
    _, faded = _night(reverie, clock, FARO, Fade(memory_id=home.id, confidence=0.2, sources=(FARO,)))
    mama.forget(said)
    [after] = mama.memories(deep=True)
    assert (after.essence, after.priority, after.confidence) == (HOME, "critical", 0.2)
    undone(mama, faded, force=True)
    assert mama.memories()[0].confidence == 0.3


def test_a_later_wording_stays_when_an_earlier_one_goes(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    home = kept(mama, HOME)
    said, _ = _night(reverie, clock, SHELTER, _revise(home.id, SHELTER))
    _night(reverie, clock, FARO, _revise(home.id, FARO))
    receipt = mama.forget(said)
    assert receipt.reworded_memories == ()
    assert [(one.essence, one.version) for one in mama.memories()] == [(FARO, 3)]
    assert _versions(mama, home.id) == [1]
    assert holding(mama, "Lindenquux") == []
    assert mama.revise(home.id, essence="Anna lives in Madrid").version == 4


def test_forgetting_messages_leads_back_step_by_step(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    home = kept(mama, HOME)
    first, _ = _night(reverie, clock, SHELTER, _revise(home.id, SHELTER))
    second, _ = _night(reverie, clock, FARO, _revise(home.id, FARO))
    mama.forget(second)
    assert [(one.essence, one.version) for one in mama.memories()] == [(SHELTER, 2)]
    mama.forget(first)
    assert [(one.essence, one.version) for one in mama.memories()] == [(HOME, 1)]
    assert mama.revise(home.id, essence="Anna lives in Madrid").version == 2


def test_the_rest_of_the_night_can_still_be_undone(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    home, dog = kept(mama, HOME), kept(mama, "The dog of Anna is called Rex")
    clock.wait(days=1)
    texts = (SHELTER, "The dog of Anna is called Rex")
    said = mama.observe([{"content": text, "speaker": "Anna"} for text in texts]).episode_ids
    clock.wait(hours=9)
    again = Reinforce(memory_id=dog.id, reason="again", sources=texts[1:])
    report = slept(reverie, _revise(home.id, SHELTER), again)
    assert len(report.changes) == 2
    mama.forget(said[0])
    undone(mama, report.sleep.id)
    assert [one.essence for one in mama.memories()] == [HOME, dog.essence]
    assert mama.get(dog.id) == dog
    assert holding(mama, "Lindenquux") == []


def test_what_rested_on_nothing_else_goes_whole(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    told = mama.observe([{"content": HOME, "speaker": "Anna"}], conversation="old").episode_ids
    home = kept(mama, HOME, source_episodes=told)
    slept(reverie)
    said, _ = _night(reverie, clock, SHELTER, _revise(home.id, SHELTER))
    mama.forget(said)
    assert mama.forget(told[0]).memories == (home.id,)
    assert mama.memories(deep=True) == []


def test_an_undone_rewording_counts_no_more(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    home = kept(mama, HOME)
    first, sleep = _night(reverie, clock, SHELTER, _revise(home.id, SHELTER))
    undone(mama, sleep)
    slept(reverie)
    second, _ = _night(reverie, clock, FARO, _revise(home.id, FARO))
    assert mama.forget(first).reworded_memories == ()
    assert [one.essence for one in mama.memories()] == [FARO]
    assert mama.forget(second).reworded_memories == (home.id,)
    assert [one.essence for one in mama.memories()] == [HOME]


PLACE = "Zanzibarquux"
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
    assert holding(mama, PLACE) == []
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
    assert PLACE in " ".join(_essences(mama))
    assert {one.quoted.episode for one in mama.memories() if one.quoted is not None} == {*said}
    receipt = mama.forget(said[0])
    assert len(receipt.memories) == 1
    assert holding(mama, PLACE) == []
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
    assert holding(mama, PLACE) == []


def test_a_past_wording_that_quotes_it_goes(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    old, newest = (
        "My climbing wall is the Zanzibarquux on Harbour Road.",
        "My new climbing wall is the Kletterwerk.",
    )
    first, known = _learned(reverie, clock, old)
    _taken_over(reverie, clock, known, NEW, f"{NEW} {old}")
    _taken_over(reverie, clock, known, newest, newest)
    assert holding(mama, PLACE)
    mama.forget(first)
    assert holding(mama, PLACE) == []
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
