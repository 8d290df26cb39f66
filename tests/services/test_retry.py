"""retry: what was parked is free at once."""

from __future__ import annotations

from datetime import timedelta

from reverie import Agent
from reverie.domain.job import SLEEP
from tests.services.bench import Clock


def test_parked_jobs_are_free_and_their_failures_stay_told(mama: Agent, clock: Clock) -> None:
    mama.remember("Anna keeps bees")
    with mama._desk.store.write("mama") as unit:
        unit.jobs.fail(SLEEP, parked_until=clock() + timedelta(hours=1), note="MindFailed")
    assert mama.jobs.retry() == 1
    (job,) = mama.stats().jobs
    assert (job.parked_until, job.failures, job.note) == (None, 1, "MindFailed")
    assert mama.jobs.retry() == 0


def test_an_agent_that_never_wrote_has_nothing_parked(mama: Agent) -> None:
    assert mama.jobs.retry() == 0
    assert mama.stats().jobs == ()
