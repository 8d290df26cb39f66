"""What a reader is told of a summary: in it, beside it where it is found, and of what is left out of it."""

from __future__ import annotations

import pytest

from reverie import Reverie, SelfCareSettings
from reverie.domain.trust import SourceTrust
from reverie.minds.local import LocalMind
from tests.services.bench import Clock, kept
from tests.services.cared import PEOPLE, narrated, observed, saw, states, talked, the
from tests.services.conftest import Open
from tests.services.exports import brought, lines_of

pytestmark = pytest.mark.slow
MARK = "summary of 30, deep recall has each"


def test_a_summary_begins_with_what_it_stands_for(reverie: Reverie, clock: Clock) -> None:
    mama, teller = narrated(reverie, self_care=SelfCareSettings(summary=400))
    observed(mama, clock, 60)
    made = the(mama, mama.self_care().summaries[0]).essence
    first, _, rest = made.partition("\n")
    assert first == (
        "20 November 2026, 60 observations: Anna (12), Ines (12), Kade (12), Noor (12) and Otto (12)."
    )
    assert rest == f"A story of 60 things from {saw(0)}"
    assert mama._desk.tokens(first, 400) + teller.asked_for[0] < 400


def test_a_summary_of_summaries_says_how_much_lies_at_the_bottom(reverie: Reverie, clock: Clock) -> None:
    mama, teller = narrated(reverie, self_care=SelfCareSettings(batch=30, target=1))
    observed(mama, clock, 90)
    mama.self_care()
    [top] = [one for one in mama.summaries.list() if the(mama, one.memory_id).state.value == "active"]
    assert the(mama, top.memory_id).essence.startswith("20 November 2026, 90 observations in ")
    assert all("observations" not in one.essence for one in teller.batches[-1])


def test_a_rooms_summary_tells_its_size_and_speakers(reverie: Reverie, clock: Clock) -> None:
    mama, _ = narrated(reverie)
    observed(mama, clock, 30)
    talked(mama, 60)
    clock.wait(hours=2)
    told = [the(mama, one).essence for one in mama.self_care().summaries]
    [talk] = [one for one in told if "messages" in one]
    assert talk.startswith("20 November 2026, 60 messages: ")
    assert PEOPLE[0] in talk.partition("\n")[0]


def test_a_hit_that_is_a_summary_says_so_and_others_dont(reverie: Reverie, clock: Clock) -> None:
    mama, _ = narrated(reverie)
    observed(mama, clock, 30)
    kept(mama, "A story of things that Anna likes")
    made = mama.self_care().summaries[0]
    marks = {hit.id: hit.summary for hit in mama.recall("a story of things", limit=9).hits}
    assert marks.pop(made) == mama.summaries.list()[0]
    assert marks
    assert set(marks.values()) == {None}


def test_the_block_and_the_window_say_that_a_line_is_a_summary(reverie: Reverie, clock: Clock) -> None:
    mama, _ = narrated(reverie)
    observed(mama, clock, 30)
    mama.self_care()
    block = mama.context("a story of things that were seen at the pier")
    assert f", {MARK}] 20 November 2026, 30 observations" in block.text
    assert mama.context("a story of things that were seen at the pier").text == block.text


def test_what_holds_elsewhere_never_comes_into_one_summary(reverie: Reverie, clock: Clock) -> None:
    mama, teller = narrated(reverie)
    home = observed(mama, clock, 10, scope=["home/**"])
    observed(mama, clock, 40, first=10)
    report = mama.self_care()
    assert (report.batches, report.summarized) == (1, 40)
    assert not {saw(number) for number in range(10)} & {one.essence for one in teller.batches[0]}
    assert the(mama, report.summaries[0]).scope == ()
    assert {states(mama)[id] for id in home} == {"active"}


def test_what_is_all_of_one_place_is_summarized_for_that_place(reverie: Reverie, clock: Clock) -> None:
    mama, _ = narrated(reverie)
    observed(mama, clock, 30, scope=["home/**", "garden/**"])
    assert set(the(mama, mama.self_care().summaries[0]).scope) == {"home/**", "garden/**"}


def test_scattered_scopes_are_told_and_summaries_go_on(reverie: Reverie, clock: Clock) -> None:
    mama, _ = narrated(reverie, self_care=SelfCareSettings(batch=30))
    observed(mama, clock, 60)
    for _ in range(2):
        mama.self_care()
    for number in range(60, 100):
        observed(mama, clock, 1, first=number, scope=[f"room-{number}/**"])
    declined = mama.self_care().declined
    assert declined is not None
    assert "same places" in declined
    mama, _ = narrated(reverie, self_care=SelfCareSettings(batch=30, target=1))
    assert mama.self_care().summarized == 2


def test_what_is_hardly_believed_is_kept_and_not_told(reverie: Reverie, clock: Clock) -> None:
    mama, teller = narrated(reverie)
    [doubted] = observed(mama, clock, 1, confidence=0.1)
    observed(mama, clock, 35, first=1)
    report = mama.self_care()
    assert report.summarized == 36
    assert saw(0) not in {one.essence for one in teller.batches[0]}
    assert doubted in {one.id for one in mama.summaries.expand(report.summaries[0]).memories}


def test_days_in_a_summary_are_the_agents(reverie: Reverie, clock: Clock) -> None:
    mama, teller = narrated(reverie)
    mama.set_profile(time_zone="Pacific/Auckland")
    observed(mama, clock, 30)
    assert the(mama, mama.self_care().summaries[0]).essence.startswith("21 November 2026, ")
    assert {one.valid_from.day for one in teller.batches[0] if one.valid_from} == {21}


def test_what_another_claims_in_a_closed_talk_stays_his_word(open_bank: Open, clock: Clock) -> None:
    reverie = open_bank()
    mama, _ = narrated(
        reverie, LocalMind(reverie._desk.embedder, floor=0.0), self_care=SelfCareSettings(min_observations=1)
    )
    kept(mama, "Snow fell on the pier", kind="observation")
    room = Reverie(mama._desk, actor="caller").room("tavern", [mama.id])
    for text in ("My brother is the king of Torvik.", "I am the rightful captain of the ship.", *["Hm."] * 6):
        clock.wait(minutes=1)
        room.say("Mallory", text)
    clock.wait(hours=2)
    told = [the(mama, one) for one in mama.self_care().summaries]
    [talk] = [one for one in told if one.source_trust is SourceTrust.OTHER]
    for claim in ("king of Torvik", "rightful captain"):
        [line] = [one for one in talk.essence.splitlines() if claim in one]
        assert line.startswith("Mallory, 20 November 2026: ")


def test_a_new_memory_is_not_linked_to_a_summary(reverie: Reverie, clock: Clock) -> None:
    mama, teller = narrated(reverie)
    teller.tell = lambda some: "Kade carried 12 parcels to the pier"
    observed(mama, clock, 30)
    report = mama.self_care()
    made = the(mama, report.summaries[0])
    kept(mama, made.essence.replace("12 parcels", "13 parcels"), kind="observation")
    undone = mama.revert(report.id)
    assert (undone.removed, undone.edges) == (report.summaries, 30)


def test_an_import_drops_the_narrative_of_a_forgotten_message(reverie: Reverie, clock: Clock) -> None:
    mama, _ = narrated(reverie, self_care=SelfCareSettings(min_observations=1))
    nova = reverie.agent("nova")
    kept(mama, "Snow fell on the pier", kind="observation")
    room = Reverie(mama._desk, actor="caller").room("tavern", [mama.id, nova.id])
    for number in range(8):
        clock.wait(minutes=1)
        room.say("Mallory", f"I counted {number + 3} gulls at pier {number}")
    clock.wait(hours=2)
    mama.self_care()
    mama.link.accept(nova.link.request("mama").id)
    file = lines_of(nova)
    [told] = [
        the(nova, one.memory_id) for one in nova.summaries.list() if the(nova, one.memory_id).source_episodes
    ]
    [span] = [one for one in nova.summaries.list() if one.memory_id == told.id]
    assert span.conversation is None
    assert nova.forget(told.source_episodes[0]).summaries == (told.id,)
    brought(nova, file)
    assert told.id not in {one.memory_id for one in nova.summaries.list()}
    assert told.essence not in {one.essence for one in nova.memories(deep=True, limit=100)}
