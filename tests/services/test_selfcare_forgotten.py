"""Rooms that are over are closed under summaries, and what is forgotten is in no summary any more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from reverie import Agent, Reverie, SelfCareSettings
from reverie.domain.audit import Action
from reverie.services.loop import JOB
from tests.services.bench import Clock, kept, opened
from tests.services.cared import Narrator, narrated, observed, states, talked, the, watching
from tests.services.exports import lines_of
from tests.tables import CACHES, TABLES, UNREVISED

pytestmark = pytest.mark.slow

WORD = "zanzibarquux"


def _telling(some: Sequence[Any]) -> str:
    """A mind that repeats what is worth telling of what it is shown."""
    texts: list[str] = [getattr(one, "essence", None) or one.content for one in some]
    return next((text for text in texts if WORD in text), texts[0])


def _cared(reverie: Reverie, clock: Clock, **settings: object) -> tuple[Agent, str, list[str]]:
    """Mama with a secret among summarized things and one in a closed talk; the ids of both secrets."""
    mama, teller = narrated(reverie, **settings)
    teller.tell = teller.sum_up = _telling
    secret = kept(mama, f"The {WORD} diamonds lie under the oak", kind="observation").id
    observed(mama, clock, 35)
    said = talked(mama, 4)
    said += list(mama.observe([f"I buried the {WORD} diamonds myself"], conversation="harbour").episode_ids)
    said += list(
        mama.observe(
            [f"It rained on day {day} of May" for day in range(5)], conversation="harbour"
        ).episode_ids
    )
    clock.wait(hours=2)
    mama.self_care()
    assert all(WORD in mama.summaries.expand(one.memory_id).memory.essence for one in mama.summaries.list())
    return mama, secret, said


def _tables(reverie: Reverie) -> str:
    with reverie._desk.store.read("mama") as unit:
        return "".join(repr([*unit.transfer.pages(table)]) for table in (*TABLES, *UNREVISED, *CACHES))


def test_forgetting_an_original_drops_its_summary(reverie: Reverie, clock: Clock) -> None:
    mama, secret, _ = _cared(reverie, clock)
    [ours, theirs] = sorted(mama.summaries.list(), key=lambda one: one.conversation or "")
    others = {one.id for one in mama.summaries.expand(ours.memory_id).memories} - {secret}
    receipt = mama.forget(secret)
    assert receipt.memories == (secret,)
    assert receipt.summaries == (ours.memory_id,)
    assert set(receipt.reactivated_memories) == others
    assert receipt.reopened_episodes == 0
    found = states(mama)
    assert {found[id] for id in others} == {"active"}
    assert [one.memory_id for one in mama.summaries.list()] == [theirs.memory_id]
    assert mama.self_care().summarized == 35


def test_forgetting_a_message_drops_its_rooms_summary(reverie: Reverie, clock: Clock) -> None:
    mama, _, said = _cared(reverie, clock)
    [closing] = [one for one in mama.summaries.list() if one.conversation == "harbour"]
    receipt = mama.forget(said[4])
    assert receipt.summaries == (closing.memory_id,)
    assert (receipt.reopened_episodes, receipt.reactivated_memories) == (9, ())
    assert mama.stats().live == 9


FORGETS: list[Callable[[Agent, str, list[str]], object]] = [
    lambda mama, secret, said: (mama.forget(secret), mama.forget(said[4])),
    lambda mama, secret, said: (mama.forget(conversation="harbour"), mama.forget(secret)),
    lambda mama, secret, said: mama.forget(since="2026-11-01", until="2026-12-01"),
    lambda mama, secret, said: mama.forget(everything=True),
]


@pytest.mark.parametrize("way", range(len(FORGETS)))
def test_no_table_or_export_holds_what_was_forgotten(reverie: Reverie, clock: Clock, way: int) -> None:
    mama, secret, said = _cared(reverie, clock)
    assert WORD in _tables(reverie)
    _forgotten(mama, secret, said, way)
    assert WORD not in _tables(reverie)
    assert WORD not in repr(lines_of(mama, with_log=True))
    assert list(reverie.check()) == []


def _forgotten(mama: Agent, secret: str, said: list[str], way: int) -> None:
    FORGETS[way](mama, secret, said)


@pytest.mark.parametrize("way", range(len(FORGETS)))
def test_nothing_of_it_stays_in_the_raw_file(tmp_path: Path, clock: Clock, way: int) -> None:
    with opened(tmp_path / "a.bank", clock=clock, key=None, encrypted=False) as reverie:
        mama, secret, said = _cared(reverie, clock)
        files = [one for one in tmp_path.rglob("*") if one.is_file()]
        assert [one.name for one in files if WORD.encode() in one.read_bytes()]
        _forgotten(mama, secret, said, way)
        assert [one.name for one in files if one.exists() and WORD.encode() in one.read_bytes()] == []


def test_forgetting_a_summary_gives_its_originals_back(reverie: Reverie, clock: Clock) -> None:
    mama, secret, said = _cared(reverie, clock)
    for one in mama.summaries.list():
        receipt = mama.forget(one.memory_id)
        assert receipt.summaries == (one.memory_id,)
        assert (receipt.memories, receipt.episodes, receipt.rewritten_episodes) == ((), (), ())
    assert set(states(mama).values()) == {"active"}
    assert len(mama.episodes(limit=100)) == len(said)
    assert the(mama, secret).essence
    assert mama.self_care().summarized == 36


def test_a_summary_of_summaries_falls_with_what_is_below_it(reverie: Reverie, clock: Clock) -> None:
    mama, _, ids = watching(reverie, clock, 60, self_care=SelfCareSettings(batch=30, target=1))
    report = mama.self_care()
    first, second, top = report.summaries
    receipt = mama.forget(ids[0])
    assert set(receipt.summaries) == {first, top}
    assert set(receipt.reactivated_memories) == {*ids[1:30], second}
    assert {states(mama)[id] for id in ids[30:]} == {"summarized"}


def test_what_a_forget_changed_of_it_is_passed_over_by_a_revert(reverie: Reverie, clock: Clock) -> None:
    mama, _, ids = watching(reverie, clock, 60, self_care=SelfCareSettings(batch=30, target=1))
    report = mama.self_care()
    mama.forget(ids[0])
    done = mama.revert(report.id)
    assert set(done.restored) == set(ids[30:])
    found = states(mama)
    assert {found[id] for id in ids[1:]} == {"active"}
    assert mama.summaries.list() == []
    assert len(found) == 59


def test_a_message_with_a_forgotten_sentence_leaves_the_summary(reverie: Reverie, clock: Clock) -> None:
    mama, teller = narrated(reverie)
    teller.sum_up = _telling
    observed(mama, clock, 30)
    text = f"The {WORD} stone is blue."
    [source] = mama.observe([f"Good morning to all of you. {text}"], conversation="harbour").episode_ids
    talked(mama, 8)
    memory = kept(mama, text, source_episodes=[source])
    clock.wait(hours=2)
    mama.self_care()
    receipt = mama.forget(memory.id)
    assert receipt.rewritten_episodes == (source,)
    assert len(receipt.summaries) == 1
    assert WORD not in _tables(reverie)


def _live(mama: object) -> dict[str, int]:
    with mama._desk.store.read(mama.id) as unit:  # type: ignore[attr-defined]
        by_store = dict(unit.summaries.live())
        assert {one.id: one.live for one in unit.summaries.rooms() if one.live} == {
            id: count for id, count in by_store.items() if not id.startswith("link:")
        }
        return by_store


def test_what_goes_on_and_what_is_short_stays_live(reverie: Reverie, clock: Clock) -> None:
    mama, _, _ = watching(reverie, clock, 30)
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
    mama, _, _ = watching(reverie, clock, 30)
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
    mama, _, _ = watching(reverie, clock, 30)
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
    mama, _, _ = watching(reverie, clock, 30)
    said = [{"content": f"Kade heard of boat {number}", "speaker": "Kade"} for number in range(12)]
    mama.observe(said, conversation="link:kade:harbour", channel="link")
    clock.wait(hours=2)
    report = mama.self_care()
    assert (report.closed, report.summarized_until, mama.stats().live) == (0, None, 0)


def test_closing_changes_no_recall_history_sleep_or_loop(reverie: Reverie, clock: Clock) -> None:
    mama, _, _ = watching(reverie, clock, 30)
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
    mama, _, _ = watching(reverie, clock, 30)
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
    mama, teller, _ = watching(reverie, clock, 30)
    talked(mama, 12)
    clock.wait(hours=2)
    teller.meanwhile = lambda: talked(mama, 3)
    assert mama.self_care().closed == 12
    assert _live(mama) == {"harbour": 3}


def test_a_message_forgotten_meanwhile_is_in_no_summary(reverie: Reverie, clock: Clock) -> None:
    mama, teller, _ = watching(reverie, clock, 30)
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
    mama, _, _ = watching(reverie, clock, 30, away)
    talked(mama, 12)
    clock.wait(hours=2)
    assert mama.self_care().closed == 0
    object.__setattr__(mama._desk, "home", home)
    observed(mama, clock, 30, first=50)
    assert mama.self_care().closed == 12
    assert (len(away.talks), len(home.talks)) == (0, 1)
