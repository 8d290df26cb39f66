"""Processes killed from outside while they write as fast as they can."""

from __future__ import annotations

import pytest

from tests.crash import story
from tests.crash.fleet import Child, Fleet, Place
from tests.crash.proof import opened, prove, prove_whole
from tests.crash.story import Content, Step

MOST = 60


def _steps(first: int) -> list[Step]:
    """What one process does, in an order in which each step is possible."""
    steps: list[Step] = []
    for number in range(first, first + MOST):
        steps += [("remember", number), ("observe", first + 20 * number, 2 * story.BATCH + 1)]
        if number % 3 == 0:
            steps += [("revise", number)]
        if number % 5 == 0:
            steps += [("forget", number)]
    return steps


def _acknowledged(child: Child, count: int) -> int:
    for _ in range(count):
        answer = child.answer()
        assert answer is not None
        assert "error" not in answer
    return count


@pytest.mark.parametrize("count", [1, 2, 4, 6, 9])
def test_a_writer_killed_at_any_time_loses_nothing_acknowledged(
    fleet: Fleet, base: tuple[Place, Content], count: int
) -> None:
    place, content = base
    [child] = fleet.start()
    steps = _steps(1000)
    child.open(place).send(*steps)
    done = _acknowledged(child, count)
    child.kill()
    done += len(child.answers_until_death())
    with opened(place) as (reverie, agent):
        prove(reverie, agent, *content.after(*steps[:done]).on_the_way(steps[done]))


@pytest.mark.parametrize("count", [1, 3, 5])
def test_a_writer_killed_beside_another_harms_no_writes(
    fleet: Fleet, base: tuple[Place, Content], count: int
) -> None:
    place, content = base
    killed, survivor = fleet.start(2)
    steps: list[Step] = [("remember", 1000 + number) for number in range(MOST)]
    others: list[Step] = [("remember", 2000 + number) for number in range(3 * count)]
    killed.open(place).send(*steps)
    survivor.open(place).send(*others)
    done = _acknowledged(killed, count)
    killed.kill()
    done += len(killed.answers_until_death())
    _acknowledged(survivor, len(others))
    survivor.ask("remember", 3000)
    before = content.after(*others, ("remember", 3000), *steps[:done])
    with opened(place) as (reverie, agent):
        assert prove_whole(reverie, agent) in before.on_the_way(steps[done])
        for number in range(1000, 1000 + done):
            assert survivor.ask("recall", number)["best"] == [number, 1]
