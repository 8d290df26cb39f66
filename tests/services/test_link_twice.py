"""What two agents share that is the same thing comes once, and stays for as long as one of the two links stands."""

from __future__ import annotations

import pytest

from reverie import Agent, Reverie
from tests.services.linked import share

SAID = "The ferry leaves at six"
KEPT = "The lighthouse keeper has the second map"


@pytest.fixture
def links(reverie: Reverie) -> list[str]:
    """Nova has Kade's and Vera's banks, who heard the same, and both have Iris's memory."""
    nova, kade, vera, iris = (reverie.agent(name) for name in ("nova", "kade", "vera", "iris"))
    reverie.room("plaza", ["kade", "vera"]).say("kade", SAID)
    iris.remember(KEPT)
    for giver in (kade, vera):
        share(giver, iris)
    return [share(nova, giver) for giver in (kade, vera)]


def _texts(agent: Agent) -> tuple[list[str], list[str]]:
    return [one.content for one in agent.episodes()], [one.essence for one in agent.memories(deep=True)]


def test_what_two_agents_know_comes_once(reverie: Reverie, links: list[str]) -> None:
    assert _texts(reverie.agent("nova")) == ([SAID], [KEPT])


@pytest.mark.parametrize("first", [0, 1])
def test_it_stays_until_both_links_are_taken_back(reverie: Reverie, links: list[str], first: int) -> None:
    nova = reverie.agent("nova")
    nova.link.revoke(links[first])
    assert _texts(nova) == ([SAID], [KEPT])
    nova.link.revoke(links[1 - first])
    assert _texts(nova) == ([], [])


def test_what_comes_back_stays_while_that_link_stands(reverie: Reverie) -> None:
    nova, kade, iris = (reverie.agent(name) for name in ("nova", "kade", "iris"))
    iris.remember(KEPT)
    first = share(nova, iris)
    share(kade, nova)
    back = share(nova, kade)
    nova.link.revoke(first)
    assert _texts(nova) == ([], [KEPT])
    nova.link.revoke(back)
    assert _texts(nova) == ([], [])
