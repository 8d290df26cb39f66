"""The loop after a sleep: what a sleep has read is no news, and what is said again later is evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from reverie import Origin, Reverie, State
from reverie.domain.snippet import Extracted, Snippet
from reverie.embedders.minilm import MiniLM
from tests.services.beds import Bed, bed, each_said, learn, revise
from tests.services.bench import NOON, Clock
from tests.services.conftest import Open
from tests.services.kept_house import kept_house, planted
from tests.services.scripted import proposal

pytestmark = pytest.mark.slow

POST = "Anna works at the post office"
BAKERY = "Anna works at the bakery now"
PENICILLIN = "David is allergic to penicillin"


@pytest.fixture(scope="module")
def minilm() -> MiniLM:
    """The embedder that is shipped: read-only."""
    return MiniLM()


@pytest.fixture
def night(reverie: Reverie) -> Bed:
    return bed(reverie)


def _slept(night: Bed, *texts: str, **fields: object) -> tuple[str, ...]:
    """Said, and slept upon: each a memory of its own words, true since it was said."""
    ids = night.said(*texts, **fields)
    night.sleep(*(learn(text, (id,), since=NOON) for text, id in zip(texts, ids, strict=True)))
    return ids


def test_what_a_sleep_has_kept_is_not_kept_again(night: Bed) -> None:
    _slept(night, POST)
    before = night.memories()
    done = night.agent.attend()
    assert (done.snippets, done.inserted, done.reinforced, done.rejected) == (1, (), (), {"known": 1})
    assert night.memories() == before
    assert [one.reinforcement_count for one in before] == [1]


def test_the_same_holds_for_what_was_said_while_the_agent_paused(night: Bed) -> None:
    night.agent.jobs.pause()
    night.said(POST)
    night.agent.jobs.resume()
    night.mind.dream = each_said
    night.again()
    before = night.memories()
    night.agent.attend()
    assert (len(before), night.memories()) == (1, before)


def test_what_a_sleep_worded_otherwise_is_not_kept_again(night: Bed) -> None:
    [id] = night.said(f"{POST}, she says.")
    night.sleep(learn("Anna says that she works at the post office", (id,)))
    assert night.agent.attend().inserted == ()


def test_what_a_sleep_has_replaced_does_not_come_back(night: Bed, clock: Clock) -> None:
    first, second = night.said(POST, BAKERY)
    night.sleep(learn(POST, (first,)))
    [old] = night.memories()
    night.agent.remember(BAKERY, source_episodes=[second], supersedes=[old.id], source_trust="principal")
    night.agent.attend()
    assert [one.essence for one in night.memories() if one.state is State.ACTIVE] == [BAKERY]


def test_what_a_sleep_has_revised_does_not_come_back(night: Bed, clock: Clock) -> None:
    _slept(night, POST)
    [known] = night.memories()
    clock.wait(hours=1)
    [later] = night.said(BAKERY)
    night.sleep(revise(known, BAKERY, (later,), reason="she changed"))
    night.agent.attend()
    assert [one.essence for one in night.memories()] == [BAKERY]


def test_what_a_sleep_left_of_a_message_is_kept(night: Bed) -> None:
    bees = "Péter keeps seven bees"

    def both(snippet: Snippet) -> Sequence[Extracted]:
        return [proposal(snippet.new[0], essence=essence) for essence in (POST, bees)]

    night.mind.script = both
    [id] = night.said(f"{POST}, and {bees}")
    night.sleep(learn(POST, (id,)))
    done = night.agent.attend()
    assert (len(done.inserted), done.rejected) == (1, {"known": 1})
    assert {one.essence for one in night.memories()} == {POST, bees}


def test_what_a_sleep_made_nothing_of_is_kept(night: Bed) -> None:
    night.said(POST)
    night.sleep()
    assert len(night.agent.attend().inserted) == 1


def test_what_a_sleep_reads_while_the_loop_does_is_kept_once(night: Bed) -> None:
    night.said(POST)
    night.mind.dream = each_said
    night.mind.meanwhile = night.again
    done = night.agent.attend()
    assert (done.snippets, done.inserted, done.left) == (1, (), 0)
    assert [one.origin for one in night.memories()] == [Origin.SLEEP]


def test_what_is_said_again_reinforces_what_a_sleep_kept(night: Bed, clock: Clock) -> None:
    [first] = _slept(night, PENICILLIN)
    [known] = night.memories()
    clock.wait(days=3)
    [second] = night.said(PENICILLIN)
    done = night.agent.attend()
    assert (done.inserted, done.reinforced) == ((), (known.id,))
    again = night.memory(known.id)
    assert (again.reinforcement_count, again.valid_from) == (2, known.valid_from)
    assert set(again.source_episodes) == {first, second}


def test_a_later_sleep_reinforces_what_the_first_kept(night: Bed, clock: Clock) -> None:
    _slept(night, PENICILLIN)
    [known] = night.memories()
    clock.wait(days=3)
    [again] = night.said(PENICILLIN)
    night.sleep(learn(PENICILLIN, (again,), since=clock.now))
    assert [(one.id, one.reinforcement_count) for one in night.memories()] == [(known.id, 2)]


def test_housekeeping_mends_what_stands_there_twice(night: Bed) -> None:
    _slept(night, POST)
    [known] = night.memories()
    planted(night.agent, replace(known, id="twin", origin=Origin.LOOP, valid_from=None))
    assert [(pair.survivor, pair.merged) for pair in kept_house(night.agent).merged] == [(known.id, "twin")]
    now = night.memory(known.id)
    assert (now.reinforcement_count, now.valid_from) == (1, known.valid_from)


LENA = [
    "We adopted a cat, her name is Miso.",
    "Oh, how lovely!",
    "We move in on 1 January.",
    "That is soon, good luck with the boxes.",
    "My sister Rosa works at the post office.",
    "Nice!",
]


@pytest.mark.parametrize("paused", [False, True])
def test_after_a_sleep_the_loop_keeps_nothing_twice(open_bank: Open, minilm: MiniLM, paused: bool) -> None:
    mama = open_bank(embedder=minilm).agent("mama")
    if paused:
        mama.jobs.pause()
    mama.observe(
        [
            {
                "content": text,
                "role": "assistant" if place % 2 else "user",
                "speaker": None if place % 2 else "Lena",
            }
            for place, text in enumerate(LENA)
        ]
    )
    if paused:
        mama.jobs.resume()
    mama.sleep()
    before = mama.memories()
    assert len(before) >= 3
    done = mama.attend()
    assert (done.snippets, done.inserted, done.reinforced) == (1, (), ())
    assert mama.memories() == before
