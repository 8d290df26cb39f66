"""Limits of calls, tokens and money, on every engine: over restarts, agents and processes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from reverie.domain.change import Spent
from reverie.domain.job import EVERYONE
from reverie.domain.settings import LLMSettings, Settings
from reverie.errors import CapReached
from reverie.ports.store import Store
from reverie.services.runtime import metering
from reverie.services.runtime.metering import StoreMeter
from tests.contract.conftest import Banks

pytestmark = pytest.mark.slow

NOW = datetime(2026, 11, 20, 22, 0, 30, tzinfo=UTC)
CALL = Spent(calls=1, input_tokens=1_000, output_tokens=500)


class Clock:
    """Goes only when told to."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def _meter(store: Store, clock: Clock, **limits: object) -> StoreMeter:
    return StoreMeter(store, clock, Settings(llm=LLMSettings(**limits)))  # type: ignore[arg-type]


def _calls(meter: StoreMeter, most: int = 100) -> int:
    """How many calls are let through."""
    for made in range(most):
        try:
            meter.reserve(CALL)
        except CapReached:
            return made
    return most


def test_an_hour_lets_through_no_more_calls_than_the_limit(store: Store, clock: Clock) -> None:
    meter = _meter(store, clock, calls_hour=3)
    assert _calls(meter) == 3
    clock.now += timedelta(minutes=60)
    assert _calls(meter) == 0  # the first minute is not behind us as a whole
    clock.now += timedelta(minutes=1)
    assert _calls(meter) == 3


def test_the_limit_of_the_day_holds_over_its_hours(store: Store, clock: Clock) -> None:
    meter = _meter(store, clock, calls_hour=3, calls_day=5)
    assert _calls(meter) == 3
    clock.now += timedelta(hours=2)
    assert _calls(meter) == 2
    clock.now += timedelta(hours=22, minutes=1)
    assert _calls(meter) == 3


def test_a_clock_once_a_year_ahead_drops_nothing_counted(store: Store, clock: Clock) -> None:
    meter = _meter(store, clock, calls_hour=3, calls_day=5)
    assert _calls(meter) == 3
    clock.now += timedelta(days=365)
    assert _calls(meter) == 3  # nothing of that day was used yet
    clock.now -= timedelta(days=365)
    assert _calls(meter) == 0
    clock.now += timedelta(hours=2)
    assert _calls(meter) == 2  # and what was booked ahead holds nobody up
    clock.now += timedelta(hours=25)
    assert _calls(meter) == 3


def test_the_error_names_the_limit_and_when_it_is_free_again(store: Store, clock: Clock) -> None:
    meter = _meter(store, clock, calls_hour=2)
    meter.reserve(CALL)
    clock.now += timedelta(minutes=10)
    meter.reserve(CALL)
    with pytest.raises(CapReached, match=r"llm\.calls_hour = 2") as reached:
        meter.reserve(CALL)
    assert reached.value.free_at is not None
    free = datetime.fromisoformat(reached.value.free_at)
    clock.now = free - timedelta(seconds=1)
    assert _calls(meter) == 0
    clock.now = free
    assert _calls(meter) == 1


def test_tokens_are_booked_by_need_and_settled_by_use(store: Store, clock: Clock) -> None:
    meter = _meter(store, clock, tokens_hour=4_000)
    bookings = [meter.reserve(CALL), meter.reserve(CALL)]
    with pytest.raises(CapReached, match=r"llm\.tokens_hour = 4,000"):
        meter.reserve(CALL)
    for booking in bookings:
        meter.settle(booking, Spent(calls=1, input_tokens=900, output_tokens=100))
    assert _calls(meter, 2) == 1
    meter.settle(bookings[0], Spent(calls=0))


def test_money_is_counted_by_the_prices_and_limited(store: Store, clock: Clock) -> None:
    meter = _meter(store, clock, prices=(3.0, 15.0), dollars_day=0.02)
    booking = meter.reserve(CALL)
    assert booking.booked.micro_dollars == 1_000 * 3 + 500 * 15
    spent = meter.settle(booking, Spent(calls=1, input_tokens=1_000, output_tokens=100))
    assert spent.micro_dollars == 4_500
    assert _calls(meter) == 1
    with pytest.raises(CapReached, match=r"llm.dollars_day = 0\.02"):
        meter.check(CALL)


def test_failed_calls_count_and_unsettled_ones_stay_booked(store: Store, clock: Clock) -> None:
    meter = _meter(store, clock, calls_hour=2, tokens_hour=3_000)
    meter.settle(meter.reserve(CALL), Spent(calls=1))
    meter.reserve(CALL)
    with store.read(EVERYONE) as unit:
        (used,) = unit.usage.since(NOW).values()
    assert used == Spent(calls=2, input_tokens=1_000, output_tokens=500)
    assert _calls(meter) == 0


def test_checking_several_calls_books_none(store: Store, clock: Clock) -> None:
    meter = _meter(store, clock, calls_hour=3)
    meter.check(Spent(calls=3))
    with pytest.raises(CapReached):
        meter.check(Spent(calls=4))
    assert _calls(meter) == 3


def test_a_question_beyond_every_limit_is_told_so(store: Store, clock: Clock) -> None:
    with pytest.raises(CapReached, match=r"may need 1,500 tokens by itself") as reached:
        _meter(store, clock, tokens_day=1_000).reserve(CALL)
    assert reached.value.free_at is None
    assert "llm.tokens_day = 1,000" in str(reached.value)
    assert "until" not in str(reached.value)
    with pytest.raises(CapReached, match=r"may need 0\.0105 dollars by itself"):
        _meter(store, clock, prices=(3.0, 15.0), dollars_day=0.01).reserve(CALL)


def test_limits_hold_after_a_restart_and_in_another_process(banks: Banks, clock: Clock) -> None:
    assert _calls(_meter(banks.store, clock, calls_hour=5), 3) == 3
    assert _calls(_meter(banks.again(), clock, calls_hour=5)) == 2


def test_of_racing_callers_none_gets_more_than_is_left(banks: Banks, clock: Clock) -> None:
    meters = [_meter(banks.again(20.0), clock, calls_hour=7) for _ in range(3)]
    with ThreadPoolExecutor(6) as pool:
        let_through = list(pool.map(_calls, meters * 2, [4] * 6))
    assert sum(let_through) == 7


def test_without_limits_all_is_counted_and_nothing_refused(store: Store, clock: Clock) -> None:
    meter = _meter(store, clock, calls_hour=None, calls_day=None)
    assert _calls(meter, 70) == 70


def test_usage_makes_no_agent(store: Store, clock: Clock) -> None:
    before = store.agent_ids()
    _meter(store, clock).reserve(CALL)
    assert store.agent_ids() == before


def test_old_minutes_are_dropped(store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metering, "_KEPT_MINUTES", 1)
    meter = _meter(store, clock)
    meter.reserve(CALL)
    clock.now += timedelta(days=63)
    meter.reserve(CALL)
    meter.reserve(CALL)  # the one before was the newest minute until now
    with store.read(EVERYONE) as unit:
        assert len(unit.usage.since(NOW)) == 1


@pytest.mark.parametrize("tokens", [-(10**9), 2**70])
def test_impossible_usage_neither_lifts_nor_breaks_a_limit(store: Store, clock: Clock, tokens: int) -> None:
    meter = _meter(store, clock, tokens_hour=2_000)
    booking = meter.reserve(CALL)
    settled = meter.settle(booking, Spent(calls=1, input_tokens=tokens))
    assert 0 <= settled.input_tokens <= 10**9
    assert _calls(meter) == (1 if tokens < 0 else 0)
