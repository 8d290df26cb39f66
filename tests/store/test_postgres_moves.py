"""A large bank moves to another embedder: the approximate index begins anew, and nothing is missed meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from reverie.domain.agent import Agent
from reverie.domain.query import EVERYTHING
from reverie.ports.search import Probe
from reverie.ports.store import Unit
from reverie.store.postgres import indexing, near
from reverie.store.postgres.engine import PostgresStore
from reverie.store.postgres.search import PostgresSearch
from tests.contract.search_fixtures import NOW, a_memory
from tests.store.postgres_banks import ask

pytestmark = pytest.mark.slow

FEW, COUNT, OLD = 100, 400, 384
Floats = NDArray[np.float32]


def drawn(count: int, dimensions: int, seed: int = 0) -> Floats:
    made = np.random.default_rng(seed).standard_normal((count, dimensions))
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), np.float32)


@dataclass(frozen=True)
class Bank:
    """mama's memories ``m000 …``, all of them in the approximate index."""

    url: str
    store: PostgresStore

    def fill(self, vectors: Floats) -> None:
        with self.store.write("mama") as unit:
            texts = dict(unit.fresh.missing("new", "memories", limit=COUNT))
            unit.fresh.put(
                "new", "memories", [(id, text, vectors[int(id[1:])]) for id, text in texts.items()]
            )

    def switch(self, dimensions: int) -> bool:
        with self.store.write("mama") as unit:
            return unit.fresh.switch("new", dimensions)

    def indexed(self) -> list[tuple[str, int]]:
        rows = ask(
            self.url, "SELECT id, vector_dims(near) FROM memories_near WHERE agent_id = 'mama' ORDER BY id"
        )
        return [(id, dimensions) for id, dimensions in rows]

    def finds_all(self, vectors: Floats) -> bool:
        """Whether each seventh vector leads to its memory first."""
        view = PostgresSearch(self.store).view("mama")
        first = []
        for vector in vectors[::7]:
            found = view.memories(Probe(filter=EVERYTHING, now=NOW, vector=vector, limit=10))
            first.append(found.ids[int(np.argmax(found.semantic))])
        return first == [f"m{place:03}" for place in range(0, len(vectors), 7)]


@pytest.fixture
def bank(postgres_database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bank]:
    for module in (near, indexing):
        monkeypatch.setattr(module, "EXACT_ROWS", FEW)
    store = PostgresStore(postgres_database)
    monkeypatch.setattr(store._indexer, "look_after", lambda *_: None)
    with store.write("mama") as unit:
        unit.agents.put(Agent(id="mama", created_at=NOW), bytes(32))
        unit.agents.set_embedder("old", OLD)
        unit.memories.add(
            [a_memory(f"m{place:03}", f"text {place}") for place in range(COUNT)], drawn(COUNT, OLD)
        )
    store.catch_up()
    yield Bank(postgres_database, store)
    store.close()


@pytest.mark.parametrize(
    "dimensions", [OLD, 16, 20], ids=["the same", "other, with a graph", "other, without one"]
)
def test_all_is_found_before_and_after_rows_are_taken_in(bank: Bank, dimensions: int) -> None:
    assert len(bank.indexed()) == COUNT
    new = drawn(COUNT, dimensions, seed=1)
    bank.fill(new)
    assert bank.finds_all(drawn(COUNT, OLD))
    assert bank.switch(dimensions)
    assert bank.indexed() == []
    assert bank.finds_all(new)
    bank.store.catch_up()
    there = bank.indexed()
    assert {size for _, size in there} <= {dimensions}
    assert len(there) == (COUNT if dimensions != 20 else 0)
    assert bank.finds_all(new)
    assert list(bank.store.check()) == []


def test_a_switch_that_is_undone_leaves_the_index(bank: Bank) -> None:
    bank.fill(drawn(COUNT, 20))

    def undone(unit: Unit) -> None:
        assert unit.fresh.switch("new", 20)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        bank.store.transact("mama", undone)
    assert len(bank.indexed()) == COUNT
    assert bank.finds_all(drawn(COUNT, OLD))


def test_rows_taken_in_during_a_switch_are_right_afterwards(bank: Bank) -> None:
    stop = threading.Event()

    def take_in() -> None:
        while not stop.is_set():
            bank.store.catch_up()

    with ThreadPoolExecutor(1) as pool:
        for turn in range(4):
            new = drawn(COUNT, OLD, seed=turn + 2)
            stop.clear()
            job = pool.submit(take_in)
            with bank.store.write("mama") as unit:
                unit.agents.set_embedder("old", OLD)
            bank.fill(new)
            assert bank.switch(OLD)
            stop.set()
            job.result()
            bank.store.catch_up()
            assert len(bank.indexed()) == COUNT
            assert bank.finds_all(new)
