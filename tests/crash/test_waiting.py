"""A writer that holds the lock, and those who wait for it."""

from __future__ import annotations

import pytest

from tests.crash.fleet import Fleet, Place
from tests.crash.proof import opened, prove, prove_whole
from tests.crash.story import Content, Step

Based = tuple[Place, Content]

CHANGES: list[Step] = [("observe", 100, 20), ("forget", 3)]


@pytest.mark.parametrize("step", CHANGES, ids=lambda step: str(step[0]))
def test_a_write_waits_for_another_process_to_end_its_own(fleet: Fleet, base: Based, step: Step) -> None:
    place, content = base
    holder, waiter = (child.open(place) for child in fleet.start(2))
    holder.ask("hold")
    waiter.ask("tell_when_waiting")
    waiter.send(step)
    assert waiter.answer() == {"waiting": True}
    holder.ask("release")
    answer = waiter.answer()
    while answer == {"waiting": True}:
        answer = waiter.answer()
    assert answer is not None
    assert "error" not in answer
    with opened(place) as (reverie, agent):
        prove(reverie, agent, content.after(step))


@pytest.mark.parametrize("step", CHANGES, ids=lambda step: str(step[0]))
def test_a_write_that_waits_too_long_says_busy_and_changes_nothing(
    fleet: Fleet, base: Based, step: Step
) -> None:
    place, content = base
    holder, waiter = fleet.start(2)
    holder.open(place).ask("hold")
    waiter.open(place, busy_seconds=0.05)
    answer = waiter.try_to(*step)
    assert answer["error"] == "Busy"
    assert str(place.bank) in answer["text"]
    assert "0.05 s" in answer["text"]
    assert "repeat it" in answer["text"]
    assert waiter.ask("recall", 1)["best"] == [1, 1]
    holder.ask("release")
    with opened(place) as (reverie, agent):
        assert prove_whole(reverie, agent) == content
    waiter.ask(*step)
    with opened(place) as (reverie, agent):
        prove(reverie, agent, content.after(step))


def test_a_writer_that_is_killed_while_it_holds_the_lock_frees_it(fleet: Fleet, base: Based) -> None:
    place, content = base
    holder, waiter = (child.open(place) for child in fleet.start(2))
    holder.ask("hold")
    waiter.ask("tell_when_waiting")
    waiter.send(("remember", 100))
    assert waiter.answer() == {"waiting": True}
    holder.kill()
    assert waiter.answer() == {"verb": "remember", "inserted": True}
    with opened(place) as (reverie, agent):
        prove(reverie, agent, content.after(("remember", 100)))
