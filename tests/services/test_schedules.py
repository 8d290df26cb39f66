"""Sleep and housekeeping come by themselves, where they are due; a paused agent runs no job."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest

from reverie import Agent, Closed, MindFailed, RememberSettings, Reverie, Settings, StoreSettings
from reverie.domain.audit import Action
from reverie.domain.housekept import Housekept
from reverie.domain.job import SLEEP
from reverie.errors import Paused
from reverie.services.runtime.desk import Desk
from reverie.services.runtime.pace import Pace
from reverie.services.upkeep import schedules
from reverie.services.upkeep.housekeeping import housekeeping
from tests.services.bench import Clock, kept
from tests.services.conftest import Open
from tests.services.kept_house import said
from tests.services.scripted import Scripted, minded

QUIET = Settings(
    mind="none", remember=RememberSettings(emotions=False), store=StoreSettings(touch_flush_every=1e6)
)


@pytest.fixture
def house(open_bank: Open) -> Reverie:
    return open_bank(settings=QUIET)


def _weeks(agent: Agent) -> list[str]:
    return [name for name in agent.stats().counters if name.startswith("housekeeping.")]


def test_an_agent_younger_than_a_week_waits(house: Reverie, clock: Clock) -> None:
    kept(house.agent("mama"), "Anna likes tea")
    clock.wait(days=6.9)
    assert house.housekeeping() == {}
    clock.wait(days=0.1)
    assert list(house.housekeeping()) == ["mama"]


def test_each_week_has_one_housekeeping(house: Reverie, open_bank: Open, clock: Clock) -> None:
    mama = house.agent("mama")
    kept(mama, "Anna likes tea")
    clock.wait(days=10)  # Monday, 30 November
    assert list(house.housekeeping()) == ["mama"]
    assert house.housekeeping() == {}
    assert open_bank(settings=QUIET).housekeeping() == {}
    clock.wait(days=6)
    assert house.housekeeping() == {}
    clock.wait(days=1)
    assert list(house.housekeeping()) == ["mama"]
    assert _weeks(mama) == ["housekeeping.2026-W49", "housekeeping.2026-W50"]


def test_weeks_begin_at_midnight_in_the_agents_zone(house: Reverie, clock: Clock) -> None:
    mama = house.agent("mama", time_zone="Asia/Tokyo")
    clock.wait(days=9, hours=4)  # Sunday 16:00 UTC is Monday in Tokyo
    assert list(house.housekeeping()) == ["mama"]
    assert _weeks(mama) == ["housekeeping.2026-W49"]


def test_the_weekly_housekeeping_archives_what_is_stale(house: Reverie, clock: Clock) -> None:
    mama = house.agent("mama")
    memory = kept(mama, "Anna hums", origin="loop")
    clock.wait(days=400)
    assert house.housekeeping()["mama"].archived == (memory.id,)
    assert mama.audit(target=memory.id)[-1].action == "archive"


def test_one_agent_may_be_put_in_order(house: Reverie, clock: Clock) -> None:
    for name in ("mama", "papa"):
        kept(house.agent(name), "Anna likes tea")
    clock.wait(days=10)
    assert list(house.housekeeping("papa")) == ["papa"]
    assert list(house.housekeeping()) == ["mama"]


def test_a_stop_ends_it_before_the_next_agent(house: Reverie, clock: Clock) -> None:
    kept(house.agent("mama"), "Anna likes tea")
    clock.wait(days=10)
    stop = threading.Event()
    stop.set()
    assert house.housekeeping(stop=stop) == {}
    assert list(house.housekeeping()) == ["mama"]


def test_what_fails_is_logged_and_tried_again(
    house: Reverie, clock: Clock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    kept(house.agent("mama"), "Anna likes tea")
    clock.wait(days=10)
    failing = MindFailed("mind", "tea")
    with monkeypatch.context() as patch:
        patch.setattr(schedules, "housekeeping", lambda *given, **more: (_ for _ in ()).throw(failing))
        assert house.housekeeping() == {}
    assert "MindFailed" in caplog.text
    assert "tea" not in caplog.text
    assert list(house.housekeeping()) == ["mama"]


def test_what_one_agent_raises_stops_no_other(
    house: Reverie, clock: Clock, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("aunt", "mama"):
        kept(house.agent(name), "Anna likes tea")
    clock.wait(days=10)

    def fail(desk: Desk, agent_id: str, **more: Any) -> Housekept:
        if agent_id == "aunt":
            raise RuntimeError("tea")
        return housekeeping(desk, agent_id, **more)

    monkeypatch.setattr(schedules, "housekeeping", fail)
    assert list(house.housekeeping()) == ["mama"]
    assert "tea" not in caplog.text


def test_an_incomplete_housekeeping_is_tried_again(house: Reverie, clock: Clock) -> None:
    mama = house.agent("mama")
    said(house, 9, 5, 4, content="Anna likes tea")
    clock.wait(days=10)

    def fail(_: object) -> object:
        raise MindFailed("scripted/1", "it is tired")

    thinking, _ = minded(house, Scripted(fail))
    assert not thinking.housekeeping()["mama"].complete
    assert _weeks(mama) == []
    thinking, _ = minded(house, Scripted())
    assert len(thinking.housekeeping()["mama"].promoted) == 1
    assert len(_weeks(mama)) == 1


def test_without_a_mind_the_week_is_done(house: Reverie, clock: Clock) -> None:
    said(house, 9, 5, 4, content="Anna likes tea")
    clock.wait(days=10)
    assert house.housekeeping()["mama"].complete
    assert len(_weeks(house.agent("mama"))) == 1


@pytest.mark.parametrize("step", ["promoting", "merging", "tidying"])
def test_a_stop_between_batches_loses_nothing(
    house: Reverie, clock: Clock, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    mama, stop, left = (
        house.agent("mama"),
        threading.Event(),
        {"promoting": 2, "merging": 4, "tidying": 5}[step],
    )
    said(house, 9, 5, 4, content="Anna likes tea")
    kept(mama, "Anna hums", origin="loop")
    clock.wait(days=400)
    breathe = Pace.checkpoint

    def counting(pace: Pace) -> None:
        nonlocal left
        left -= 1
        if not left:
            stop.set()
        breathe(pace)

    thinking, _ = minded(house, Scripted())
    with monkeypatch.context() as patch:
        patch.setattr(Pace, "checkpoint", counting)
        first = thinking.housekeeping(stop=stop)["mama"]
    assert (first.complete, first.archived, len(first.promoted)) == (False, (), int(step != "promoting"))
    assert _weeks(mama) == []
    again = thinking.housekeeping(stop=threading.Event())["mama"]
    assert (again.complete, len(again.archived), len(again.promoted)) == (True, 2, int(step == "promoting"))


def test_a_closed_bank_is_not_put_in_order(house: Reverie) -> None:
    house.close()
    with pytest.raises(Closed):
        house.housekeeping()


PLANTED = [
    {"content": f"I planted {n + 3} apple trees behind the barn", "speaker": "Anna"} for n in range(12)
]


def _told(reverie: Reverie, name: str = "mama", count: int = 12) -> Agent:
    agent = reverie.agent(name)
    agent.observe(PLANTED[:count])
    return agent


def test_sleep_comes_once_everybody_is_silent(reverie: Reverie, clock: Clock) -> None:
    mama = _told(reverie)
    assert reverie.sleep() == {}
    clock.wait(seconds=301)
    (reports,) = reverie.sleep().values()
    assert sum(len(report.sleep.episodes) for report in reports) == 12
    assert mama.stats().unslept == 0
    assert reverie.sleep() == {}


def test_a_paused_agent_does_not_sleep(reverie: Reverie, clock: Clock) -> None:
    _told(reverie).jobs.pause()
    clock.wait(days=1)
    assert reverie.sleep() == {}
    reverie.agent("mama").jobs.resume()
    assert [*reverie.sleep()] == ["mama"]


def test_one_agent_may_be_asked_to_sleep(reverie: Reverie, clock: Clock) -> None:
    for name in ("mama", "papa"):
        _told(reverie, name)
    clock.wait(days=1)
    assert [*reverie.sleep("papa")] == ["papa"]
    assert [*reverie.sleep()] == ["mama"]


def test_without_a_mind_nobody_sleeps(open_bank: Open, clock: Clock) -> None:
    with open_bank(settings=Settings(mind="none")) as reverie:
        _told(reverie)
        clock.wait(days=1)
        assert reverie.sleep() == {}


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
