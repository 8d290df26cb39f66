"""Laws over random lives of three agents who link: no row crosses outside links, no soul changes, both lines agree."""

from __future__ import annotations

import random

import pytest

from reverie import Agent, Reverie
from reverie.domain.link import LinkState, Side
from reverie.errors import LinkRefused
from tests.services.bench import Clock

pytestmark = pytest.mark.slow

NAMES = ("nova", "kade", "mira")
STEPS = 40


def _say(chance: random.Random, agent: Agent, others: list[Agent], number: int) -> None:
    said = agent.observe(f"{agent.id} passed buoy {number * 7 + 3}", conversation="sea").episode_ids
    agent.remember(f"Buoy {number * 7 + 3} was passed by {agent.id}", source_episodes=said)


def _ask(chance: random.Random, agent: Agent, others: list[Agent], number: int) -> None:
    try:
        agent.link.request(chance.choice(others).id)
    except LinkRefused:
        assert any(one.state is LinkState.PENDING for one in agent.link.list())


def _answer(chance: random.Random, agent: Agent, others: list[Agent], number: int) -> None:
    for one in agent.link.pending():
        if chance.random() < 0.8:
            agent.link.accept(one.id, include=chance.choice([(), ("soul",)]))
        else:
            agent.link.decline(one.id)


def _revoke(chance: random.Random, agent: Agent, others: list[Agent], number: int) -> None:
    shared = [one for one in agent.link.list() if one.state is LinkState.ACCEPTED]
    if shared:
        agent.link.revoke(chance.choice(shared).id)


def _forget(chance: random.Random, agent: Agent, others: list[Agent], number: int) -> None:
    known = agent.memories(deep=True, limit=1000)
    if known:
        agent.forget(chance.choice(known).id)


VERBS = [_say, _say, _say, _ask, _answer, _answer, _revoke, _forget]


@pytest.mark.parametrize("seed", [1, 2])
def test_no_row_crosses_outside_links_nor_soul_changes(reverie: Reverie, clock: Clock, seed: int) -> None:
    chance = random.Random(seed)
    agents = [reverie.agent(name) for name in NAMES]
    for agent in agents:
        agent.soul.add(f"I am {agent.id}")
        agent.remember(f"The harbour of {agent.id} lies in the north")
    for number in range(STEPS):
        agent = chance.choice(agents)
        chance.choice(VERBS)(chance, agent, [one for one in agents if one is not agent], number)
        clock.wait(seconds=chance.choice([1, 50]))
    for agent in agents:
        assert [one.text for one in agent.soul.list()] == [f"I am {agent.id}"]
        _check_rows(agent)
        _check_lines(agent, {one.id: one for one in agents})
    assert [*reverie._desk.store.check()] == []


def _check_rows(agent: Agent) -> None:
    """Each row is the agent's own, or an item of a link that stands."""
    with agent._desk.store.read(agent.id) as unit:
        came = {
            item.id
            for one in unit.links.list(limit=1000)
            for item in unit.links.items(one.id)
            if one.state is LinkState.ACCEPTED and one.side is Side.ASKED and not item.own
        }
    own = {one.target for one in agent.audit(limit=1000) if one.action == "remember"}
    for memory in agent.memories(deep=True, limit=1000):
        assert memory.id in (came if memory.learned_from else own)
        assert set(memory.source_episodes) <= {one.id for one in agent.episodes(limit=1000)}
    for episode in agent.episodes(limit=1000):
        assert (episode.id in came) is (episode.channel == "link")
        assert episode.channel == "link" or episode.content.startswith(agent.id)


def _check_lines(agent: Agent, agents: dict[str, Agent]) -> None:
    for one in agent.link.list(limit=1000):
        (other,) = [line for line in agents[one.other].link.list(limit=1000) if line.id == one.id]
        assert (other.other, other.state, other.counts) == (agent.id, one.state, one.counts)
        assert other.side is not one.side
