"""Neural links where more is under way: two who answer at once, another embedder, a copy of the whole store."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from reverie import Reverie
from reverie.domain.link import LinkState, NeuralLink
from reverie.errors import LinkRefused
from tests.services.bench import Clock, kept
from tests.services.conftest import Open
from tests.services.houses import PAIRS, Houses
from tests.services.linked import share
from tests.services.moody import Moody

pytestmark = pytest.mark.slow

KEPT = "The lighthouse keeper has the second map"


@pytest.fixture(params=PAIRS, ids=" to ".join)
def houses(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Houses]:
    """Two places of one or two engines."""
    database = request.getfixturevalue("postgres_database") if "postgres" in request.param else ""
    with ExitStack() as held:
        yield Houses(
            engines=request.param, clock=clock, folder=tmp_path, database=lambda _: database, held=held
        )


def _at_once(*calls: Callable[[], NeuralLink]) -> list[NeuralLink | LinkRefused]:
    """What each gave, or how it was refused; all begin together."""
    ready, results = threading.Barrier(len(calls)), list[NeuralLink | LinkRefused]()

    def run(call: Callable[[], NeuralLink]) -> None:
        ready.wait()
        try:
            results.append(call())
        except LinkRefused as refused:
            results.append(refused)

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


@pytest.mark.parametrize("attempt", range(3))
def test_of_two_who_accept_at_once_one_is_refused(open_bank: Open, attempt: int) -> None:
    first, second = open_bank(), open_bank()
    kept(first.agent("kade"), KEPT)
    asked = first.agent("nova").link.request("kade")
    results = _at_once(*(lambda one=one: one.agent("kade").link.accept(asked.id) for one in (first, second)))
    [refused] = [one for one in results if isinstance(one, LinkRefused)]
    assert "answered already" in str(refused)
    assert [one.essence for one in second.agent("nova").memories(deep=True)] == [KEPT]
    for name in ("nova", "kade"):
        assert [one.state for one in first.agent(name).link.list()] == [LinkState.ACCEPTED]


def test_accepting_and_declining_at_once_leaves_both_sides_equal(open_bank: Open) -> None:
    first, second = open_bank(), open_bank()
    kept(first.agent("kade"), KEPT)
    asked = first.agent("nova").link.request("kade")
    results = _at_once(
        lambda: first.agent("kade").link.accept(asked.id), lambda: second.agent("kade").link.decline(asked.id)
    )
    [done] = [one for one in results if isinstance(one, NeuralLink)]
    assert {one.state for name in ("nova", "kade") for one in first.agent(name).link.list()} == {done.state}
    assert len(first.agent("nova").memories()) == (done.state is LinkState.ACCEPTED)


def test_two_who_ask_each_other_at_once_both_get_their_request(open_bank: Open) -> None:
    first, second = open_bank(), open_bank()
    for name in ("nova", "kade"):
        kept(first.agent(name), f"{name} keeps bees")
    results = _at_once(
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
    nova.reembed()
    [hit] = nova.recall("who has the second map?", limit=1).hits
    assert (hit.memory.essence, hit.memory.learned_from) == (KEPT, "kade")
    kade.reembed()
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
