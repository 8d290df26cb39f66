"""What becomes of what a neural link brought: taken back, forgotten on either side, rested upon; on each engine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from reverie import Agent, Connection, Memory, Reverie
from reverie.domain.link import LinkState, NeuralLink
from reverie.domain.memory import Origin, State
from reverie.errors import LinkRefused
from tests.services.bench import NOON, Clock, at_once, kept
from tests.services.conftest import Open
from tests.services.houses import PAIRS, Houses
from tests.services.linked import by_essence, lived, share, summarized
from tests.services.moody import Moody

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
        nova.adopt(link)
    clock.wait(days=40)
    line = reverie.agent(end).link.revoke(link)
    assert (line.state, line.revoked_at) == (LinkState.REVOKED, clock.now)
    assert by_essence(nova) == before
    assert (nova.episodes(), nova.conversations(), nova.procedures.list()) == ([], [], [])
    assert nova.memories(match="ferry", deep=True) == []
    assert by_essence(kade) == theirs
    with nova._desk.store.read("nova") as unit:
        assert unit.links.items(link) == []
        tables = "memory_versions memory_sources connections achievements dues summaries watermarks".split()
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


KEPT = "The lighthouse keeper has the second map"


@pytest.fixture(params=PAIRS, ids=" to ".join)
def houses(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Houses]:
    """Two places of one or two engines."""
    database = request.getfixturevalue("postgres_database") if "postgres" in request.param else ""
    with ExitStack() as held:
        yield Houses(
            engines=request.param, clock=clock, folder=tmp_path, database=lambda _: database, held=held
        )


@pytest.mark.parametrize("attempt", range(3))
def test_of_two_who_accept_at_once_one_is_refused(open_bank: Open, attempt: int) -> None:
    first, second = open_bank(), open_bank()
    kept(first.agent("kade"), KEPT)
    asked = first.agent("nova").link.request("kade")
    results = at_once(*(lambda one=one: one.agent("kade").link.accept(asked.id) for one in (first, second)))
    [refused] = [one for one in results if isinstance(one, LinkRefused)]
    assert "answered already" in str(refused)
    assert [one.essence for one in second.agent("nova").memories(deep=True)] == [KEPT]
    for name in ("nova", "kade"):
        assert [one.state for one in first.agent(name).link.list()] == [LinkState.ACCEPTED]


def test_accepting_and_declining_at_once_leaves_both_sides_equal(open_bank: Open) -> None:
    first, second = open_bank(), open_bank()
    kept(first.agent("kade"), KEPT)
    asked = first.agent("nova").link.request("kade")
    results = at_once(
        lambda: first.agent("kade").link.accept(asked.id), lambda: second.agent("kade").link.decline(asked.id)
    )
    [done] = [one for one in results if isinstance(one, NeuralLink)]
    assert {one.state for name in ("nova", "kade") for one in first.agent(name).link.list()} == {done.state}
    assert len(first.agent("nova").memories()) == (done.state is LinkState.ACCEPTED)


def test_two_who_ask_each_other_at_once_both_get_their_request(open_bank: Open) -> None:
    first, second = open_bank(), open_bank()
    for name in ("nova", "kade"):
        kept(first.agent(name), f"{name} keeps bees")
    results = at_once(
        lambda: first.agent("nova").link.request("kade"), lambda: second.agent("kade").link.request("nova")
    )
    assert all(isinstance(one, NeuralLink) for one in results)
    assert [len(first.agent(name).link.pending()) for name in ("nova", "kade")] == [1, 1]


def test_a_link_can_be_revoked_after_a_move_to_another_embedder(open_bank: Open, clock: Clock) -> None:
    old = open_bank(embedder=Moody(name="old"))
    kept(old.agent("kade"), KEPT)
    own = kept(old.agent("nova"), "Nova keeps bees")
    link = share(old.agent("nova"), old.agent("kade"))
    new = open_bank(embedder=Moody(48, name="new"))
    nova, kade = new.agent("nova"), new.agent("kade")
    nova.jobs.reembed()
    [hit] = nova.recall("who has the second map?", limit=1).hits
    assert (hit.memory.essence, hit.memory.learned_from) == (KEPT, "kade")
    kade.jobs.reembed()
    clock.wait(minutes=5)
    assert kade.link.accept(nova.link.request("kade").id).counts == {"duplicates": 1}
    for one in nova.link.list():
        nova.link.revoke(one.id)
    assert [one.id for one in nova.memories(deep=True)] == [own.id]
    assert link in {one.id for one in nova.link.list()}


def test_a_link_can_be_revoked_in_a_copied_store(houses: Houses) -> None:
    nova, kade = houses.old.agent("nova"), houses.old.agent("kade")
    kept(kade, KEPT)
    kade.observe("The ferry leaves at six", conversation="harbour")
    own = kept(nova, "Nova keeps bees")
    link = share(nova, kade)
    vera = houses.old.agent("vera")
    kept(vera, "Vera paints")
    vera.link.block("nova")
    houses.old.copy_to(houses.new)
    there: Reverie = houses.new
    assert there.agent("nova").link.list() == nova.link.list()
    assert there.agent("kade").link.list() == kade.link.list()
    with pytest.raises(LinkRefused):
        there.agent("nova").link.request("vera")
    there.agent("kade").link.revoke(link)
    assert [one.id for one in there.agent("nova").memories(deep=True)] == [own.id]
    assert there.agent("nova").episodes() == []
    assert {one.essence for one in nova.memories()} == {KEPT, "Nova keeps bees"}
