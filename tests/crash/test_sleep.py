"""Processes killed while they sleep: a sleep is there whole or not at all, and another one takes over."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from datetime import timedelta

from reverie import Agent, Origin, Reverie
from reverie.domain.job import LEASE
from reverie.services.sleep.sleep import sleep
from reverie.services.sleep.sleeps import report, sleeps
from tests.crash import story
from tests.crash.fleet import Fleet, Place
from tests.crash.kills import Range, Shot, kill_inside, looking, prepared, shots
from tests.crash.story import Content, Step
from tests.services.beds import Dreamer, each_said
from tests.services.scripted import minded

Based = tuple[Place, Content]

NEW = 20
BEFORE: tuple[Step, ...] = (("open",), ("dream",), ("observe", 100, NEW))
EVERY = 12 + NEW
"""Episodes that wait: twelve that were there, and the new ones."""


@dataclass(frozen=True, kw_only=True)
class _Slept:
    """What a sleep left: its memories, its record, how many episodes wait."""

    memories: int
    records: int
    waiting: int
    told: int


def _slept(reverie: Reverie, agent: Agent) -> _Slept:
    assert list(reverie.check()) == []
    desk = reverie._desk
    records = sleeps(desk, story.AGENT)
    made = [one for one in agent.memories(deep=True, limit=500) if one.origin is Origin.SLEEP]
    assert len({one.essence for one in made}) == len(made)
    with desk.store.read(story.AGENT) as unit:
        waiting = unit.episodes.count_unconsolidated()
    return _Slept(
        memories=len(made), records=len(records), waiting=waiting,
        told=sum(len(report(desk, story.AGENT, one.id).changes) for one in records),
    )  # fmt: skip


def _prove_that_another_takes_over(reverie: Reverie) -> None:
    """At once where the system tells that the holder is dead, else when its lease has run out."""
    thinking, agent = minded(reverie, Dreamer(dream=each_said))
    desk = thinking._desk
    if sys.platform != "linux":
        desk = replace(desk, clock=lambda: thinking._desk.clock() + LEASE + timedelta(seconds=1))
    sleep(desk, story.AGENT, actor="next")
    found = _slept(thinking, agent)
    assert (found.records, found.waiting) == (1, 0)
    assert found.memories > 0


@shots(10)
def test_a_kill_inside_a_sleep_leaves_it_whole_or_absent(
    fleet: Fleet, base: Based, targets: Range, shot: Shot
) -> None:
    place, _ = base
    point = shot.point(targets.points(BEFORE, ("sleep",)))
    with looking(place, shot.scene) as look:
        child = prepared(fleet, place, BEFORE)
        kill_inside(child, place, ("sleep",), at=point, way=shot.way)
        with look() as (reverie, agent):
            found = _slept(reverie, agent)
            if found.records:
                assert (found.records, found.waiting) == (1, 0)
                assert found.memories > 0
                assert found.told >= found.memories
            else:
                assert found == _Slept(memories=0, records=0, waiting=EVERY, told=0)
            _prove_that_another_takes_over(reverie)
