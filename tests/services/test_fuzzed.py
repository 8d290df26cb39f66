"""No text stops observe, attend, sleep, self-care or housekeeping, and no rule fails on one: a few wide examples."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings

from reverie import Reverie, SelfCareSettings, Settings
from tests.services.bench import Clock, opened
from tests.services.fuzzed import lived, talks


@pytest.fixture(scope="module")
def banks(lasting_place: str) -> Iterator[tuple[Reverie, Clock]]:
    clock = Clock()
    with opened(
        lasting_place, clock=clock, settings=Settings(self_care=SelfCareSettings(live_entries=10))
    ) as reverie:
        yield reverie, clock


@settings(max_examples=4, suppress_health_check=list(HealthCheck))
@given(talk=talks)
def test_any_talk_is_lived_through(
    banks: tuple[Reverie, Clock], talk: list[tuple[str, str, str | None]]
) -> None:
    agent, unread = lived(*banks, talk)
    assert unread == []
    stats = agent.stats()
    assert (stats.unslept, stats.parked, [one for one in stats.jobs if one.failures]) == (0, (), [])
