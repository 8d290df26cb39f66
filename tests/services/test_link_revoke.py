"""What becomes of what a neural link brought: taken back, forgotten on either side, rested upon; on each engine."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reverie import Agent, Connection, Memory, Reverie
from reverie.domain.link import LinkState
from reverie.domain.memory import Origin, State
from reverie.errors import LinkRefused
from tests.services.bench import NOON, Clock, kept
from tests.services.linked import by_essence, lived, share, summarized

pytestmark = pytest.mark.slow


@pytest.fixture
def nova(reverie: Reverie) -> Agent:
    nova = reverie.agent("nova")
    kept(nova, "The harbour has two cranes")
    return nova


@pytest.mark.parametrize("end", ["nova", "kade"])
@pytest.mark.parametrize("is_adopted", [False, True])
def test_either_end_takes_back_everything_adopted_or_not(
    nova: Agent, kade: Agent, clock: Clock, reverie: Reverie, end: str, is_adopted: bool
) -> None:
    kept(nova, "Rope is sold at the quay", tags=["harbour"])
    before = by_essence(nova)
    lived(kade, clock)
    theirs = by_essence(kade)
    link = share(nova, kade)
    if is_adopted:
        nova.link.adopt(link)
    clock.wait(days=40)
    line = reverie.agent(end).link.revoke(link)
    assert (line.state, line.revoked_at) == (LinkState.REVOKED, clock.now)
    assert by_essence(nova) == before
    assert (nova.episodes(), nova.conversations(), nova.procedures()) == ([], [], [])
    assert nova.memories(match="ferry", deep=True) == []
    assert by_essence(kade) == theirs
    with nova._desk.store.read("nova") as unit:
        assert unit.links.items(link) == []
        tables = "memory_versions memory_sources connections achievements summaries watermarks".split()
        assert [table for table in tables if unit.transfer.count(table)] == []
    assert not any("ferry" in str(one.after) + str(one.before) for one in nova.audit(limit=1000))
    assert [*nova._desk.store.check()] == []
    with pytest.raises(LinkRefused, match="revoked"):
        kade.link.revoke(link)


def test_what_was_taken_back_may_be_shared_again(nova: Agent, kade: Agent) -> None:
    kept(kade, "The map is in the den")
    nova.link.revoke(share(nova, kade))
    share(nova, kade)
    assert by_essence(nova)["The map is in the den"].learned_from == "kade"


def test_what_two_links_brought_stays_until_both_go(nova: Agent, kade: Agent) -> None:
    kept(kade, "The map is in the den")
    kade.observe("The map is in the den", conversation="den")
    first, second = share(nova, kade), share(nova, kade)
    nova.link.revoke(first)
    assert "The map is in the den" in by_essence(nova)
    assert len(nova.episodes()) == 1
    nova.link.revoke(second)
    assert set(by_essence(nova)) == {"The harbour has two cranes"}
    assert nova.episodes() == []


def test_what_rests_on_a_copied_message_alone_goes_with_it(nova: Agent, kade: Agent) -> None:
    kade.observe("The map is in the den", conversation="den")
    link = share(nova, kade)
    (copied,) = nova.episodes()
    said = nova.observe("The map is old").episode_ids
    derived = kept(nova, "Somebody keeps maps in a den", source_episodes=[copied.id], origin="loop")
    both = kept(nova, "There is an old map in a den", source_episodes=[copied.id, *said], origin="loop")
    kade.link.revoke(link)
    ours = by_essence(nova)
    assert derived.essence not in ours
    assert ours[both.essence].source_episodes == said


def test_a_summary_over_what_goes_falls_and_the_rest_is_active(nova: Agent, kade: Agent) -> None:
    kept(kade, "The map is in the den")
    link = share(nova, kade)
    ours = by_essence(nova)
    copy, own = ours["The map is in the den"], ours["The harbour has two cranes"]
    story, saga = kept(nova, "A story of dens and cranes"), kept(nova, "The saga of all stories")
    summarized(nova, story, copy, own)
    summarized(nova, saga, story)
    kade.link.revoke(link)
    left = by_essence(nova)
    assert set(left) == {"The harbour has two cranes"}
    awake = left["The harbour has two cranes"]
    assert awake.state is State.ACTIVE
    told = nova.audit(target=awake.id)[-1]
    assert (told.before, (told.after or {}).get("state")) == ({"state": "summarized"}, "active")


def test_what_was_merged_into_a_copy_stands_by_itself_again(nova: Agent, kade: Agent) -> None:
    kept(kade, "The map is in the den")
    link = share(nova, kade)
    ours = by_essence(nova)
    copy, own = ours["The map is in the den"], ours["The harbour has two cranes"]
    with nova._desk.store.write("nova") as unit:
        unit.memories.update(replace(own, state=State.ARCHIVED, superseded_by=copy.id))
        unit.memories.connect(Connection(source=copy.id, target=own.id, relation="merged", created_at=NOON))
    kade.link.revoke(link)
    (left,) = nova.memories()
    assert (left.id, left.state, left.superseded_by) == (own.id, State.ACTIVE, None)
    told = nova.audit(target=own.id)[-1]
    states = [(payload or {})["state"] for payload in (told.before, told.after)]
    assert (told.action, states) == ("merge", ["archived", "active"])
    assert copy.id not in str(nova.audit(limit=1000))


def test_a_givers_forget_names_who_holds_a_copy(nova: Agent, kade: Agent, reverie: Reverie) -> None:
    told = kept(kade, "The map is in the den")
    kade.soul.add("Maps are worth more than gold")
    link = share(nova, kade, include=["soul"])
    passed = share(reverie.agent("mira"), nova)
    receipt = kade.forget(told.id)
    first, second, *_ = receipt.elsewhere
    assert f"agent nova holds a copy of 1 of these, by neural link {link}" in first
    assert f"agent mira holds a copy of 1 of these, by neural link {passed}" in second
    assert "The map is in the den" in by_essence(nova)
    everything = kade.forget(everything=True).elsewhere
    assert f"agent nova holds a copy of 1 of these, by neural link {link}" in everything[0]
    kade.link.revoke(link)
    assert "The map is in the den" not in by_essence(nova)


def test_a_forget_names_nobody_where_nothing_of_it_was_shared(nova: Agent, kade: Agent) -> None:
    kept(kade, "The map is in the den")
    link = share(nova, kade)
    later = kept(kade, "The den is dark")
    same = kept(kade, "The door is shut")
    assert not any("agent" in one for one in kade.forget(later.id).elsewhere)
    nova.link.revoke(link)
    assert not any("agent" in one for one in kade.forget(same.id).elsewhere)


def test_a_receivers_forget_takes_the_copy_and_keeps_it_out(nova: Agent, kade: Agent) -> None:
    kept(kade, "The map is in the den")
    kade.observe("The map is in the den", conversation="den")
    link = share(nova, kade)
    nova.forget(by_essence(nova)["The map is in the den"].id)
    nova.forget(conversation="link:kade:den")
    with nova._desk.store.read("nova") as unit:
        assert unit.links.items(link) == []
    assert not any("agent" in one for one in kade.forget(conversation="den").elsewhere)
    share(nova, kade)
    assert set(by_essence(nova)) == {"The harbour has two cranes"}
    assert nova.episodes() == []


def test_what_was_written_to_a_request_goes_with_everything(nova: Agent, kade: Agent) -> None:
    kept(kade, "The map is in the den")
    asked = nova.link.request("kade", message="a secret wish")
    kade.link.accept(asked.id)
    nova.forget(everything=True)
    assert [(one.id, one.message) for one in nova.link.list()] == [(asked.id, None)]
    assert by_essence(nova) == {}


def test_a_copy_can_be_revised_and_reinforced_like_any_memory(nova: Agent, kade: Agent) -> None:
    kept(kade, "The map is in the den")
    link = share(nova, kade)
    copy: Memory = by_essence(nova)["The map is in the den"]
    new = nova.revise(copy.id, essence="The map was in the den")
    assert (new.id, new.origin, new.learned_from) == (copy.id, Origin.LINK, "kade")
    kade.link.revoke(link)
    assert set(by_essence(nova)) == {"The harbour has two cranes"}
