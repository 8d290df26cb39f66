"""A window of a stored conversation: the bank gives its messages with their speakers, and what stands for the older."""

from __future__ import annotations

from datetime import timedelta

import pytest

from reverie import Agent, InvalidInput, Memory, NotFound, Reverie
from reverie.domain.memory import Memory as Kept
from reverie.domain.summary import Summary
from reverie.ports.store import Unit
from tests.services.bench import NOON, Clock, kept

ROOM = 2_000


def _talk(reverie: Reverie, clock: Clock, count: int) -> None:
    plaza = reverie.room("plaza", ["nova", "kade"])
    for number in range(count):
        clock.wait(minutes=1)
        plaza.say(("kade", "Iris", "nova")[number % 3], f"message number {number}")


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
    _talk(reverie, clock, 9)
    nova = reverie.agent("nova")
    _close(nova, "They spoke of the ferry", 0, 2)
    _close(nova, "They spoke of the lighthouse", 3, 5)
    made = nova.window(conversation="plaza", max_tokens=ROOM, reserve=0)
    assert [one.content for one in made.messages] == [f"message number {number}" for number in (6, 7, 8)]
    heading, ferry, lighthouse = (
        made.system_message.index(part)
        for part in (
            "Earlier in this conversation, in part said by others",
            "of the ferry",
            "of the lighthouse",
        )
    )
    assert heading < ferry < lighthouse


def test_of_a_summary_that_is_too_long_its_beginning_enters(reverie: Reverie, clock: Clock) -> None:
    _talk(reverie, clock, 3)
    nova = reverie.agent("nova")
    _close(nova, " ".join(f"Kade told of island number {number}." for number in range(400)), 0, 1)
    made = nova.window(conversation="plaza", max_tokens=ROOM, reserve=0)
    assert "island number 0." in made.system_message
    assert "island number 399." not in made.system_message
    assert made.token_count <= ROOM


def test_of_a_long_talk_the_latest_enter_and_the_others_as_a_summary(reverie: Reverie, clock: Clock) -> None:
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
