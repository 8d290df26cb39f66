"""Sleep that comes by itself, where it is due."""

from __future__ import annotations

from reverie import Agent, Reverie, Settings
from tests.services.bench import Clock
from tests.services.conftest import Open

SAID = [{"content": f"I planted {n + 3} apple trees behind the barn", "speaker": "Anna"} for n in range(12)]


def _told(reverie: Reverie, name: str = "mama", count: int = 12) -> Agent:
    agent = reverie.agent(name)
    agent.observe(SAID[:count])
    return agent


def test_it_comes_once_everybody_is_silent(reverie: Reverie, clock: Clock) -> None:
    mama = _told(reverie)
    assert reverie.sleep() == {}
    clock.wait(seconds=301)
    (reports,) = reverie.sleep().values()
    assert sum(len(report.sleep.episodes) for report in reports) == 12
    assert mama.stats().unslept == 0
    assert reverie.sleep() == {}


def test_it_waits_for_enough_to_sleep_on(reverie: Reverie, clock: Clock) -> None:
    _told(reverie, count=9)
    clock.wait(days=1)
    assert reverie.sleep() == {}


def test_it_comes_every_six_hours_at_most(reverie: Reverie, clock: Clock) -> None:
    mama = _told(reverie)
    clock.wait(hours=1)
    assert reverie.sleep()
    mama.observe([{**one, "content": f"{one['content']} again"} for one in SAID], conversation="next")
    clock.wait(hours=5, minutes=59)
    assert reverie.sleep() == {}
    clock.wait(minutes=2)
    assert [*reverie.sleep()] == ["mama"]


def test_a_paused_agent_is_left_awake(reverie: Reverie, clock: Clock) -> None:
    _told(reverie).jobs.pause()
    clock.wait(days=1)
    assert reverie.sleep() == {}
    reverie.agent("mama").jobs.resume()
    assert [*reverie.sleep()] == ["mama"]


def test_agents_sleep_on_their_own_and_one_alone_may_be_asked_to(reverie: Reverie, clock: Clock) -> None:
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
