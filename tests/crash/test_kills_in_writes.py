"""Processes killed inside commits, batches of messages, changes and flushes of touches."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from reverie import NotFound
from tests.crash import story
from tests.crash.fleet import Fleet, Place
from tests.crash.kills import Range, Shot, kill_inside, looking, prepared, shots
from tests.crash.proof import prove, prove_whole
from tests.crash.story import Content, Step

Based = tuple[Place, Content]

OPEN: Step = ("open",)
WRITTEN: Sequence[Step] = (("remember", 100), ("observe", 100, 3), ("remember", 101))
"""Acknowledged before the kill, and still only in the log."""


WRITES: Sequence[Step] = (
    ("remember", 102),
    ("remember", 7),  # which is there: a reinforcement
    ("observe", 200, 5 * story.BATCH),
    ("revise", 3),
    ("forget", 3),
)


@pytest.mark.parametrize("step", WRITES, ids=lambda step: " ".join(map(str, step)))
@shots(10)
def test_a_kill_inside_a_write_leaves_whole_transactions_of_it(
    fleet: Fleet, base: Based, targets: Range, shot: Shot, step: Step
) -> None:
    place, content = base
    acknowledged = content.after(*WRITTEN)
    point = shot.point(targets.points((OPEN, *WRITTEN), step))
    with looking(place, shot.scene) as look:
        child = prepared(fleet, place, (OPEN, *WRITTEN))
        kill_inside(child, place, step, at=point, way=shot.way)
        with look() as (reverie, agent):
            prove(reverie, agent, *acknowledged.on_the_way(step))


@shots(6)
def test_observing_again_completes_a_batch_that_a_kill_cut_short(
    fleet: Fleet, base: Based, targets: Range, shot: Shot
) -> None:
    place, content = base
    step = ("observe", 200, 5 * story.BATCH)
    point = shot.point(targets.points((OPEN,), step))
    kill_inside(prepared(fleet, place, (OPEN,)), place, step, at=point, way=shot.way)
    with looking(place, "in place") as look, look() as (reverie, agent):
        there = len(prove_whole(reverie, agent).episodes) - len(content.episodes)
        messages = [story.message(number) for number in range(200, 200 + 5 * story.BATCH)]
        seen = agent.observe(messages, conversation=story.ROOM)
        assert (seen.known, seen.stored) == (there, len(messages) - there)
        prove(reverie, agent, content.after(step))


@shots(6, scenes=("in place",))
def test_a_kill_inside_a_forget_lets_the_next_forget_finish(
    fleet: Fleet, base: Based, targets: Range, shot: Shot
) -> None:
    place, content = base
    point = shot.point(targets.points((OPEN,), ("forget", 3)))
    kill_inside(prepared(fleet, place, (OPEN,)), place, ("forget", 3), at=point, way=shot.way)
    with looking(place, "in place") as look, look() as (reverie, agent):
        for memory in agent.memories():
            if story.number_of(memory.essence)[0] == 3:
                agent.forget(memory.id)
                with pytest.raises(NotFound):
                    agent.get(memory.id)
        reverie._desk.store.scour()
        prove(reverie, agent, content.after(("forget", 3)))


@shots(8, scenes=("in place", "as a copy"))
def test_a_kill_while_touches_are_written_loses_touches_at_most(
    fleet: Fleet, base: Based, targets: Range, shot: Shot
) -> None:
    place, content = base
    before: Sequence[Step] = (OPEN, ("recall", 1), ("recall", 1))
    point = shot.point(targets.points(before, ("close",)))
    with looking(place, shot.scene) as look:
        kill_inside(prepared(fleet, place, before), place, ("close",), at=point, way=shot.way)
        with look() as (reverie, agent):
            assert prove_whole(reverie, agent) == content
            touched = {m.touches for m in agent.memories() if story.number_of(m.essence)[0] == 1}
            assert touched in ({0}, {2})
            prove(reverie, agent, content)
