"""Laws of forgetting what waits for an embedder: it goes from the bank at once, and is not learned again."""

from __future__ import annotations

import pytest

from reverie import Agent, CaptureSettings, NotFound, RememberSettings, Settings
from reverie.domain.outcome import Queued
from reverie.errors import Forgotten
from tests.services.bench import Clock
from tests.services.conftest import Open
from tests.services.moody import Moody, flush, kept, raw, said, told, waiting
from tests.services.traces import holding


@pytest.fixture
def mama(open_bank: Open, moody: Moody) -> Agent:
    return open_bank(
        embedder=moody,
        settings=Settings(remember=RememberSettings(emotions=False), capture=CaptureSettings(enabled=False)),
    ).agent("mama")


def test_forgetting_everything_empties_the_outbox(mama: Agent, moody: Moody) -> None:
    told(mama, "hello")
    moody.broken = True
    told(mama, {"content": "a word in waiting", "ref": "r1"})
    kept(mama, "a thought in waiting")
    receipt = mama.forget(everything=True)
    assert (receipt.queued, waiting(mama)) == (2, 0)
    moody.broken = False
    assert told(mama, {"content": "a word in waiting", "ref": "r1"}).forgotten == 1
    with pytest.raises(Forgotten):
        kept(mama, "a thought in waiting")


def test_forgetting_a_room_takes_its_waiting_messages_alone(mama: Agent, moody: Moody) -> None:
    told(mama, "stored here", conversation="here")
    moody.broken = True
    told(mama, {"content": "waiting here", "ref": "r1"}, "more here", conversation="here")
    told(mama, "waiting there", conversation="there")
    receipt = mama.forget(conversation="here")
    assert (len(receipt.episodes), receipt.queued) == (1, 2)
    assert holding(mama, "waiting here") == []
    moody.broken = False
    flush(mama)
    assert sorted(said(mama)) == ["waiting there"]
    assert told(mama, {"content": "waiting here", "ref": "r1"}, conversation="here").forgotten == 1


def test_a_conversation_that_only_waits_can_be_forgotten(mama: Agent, moody: Moody) -> None:
    moody.broken = True
    told(mama, "waiting here", conversation="here")
    with pytest.raises(NotFound):
        mama.forget(conversation="there")
    assert mama.forget(conversation="here").queued == 1
    assert waiting(mama) == 0


def test_forgetting_a_range_takes_what_was_told_then(mama: Agent, moody: Moody, clock: Clock) -> None:
    moody.broken = True
    start = clock.now
    told(mama, "first", {"content": "long ago", "time": "2020-01-01T00:00:00+00:00"})
    kept(mama, "first thought")
    middle = clock.wait(hours=1)
    told(mama, "second")
    kept(mama, "second thought")
    assert mama.forget(since=start, until=middle).queued == 2
    moody.broken = False
    flush(mama)
    assert sorted(said(mama)) == ["long ago", "second"]
    assert [one.essence for one in mama.memories()] == ["second thought"]


def test_forgetting_a_memory_cuts_its_sentences_from_what_waits(mama: Agent, moody: Moody) -> None:
    (known,) = kept(mama, "The safe's combination is twelve")
    moody.broken = True
    told(
        mama,
        "We met at noon. The safe's combination is twelve.",
        "the safe's combination is twelve",
        "unrelated",
    )
    kept(mama, "the safe's combination is TWELVE", "unrelated thought")
    receipt = mama.forget(known.memory.id)
    assert receipt.queued == 2
    assert "combination" not in raw(mama)
    moody.broken = False
    flush(mama)
    assert sorted(said(mama)) == ["We met at noon.", "unrelated"]
    assert [one.essence for one in mama.memories()] == ["unrelated thought"]


def test_forgetting_an_episode_takes_what_waits_on_it_alone(mama: Agent, moody: Moody) -> None:
    one, two = told(mama, "Anna moved to Lisbon", "Péter stays").episode_ids
    moody.broken = True
    kept(
        mama,
        {"essence": "Anna lives in Lisbon", "source_episodes": [one]},
        {"essence": "They live apart", "source_episodes": [one, two]},
    )
    assert mama.forget(one).queued == 1
    moody.broken = False
    flush(mama)
    (left,) = mama.memories()
    assert (left.essence, left.source_episodes) == ("They live apart", (two,))


def test_a_memory_that_waits_can_be_forgotten_by_its_id(mama: Agent, moody: Moody) -> None:
    moody.broken = True
    one, other = kept(mama, "one thought", "other words entirely")
    assert isinstance(one, Queued)
    assert mama.forget(one.memory.id).queued == 1
    moody.broken = False
    flush(mama)
    assert [memory.id for memory in mama.memories()] == [other.memory.id]
    with pytest.raises(Forgotten):
        kept(mama, "one thought")
