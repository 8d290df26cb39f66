"""Kills at aimed moments, and the ways to look at what they leave."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from reverie import Agent, Reverie
from tests.crash.aim import POWER_FAILURES, WAYS
from tests.crash.fleet import Child, Fleet, Place
from tests.crash.proof import content_of, opened
from tests.crash.story import Step

Bank = tuple[Reverie, Agent]

SCENES = ("in place", "as a copy", "by a witness")
"""How a bank is looked at after a kill: opened where it is; opened from copies of the file and its log alone; through
a connection of another process that was open all the while.
"""


_RARE_EVERY = 2
_COMMON = "write wal"


@dataclass(frozen=True, kw_only=True)
class Shot:
    """One kill: ``number`` of ``of``, cut in this way and looked at in this scene."""

    number: int
    of: int
    way: str
    scene: str

    def point(self, points: Sequence[str]) -> int:
        """Which of the points it takes, from 1 on. All shots of a test are spread evenly, the first at the first point
        and the last at the last; but every second goes to one of the rare points, such as a sync.
        """
        rare = [at for at, name in enumerate(points, 1) if name != _COMMON]
        if self.number % _RARE_EVERY == _RARE_EVERY - 1 and rare:
            turn, turns = self.number // _RARE_EVERY, max(self.of // _RARE_EVERY - 1, 1)
            return rare[turn * (len(rare) - 1) // turns]
        return 1 + self.number * (len(points) - 1) // max(self.of - 1, 1)


def shots(count: int, *, scenes: Sequence[str] = SCENES, ways: Sequence[str] = WAYS) -> pytest.MarkDecorator:
    """Parametrises a test with so many kills, which go through all ways and scenes."""
    assert count >= len(ways), "some way is never taken"
    made = []
    for number in range(count):
        way = ways[number % len(ways)]
        # After a power failure nobody has seen the bank all the while, and no shared memory is left.
        scene = "as a copy" if way in POWER_FAILURES else scenes[number % len(scenes)]
        made.append(Shot(number=number, of=count, way=way, scene=scene))
    names = [f"{shot.number + 1} of {count}, {shot.way}, {shot.scene}" for shot in made]
    return pytest.mark.parametrize("shot", made, ids=names)


@dataclass(frozen=True, kw_only=True)
class Range:
    """Where steps are tried first, to learn what points they have."""

    fleet: Fleet
    folder: Path
    aged: Place
    known: dict[str, Sequence[str]] = field(default_factory=dict)

    def points(
        self, before: Sequence[Step], step: Step, watch: str = "files", way: str = "before"
    ) -> Sequence[str]:
        """The points in ``step`` after the steps ``before``."""
        name = repr((watch, before, step, way))
        if name not in self.known:
            place = Place(folder=self.folder / str(len(self.known)))
            if before or step[0] != "open":
                shutil.copytree(self.aged.folder, place.folder)
            else:
                place.folder.mkdir()
            child = prepared(self.fleet, place, before, watch)
            child.ask("aim", 0, way)
            child.ask(*on(place, step))
            self.known[name] = child.ask("passed")["passed"]
            child.close()
        assert self.known[name]
        return self.known[name]


def prepared(fleet: Fleet, place: Place, before: Sequence[Step], watch: str = "files") -> Child:
    """A process that counts points and has done these steps."""
    [child] = fleet.start()
    child.ask("watch", watch)
    for step in before:
        child.ask(*on(place, step))
    return child


def on(place: Place, step: Step) -> Step:
    """``open`` and ``rekey`` with the place that they open."""
    return (step[0], str(place.bank), str(place.key), *step[1:]) if step[0] in ("open", "rekey") else step


def kill_inside(child: Child, place: Place, step: Step, *, at: int, way: str) -> str:
    """Has the process kill itself inside the step; gives the operation where it died."""
    child.ask("aim", at, way)
    child.send(on(place, step))
    answers = child.answers_until_death()
    assert [list(answer) for answer in answers] == [["killed"]], answers
    return str(answers[0]["killed"])


@contextmanager
def looking(place: Place, scene: str) -> Iterator[Callable[[], AbstractContextManager[Bank]]]:
    """Around a kill: what is given opens the bank afterwards, as the scene says."""
    match scene:
        case "in place":
            yield lambda: opened(place)
        case "as a copy":
            yield lambda: opened(copy_of(place))
        case _:
            with opened(place) as bank:
                content_of(bank[1])
                bank[1].recall("kept as")
                yield lambda: nullcontext(bank)


def copy_of(place: Place) -> Place:
    """Copies of the bank's file and its log, without the memory that processes share."""
    copy = Place(folder=place.folder / "copy")
    copy.folder.mkdir()
    for name in (place.bank.name, f"{place.bank.name}-wal", f"{place.bank.name}-journal"):
        if (place.folder / name).exists():
            shutil.copy(place.folder / name, copy.folder / name)
    return copy
