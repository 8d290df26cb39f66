"""Processes killed while they attend, and processes that attend at once: no snippet is repeated, none is lost."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from reverie import Agent, Memory, Origin, Reverie
from reverie.embedders.hashing import HashingEmbedder
from reverie.services.loop import keeping
from tests.crash import story
from tests.crash.fleet import PATIENCE, Child, Fleet, Place
from tests.crash.kills import Range, Shot, kill_inside, looking, prepared, shots
from tests.crash.story import Content, Step
from tests.services.scripted import Scripted, minded

Based = tuple[Place, Content]

NEW = 20
BEFORE: tuple[Step, ...] = (("open",), ("think",), ("observe", 100, NEW))
"""With the twelve messages that are there: thirty-two that nobody has read, of which a round reads twenty-four."""

EVERY_MESSAGE = (*range(12), *range(100, 100 + NEW))
STOPS = {0: (0, 0), 14: (1, 8), 20: (2, 8), 26: (3, 8), 32: (4, 8)}
"""Where the watermark may stand, with how many snippets are done and how many messages were skipped by then."""


@dataclass(frozen=True, kw_only=True)
class _Read:
    """How far the loop has come: the watermark, what became of messages, and what was counted."""

    position: int
    kept: tuple[int, ...]
    snippets: int
    skipped: int


def _loop_memories(agent: Agent) -> list[Memory]:
    found: list[Memory] = []
    while page := agent.memories(deep=True, limit=500, after=found[-1].id if found else None):
        found += page
    return [memory for memory in found if memory.origin is Origin.LOOP]


def _position(reverie: Reverie) -> int:
    with reverie._desk.store.read(story.AGENT) as unit:
        return unit.watermarks.get(keeping.JOB, story.ROOM).position


def _read(reverie: Reverie, agent: Agent) -> _Read:
    """What the bank says; fails where a memory is there twice, or rests on another message than its own."""
    assert list(reverie.check()) == []
    kept = []
    for memory in _loop_memories(agent):
        [source] = memory.source_episodes
        said = agent.get(source)
        assert not isinstance(said, Memory)
        assert said.content == memory.essence
        assert memory.reinforcement_count == 1
        kept.append(story.number_of(memory.essence)[0])
    assert len(set(kept)) == len(kept)
    with reverie._desk.store.read(story.AGENT) as unit:
        counts = unit.counters.all()
    return _Read(
        position=_position(reverie), kept=tuple(sorted(kept)), snippets=counts.get(keeping.SNIPPETS, 0),
        skipped=counts.get(keeping.SKIPPED, 0),
    )  # fmt: skip


def _prove_whole_snippets(found: _Read) -> None:
    """Everything before the watermark was read or counted, and nothing behind it."""
    snippets, skipped = STOPS[found.position]
    assert (found.snippets, found.skipped) == (snippets, skipped)
    assert found.kept == EVERY_MESSAGE[skipped : found.position]


def _prove_that_it_goes_on(reverie: Reverie) -> None:
    thinking, agent = minded(reverie, Scripted())
    agent.attend()
    found = _read(thinking, agent)
    assert (found.position, found.kept) == (32, EVERY_MESSAGE[8:])
    assert found.skipped == 8


@shots(10)
def test_a_kill_inside_a_round_leaves_each_snippet_read_or_pending(
    fleet: Fleet, base: Based, targets: Range, shot: Shot
) -> None:
    place, _ = base
    point = shot.point(targets.points(BEFORE, ("attend",)))
    with looking(place, shot.scene) as look:
        child = prepared(fleet, place, BEFORE)
        kill_inside(child, place, ("attend",), at=point, way=shot.way)
        with look() as (reverie, agent):
            _prove_whole_snippets(_read(reverie, agent))
            _prove_that_it_goes_on(reverie)


@contextmanager
def _opened(where: Path | str) -> Iterator[tuple[Reverie, Agent]]:
    with Reverie.open(where, embedder=HashingEmbedder.for_tests(), settings=story.settings()) as reverie:
        yield reverie, reverie.agent(story.AGENT)


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, fresh: Place) -> Path | str:
    """An empty bank of each engine."""
    if request.param == "sqlite":
        return fresh.bank
    url: str = request.getfixturevalue("postgres_database")
    return url


def _started(fleet: Fleet, where: Path | str, place: Place, *steps: Step) -> Child:
    [child] = fleet.start()
    child.ask("open", str(where), str(place.key))
    for step in steps:
        child.ask(*step)
    return child


def _end(*children: Child) -> None:
    for child in children:
        child.ask("close")
        child.end()


@pytest.mark.parametrize("snippets", [1, 3])
def test_a_process_killed_while_its_mind_reads_has_lost_nothing(
    fleet: Fleet, where: Path | str, fresh: Place, snippets: int
) -> None:
    steps: tuple[Step, ...] = (("tell_what_is_read",), ("think",), ("observe", 0, 12), ("observe", 100, NEW))
    child = _started(fleet, where, fresh, *steps)
    child.send(("attend",))
    for _ in range(snippets):
        answer = child.answer()
        assert answer is not None
        assert "reads" in answer
    child.kill()
    child.answers_until_death()
    with _opened(where) as (reverie, agent):
        found = _read(reverie, agent)
        assert found.snippets >= snippets - 1
        _prove_whole_snippets(found)
        _prove_that_it_goes_on(reverie)


def test_processes_that_attend_at_once_read_each_message_once(
    fleet: Fleet, where: Path | str, fresh: Place
) -> None:
    writer = _started(fleet, where, fresh, ("observe", 0, 1))
    readers = [_started(fleet, where, fresh, ("think",)) for _ in range(2)]
    chunks = [(1 + 5 * number, 5) for number in range(40)]
    writer.send(*(("observe", first, count) for first, count in chunks))
    for reader in readers:
        reader.send(*(("attend", 10) for _ in range(5)))
    inserted = snippets = skipped = 0
    for reader in readers:
        for _ in range(5):
            answer = reader.answer()
            assert answer is not None
            assert (answer["reinforced"], answer["failures"]) == (0, 0)
            inserted, snippets = inserted + answer["inserted"], snippets + answer["snippets"]
            skipped += answer["skipped"]
    for _ in chunks:
        answer = writer.answer()
        assert answer is not None
        assert answer["stored"] == 5
    last = readers[0].ask("attend", 3)
    _end(writer, *readers)
    with _opened(where) as (reverie, agent):
        found = _read(reverie, agent)
    assert found.position == 201
    assert (len(found.kept), found.snippets) == (inserted + last["inserted"], snippets + last["snippets"])
    assert found.skipped == skipped + last["skipped"]
    assert len(found.kept) + found.skipped == 201


def test_workers_of_two_processes_read_each_message_once(
    fleet: Fleet, where: Path | str, fresh: Place
) -> None:
    sides = [_started(fleet, where, fresh, ("think",)) for _ in range(2)]
    sides[0].ask("observe", 0, 20)
    for side in sides:
        assert side.ask("work")["works"]
    with _opened(where) as (reverie, agent):
        until = time.monotonic() + PATIENCE
        while _position(reverie) < 20 and time.monotonic() < until:
            time.sleep(0.02)
        for side in sides:
            assert side.ask("stop_working")["stopped"]
        _end(*sides)
        found = _read(reverie, agent)
    assert (found.kept, found.skipped, found.snippets) == (tuple(range(20)), 0, 4)


def test_a_fork_has_no_worker_and_its_parents_goes_on(fleet: Fleet, base: Based) -> None:
    place, _ = base
    [parent] = fleet.start()
    parent.open(place).ask("think")
    assert parent.ask("work")["works"]
    parent.ask("fork")
    assert not parent.ask("in_fork", "works")["works"]
    assert parent.ask("in_fork", "stop_working")["stopped"]
    assert parent.try_to("in_fork", "attend")["error"] == "Closed"
    assert parent.ask("works")["works"]
    parent.ask("kill_fork")
    assert parent.ask("stop_working")["stopped"]
