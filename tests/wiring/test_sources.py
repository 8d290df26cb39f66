"""Ids in the order of making, whatever the clock does."""

from __future__ import annotations

import threading
import uuid
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from reverie.wiring.sources import MonotonicIds, new_secret, system_clock

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def test_ids_grow_under_a_clock_that_stands_still() -> None:
    ids = MonotonicIds()
    made = [ids(NOON) for _ in range(5000)]
    assert made == sorted(set(made))
    assert all(uuid.UUID(one).version == 7 for one in made[::500])


@given(st.lists(st.integers(-10_000_000, 10_000_000), min_size=2, max_size=50))
def test_ids_grow_under_a_clock_that_goes_back_and_forth(offsets: list[int]) -> None:
    ids = MonotonicIds()
    made = [ids(NOON + timedelta(milliseconds=offset)) for offset in offsets]
    assert made == sorted(set(made))


@given(st.datetimes(timezones=st.just(UTC)))
def test_there_is_an_id_for_every_moment(moment: datetime) -> None:
    assert uuid.UUID(MonotonicIds()(moment)).version == 7


def test_ids_sort_by_time() -> None:
    ids = MonotonicIds()
    made = [ids(NOON + timedelta(milliseconds=n)) for n in range(100)]
    assert made == sorted(made)
    assert made[0] > MonotonicIds()(NOON - timedelta(milliseconds=1))


def test_ids_of_eight_threads_are_distinct_and_grow_in_each() -> None:
    ids = MonotonicIds()
    barrier = threading.Barrier(8)
    made: list[list[str]] = [[] for _ in range(8)]

    def work(mine: list[str]) -> None:
        barrier.wait(30)
        mine.extend(ids(NOON) for _ in range(2000))

    threads = [threading.Thread(target=work, args=(mine,)) for mine in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(mine == sorted(mine) for mine in made)
    assert len({one for mine in made for one in mine}) == 16_000


def test_the_systems_clock_tells_utc() -> None:
    assert system_clock().utcoffset() == timedelta(0)


def test_secrets_are_32_bytes_and_differ() -> None:
    assert len(new_secret()) == 32
    assert new_secret() != new_secret()
