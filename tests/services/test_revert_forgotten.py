"""revert after a forget of a span of time: what the log lost is told, and never guessed."""

from __future__ import annotations

import pytest

from reverie import Agent, Reverie
from reverie.domain.change import Reinforce, Revise
from reverie.domain.memory import Memory, Version
from reverie.domain.sleep import SleepReport
from reverie.errors import NotRevertible
from tests.services.bench import Clock, kept
from tests.services.exports import bank_of
from tests.services.nights import slept, undone

pytestmark = pytest.mark.slow

MOVED = "Anna lives in Lisbon"


@pytest.fixture
def home(mama: Agent, clock: Clock) -> Memory:
    known = kept(mama, "Anna lives in Porto")
    clock.wait(days=10)
    return known


def _night(reverie: Reverie, mama: Agent, clock: Clock, home: Memory) -> SleepReport:
    mama.observe([{"speaker": "Anna", "content": MOVED}], conversation="day")
    clock.wait(hours=9)
    report = slept(reverie, Revise(memory_id=home.id, essence=MOVED, reason="moved", sources=(MOVED,)))
    assert len(report.changes) == 1
    return report


def _now(mama: Agent, known: Memory) -> Memory:
    with mama._desk.store.read("mama") as unit:
        return unit.memories.get([known.id])[known.id]


def _refused(mama: Agent, report: SleepReport, says: str) -> None:
    bank = bank_of(mama)
    for force in (False, True):
        with pytest.raises(NotRevertible, match=says) as refused:
            undone(mama, report.sleep.id, force=force)
        assert refused.value.is_lost
        assert "--force" not in str(refused.value)
    assert bank_of(mama) == bank


def test_a_rewording_the_log_lost_is_told(reverie: Reverie, mama: Agent, clock: Clock, home: Memory) -> None:
    report = _night(reverie, mama, clock, home)
    clock.wait(days=10)
    since = clock()
    mama.revise(home.id, essence="Anna lives in Madrid")
    clock.wait(days=1)
    mama.forget(since=since.isoformat(), until=clock().isoformat())
    _refused(mama, report, rf"memory {home.id} was reworded by what the log tells nothing of")
    assert _now(mama, home).essence == "Anna lives in Madrid"
    for town in ("Rome", "Oslo"):
        mama.revise(home.id, essence=f"Anna lives in {town}")


def test_a_change_that_the_log_lost_is_told(
    reverie: Reverie, mama: Agent, clock: Clock, home: Memory
) -> None:
    tea = kept(mama, "Anna drinks green tea")
    clock.wait(days=1)
    said = "Anna drinks green tea"
    mama.observe([{"speaker": "Anna", "content": text} for text in (said, MOVED)], conversation="day")
    clock.wait(hours=9)
    since = clock()
    report = slept(
        reverie,
        Revise(memory_id=home.id, essence=MOVED, reason="moved", sources=(MOVED,)),
        Reinforce(memory_id=tea.id, reason="again", sources=(said,)),
    )
    assert len(report.changes) == 2
    clock.wait(days=1)
    mama.forget(since=since.isoformat(), until=clock().isoformat())
    _refused(mama, report, rf"what reinforce changed of memory {tea.id} was forgotten")


def test_a_taken_version_number_is_no_bar(reverie: Reverie, mama: Agent, clock: Clock, home: Memory) -> None:
    with mama._desk.store.write("mama") as unit:
        for number in (1, 4):
            unit.memories.add_version(
                Version(
                    memory_id=home.id, version=number, essence="Anna lives in Braga", lesson=None,
                    believed_from=home.believed_from, believed_to=clock(), valid_from=None, valid_to=None,
                )
            )  # fmt: skip
    _night(reverie, mama, clock, home)
    assert (_now(mama, home).essence, _now(mama, home).version) == (MOVED, 6)
    assert mama.revise(home.id, essence="Anna lives in Faro").version == 7
