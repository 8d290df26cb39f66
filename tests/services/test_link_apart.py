"""What a neural link brought stays the other's: no job and no list takes it for one's own until it is adopted."""

from __future__ import annotations

import pytest

from reverie import Agent, Inserted, Memory, Reverie, SelfCareSettings, State
from reverie.errors import LinkRefused
from tests.services.bench import Clock, kept
from tests.services.cared import narrated
from tests.services.linked import share

pytestmark = pytest.mark.slow

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
