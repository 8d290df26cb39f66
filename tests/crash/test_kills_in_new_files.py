"""Processes killed while they make the first key, the file and its schema, or take a later migration."""

from __future__ import annotations

import re
import stat
from collections.abc import Sequence
from pathlib import Path

import pytest

from reverie import NewerSchema
from reverie.store.sqlite import schema
from tests.crash import story
from tests.crash.fleet import Fleet, Place
from tests.crash.kills import Range, Shot, kill_inside, looking, on, prepared, shots
from tests.crash.proof import opened, prove, prove_whole
from tests.crash.story import Content, Step

OPEN: Step = ("open",)


@shots(10)
def test_a_kill_inside_the_making_of_a_bank_leaves_one_that_opens(
    fleet: Fleet, fresh: Place, targets: Range, shot: Shot
) -> None:
    at = shot.point(targets.points((), OPEN))
    kill_inside(prepared(fleet, fresh, ()), fresh, OPEN, at=at, way=shot.way)
    scene = "as a copy" if shot.scene == "as a copy" else "in place"
    with looking(fresh, scene) as look, look() as (reverie, agent):
        assert reverie.info().encrypted
        prove(reverie, agent, Content())


@shots(32, ways=("before",))
def test_a_kill_while_a_key_is_made_leaves_it_whole_or_absent(
    fleet: Fleet, fresh: Place, targets: Range, shot: Shot
) -> None:
    """It is killed at every system call."""
    calls = targets.points((), OPEN, "key")
    assert len(calls) <= shot.of, "there are more calls by now: more shots are needed"
    at = min(shot.number + 1, len(calls))
    kill_inside(prepared(fleet, fresh, (), "key"), fresh, OPEN, at=at, way=shot.way)
    made = fresh.key.read_text() if fresh.key.exists() else None
    _prove_that_the_next_open_works(fleet, fresh)
    assert made in (None, fresh.key.read_text())


@shots(4, ways=("before",))
def test_a_kill_between_key_and_file_lets_the_next_open_work(
    fleet: Fleet, fresh: Place, targets: Range, shot: Shot
) -> None:
    at = min(shot.number + 1, len(targets.points((), OPEN, "place")))
    kill_inside(prepared(fleet, fresh, (), "place"), fresh, OPEN, at=at, way=shot.way)
    made = fresh.key.read_text()
    _prove_that_the_next_open_works(fleet, fresh)
    assert fresh.key.read_text() == made


def _prove_that_the_next_open_works(fleet: Fleet, place: Place) -> None:
    [second] = fleet.start()
    second.open(place).ask("remember", 1)
    second.ask("close")
    second.end()
    assert re.fullmatch(r"[0-9a-f]{64}\n", place.key.read_text())
    assert all(_is_private(path) for path in (*place.key.parent.iterdir(), *place.folder.glob("test.bank*")))
    with opened(place) as (reverie, agent):
        prove(reverie, agent, Content().after(("remember", 1)))


def _is_private(path: Path) -> bool:
    return stat.S_IMODE(path.stat().st_mode) & 0o077 == 0


@shots(10, scenes=("in place", "as a copy"))
def test_a_kill_inside_a_migration_leaves_the_old_or_the_new_schema(
    fleet: Fleet, base: tuple[Place, Content], targets: Range, shot: Shot, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, content = base
    before: Sequence[Step] = (("migrate_further",),)
    at = shot.point(targets.points(before, OPEN))
    kill_inside(prepared(fleet, place, before), place, OPEN, at=at, way=shot.way)
    with looking(place, shot.scene) as look:
        try:
            with look() as (reverie, agent):
                assert prove_whole(reverie, agent) == content
                assert "migrated" not in {memory.lesson for memory in agent.memories()}
        except NewerSchema:
            pass
        monkeypatch.setattr(schema, "LATER", (*schema.LATER, story.NEXT))
        with opened(place) as (reverie, agent):
            assert {memory.lesson for memory in agent.memories()} == {"migrated"}
            prove(reverie, agent, content)


@pytest.mark.parametrize("watch", ["files", "key"])
@shots(6, ways=("before", "torn"))
def test_a_kill_inside_the_making_of_a_bank_lets_others_open_it(
    fleet: Fleet, fresh: Place, targets: Range, shot: Shot, watch: str
) -> None:
    at = shot.point(targets.points((), OPEN, watch))
    children = [prepared(fleet, fresh, (), watch), *fleet.start(2)]
    children[0].ask("aim", at, shot.way if watch == "files" else "before")
    for child in children:
        child.send(on(fresh, OPEN))
    for number, child in enumerate(children[1:]):
        assert child.answer() == {"verb": "open"}
        child.ask("remember", number)
    with opened(fresh) as (reverie, agent):
        prove(reverie, agent, Content().after(("remember", 0), ("remember", 1)))
