"""Processes killed (-9) inside a long verb: the next call does it, at once, and nothing of the first is left."""

from __future__ import annotations

import signal
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reverie import Agent
from reverie.domain.job import LEASE, SLEEP
from reverie.errors import JobRunning
from reverie.services.codecs.lines import line_of
from reverie.services.exchange.export import export
from reverie.services.exchange.importing import import_bank
from reverie.services.sleep.sleep import sleep
from tests.contract.store_engines import ENGINES
from tests.crash.fleet import Fleet
from tests.services.beds import Dreamer, each_said
from tests.services.bench import Clock
from tests.services.conftest import Open
from tests.services.exports import bank_of, lived
from tests.services.killed import AGENT, POINTS, stopped
from tests.services.scripted import minded

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody tells which processes live"),
]


def _now() -> datetime:
    return datetime.now(UTC)


@pytest.fixture
def place(engine: str, request: pytest.FixtureRequest) -> str:
    """Where ``open_bank`` opens its banks."""
    return ENGINES[engine].place(request)


def test_a_killed_process_that_nobody_reaped_holds_nothing(open_bank: Open, fleet: Fleet, place: str) -> None:
    reverie, _ = minded(open_bank(clock=_now), Dreamer(dream=each_said))
    with stopped(fleet, "sleeps", place) as child:
        child.kill()
        assert child.answer() is None  # it is dead, and nobody has waited for it
        for _ in range(100):  # a dying process closes its files a moment before it is called dead
            try:
                assert sleep(reverie._desk, AGENT, actor="next").changes
                return
            except JobRunning:
                pass
    raise AssertionError("it was never taken over")


def test_the_sleep_of_a_process_of_another_machine_is_waited_for(
    open_bank: Open, fleet: Fleet, place: str
) -> None:
    reverie, _ = minded(open_bank(clock=_now), Dreamer(dream=each_said))
    with stopped(fleet, "sleeps", place) as child:
        child.kill()
        child.wait()
    desk = reverie._desk
    with desk.store.write(AGENT) as unit:
        state = unit.jobs.get(SLEEP)
        assert state.holder is not None
        id, mark = state.holder.split("~")
        unit.jobs.release(SLEEP, state.holder)
        elsewhere = f"{id}~{'0' * 16}{mark[16:]}"
        assert unit.jobs.take(SLEEP, elsewhere, now=_now(), until=_now() + LEASE - timedelta(seconds=1))
    with pytest.raises(JobRunning):
        sleep(desk, AGENT, actor="next")


@pytest.mark.parametrize("point", POINTS)
def test_a_killed_import_leaves_nothing(
    open_bank: Open, fleet: Fleet, place: str, clock: Clock, tmp_path: Path, point: str
) -> None:
    reverie = open_bank()
    papa: Agent = reverie.agent("papa")
    lived(papa, clock)
    file = tmp_path / "export" / "papa.jsonl"
    file.parent.mkdir()
    file.write_text("".join(f"{line_of(one)}\n" for one in export(papa._desk, "papa")), encoding="utf-8")
    before = bank_of(papa)
    with stopped(fleet, "imports", place, str(file), point) as child:
        child.kill()
        assert child.wait() == -signal.SIGKILL
    mama = reverie.agent(AGENT)
    assert mama.stats().rev == 0
    assert (mama.memories(deep=True), mama.episodes(), mama.audit()) == ([], [], [])
    with file.open("rb") as lines:
        import_bank(mama._desk, AGENT, lines, actor="next")
    assert bank_of(mama) == before == bank_of(papa)
    assert [*reverie.check()] == []
    file.unlink()
    file.parent.rmdir()
