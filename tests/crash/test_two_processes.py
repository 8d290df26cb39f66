"""Processes on one file at the same time: what one was told, the other sees."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator

import pytest

from tests.crash import story
from tests.crash.fleet import Answer, Child, Fleet, Place, ready
from tests.crash.kills import copy_of
from tests.crash.proof import opened, prove, prove_whole
from tests.crash.story import Content, Step

Based = tuple[Place, Content]

WRITES = 100
CHUNK = 2 * story.BATCH
RECALL_EVERY = 4


def _rev(place: Place) -> int:
    with opened(place) as (_, agent):
        return agent.stats().rev


class _Writer:
    """One side: keeps its process busy, and asks it at times for what the other side has just written."""

    def __init__(self, child: Child, first: int) -> None:
        self.child = child
        self.other: _Writer = self
        self.steps: Iterator[Step] = iter(
            [("remember", first + number) for number in range(WRITES)]
            + [("observe", first + CHUNK * number, CHUNK) for number in range(WRITES // CHUNK)]
        )
        self.sent: deque[Step] = deque()
        self.done: list[Step] = []
        self.recalled = 0

    def send(self, step: Step | None) -> None:
        """Sends a command, if there is one left."""
        if step is not None:
            self.sent.append(step)
            self.child.send(step)

    def hear(self) -> None:
        """Takes an answer; what it acknowledges, the other side is to recall next."""
        step, answer = self.sent.popleft(), self.child.answer()
        assert answer is not None
        assert "error" not in answer, answer
        verb, number = str(step[0]), int(step[1])
        if verb.startswith("recall"):
            assert answer["best"][0] == number
            self.recalled += 1
            return
        self.done.append(step)
        if len(self.done) % RECALL_EVERY == 0:
            last = number if verb == "remember" else number + CHUNK - 1
            self.other.send(("recall" if verb == "remember" else "recall_episode", last))
        self.send(next(self.steps, None))


def _race(one: _Writer, other: _Writer) -> None:
    one.other, other.other = other, one
    sides = {one.child: one, other.child: other}
    for side in (one, other):
        for _ in range(2):  # the next command is there when one is done: no side ever rests
            side.send(next(side.steps))
    while any(side.sent for side in sides.values()):
        for child in ready([child for child, side in sides.items() if side.sent]):
            sides[child].hear()


def test_processes_that_write_at_once_recall_each_others_writes(fleet: Fleet, base: Based) -> None:
    place, content = base
    rev = _rev(place)
    one, other, reader = fleet.start(3)
    for child in (one, other, reader):
        child.open(place)
    reader.send(("read_until_told",))
    assert reader.answer() == {"reading": True}
    sides = (_Writer(one, 10_000), _Writer(other, 20_000))
    _race(*sides)
    reader.send(("told",))
    read = reader.answer()
    assert read is not None
    assert read["rounds"] > 0
    assert read["went_back"] == 0
    steps = [step for side in sides for step in side.done]
    assert Counter(step[0] for step in steps) == {"remember": 2 * WRITES, "observe": 2 * (WRITES // CHUNK)}
    assert all(side.recalled >= len(side.other.done) // RECALL_EVERY for side in sides)
    expected = content.after(*steps)
    transactions = 2 * WRITES + 2 * (WRITES // CHUNK) * (CHUNK // story.BATCH)
    with opened(place) as (reverie, agent):
        held = prove_whole(reverie, agent)
        assert (held.memories, sorted(held.episodes)) == (expected.memories, sorted(expected.episodes))
        assert agent.stats().rev == rev + transactions


def test_processes_that_write_in_turn_recall_each_others_writes(fleet: Fleet, base: Based) -> None:
    place, content = base
    children = [child.open(place) for child in fleet.start(2)]
    steps: list[Step] = []
    for number in range(100, 112):
        writer, reader = children[number % 2], children[(number + 1) % 2]
        steps += [("remember", number), ("observe", number, 1)]
        for step in steps[-2:]:
            writer.ask(*step)
        assert reader.ask("recall", number)["best"] == [number, 1]
        assert reader.ask("recall_episode", number)["best"] == [number, 1]
    with opened(place) as (reverie, agent):
        prove(reverie, agent, content.after(*steps))


@pytest.mark.parametrize("verb", ["remember", "remember_range"])
def test_processes_that_remember_the_same_reinforce_it_once(fleet: Fleet, fresh: Place, verb: str) -> None:
    children = [child.open(fresh) for child in fleet.start(2)]
    count = 20
    for child in children:
        if verb == "remember":
            child.send(*(("remember", number) for number in range(count)))
        else:
            child.send(("remember_range", 0, count))
    inserted = 0
    for child in children:
        for _ in range(count if verb == "remember" else 1):
            answer = child.answer()
            assert answer is not None
            inserted += answer["inserted"]
    assert inserted == count
    once = [("remember", number) for number in range(count)]
    with opened(fresh) as (reverie, agent):
        prove(reverie, agent, Content().after(*once, *once))


def test_processes_that_observe_the_same_store_it_once(fleet: Fleet, base: Based) -> None:
    place, content = base
    children = [child.open(place) for child in fleet.start(2)]
    step = ("observe", 500, 5 * story.BATCH)
    for child in children:
        child.send(step)
    stored = [_answered(child)["stored"] for child in children]
    assert sum(stored) == 5 * story.BATCH
    with opened(place) as (reverie, agent):
        prove(reverie, agent, content.after(step))


def test_a_forget_and_writes_of_another_process_go_well_together(fleet: Fleet, base: Based) -> None:
    place, content = base
    forgetter, writer = (child.open(place) for child in fleet.start(2))
    writes: list[Step] = [("remember", number) for number in range(100, 140)]
    forgets: list[Step] = [("forget", number) for number in (1, 2, 6, 7, 8, 9)]
    writer.send(*writes)
    forgetter.send(*forgets)
    for child, steps in ((writer, writes), (forgetter, forgets)):
        for _ in steps:
            assert "error" not in _answered(child)
    with opened(place) as (reverie, agent):
        prove(reverie, agent, content.after(*writes, *forgets))


def test_copies_of_file_and_log_open_as_a_bank(fleet: Fleet, base: Based) -> None:
    place, content = base
    [child] = fleet.start()
    child.open(place)
    steps: list[Step] = [("remember", 100), ("observe", 100, 20), ("revise", 2)]
    for step in steps:
        child.ask(*step)
    with opened(copy_of(place)) as (reverie, agent):
        prove(reverie, agent, content.after(*steps))
    child.ask("remember", 101)
    with opened(place) as (reverie, agent):
        prove(reverie, agent, content.after(*steps, ("remember", 101)))


def _answered(child: Child) -> Answer:
    answer = child.answer()
    assert answer is not None
    return answer
