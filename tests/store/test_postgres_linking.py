"""Neural links over a network that breaks at the commit: each step takes effect once, in both banks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from reverie import Reverie, StoreSettings
from reverie.domain.link import LinkState
from tests.store.postgres_banks import opened
from tests.store.postgres_proxy import Proxy, Side, proxy_to

pytestmark = pytest.mark.slow

COMMIT = b"INTO writes"
"""Stands in what is sent with a write's COMMIT, and with no other."""
SIDES: list[Side] = ["before", "after"]
KEPT = "The lighthouse keeper has the second map"
SAID = "The ferry leaves at six"


@pytest.fixture
def proxy(postgres_database: str) -> Iterator[Proxy]:
    with proxy_to(postgres_database) as made:
        yield made


@pytest.fixture
def direct(postgres_database: str) -> Iterator[Reverie]:
    """Banks past the proxy; Kade has a memory and a message."""
    with opened(postgres_database) as made:
        made.agent("kade").remember(KEPT)
        made.agent("kade").observe(SAID)
        made.agent("nova").remember("Nova keeps bees")
        yield made


@pytest.fixture
def reverie(proxy: Proxy) -> Iterator[Reverie]:
    """The same by way of the proxy, over a connection that has written nothing yet: the words of its statements go over
    it until they are prepared.
    """
    with opened(proxy.url, store=StoreSettings(busy_timeout=10.0)) as made:
        yield made


def _request(reverie: Reverie) -> None:
    reverie.agent("nova").link.request("kade")


def _accept(reverie: Reverie) -> None:
    [asked] = reverie.agent("kade").link.pending()
    assert reverie.agent("kade").link.accept(asked.id).counts["memories"] == 1


def _revoke(reverie: Reverie) -> None:
    [link] = reverie.agent("kade").link.list()
    reverie.agent("kade").link.revoke(link.id)


STEPS = (_request, _accept, _revoke)
STATES = (LinkState.PENDING, LinkState.ACCEPTED, LinkState.REVOKED)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("broken", [0, 1, 2], ids=["request", "accept", "revoke"])
def test_a_step_broken_at_the_commit_takes_effect_once(
    proxy: Proxy, direct: Reverie, reverie: Reverie, broken: int, side: Side
) -> None:
    steps: list[Callable[[Reverie], None]] = [*STEPS]
    for step in steps[:broken]:
        step(direct)
    proxy.cut(COMMIT, side)
    steps[broken](reverie)
    assert proxy.cuts == 1
    nova, kade = reverie.agent("nova"), reverie.agent("kade")
    assert [one.state for agent in (nova, kade) for one in agent.link.list()] == [STATES[broken]] * 2
    for agent in (nova, kade):
        told = [entry for entry in agent.audit() if entry.action == "link"]
        assert [(entry.after or {}).get("state") for entry in told] == [*STATES[: broken + 1]]
    came = broken == 1
    assert [one.essence for one in nova.memories(deep=True) if one.learned_from == "kade"] == [KEPT] * came
    assert [one.content for one in nova.episodes()] == [SAID] * came
    assert [one.episodes for one in nova.conversations()] == [1] * came
    assert [one.essence for one in kade.memories(deep=True)] == [KEPT]
    assert [*reverie.check()] == []
