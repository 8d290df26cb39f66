"""Two worker processes on sixty due agents, one of them killed in the middle: each agent sleeps exactly once."""

from __future__ import annotations

import subprocess
import time

import pytest

from bench import due_nights
from reverie import Reverie
from tests.contract.store_engines import ENGINES

AGENTS = 60
PATIENCE = 240.0


def test_each_sleeps_once_though_a_worker_is_killed(request: pytest.FixtureRequest) -> None:
    where = ENGINES["postgres"].place(request)
    due_nights.make_due(where, AGENTS)
    environment = due_nights.environment()
    workers = [
        subprocess.Popen(due_nights.command(where), env=environment, stdout=subprocess.DEVNULL)
        for _ in range(2)
    ]
    try:
        with Reverie.open(where) as reverie:
            _wait_for(reverie, AGENTS // 6)
            workers[0].kill()
            assert workers[0].wait(PATIENCE) == -9
            killed_at = time.monotonic()
            assert workers[1].wait(PATIENCE) == 0
            while len(_slept(reverie)) < AGENTS:  # what the dead one held is free within a minute
                assert time.monotonic() - killed_at < PATIENCE
                subprocess.run(
                    due_nights.command(where), env=environment, check=True, stdout=subprocess.DEVNULL
                )
                time.sleep(5.0)
            counts = _slept(reverie)
            assert (len(counts), set(counts.values())) == (AGENTS, {1})
            assert [*reverie.check()] == []
    finally:
        for one in workers:
            one.kill()
            one.wait()


def _wait_for(reverie: Reverie, count: int) -> None:
    until = time.monotonic() + PATIENCE
    while len(_slept(reverie)) < count:
        assert time.monotonic() < until
        time.sleep(0.05)


def _slept(reverie: Reverie) -> dict[str, int]:
    counts = {one: len(reverie.agent(one).jobs.sleeps()) for one in reverie.agents()}
    return {one: count for one, count in counts.items() if count}
