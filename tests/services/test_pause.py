"""pause and resume: the agent's jobs and capture stand still, and recall goes on."""

from __future__ import annotations

import pytest

from reverie import Agent, Reverie
from reverie.domain.audit import Action
from reverie.errors import Paused
from tests.services.conftest import Open

RULE = "I always take the night train to Vienna"
STORY = "My sister Clara moved to Lisbon in March and works as a nurse there."


def test_a_paused_agent_captures_nothing_but_keeps_what_it_is_told(mama: Agent) -> None:
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
