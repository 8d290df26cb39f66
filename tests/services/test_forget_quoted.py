"""What a forget leaves of wordings that carry an earlier one: what is so now, with "Before that: …" behind it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from reverie import Agent, Episode, Forgot, Forgotten, Origin, Reverie
from reverie.domain.change import Revise
from reverie.ports.transfer import CACHES, TABLES, UNREVISED
from tests.services.bench import Clock, kept
from tests.services.nights import slept

pytestmark = pytest.mark.slow

WORD = "Zanzibarquux"
PAIRS = {
    "Biscuit's vet is Dr Keane at the Zanzibarquux clinic.": "Biscuit sees Dr Molloy now, Dr Keane retired.",
    "My climbing wall is the Zanzibarquux on Harbour Road.": "My new climbing wall is the Ost.",
    "My car is a Zanzibarquux Yaris with a cracked screen.": "I sold the Yaris, I drive a Volvo now.",
}
OLD, NEW = "My climbing wall is the Boulderhaus on Harbour Road.", "My new climbing wall is the Ost."
BOTH = f"{NEW} Owen and the mayor had lasagne at Luca's tavern in Ghent."
WALL = "Rosa's climbing wall is the Boulderhaus on Harbour Road."


def _tables(reverie: Reverie) -> str:
    with reverie._desk.store.read("mama") as unit:
        return repr([[*unit.transfer.pages(table)] for table in (*TABLES, *UNREVISED, *CACHES)])


def _said(agent: Agent, clock: Clock, text: str) -> str:
    """Something is said, in a conversation of its own, and slept on by the local mind; the id of the message."""
    clock.wait(days=3)
    (id,) = agent.observe(
        [{"content": text, "speaker": "Rosa"}], conversation=f"of {clock.now:%d %B}"
    ).episode_ids
    clock.wait(hours=12)
    agent.sleep()
    return id


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
    first, second = _said(mama, clock, old), _said(mama, clock, new)
    assert any(WORD in one and "Before that: " in one for one in _essences(mama))
    receipt = forget(mama, first)
    assert receipt.reworded_memories
    assert receipt.still_told == (second,)
    assert WORD not in _tables(reverie)
    assert not any("Before that" in one for one in _essences(mama))
    assert set(new.split()[-2:]) & set(" ".join(_essences(mama)).split())


def test_what_was_so_before_stays_where_another_message_says_it(mama: Agent, clock: Clock) -> None:
    first = _said(mama, clock, OLD)
    _said(mama, clock, "The Boulderhaus is my climbing wall, on Harbour Road.")
    _said(mama, clock, NEW)
    before = _essences(mama)
    assert any("Before that" in one for one in before)
    mama.forget(first)
    assert [one for one in _essences(mama) if "Before that" in one] == [
        one for one in before if "Before" in one
    ]


def test_a_clause_that_a_new_wording_took_over_goes_with_the_message_that_said_it(
    reverie: Reverie, mama: Agent, clock: Clock
) -> None:
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
    assert WORD not in _tables(reverie)


def test_a_past_wording_that_quotes_it_leaves_the_history(
    reverie: Reverie, mama: Agent, clock: Clock
) -> None:
    first = _said(mama, clock, "My climbing wall is the Zanzibarquux on Harbour Road.")
    _said(mama, clock, NEW)
    _said(mama, clock, "My new climbing wall is the Kletterwerk.")
    mama.forget(first)
    assert WORD not in _tables(reverie)
    assert any("Kletterwerk" in one for one in _essences(mama))


def test_what_an_older_message_alone_says_is_said_again_and_may_be_learned(
    reverie: Reverie, mama: Agent, clock: Clock
) -> None:
    first, second = _said(mama, clock, OLD), _said(mama, clock, BOTH)
    assert any("Before that" in one for one in _essences(mama))
    newer = kept(
        mama, "Rosa climbs at the Ost, a new climbing wall", source_episodes=[second], origin=Origin.LOOP
    )
    receipt = mama.forget(newer.id)
    assert receipt.memories == (newer.id,)
    assert WALL in _essences(mama)
    assert "Ost" not in " ".join(_essences(mama))
    assert "the Ost" not in _tables(reverie)
    mama.remember(WALL, source_episodes=[first])
    with pytest.raises(Forgotten):
        mama.remember(newer.essence)
