"""Conversations that are over are closed under summaries; nothing of what else is done with them changes."""

from __future__ import annotations

import pytest

from reverie import Reverie, SelfCareSettings
from reverie.domain.audit import Action
from reverie.services.loop import JOB
from tests.services.bench import Clock
from tests.services.cared import Narrator, narrated, observed, talked

pytestmark = pytest.mark.slow


def _live(mama: object) -> dict[str, int]:
    with mama._desk.store.read(mama.id) as unit:  # type: ignore[attr-defined]
        by_store = dict(unit.summaries.live())
        assert {one.id: one.live for one in unit.summaries.rooms() if one.live} == {
            id: count for id, count in by_store.items() if not id.startswith("link:")
        }
        return by_store


def test_what_goes_on_and_what_is_short_stays_live(reverie: Reverie, clock: Clock) -> None:
    mama, _ = narrated(reverie)
    observed(mama, clock, 30)
    talked(mama, 12, "over")
    talked(mama, 5, "short")
    clock.wait(hours=2)
    talked(mama, 12, "going on")
    report = mama.self_care()
    assert (report.conversations, report.closed) == (1, 12)
    assert _live(mama) == {"going on": 12, "short": 5}
    said = [one.time for one in mama.episodes(limit=100) if one.conversation != "over"]
    assert report.summarized_until == min(said)


def test_an_old_talk_that_is_told_just_now_goes_on(reverie: Reverie, clock: Clock) -> None:
    mama, _ = narrated(reverie)
    observed(mama, clock, 30)
    talked(mama, 12, "old", time="2026-01-02T12:00:00+00:00")
    assert mama.self_care().closed == 0
    clock.wait(minutes=61)
    observed(mama, clock, 30, first=50)
    assert mama.self_care().closed == 12


def test_later_messages_are_closed_under_another_summary(reverie: Reverie, clock: Clock) -> None:
    mama, teller = narrated(reverie)
    for day in range(3):
        observed(mama, clock, 30, first=40 * day)
        talked(mama, 8)
        clock.wait(hours=2)
        mama.self_care()
    made = [one for one in mama.summaries.list() if one.conversation == "harbour"]
    assert [(one.first, one.last) for one in made] == [(0, 7), (8, 15), (16, 23)]
    assert [len(one) for one in teller.talks] == [8, 8, 8]
    assert _live(mama) == {}


def test_a_long_talk_stands_under_several_summaries(reverie: Reverie, clock: Clock) -> None:
    mama, _ = narrated(reverie)
    observed(mama, clock, 30)
    talked(mama, 520)
    clock.wait(hours=2)
    report = mama.self_care()
    assert (report.conversations, report.closed) == (2, 520)
    assert [one.items for one in mama.summaries.list() if one.conversation] == [260, 260]
    assert sum(len(mama.summaries.expand(id).episodes) for id in report.summaries) == 520


def test_past_the_ceiling_the_oldest_messages_are_closed(reverie: Reverie, clock: Clock) -> None:
    mama, _ = narrated(reverie, self_care=SelfCareSettings(live_entries=100))
    talked(mama, 60, "first")
    clock.wait(minutes=5)
    talked(mama, 120, "second")
    assert mama.stats().self_care_due
    report = mama.self_care()  # though there is not a single observation
    assert report.declined is None
    assert report.closed == 110
    assert _live(mama) == {"second": 70}
    assert [one.first for one in mama.summaries.list()] == [0, 0]
    assert not mama.stats().self_care_due


def test_talks_that_came_by_a_neural_link_are_left(reverie: Reverie, clock: Clock) -> None:
    mama, _ = narrated(reverie)
    observed(mama, clock, 30)
    said = [{"content": f"Kade heard of boat {number}", "speaker": "Kade"} for number in range(12)]
    mama.observe(said, conversation="link:kade:harbour", channel="link")
    clock.wait(hours=2)
    report = mama.self_care()
    assert (report.closed, report.summarized_until, mama.stats().live) == (0, None, 0)


def test_closing_changes_no_recall_history_sleep_or_loop(reverie: Reverie, clock: Clock) -> None:
    mama, _ = narrated(reverie)
    observed(mama, clock, 30)
    talked(mama, 12)
    clock.wait(hours=2)

    def seen() -> tuple[object, ...]:
        with mama._desk.store.read(mama.id) as unit:
            behind = unit.watermarks.count_behind(JOB)
        found = mama.recall_episodes("how many gulls at pier 4").hits
        return mama.society.history(), [(hit.id, hit.score) for hit in found], mama.stats().unslept, behind

    before = seen()
    assert mama.self_care().closed == 12
    assert seen() == before


def test_a_rooms_summary_has_all_its_messages_as_sources(reverie: Reverie, clock: Clock) -> None:
    mama, _ = narrated(reverie)
    observed(mama, clock, 30)
    ids = talked(mama, 12)
    clock.wait(hours=2)
    report = mama.self_care()
    [entry] = mama.audit(job=report.id, actions=[Action.CLOSE])
    assert entry.after is not None
    assert (entry.after["conversation"], entry.after["first"], entry.after["last"]) == ("harbour", 0, 11)
    memory = mama.summaries.expand(entry.target).memory
    assert memory.source_episodes == tuple(sorted(ids))
    assert memory.valid_from is not None


def test_what_is_said_while_the_mind_reads_stays_live(reverie: Reverie, clock: Clock) -> None:
    mama, teller = narrated(reverie)
    observed(mama, clock, 30)
    talked(mama, 12)
    clock.wait(hours=2)
    teller.meanwhile = lambda: talked(mama, 3)
    assert mama.self_care().closed == 12
    assert _live(mama) == {"harbour": 3}


def test_a_message_forgotten_meanwhile_is_in_no_summary(reverie: Reverie, clock: Clock) -> None:
    mama, teller = narrated(reverie)
    observed(mama, clock, 30)
    ids = talked(mama, 12)
    clock.wait(hours=2)
    teller.meanwhile = lambda: mama.forget(ids[0])
    report = mama.self_care()
    assert [len(one) for one in teller.talks] == [12, 11]
    assert report.closed == 11
    assert "counted 3 gulls" not in str(mama.summaries.expand(report.summaries[0]))


def test_a_mind_away_is_shown_no_message(reverie: Reverie, clock: Clock) -> None:
    away, home = Narrator(), Narrator()
    away.is_local = False
    mama, _ = narrated(reverie, away)
    observed(mama, clock, 30)
    talked(mama, 12)
    clock.wait(hours=2)
    assert mama.self_care().closed == 0
    object.__setattr__(mama._desk, "home", home)
    observed(mama, clock, 30, first=50)
    assert mama.self_care().closed == 12
    assert (len(away.talks), len(home.talks)) == (0, 1)
