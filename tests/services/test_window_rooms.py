"""A window of a stored conversation: the bank gives its messages with their speakers, and what stands for the older."""

from __future__ import annotations

from datetime import timedelta

import pytest

from reverie import Agent, InvalidInput, Memory, NotFound, Reverie
from reverie.domain.memory import Memory as Kept
from reverie.domain.summary import Summary
from reverie.ports.store import Unit
from tests.services.bench import NOON, Clock, kept

pytestmark = pytest.mark.slow

ROOM = 2_000


LONG = " of the sea" * 95
"""So much that three such messages are all that enters in full."""


def _talk(reverie: Reverie, clock: Clock, count: int, more: str = "") -> None:
    plaza = reverie.room("plaza", ["nova", "kade"])
    for number in range(count):
        clock.wait(minutes=1)
        plaza.say(("kade", "Iris", "nova")[number % 3], f"message number {number}{more}")


def _close(agent: Agent, essence: str, first: int, last: int) -> Kept:
    """What self-care does, without a mind: a summary stands for these messages."""
    memory: Memory = kept(agent, essence, kind="observation", source_trust="other")

    def work(unit: Unit) -> None:
        at = NOON + timedelta(minutes=first)
        unit.summaries.add(
            Summary(
                memory_id=memory.id, job="a-job", conversation="plaza", first=first, last=last, items=last - first + 1,
                began_at=at, ended_at=at, created_at=at,
            )
        )  # fmt: skip

    agent._desk.store.transact(agent.id, work)
    return memory


def _contents(agent: Agent, **given: object) -> list[str]:
    made = agent.window(conversation="plaza", max_tokens=ROOM, reserve=0, **given)  # type: ignore[arg-type]
    return [one["content"] for one in made.as_messages() if one["role"] != "system"]


def test_the_messages_of_a_room_enter_with_their_speakers(reverie: Reverie, clock: Clock) -> None:
    _talk(reverie, clock, 3)
    assert _contents(reverie.agent("nova")) == [
        "[other] kade: message number 0",
        "[other] Iris: message number 1",
        "message number 2",
    ]
    made = reverie.agent("nova").window(conversation="plaza", max_tokens=ROOM, reserve=0)
    assert "user: [other] kade: message number 0" in made.text
    assert "assistant nova: message number 2" in made.text
    assert made.episodes == ()


def test_what_is_closed_stands_there_as_its_summary(reverie: Reverie, clock: Clock) -> None:
    _talk(reverie, clock, 9, LONG)
    nova = reverie.agent("nova")
    _close(nova, "They spoke of the ferry", 0, 2)
    _close(nova, "They spoke of the lighthouse", 3, 5)
    made = nova.window(conversation="plaza", max_tokens=ROOM, reserve=0)
    assert [one.content for one in made.messages] == [
        f"message number {number}{LONG}" for number in (6, 7, 8)
    ]
    earlier = made.system_message.partition("Earlier in this conversation, in part said by others")[2]
    assert 0 < earlier.index("of the ferry") < earlier.index("of the lighthouse")


def test_what_was_said_last_stays_verbatim_if_it_fits(reverie: Reverie, clock: Clock) -> None:
    _talk(reverie, clock, 9)
    nova = reverie.agent("nova")
    _close(nova, "They spoke of the ferry", 0, 8)
    clock.wait(days=2)
    reverie.room("plaza", ["nova", "kade"]).say("kade", "Where were we?")
    made = nova.window(conversation="plaza", max_tokens=ROOM, reserve=0)
    assert [one.content for one in made.messages] == [
        *(f"message number {number}" for number in range(9)),
        "Where were we?",
    ]
    assert "of the ferry" not in made.system_message


def test_a_closed_talk_alone_is_told_by_its_last_messages(reverie: Reverie, clock: Clock) -> None:
    _talk(reverie, clock, 9)
    nova = reverie.agent("nova")
    _close(nova, "They spoke of the ferry", 0, 8)
    made = nova.window(conversation="plaza", max_tokens=ROOM, reserve=0)
    assert len(made.messages) == 9


def test_of_a_summary_that_is_too_long_its_beginning_enters(reverie: Reverie, clock: Clock) -> None:
    _talk(reverie, clock, 6, LONG)
    nova = reverie.agent("nova")
    _close(nova, " ".join(f"Kade told of island number {number}." for number in range(400)), 0, 4)
    made = nova.window(conversation="plaza", max_tokens=ROOM, reserve=0)
    assert "island number 0." in made.system_message
    assert "island number 399." not in made.system_message
    assert made.token_count <= ROOM


def test_a_long_talk_enters_as_summary_and_latest_messages(reverie: Reverie, clock: Clock) -> None:
    said = [{"content": f"message number {number}", "speaker": "Iris"} for number in range(600)]
    reverie.agent("kade").observe(said, conversation="plaza", channel="room")
    made = reverie.agent("kade").window(conversation="plaza", max_tokens=ROOM, reserve=0)
    assert made.messages[-1].content == "message number 599"
    assert made.summary is not None
    assert made.token_count <= ROOM


def test_a_conversation_that_nobody_knows_is_not_found(reverie: Reverie) -> None:
    with pytest.raises(NotFound, match="conversation"):
        reverie.agent("nova").window(conversation="nowhere", max_tokens=ROOM)
    with pytest.raises(InvalidInput, match="messages"):
        reverie.agent("nova").window(max_tokens=ROOM)
