"""Processes killed (-9) between and inside batches of a self-care: nothing is half done, and the next one goes on."""

from __future__ import annotations

import signal
import sys
from datetime import timedelta

import pytest

from reverie.domain.job import LEASE
from tests.contract.store_engines import ENGINES
from tests.crash.fleet import Fleet
from tests.services.bench import Clock
from tests.services.cared import narrated, states
from tests.services.conftest import Open
from tests.services.killed import CARE_POINTS, CARE_SETTINGS, OBSERVED, SAID, stopped

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")]
DONE = {
    "in the mind, before the first batch": (0, 8),
    "in the first batch": (0, 8),
    "between two batches": (10, 8),
    "in the second batch": (10, 8),
    "in the closing of a talk": (0, 0),
    "at the end": (40 + 5, 8),  # four summaries and that of the talk
}


@pytest.mark.parametrize("point", CARE_POINTS)
def test_a_kill_leaves_whole_batches_and_the_next_goes_on(
    open_bank: Open, fleet: Fleet, engine: str, request: pytest.FixtureRequest, clock: Clock, point: str
) -> None:
    place = ENGINES[engine].place(request)
    with stopped(fleet, "cares", place, point) as child:
        child.kill()
        assert child.wait() == -signal.SIGKILL
    clock.now += timedelta(hours=3) + LEASE
    reverie = open_bank()
    mama, _ = narrated(reverie, self_care=CARE_SETTINGS)
    assert list(reverie.check()) == []
    covered, closed = DONE[point]
    made = mama.summaries.list()
    assert sum(one.items for one in made if one.conversation is None) == covered
    assert sum(one.items for one in made if one.conversation is not None) == closed
    assert list(states(mama).values()).count("summarized") == covered
    assert mama.stats().live == SAID - closed
    report = mama.self_care()
    assert bool(report) is (covered < OBSERVED)
    details = {one.id for one in mama.memories(deep=True, limit=1000) if one.origin == "commit"}
    assert {states(mama)[id] for id in details} == {"summarized"}
    assert mama.stats().live == 0
    for one in mama.summaries.list():
        opened = mama.summaries.expand(one.memory_id)
        assert len(opened.memories) + len(opened.episodes) == one.items


def test_a_killed_self_care_is_undone_by_its_id(
    open_bank: Open, fleet: Fleet, engine: str, request: pytest.FixtureRequest, clock: Clock
) -> None:
    place = ENGINES[engine].place(request)
    with stopped(fleet, "cares", place, "in the second batch") as child:
        child.kill()
        child.wait()
    clock.now += timedelta(hours=3) + LEASE
    mama, _ = narrated(open_bank(), self_care=CARE_SETTINGS)
    [job] = {one.job for one in mama.summaries.list()}
    mama.revert(job)
    assert mama.summaries.list() == []
    assert set(states(mama).values()) == {"active"}
    assert mama.stats().live == SAID
