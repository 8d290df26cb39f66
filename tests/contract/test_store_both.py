"""Laws of a write over two agents at once: both or neither, each sees its own, and nobody waits for ever."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import partial

import pytest

from reverie.domain.query import EVERYTHING
from reverie.errors import InvalidInput, StoreError
from reverie.ports.store import Store, Unit
from tests.contract.conftest import Banks
from tests.contract.store_rows import NOW, a_memory, a_view, an_entry, an_episode, keep, tell


def _note(id: str, mine: Unit, theirs: Unit) -> None:
    for unit in (mine, theirs):
        unit.audit.add([an_entry(id)])


def _keep_in_both(mama: Unit, papa: Unit) -> str:
    keep(mama, a_memory("of mama"))
    keep(papa, a_memory("of papa"))
    return "done"


def _kept(store: Store, agent_id: str) -> Sequence[str]:
    with store.read(agent_id) as unit:
        return [*unit.memories.get(["of mama", "of papa", "again"])]


def test_both_commit_and_the_result_comes_back(store: Store) -> None:
    assert store.transact_both("mama", "papa", _keep_in_both) == "done"
    assert (_kept(store, "mama"), _kept(store, "papa")) == (["of mama"], ["of papa"])


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_what_is_raised_in_the_work_leaves_both_untouched(store: Store, error: type[BaseException]) -> None:
    def work(mama: Unit, papa: Unit) -> None:
        _keep_in_both(mama, papa)
        raise error

    with store.read("mama") as one, store.read("papa") as other:
        before = one.agents.rev(), other.agents.rev()
    with pytest.raises(error):
        store.transact_both("mama", "papa", work)
    assert (_kept(store, "mama"), _kept(store, "papa")) == ([], [])
    with store.read("mama") as one, store.read("papa") as other:
        assert (one.agents.rev(), other.agents.rev()) == before
    assert store.transact_both("mama", "papa", _keep_in_both) == "done"


def test_each_unit_sees_and_changes_its_own_agents_rows_alone(store: Store) -> None:
    def work(mama: Unit, papa: Unit) -> None:
        tell(mama, an_episode("e1"))
        keep(mama, a_memory("m1"))
        mama.relationships.add(a_view("v1"))
        mama.audit.add([an_entry("a1")])
        assert not papa.memories.get(["m1"])
        assert not papa.episodes.get(["e1"])
        assert not papa.relationships.history()
        assert not papa.audit.list()
        papa.memories.delete(["m1"])
        papa.episodes.delete(["e1"])
        assert list(mama.memories.get(["m1"])) == ["m1"]
        assert list(mama.episodes.get(["e1"])) == ["e1"]
        keep(papa, a_memory("m1", essence="papa's own"))
        assert mama.memories.get(["m1"])["m1"].essence == "essence of m1"
        assert papa.memories.get(["m1"])["m1"].essence == "papa's own"

    store.transact_both("mama", "papa", work)


def test_both_find_what_was_stored_by_its_words_afterwards(store: Store) -> None:
    def work(mama: Unit, papa: Unit) -> None:
        keep(mama, a_memory("m1", essence="the harbour is shut"))
        keep(papa, a_memory("p1", essence="the market is shut"))

    store.transact_both("mama", "papa", work)
    for agent_id, id, word in (("mama", "m1", "harbour"), ("papa", "p1", "market")):
        with store.read(agent_id) as unit:
            assert [one.id for one in unit.memories.list(EVERYTHING, match=word, now=NOW)] == [id]
            other = "market" if word == "harbour" else "harbour"
            assert unit.memories.list(EVERYTHING, match=other, now=NOW) == []


def test_an_agent_that_was_never_there_can_be_read_and_made(store: Store) -> None:
    def work(mama: Unit, uncle: Unit) -> bool:
        assert mama.agents.get() is not None
        return uncle.agents.get() is None

    assert store.transact_both("mama", "uncle", work)
    assert "uncle" not in store.agent_ids()


def test_one_agent_is_no_two(store: Store) -> None:
    with pytest.raises(InvalidInput, match="name two"):
        store.transact_both("mama", "mama", _keep_in_both)


def test_it_can_be_nested_in_no_write(store: Store) -> None:
    with store.write("mama"), pytest.raises(StoreError, match="nested"):
        store.transact_both("mama", "papa", _keep_in_both)
    with pytest.raises(StoreError, match="nested"):
        store.transact_both("mama", "papa", lambda mama, papa: store.transact("papa", lambda unit: None))


def test_two_crosswise_writes_over_one_pair_both_end(banks: Banks) -> None:
    patient = banks.again(busy_seconds=30.0)
    rounds, errors = 20, list[BaseException]()
    together = threading.Barrier(2)

    def link(one: str, other: str) -> None:
        try:
            together.wait(timeout=30)
            for number in range(rounds):
                patient.transact_both(one, other, partial(_note, f"{one} {number}"))
        except BaseException as error:  # noqa: BLE001  # told below
            errors.append(error)

    threads = [
        threading.Thread(target=link, args=pair, daemon=True) for pair in (("mama", "papa"), ("papa", "mama"))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not errors
    assert not any(thread.is_alive() for thread in threads)
    for agent_id in ("mama", "papa"):
        with patient.read(agent_id) as unit:
            assert len(unit.audit.list(limit=100)) == 2 * rounds
