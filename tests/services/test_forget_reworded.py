"""What a forget leaves of memories that were reworded by what is forgotten."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reverie import Agent, Forgotten, Reverie
from reverie.domain.change import Change, Fade, Reinforce, Revise
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
