"""What a reader is told of a summary, of one that came by a link, and what a revert of a self-care undoes."""

from __future__ import annotations

import pytest

from reverie import Agent, InvalidInput, NotFound, Reverie, SelfCareSettings
from reverie.domain.change import Learn
from reverie.domain.kinds import Kind
from reverie.domain.trust import SourceTrust
from reverie.errors import NotRevertible
from reverie.minds.local import LocalMind
from reverie.services.sleep.sleep import sleep
from tests.services.bench import Clock, kept
from tests.services.cared import PEOPLE, Narrator, narrated, observed, saw, states, talked, the, watching
from tests.services.conftest import Open
from tests.services.exports import bank_of, brought, lines_of
from tests.services.nights import Dreamer, said_in
from tests.services.scripted import minded

pytestmark = pytest.mark.slow
MARK = "summary of 30, deep recall has each"


def test_a_summary_begins_with_what_it_stands_for(reverie: Reverie, clock: Clock) -> None:
    mama, teller, _ = watching(reverie, clock, 60, self_care=SelfCareSettings(summary=400))
    made = the(mama, mama.self_care().summaries[0]).essence
    first, _, rest = made.partition("\n")
    assert first == (
        "20 November 2026, 60 observations: Anna (12), Ines (12), Kade (12), Noor (12) and Otto (12)."
    )
    assert rest == f"A story of 60 things from {saw(0)}"
    assert mama._desk.tokens(first, 400) + teller.asked_for[0] < 400


def test_a_summary_of_summaries_says_how_much_lies_at_the_bottom(reverie: Reverie, clock: Clock) -> None:
    mama, teller, _ = watching(reverie, clock, 90, self_care=SelfCareSettings(batch=30, target=1))
    mama.self_care()
    [top] = [one for one in mama.summaries.list() if the(mama, one.memory_id).state.value == "active"]
    assert the(mama, top.memory_id).essence.startswith("20 November 2026, 90 observations in ")
    assert all("observations" not in one.essence for one in teller.batches[-1])


def test_a_rooms_summary_tells_its_size_and_speakers(reverie: Reverie, clock: Clock) -> None:
    mama, _, _ = watching(reverie, clock, 30)
    talked(mama, 60)
    clock.wait(hours=2)
    told = [the(mama, one).essence for one in mama.self_care().summaries]
    [talk] = [one for one in told if "messages" in one]
    assert talk.startswith("20 November 2026, 60 messages: ")
    assert PEOPLE[0] in talk.partition("\n")[0]


def test_a_hit_that_is_a_summary_says_so_and_others_dont(reverie: Reverie, clock: Clock) -> None:
    mama, _, _ = watching(reverie, clock, 30)
    kept(mama, "A story of things that Anna likes")
    made = mama.self_care().summaries[0]
    marks = {hit.id: hit.summary for hit in mama.recall("a story of things", limit=9).hits}
    assert marks.pop(made) == mama.summaries.list()[0]
    assert marks
    assert set(marks.values()) == {None}


def test_the_block_and_the_window_say_that_a_line_is_a_summary(reverie: Reverie, clock: Clock) -> None:
    mama, _, _ = watching(reverie, clock, 30)
    mama.self_care()
    block = mama.context("a story of things that were seen at the pier")
    assert f", {MARK}] 20 November 2026, 30 observations" in block.text
    assert saw(1) not in block.text
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
    mama, _, _ = watching(reverie, clock, 60, self_care=SelfCareSettings(batch=30))
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


@pytest.fixture
def two(open_bank: Open) -> tuple[Agent, Agent]:
    """Mama, and nova whose bank she may have; both care for themselves from five observations on."""
    mama, _ = narrated(open_bank(), Narrator(), self_care=SelfCareSettings(min_observations=5))
    return mama, Reverie(mama._desk, actor="caller").agent("nova")


def _saw(agent: Agent) -> list[str]:
    return [kept(agent, saw(number), kind="observation").id for number in range(6)]


def _shared(to: Agent, of: Agent) -> None:
    of.link.accept(to.link.request(of.id).id)


def test_originals_stay_when_anothers_summary_falls(two: tuple[Agent, Agent], clock: Clock) -> None:
    mama, nova = two
    own = _saw(mama)
    _saw(nova)
    observed(nova, clock, 2, first=500)
    nova.self_care()
    report = mama.self_care()
    _shared(mama, nova)
    [foreign] = [one for one in mama.memories(deep=True) if "number 500" in one.essence and one.learned_from]
    receipt = mama.forget(foreign.id)
    assert len(receipt.summaries) == 1
    assert not {*own} & {*receipt.reactivated_memories}
    assert {states(mama)[id] for id in own} == {"summarized"}
    assert {*mama.revert(report.id).restored} == {*own}


def test_what_stayed_active_is_not_reported_as_active_again(two: tuple[Agent, Agent], clock: Clock) -> None:
    mama, nova = two
    own = _saw(mama)
    clock.wait(minutes=7)
    _saw(nova)
    _shared(mama, nova)
    nova.self_care()
    clock.wait(hours=1)
    _shared(mama, nova)
    assert {states(mama)[id] for id in own} == {"active"}
    receipt = mama.forget(own[0])
    assert len(receipt.summaries) == 1
    assert receipt.reactivated_memories == ()


def test_a_summary_of_memories_closes_no_room_there(two: tuple[Agent, Agent], clock: Clock) -> None:
    """Not even one whose name reads like no name."""
    mama, nova = two
    nova.observe("Kade keeps bees", conversation="None")
    _saw(nova)
    nova.self_care()
    _shared(mama, nova)
    [summary] = mama.summaries.list()
    assert summary.conversation is None
    assert not any(one.conversation is not None for one in nova.summaries.list())


def test_the_bank_is_what_it_was_before(reverie: Reverie, clock: Clock) -> None:
    mama, _, ids = watching(reverie, clock, 70, self_care=SelfCareSettings(batch=30, target=1))
    talked(mama, 12)
    clock.wait(hours=2)
    before = bank_of(mama)
    report = mama.self_care()
    assert (report.batches, report.conversations) == (3, 1)
    clock.wait(hours=1)
    shown = mama.revert(report.id, dry_run=True)
    assert bank_of(mama) != before
    done = mama.revert(report.id)
    assert bank_of(mama) == before
    assert set(done.removed) == set(report.summaries)
    assert set(done.restored) == set(ids[:60])
    assert (shown.removed, shown.restored, done.dropped) == (done.removed, done.restored, ())
    assert mama.summaries.list() == []
    assert mama.self_care().summarized == report.summarized


def test_it_is_undone_once(reverie: Reverie, clock: Clock) -> None:
    mama, _, _ = watching(reverie, clock, 30)
    report = mama.self_care()
    mama.revert(report.id)
    with pytest.raises(InvalidInput, match="undone already"):
        mama.revert(report.id)
    with pytest.raises(NotFound, match="nothing"):
        mama.revert("nothing")


def test_recalls_of_what_it_covered_dont_stand_in_the_way(reverie: Reverie, clock: Clock) -> None:
    mama, _, _ = watching(reverie, clock, 30)
    before = bank_of(mama)
    report = mama.self_care()
    assert mama.recall(saw(3), deep=True).hits
    mama._desk.touches.flush()
    mama.revert(report.id)
    assert bank_of(mama) == before


def test_a_later_self_care_above_it_is_told_and_undone_by_force(reverie: Reverie, clock: Clock) -> None:
    mama, _, ids = watching(reverie, clock, 60, self_care=SelfCareSettings(batch=30))
    first = mama.self_care()
    second = mama.self_care()
    mama, _ = narrated(reverie, self_care=SelfCareSettings(target=1))
    top = mama.self_care()
    assert mama.summaries.expand(top.summaries[0]).summary.items == 2
    with pytest.raises(NotRevertible) as refused:
        mama.revert(first.id)
    assert top.summaries[0] in str(refused.value)
    done = mama.revert(first.id, force=True)
    assert done.dropped
    found = states(mama)
    assert {found[id] for id in ids[:30]} == {"active"}
    assert {found[id] for id in ids[30:]} == {"summarized"}
    assert found[second.summaries[0]] == "active"
    assert [one.memory_id for one in mama.summaries.list()] == list(second.summaries)
    assert list(reverie.check()) == []


def test_a_summary_that_was_changed_since_is_told(reverie: Reverie, clock: Clock) -> None:
    mama, _, _ = watching(reverie, clock, 30)
    before = bank_of(mama)
    report = mama.self_care()
    mama.revise(report.summaries[0], pinned=True)
    with pytest.raises(NotRevertible, match="pinned"):
        mama.revert(report.id)
    mama.revert(report.id, force=True)
    assert bank_of(mama) == before


def test_what_was_filled_in_meanwhile_stays(reverie: Reverie, clock: Clock) -> None:
    mama, _, ids = watching(reverie, clock, 30)
    report = mama.self_care()
    clock.wait(hours=1)
    mama.revise(ids[0], importance=0.77)
    mama.revert(report.id)
    now = the(mama, ids[0])
    assert (now.importance, str(now.state), now.updated_at) == (0.77, "active", clock())


def test_undoing_a_sleep_under_a_summary_needs_force(reverie: Reverie, clock: Clock) -> None:
    text = "Kade repaired the red boat at the pier"
    mama = minded(reverie, Dreamer(dream=lambda night: [
        Learn(essence=text, kind=Kind.OBSERVATION, sources=(said_in(night)[text],))
    ]))[1]  # fmt: skip
    mama.observe([{"content": text, "speaker": "Kade"}], conversation="day")
    night = sleep(mama._desk, mama.id, actor="night")
    assert len(night.changes) == 1
    cared, _ = narrated(reverie)
    ids = observed(cared, clock, 30)
    report = cared.self_care()
    assert report.summarized == 31
    with pytest.raises(NotRevertible):
        cared.revert(night.sleep.id)
    cared.revert(night.sleep.id, force=True)
    assert cared.summaries.list() == []
    assert set(states(cared)) == set(ids)
    assert set(states(cared).values()) == {"active"}


def test_its_diff_says_where_to_look(reverie: Reverie, clock: Clock) -> None:
    mama, _, _ = watching(reverie, clock, 30)
    report = mama.self_care()
    with pytest.raises(InvalidInput, match="see the summaries"):
        mama.jobs.diff(report.id)


def test_a_revert_makes_closed_messages_live_again(reverie: Reverie, clock: Clock) -> None:
    mama, _, _ = watching(reverie, clock, 30)
    talked(mama, 12)
    clock.wait(hours=2)
    report = mama.self_care()
    talked(mama, 4)
    mama.revert(report.id)
    assert mama.stats().live == 16
    assert kept(mama, "Anna lives in Porto").id
