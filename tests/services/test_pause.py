"""A paused agent runs no job and captures nothing, and recalls; a parked job may be retried at once."""

from __future__ import annotations

from datetime import timedelta

import pytest

from reverie import Agent, Reverie
from reverie.domain.audit import Action
from reverie.domain.job import SLEEP
from reverie.errors import Paused
from tests.services.bench import Clock
from tests.services.conftest import Open

RULE = "I always take the night train to Vienna"
STORY = "My sister Clara moved to Lisbon in March and works as a nurse there."


def test_a_paused_agent_captures_nothing_but_stores_messages(mama: Agent) -> None:
    mama.jobs.pause()
    seen = mama.observe({"content": RULE, "speaker": "Anna"})
    assert (seen.stored, seen.captured) == (1, ())
    assert mama.recall_episodes("night train").hits
    mama.jobs.resume()
    assert mama.observe({"content": "I always drink tea", "speaker": "Anna"}).captured


def test_the_loop_waits_for_resume_and_then_reads_what_was_said(mama: Agent) -> None:
    mama.jobs.pause()
    mama.observe({"content": STORY, "speaker": "Anna"})
    assert not mama.attend()
    assert mama.stats().waiting == 1
    mama.jobs.resume()
    assert mama.attend()


def test_housekeeping_refuses_while_paused(mama: Agent) -> None:
    mama.remember("Anna lives in Porto")
    mama.jobs.pause()
    with pytest.raises(Paused, match=r"resume\(\)"):
        mama.housekeeping()
    mama.jobs.resume()
    mama.housekeeping()


def test_weekly_housekeeping_passes_a_paused_agent_over(reverie: Reverie) -> None:
    agent = reverie.agent("papa")
    agent.remember("Anna lives in Porto")
    agent.jobs.pause()
    assert reverie.housekeeping("papa") == {}


def test_a_pause_is_audited_once(mama: Agent) -> None:
    first = mama.jobs.pause()
    assert mama.jobs.pause() == first
    mama.jobs.resume()
    mama.jobs.resume()
    assert [entry.action for entry in mama.audit()] == [Action.PAUSE, Action.RESUME]


def test_a_pause_survives_a_restart(open_bank: Open) -> None:
    with open_bank() as reverie:
        reverie.agent("mama").jobs.pause()
    with open_bank() as again:
        mama = again.agent("mama")
        assert mama.profile.paused_at is not None
        assert mama.observe({"content": RULE, "speaker": "Anna"}).captured == ()


def test_changing_the_profile_leaves_the_pause(mama: Agent) -> None:
    since = mama.jobs.pause().paused_at
    mama.set_profile(time_zone="Europe/Budapest")
    assert mama.profile.paused_at == since


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
