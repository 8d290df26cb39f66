"""A text on which a rule fails is left out, counted and named; attend, sleep, self-care and housekeeping go on."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from reverie import Agent, SelfCareSettings, Settings
from reverie.memory.society import portrait
from reverie.minds.judges import model
from reverie.minds.local import telling
from reverie.services.loop import keeping
from reverie.services.sleep import sleep
from reverie.services.upkeep import selfcare
from tests.services.bench import NOON, Clock, kept
from tests.services.conftest import Open

ODD = "My zyzzyva moved to Berlin last month."
PLAIN = ["I moved to Lisbon last month.", "My partner Jonas is a carpenter.", "I have a dog called Rex."]


def _fails_on_odd(patch: pytest.MonkeyPatch, *where: tuple[object, str]) -> None:
    """A rule raises what nobody expects, as ``person`` did at "Act I's"."""

    def failing(really: Any) -> Any:
        def rule(text: str, *rest: Any, **more: Any) -> Any:
            if "zyzzyva" in text:
                raise KeyError("'s")
            return really(text, *rest, **more)

        return rule

    for module, name in where:
        patch.setattr(module, name, failing(getattr(module, name)))


@pytest.fixture
def odd(monkeypatch: pytest.MonkeyPatch) -> None:
    _fails_on_odd(monkeypatch, (model, "sentences"), (telling, "_plain"), (portrait, "has_account"))


def _said(mama: Agent, *texts: str, **more: object) -> tuple[str, ...]:
    messages = [{"content": text, "speaker": "Anna", **more} for text in texts]
    return mama.observe(messages, conversation="talk").episode_ids


def _essences(mama: Agent) -> str:
    return "\n".join(one.essence for one in mama.memories(limit=100))


@pytest.mark.usefixtures("odd")
def test_attend_reads_the_rest_of_the_snippet(mama: Agent) -> None:
    ids = _said(mama, PLAIN[0], ODD, *PLAIN[1:])
    done = mama.attend()
    assert (done.unread, done.failures, done.left) == ((ids[1],), 0, 0)
    assert "Jonas" in _essences(mama)
    stats = mama.stats()
    assert (stats.counters[keeping.UNREAD], stats.parked) == (1, ())


@pytest.mark.usefixtures("odd")
def test_sleep_goes_on_without_what_it_can_not_read(mama: Agent) -> None:
    ids = _said(mama, ODD, *PLAIN)
    report = mama.sleep()
    assert report.sleep.episodes == tuple(sorted(ids))
    assert report.remaining == 0
    assert report.sleep.notes[0] == f"1 could not be read and were left out: {ids[0]}"
    assert "zyzzyva" not in str(report.sleep.notes)
    assert "Jonas" in _essences(mama)
    assert mama.jobs.sleeps()[0].notes == report.sleep.notes
    assert mama.stats().counters[sleep.UNREAD] == 1


@pytest.mark.usefixtures("odd")
def test_a_night_of_nothing_that_can_be_read_is_over_too(mama: Agent) -> None:
    ids = _said(mama, *(f"{ODD} {place}" for place in range(9)))
    report = mama.sleep()
    assert report.remaining == 0
    assert {id for id in ids if id in str(report.sleep.notes)} == set(ids)


@pytest.mark.usefixtures("odd")
def test_a_memory_that_can_not_be_read_stops_no_portrait(mama: Agent) -> None:
    kept(mama, f"Anna said: {ODD}", source_trust="principal")
    kept(mama, "Anna keeps seven bees", source_trust="principal")
    _said(mama, *PLAIN)
    assert "memories that could not be read" in str(mama.sleep().sleep.notes)
    assert "bees" in mama.soul.portrait()


@pytest.mark.usefixtures("odd")
def test_a_conversation_is_closed_without_what_can_not_be_read(open_bank: Open, clock: Clock) -> None:
    mama = open_bank(settings=Settings(self_care=SelfCareSettings(live_entries=3))).agent("mama")
    ids = _said(mama, ODD, *PLAIN, "I like jazz a lot.", "I work as a nurse in Porto.", "I play chess.")
    clock.wait(hours=3)
    done = mama.self_care()
    assert (done.closed, done.unread) == (7, (ids[0],))
    assert mama.stats().counters[selfcare.UNREAD] == 1


@pytest.mark.usefixtures("odd")
def test_an_unreadable_conversation_is_closed_too(open_bank: Open, clock: Clock) -> None:
    mama = open_bank(settings=Settings(self_care=SelfCareSettings(live_entries=3))).agent("mama")
    ids = _said(mama, *(f"{ODD} {place}" for place in range(7)))
    clock.wait(hours=3)
    done = mama.self_care()
    assert (done.closed, set(done.unread)) == (7, set(ids))


@pytest.mark.usefixtures("odd")
def test_observations_are_summarized_without_unreadable_ones(mama: Agent) -> None:
    odd = kept(mama, "the zyzzyva moved away last month", kind="observation")
    for place in range(35):
        kept(mama, f"Anna fed {place + 2} hens in garden number {place}", kind="observation")
    done = mama.self_care()
    assert (done.summarized, done.unread) == (36, (odd.id,))


@pytest.mark.usefixtures("odd")
def test_housekeeping_passes_over_what_it_can_not_read(mama: Agent) -> None:
    for day in (9, 6, 2):
        mama.observe(
            [{"content": ODD, "speaker": "Anna", "time": NOON - timedelta(days=day)}],
            conversation=f"day {day}",
        )
    done = mama.housekeeping()
    assert done.complete
    assert len(done.unread) == 1


def test_a_message_that_once_stopped_every_sleep_is_slept_on(mama: Agent) -> None:
    ids = _said(mama, "Look at Act I's visual language: World War I's end. I live in Lisbon now.")
    assert mama.attend().failures == 0
    assert mama.sleep().sleep.episodes == ids


def test_a_broken_embedder_is_not_blamed_on_the_text(mama: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    _said(mama, *PLAIN)

    def broken(*_: object) -> None:
        raise ConnectionError

    monkeypatch.setattr(type(mama._desk.embedder), "embed", broken)
    done = mama.attend()
    assert (done.unread, done.failures) == ((), 1)
    assert mama.stats().unslept == len(PLAIN)
