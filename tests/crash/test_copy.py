"""Processes killed while they copy a bank: nobody sees half an agent, and the next copy ends what they began."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from reverie import Copied, Reverie
from reverie.embedders.hashing import HashingEmbedder
from reverie.ports.transfer import AGENT
from reverie.services.exchange import transfer
from reverie.store import transfer as rows
from tests.crash import story
from tests.crash.fleet import Fleet, Place
from tests.crash.kills import Range, Shot, prepared, shots
from tests.crash.proof import prove, prove_whole
from tests.crash.story import Content, Step
from tests.postgres_fixtures import OwnServers
from tests.tables import TABLES, UNREVISED

Based = tuple[Place, Content]

OPEN: Step = ("open",)
FEW = 4
"""Rows a page, so that a small bank is copied in many transactions."""


def _copy(place: Place, name: str) -> Step:
    return ("copy_to", str(place.folder / name), str(place.folder / f"{name}.key"), FEW)


def _opened(held: ExitStack, where: Path | str, key: Path | None) -> Reverie:
    embedder, settings = HashingEmbedder.for_tests(), story.settings()
    return held.enter_context(Reverie.open(where, key=key, embedder=embedder, settings=settings))


def _tables(reverie: Reverie) -> Mapping[str, object]:
    with reverie._desk.store.read(story.AGENT) as unit:
        return {
            table: [row for page in unit.transfer.pages(table) for row in page]
            for table in (*TABLES, *UNREVISED, AGENT)
        }


def _prove_unfinished_or_whole(new: Reverie, old: Reverie) -> None:
    if new.agents():
        assert _tables(new) == _tables(old)
        return
    half = new.agent(story.AGENT)
    assert half.recall("kept as", min_score=0, deep=True).hits == ()
    assert half.recall_episodes("said as", min_score=0).hits == ()


def _prove_end(old: Reverie, new: Reverie, content: Content) -> Copied:
    """Copies to the end and proves the copy."""
    _prove_unfinished_or_whole(new, old)
    [copied] = old.copy_to(new)
    assert _tables(new) == _tables(old)
    assert old.copy_to(new)[0].written == 0
    prove(new, new.agent(story.AGENT), content)
    return copied


def _points(fleet: Fleet, place: Place, targets: Range) -> Sequence[str]:
    """The file operations of a whole copy, opening the new file included; the same for every test."""
    if "copy" in targets.known:
        return targets.known["copy"]
    child = prepared(fleet, place, (OPEN,))
    child.ask("aim", 0, "before")
    child.send(_copy(place, "whole"))
    while "written" not in (answer := child.answer() or {"written": None}):
        pass
    assert answer["written"]
    targets.known["copy"] = child.ask("passed")["passed"]
    child.close()
    return targets.known["copy"]


@shots(8, scenes=("in place",))
def test_the_next_copy_completes_a_file_that_a_kill_cut_short(
    fleet: Fleet, base: Based, targets: Range, shot: Shot
) -> None:
    place, content = base
    at = shot.point(_points(fleet, place, targets))
    child = prepared(fleet, place, (OPEN,))
    child.ask("aim", at, shot.way)
    child.send(_copy(place, "copy"))
    assert "killed" in child.answers_until_death()[-1]
    # A power failure takes the memory that processes share along.
    (place.folder / "copy-shm").unlink(missing_ok=True)
    with ExitStack() as held:
        old = _opened(held, place.bank, place.key)
        new = _opened(held, place.folder / "copy", place.folder / "copy.key")
        _prove_end(old, new, content)
        assert prove_whole(old, old.agent(story.AGENT)) == content


def _kill_after(fleet: Fleet, place: Place, step: Step, pages: int) -> bool:
    """Kills a copying process from outside, once it has told of so many pages; whether it was still at it."""
    child = prepared(fleet, place, (OPEN,))
    child.send(step)
    for _ in range(pages):
        answer: Any = child.answer()
        assert "done" in answer, answer
    child.kill()
    return "written" not in (child.answers_until_death() or [{}])[-1]


@pytest.mark.parametrize("pages", [3, 9])
def test_a_killed_copy_begun_again_goes_on(fleet: Fleet, base: Based, pages: int) -> None:
    place, content = base
    assert _kill_after(fleet, place, _copy(place, "copy"), pages)
    with ExitStack() as held:
        old = _opened(held, place.bank, place.key)
        new = _opened(held, place.folder / "copy", place.folder / "copy.key")
        copied = _prove_end(old, new, content)
        assert pages < 9 or copied.written < copied.total


@pytest.mark.parametrize("pages", [4, 8])
def test_a_killed_copy_into_a_database_begun_again_goes_on(
    fleet: Fleet, base: Based, postgres_database: str, pages: int
) -> None:
    place, _ = base
    assert _kill_after(fleet, place, ("copy_to", postgres_database, None, FEW), pages)  # type: ignore[arg-type]
    with ExitStack() as held:
        old, new = _opened(held, place.bank, place.key), _opened(held, postgres_database, None)
        _prove_unfinished_or_whole(new, old)
        [copied] = old.copy_to(new)
        assert _tables(new) == _tables(old)
        assert pages < 8 or copied.written < copied.total
        assert [*new.check()] == []


def test_a_copy_waits_for_a_server_that_restarts(
    base: Based, own_postgres_server: OwnServers, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reverie.store.postgres.roles import prepare

    place, _ = base
    server = own_postgres_server()
    prepare(server.url(), partitions=2, dimensions=(384,))
    monkeypatch.setattr(transfer, "_MANY", FEW)
    monkeypatch.setattr(rows, "_PAGE", FEW)
    restarts = iter(range(3))

    def restart(done: int, of: int) -> None:
        if done > of // 3 and next(restarts, None) is not None:
            server.restart("immediate")

    with ExitStack() as held:
        old, new = _opened(held, place.bank, place.key), _opened(held, server.url(), None)
        old.copy_to(new, on_progress=restart)
        assert next(restarts, None) is None
        assert _tables(new) == _tables(old)
        assert [*new.check()] == []
