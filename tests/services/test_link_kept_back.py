"""What a narrowed link keeps back, and what it brought stays the other's until it is adopted, on each engine."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reverie import Agent, Inserted, Memory, Reverie, SelfCareSettings, State
from reverie.domain.audit import Action
from reverie.domain.link import LinkState
from reverie.errors import LinkRefused
from tests.services.bench import Clock, kept
from tests.services.cared import narrated, observed, saw, talked
from tests.services.linked import share

pytestmark = pytest.mark.slow

SECRET = "Mika is ill and nobody may know"


def _came(agent: Agent) -> dict[str, Memory]:
    return {one.essence: one for one in agent.memories(deep=True, limit=1000) if one.learned_from}


def _cared(reverie: Reverie, least: int = 3) -> Agent:
    return narrated(reverie, self_care=SelfCareSettings(min_observations=least, target=1))[0]


def _tagged_summary(mama: Agent, *tags: str) -> str:
    with mama._desk.store.read("mama") as unit:
        [row] = unit.summaries.list()
        [memory] = unit.memories.get([row.memory_id]).values()

    def write(unit: object) -> None:
        unit.memories.update(replace(memory, tags=tags))  # type: ignore[attr-defined]

    mama._desk.store.transact("mama", write)
    return row.memory_id


def test_a_summary_stays_out_without_all_its_members(reverie: Reverie, nova: Agent, clock: Clock) -> None:
    mama = _cared(reverie)
    observed(mama, clock, 3, tags=["pier"])
    observed(mama, clock, 1, first=3, tags=["private"])
    assert mama.self_care().summarized == 4
    _tagged_summary(mama, "pier")
    asked = nova.link.request("mama")
    assert mama.link.accept(asked.id, tags="pier").counts == {"memories": 3, "withheld": 1}
    assert {one: each.state for one, each in _came(nova).items()} == dict.fromkeys(
        map(saw, range(3)), State.ACTIVE
    )


def test_a_summary_comes_with_all_its_members(reverie: Reverie, nova: Agent, clock: Clock) -> None:
    mama = _cared(reverie)
    observed(mama, clock, 4)
    mama.self_care()
    kept(mama, SECRET, kind="fact")
    asked = nova.link.request("mama")
    counts = mama.link.accept(asked.id, kinds="observation").counts
    assert (counts["memories"], counts["summaries"], "withheld" in counts) == (5, 1, False)
    assert sorted(one.state for one in _came(nova).values()) == ["active", *["summarized"] * 4]


def test_narrow_terms_share_no_rooms_summary(reverie: Reverie, nova: Agent, clock: Clock) -> None:
    mama = _cared(reverie, least=1)
    talked(mama, 6)
    kept(mama, saw(1), kind="observation")
    clock.wait(days=2)
    done = mama.self_care()
    [closing] = [one.memory_id for one in mama.summaries.list() if one.conversation is not None]
    with mama._desk.store.read("mama") as unit:
        above = set(unit.summaries.above([closing]))
    assert done.closed
    asked = nova.link.request("mama")
    counts = mama.link.accept(asked.id, kinds="observation").counts
    assert (counts["memories"], counts["withheld"], "episodes" in counts) == (2, 1 + len(above), False)
    assert not [one for one in _came(nova) if "They talked" in one]
    assert nova.episodes() == []


def test_an_expired_request_stays_expired(reverie: Reverie, nova: Agent, clock: Clock) -> None:
    mama = reverie.agent("mama")
    kept(mama, saw(1))
    asked = nova.link.request("mama")
    clock.wait(minutes=3)
    with pytest.raises(LinkRefused, match="its time was over"):
        mama.link.accept(asked.id)
    clock.wait(minutes=-5)
    assert mama.link.pending() == []
    with pytest.raises(LinkRefused):
        mama.link.accept(asked.id)
    assert {mama.link.get(asked.id).state, nova.link.get(asked.id).state} == {LinkState.EXPIRED}
    assert nova.link.request("mama").state is LinkState.PENDING


def test_asking_anew_ends_a_request_past_its_time(reverie: Reverie, nova: Agent, clock: Clock) -> None:
    mama = reverie.agent("mama")
    kept(mama, saw(1))
    first = nova.link.request("mama")
    clock.wait(minutes=3)
    nova.link.request("mama")
    clock.wait(minutes=-3)
    assert mama.link.get(first.id).state is LinkState.EXPIRED


def test_a_request_is_answered_in_no_imported_bank(reverie: Reverie, nova: Agent) -> None:
    mama = reverie.agent("mama")
    kept(mama, saw(1))
    asked = nova.link.request("mama")
    copy = reverie.agent("copy")
    copy.import_bank([*mama.export()])
    assert (copy.link.pending(), copy.link.get(asked.id).state) == ([], LinkState.EXPIRED)
    assert [one.id for one in mama.link.pending()] == [asked.id]


def test_a_forget_names_who_keeps_a_requests_message(reverie: Reverie, nova: Agent, clock: Clock) -> None:
    mama = reverie.agent("mama")
    kept(mama, saw(1))
    asked = nova.link.request("mama", message="The vault code is marmalade")
    since = clock.wait(hours=1)
    later = nova.forget(since=since).elsewhere
    told = f"agent mama keeps the message of neural link {asked.id}; have it forgotten there"
    assert told not in later
    assert told in nova.forget(everything=True).elsewhere
    mama.forget(everything=True)
    assert told not in nova.forget(everything=True).elsewhere


def test_what_came_by_a_link_is_listed_a_page_at_a_time(reverie: Reverie, nova: Agent) -> None:
    mama = reverie.agent("mama")
    for number in range(3):
        kept(mama, saw(number))
    kept(nova, saw(0))
    asked = nova.link.request("mama")
    mama.link.accept(asked.id)
    first, *rest = nova.link.items(asked.id)
    assert [first.essence, *(one.essence for one in rest)] == [saw(1), saw(2)]
    assert nova.link.items(asked.id, limit=1) == [first]
    assert nova.link.items(asked.id, after=first.id) == rest
    with pytest.raises(LinkRefused, match="nova that received"):
        mama.link.items(asked.id)
    assert not [one for one in nova.audit() if one.action is Action.ADOPT]


FERRY = "The ferry to the island leaves at six"
GOAL = "Sail around the island before winter"


def _told(agent: Agent, essence: str) -> list[Memory]:
    return [one for one in agent.memories(deep=True, limit=1000) if one.essence == essence]


def test_anothers_goals_are_not_ones_own_until_they_are_adopted(nova: Agent, kade: Agent) -> None:
    kade.goals.add(GOAL)
    kade.goals.complete(kade.goals.add("Mend the nets").id)
    own = nova.goals.add("Learn to swim")
    link = share(nova, kade)
    assert [one.id for one in nova.goals.list()] == [own.id]
    assert nova.goals.list(achieved=True) == []
    assert list(nova.window("And now?", max_tokens=32_000).goals) == ["Learn to swim"]
    nova.adopt(link)
    assert {one.memory.essence for one in nova.goals.list()} == {GOAL, "Learn to swim"}


def test_the_portrait_tells_nothing_that_only_another_knows(nova: Agent, kade: Agent) -> None:
    kept(nova, "Nova keeps bees", confidence=0.6)
    for number in range(45):
        kept(kade, f"Kade has {number} stones of the colour {'abcdefghij'[number % 10] * 6}", confidence=1.0)
    link = share(nova, kade)
    portrait = nova.soul.portrait()
    assert "Nova keeps bees" in portrait
    assert "Kade has" not in portrait
    nova.adopt(link)
    assert "Kade has" in nova.soul.portrait()


def test_self_care_leaves_what_a_link_brought_until_adopted(reverie: Reverie, kade: Agent) -> None:
    mama, teller = narrated(reverie, self_care=SelfCareSettings(min_observations=3, target=1))
    for number in range(4):
        kept(kade, f"Kade saw {'abcdefghij'[number] * 6} on the pier", kind="observation")
    link = share(mama, kade)
    assert not mama.self_care(dry_run=True).batches
    for number in range(3):
        kept(mama, f"Mama saw {'klmnopqrst'[number] * 6} at the market", kind="observation")
    mama.self_care()
    [told] = teller.batches
    assert all(one.essence.startswith("Mama") for one in told)
    came = [one for one in mama.memories(deep=True) if one.learned_from == "kade"]
    assert {one.state for one in came} == {State.ACTIVE}
    mama.adopt(link)
    mama.self_care()
    assert any(one.essence.startswith("Kade") for one in teller.batches[1])


def test_ones_own_word_stands_beside_an_equal_copy(nova: Agent, kade: Agent, clock: Clock) -> None:
    kept(kade, FERRY)
    link = share(nova, kade)
    outcomes = []
    for trust in ("external", "principal"):
        clock.wait(hours=1)
        outcomes.append(nova.remember(FERRY, source_trust=trust))
        [copy] = [one for one in _told(nova, FERRY) if one.learned_from == "kade"]
        assert (copy.reinforcement_count, copy.state) == (1, State.ACTIVE)
        assert outcomes[-1].memory.learned_from is None
    assert isinstance(outcomes[-1], Inserted)
    kade.link.revoke(link)
    assert {one.learned_from for one in _told(nova, FERRY)} == {None}


def test_housekeeping_merges_nothing_own_with_a_copy(nova: Agent, kade: Agent, clock: Clock) -> None:
    kept(kade, FERRY, source_trust="external")
    clock.wait(days=1)
    link = share(nova, kade)
    own = kept(nova, FERRY, source_trust="external")
    before = {one.id: one for one in _told(nova, FERRY)}
    assert nova.housekeeping().merged == ()
    assert {one.id: one for one in _told(nova, FERRY)} == before
    nova.adopt(link)
    assert nova.housekeeping().merged == ()
    assert (nova.portrait(own.id).memory.reinforcement_count) == 1


def test_a_bank_of_another_name_has_no_part_in_links(reverie: Reverie, nova: Agent, kade: Agent) -> None:
    kept(kade, FERRY)
    link = share(nova, kade)
    asked = nova.link.request("kade")
    mallory = reverie.agent("mallory")
    mallory.import_bank([*kade.export()])
    with pytest.raises(LinkRefused):
        mallory.link.accept(asked.id)
    if any(one.id == link for one in mallory.link.list()):
        mallory.link.revoke(link)
    assert [one.learned_from for one in _told(nova, FERRY)] == ["kade"]
    assert {one.state for one in nova.link.list()} == {"accepted", "pending"}
