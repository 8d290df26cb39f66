"""Leases: held for as long as the work goes on, and no longer than any can be, whatever a clock said."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from reverie import Agent, Reverie
from reverie.domain.change import Proposal, Spent
from reverie.domain.job import EVERYONE, LEASE, MOST_REST, SLEEP
from reverie.domain.settings import LLMSettings, Settings
from reverie.errors import CapReached, JobRunning, MindFailed
from reverie.ports.night import Night
from reverie.services.runtime import leasing
from reverie.services.runtime.leasing import Lease
from reverie.services.runtime.metering import StoreMeter
from reverie.services.sleep.revert import revert
from reverie.services.sleep.sleep import due, sleep
from tests.services.bench import Clock
from tests.services.scripted import Scripted, minded

pytestmark = pytest.mark.slow

YEAR = timedelta(days=365)
HEART = "reverie-lease"


class Dreaming(Scripted):
    """Does something at night."""

    def __init__(self, dream: object = None) -> None:
        super().__init__()
        self.dream = dream

    def consolidate(self, night: Night) -> Proposal:
        if callable(self.dream):
            self.dream(night)
        return Proposal(changes=())


def _asleep(reverie: Reverie, dream: object = None) -> Reverie:
    return minded(reverie, Dreaming(dream))[0]


def _failing(_night: Night) -> None:
    raise MindFailed("scripted", "it has had enough")


@pytest.fixture
def ahead(mama: Agent, clock: Clock) -> Clock:
    """A clock that goes a year ahead, of a bank with something to sleep on."""
    mama.observe([f"Anna lives in house {number}" for number in range(12)], conversation="chat")
    clock.wait(hours=9)
    clock.now += YEAR
    return clock


def test_a_lease_of_a_clock_a_year_ahead_holds_nobody(reverie: Reverie, mama: Agent, ahead: Clock) -> None:
    with mama._desk.store.write("mama") as unit:
        assert unit.jobs.take(SLEEP, "dead", now=ahead(), until=ahead() + LEASE)
    ahead.now -= YEAR
    assert sleep(_asleep(reverie)._desk, "mama", actor="caller").sleep.episodes


def test_a_revert_does_not_wait_for_such_a_lease_either(reverie: Reverie, mama: Agent, ahead: Clock) -> None:
    done = sleep(_asleep(reverie)._desk, "mama", actor="caller")
    with mama._desk.store.write("mama") as unit:
        assert unit.jobs.take(SLEEP, "dead", now=ahead(), until=ahead() + LEASE)
    ahead.now -= YEAR
    assert revert(mama._desk, "mama", done.sleep.id, actor="caller").episodes == 12


def test_a_lease_of_a_clock_that_is_a_little_ahead_holds(reverie: Reverie, mama: Agent, ahead: Clock) -> None:
    with mama._desk.store.write("mama") as unit:
        assert unit.jobs.take(SLEEP, "another", now=ahead(), until=ahead() + LEASE)
    ahead.now -= timedelta(minutes=1)
    with pytest.raises(JobRunning):
        sleep(_asleep(reverie)._desk, "mama", actor="caller")


def test_retry_gives_back_a_lease_that_a_clock_took_a_year_ahead(mama: Agent, ahead: Clock) -> None:
    with mama._desk.store.write("mama") as unit:
        unit.jobs.take(SLEEP, "dead", now=ahead(), until=ahead() + LEASE)
    ahead.now -= YEAR
    assert mama.jobs.retry() == 1
    assert mama.stats().jobs[0].holder is None
    with mama._desk.store.write("mama") as unit:
        unit.jobs.take(SLEEP, "alive", now=ahead(), until=ahead() + LEASE)
    assert mama.jobs.retry() == 0


def test_what_rests_by_a_clock_a_year_ahead_is_due(reverie: Reverie, mama: Agent, ahead: Clock) -> None:
    with pytest.raises(MindFailed):
        sleep(_asleep(reverie, _failing)._desk, "mama", actor="caller")
    assert not due(_asleep(reverie)._desk, "mama")
    ahead.now -= YEAR
    assert due(_asleep(reverie)._desk, "mama")
    assert sleep(_asleep(reverie)._desk, "mama", actor="caller", respect_park=True).sleep.episodes


def test_a_conversation_parked_by_a_clock_ahead_is_read(mama: Agent, ahead: Clock) -> None:
    with mama._desk.store.write("mama") as unit:
        unit.watermarks.fail("loop", "chat", seen=0, parked_until=ahead() + MOST_REST)
        assert unit.watermarks.behind("loop", now=ahead()) == []
        [found] = unit.watermarks.behind("loop", now=ahead() - YEAR)
    assert found.watermark.failures == 1


def test_a_limit_parks_for_a_day_at_most(reverie: Reverie, mama: Agent, ahead: Clock) -> None:
    free_at = (ahead() + YEAR).isoformat()

    def capped(_night: Night) -> None:
        raise CapReached("llm.calls_day = 1", free_at)

    with pytest.raises(CapReached):
        sleep(_asleep(reverie, capped)._desk, "mama", actor="caller")
    assert mama.stats().jobs[0].parked_until == ahead() + MOST_REST


def test_a_limit_that_never_lifts_rests_as_a_failure(reverie: Reverie, mama: Agent, ahead: Clock) -> None:
    def capped(_night: Night) -> None:
        raise CapReached("llm.tokens_day = 10", None, needs="8,000 tokens")

    with pytest.raises(CapReached, match="waiting doesn't change that"):
        sleep(_asleep(reverie, capped)._desk, "mama", actor="caller")
    parked = mama.stats().jobs[0].parked_until
    assert parked is not None
    assert ahead() < parked <= ahead() + MOST_REST


def test_usage_booked_by_a_clock_ahead_costs_nothing_today(mama: Agent, ahead: Clock) -> None:
    meter = StoreMeter(mama._desk.store, ahead, Settings(llm=LLMSettings(calls_hour=2)))
    for _ in range(2):
        meter.reserve(Spent(calls=1))
    with pytest.raises(CapReached):
        meter.reserve(Spent(calls=1))
    ahead.now -= YEAR
    for _ in range(2):
        meter.reserve(Spent(calls=1))
    with pytest.raises(CapReached) as raised:
        meter.reserve(Spent(calls=1))
    assert raised.value.free_at is not None
    assert raised.value.free_at < (ahead() + timedelta(hours=2)).isoformat()
    with mama._desk.store.read(EVERYONE) as unit:
        assert sum(one.calls for one in unit.usage.since(ahead() - YEAR).values()) == 4


def test_a_mind_that_thinks_for_long_keeps_its_lease(
    reverie: Reverie, mama: Agent, ahead: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leasing, "_BEAT_SECONDS", 0.01)
    other = _asleep(reverie)
    refused: list[str] = []

    def renewed(until: object) -> bool:
        with mama._desk.store.read("mama") as unit:
            return unit.jobs.get(SLEEP).until == until

    def think(_night: Night) -> None:
        for _ in range(6):
            ahead.wait(minutes=8)
            for _ in range(1_000):
                if renewed(ahead() + LEASE):
                    break
                threading.Event().wait(0.01)
            with pytest.raises(JobRunning) as raised:
                sleep(other._desk, "mama", actor="another")
            refused.append(str(raised.value))

    done = sleep(_asleep(reverie, think)._desk, "mama", actor="caller")
    assert len(done.sleep.episodes) == 12
    assert len(refused) == 6
    assert HEART not in [thread.name for thread in threading.enumerate()]


def test_work_with_a_lost_lease_asks_nothing_more(reverie: Reverie, mama: Agent, ahead: Clock) -> None:
    asked: list[int] = []

    def think(night: Night) -> None:
        for question in range(3):
            night.go_on()
            asked.append(question)
            ahead.wait(minutes=11)
            with mama._desk.store.write("mama") as unit:
                unit.jobs.take(SLEEP, "another", now=ahead(), until=ahead() + LEASE)

    with pytest.raises(JobRunning):
        sleep(_asleep(reverie, think)._desk, "mama", actor="caller")
    assert asked == [0]
    assert HEART not in [thread.name for thread in threading.enumerate()]


def test_no_thread_is_left_of_a_lease_in_which_something_failed(mama: Agent) -> None:
    def fail() -> None:
        with Lease(mama._desk, "mama", SLEEP):
            assert HEART in [thread.name for thread in threading.enumerate()]
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert HEART not in [thread.name for thread in threading.enumerate()]
