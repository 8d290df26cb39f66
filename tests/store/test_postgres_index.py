"""The approximate index: what it finds, what it never misses, and how rows come into it and go again."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from reverie.domain.agent import Agent
from reverie.domain.kinds import Kind
from reverie.domain.query import EVERYTHING, Filter
from reverie.ports.fresh import PARTS
from reverie.ports.search import Probe
from reverie.ports.store import Unit
from reverie.store.postgres import connection, indexing, near, postings
from reverie.store.postgres.engine import PostgresStore
from reverie.store.postgres.search import PostgresSearch
from tests.contract.search_fixtures import NOW, a_memory, an_episode
from tests.postgres_databases import Databases
from tests.store.postgres_banks import ask

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
FEW = 200
Floats = NDArray[np.float32]


def _drawn(count: int, dimensions: int, seed: int = 0) -> Floats:
    """Unit vectors in groups, as texts' are."""
    chance = np.random.default_rng(seed)
    groups = chance.standard_normal((40, dimensions)) * 0.7
    made = groups[chance.integers(0, 40, count)] + chance.standard_normal((count, dimensions))
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    return np.asarray(made, np.float32)


@dataclass(frozen=True)
class Bank:
    """An agent's memories ``m00000 …`` with these vectors, and a store and search that think FEW rows many."""

    url: str
    store: PostgresStore
    search: PostgresSearch
    agent_id: str = "mama"

    def settle(self, dimensions: int) -> None:
        with self.store.write(self.agent_id) as unit:
            unit.agents.put(Agent(id=self.agent_id, created_at=NOW), bytes(32))
            unit.agents.set_embedder("test", dimensions)

    def keep(self, vectors: Floats, first: int = 0) -> None:
        """One memory a vector; tag ``one`` on 1 % of them, ``ten`` on 10 %, ``most`` on 90 %."""
        rows = []
        for place in range(first, first + len(vectors)):
            tags = [
                name
                for name, is_so in (("one", place % 100 == 3), ("ten", place % 10 == 3), ("most", place % 10))
                if is_so
            ]
            kind = Kind.FACT if place % 2 else Kind.PREFERENCE
            rows.append(a_memory(f"m{place:05}", f"text {place}", tags=tuple(tags), kind=kind))
        for start in range(0, len(rows), 500):
            with self.store.write(self.agent_id) as unit:
                unit.memories.add(rows[start : start + 500], vectors[start : start + 500])

    def nearest(self, vector: Floats, limit: int = 10, filter: Filter = EVERYTHING) -> list[str]:
        """Ids, nearest first."""
        found = self.search.view(self.agent_id).memories(
            Probe(filter=filter, now=NOW, vector=vector, limit=limit)
        )
        return [found.ids[place] for place in np.argsort(-found.semantic, kind="stable")][:limit]

    def indexed(self) -> int:
        return int(
            ask(self.url, "SELECT count(*) FROM memories_near WHERE agent_id = %s", self.agent_id)[0][0]
        )

    def another(self, agent_id: str) -> Bank:
        return replace(self, agent_id=agent_id)


def _bank(url: str, patch: pytest.MonkeyPatch, *, background: bool = False) -> Bank:
    for module in (near, indexing):
        patch.setattr(module, "EXACT_ROWS", FEW)
    store = PostgresStore(url)
    if not background:
        patch.setattr(store._indexer, "look_after", lambda *_: None)
    return Bank(url, store, PostgresSearch(store))


@pytest.fixture
def bank(postgres_database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bank]:
    """mama's, without a background: rows are taken in when a test says so."""
    made = _bank(postgres_database, monkeypatch)
    made.settle(16)
    yield made
    made.store.close()


@pytest.fixture(scope="module", params=[(16, 5000), (384, 2000)], ids=["16 dimensions", "384 dimensions"])
def large(request: pytest.FixtureRequest, postgres_databases: Databases) -> Iterator[tuple[Bank, Floats]]:
    """A bank whose last 100 rows are behind the index, among those of a second agent."""
    dimensions, count = request.param
    url, vectors = postgres_databases.make(), _drawn(count, dimensions)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(postings, "FEW_ROWS", FEW)
        bank = _bank(url, patch)
        bank.settle(dimensions)
        bank.keep(vectors[:-100])
        papa = bank.another("papa")
        papa.settle(dimensions)
        papa.keep(vectors[: 3 * FEW])
        bank.store.catch_up()
        bank.keep(vectors[-100:], count - 100)
        yield bank, vectors
        bank.store.close()
    postgres_databases.drop(url)


@pytest.mark.parametrize("tag", [None, "one", "ten", "most"])
def test_98_of_100_nearest_are_found_under_any_filter(large: tuple[Bank, Floats], tag: str | None) -> None:
    bank, vectors = large
    assert bank.indexed() == len(vectors) - 100
    places = np.arange(len(vectors))
    passing = {
        None: places >= 0,
        "one": places % 100 == 3,
        "ten": places % 10 == 3,
        "most": places % 10 != 0,
    }[tag]
    filter = EVERYTHING if tag is None else replace(EVERYTHING, tags=frozenset([tag]))
    asked = _drawn(15, vectors.shape[1], seed=9)
    for limit in (10, 100):
        hit = wanted = 0
        for question in asked:
            exact = places[passing][np.argsort(-(vectors[passing] @ question))][:limit]
            truth = {f"m{place:05}" for place in exact}
            hit += len(truth & set(bank.nearest(question, limit, filter)))
            wanted += len(truth)
        assert hit / wanted >= 0.98, f"{hit} of {wanted} within the first {limit}"


def test_a_large_bank_uses_the_index_without_analyze(
    large: tuple[Bank, Floats],
) -> None:
    bank, vectors = large
    asked: list[tuple[str, tuple[object, ...]]] = []
    with pytest.MonkeyPatch.context() as patch:
        walk = near._looked_at

        def noting(*given: object) -> tuple[str, tuple[object, ...]]:
            asked.append(walk(*given))  # type: ignore[arg-type]
            return asked[-1]

        patch.setattr(near, "_looked_at", noting)
        bank.nearest(vectors[0])
    ((query, params),) = asked
    with bank.store.reader("mama") as session:
        plan = "\n".join(line for (line,) in session.run(f"EXPLAIN {query}", params))
    assert f"Order By: ((near)::halfvec({vectors.shape[1]})" in plan, plan


def test_a_filter_that_goes_with_the_meaning_loses_nothing(
    postgres_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rows near to the question bear another tag than the one asked for; the walk through the graph meets none."""
    monkeypatch.setattr(postings, "FEW_ROWS", 50)
    monkeypatch.setattr(connection, "MOST_WALKED", 300)
    made = _bank(postgres_database, monkeypatch)
    made.settle(16)
    chance = np.random.default_rng(4)
    here, there = np.eye(16)[0], np.eye(16)[1]
    drawn = [here + 0.3 * chance.standard_normal(16) for _ in range(1500)]
    drawn += [there + 0.3 * chance.standard_normal(16) for _ in range(500)]
    vectors = np.asarray([one / np.linalg.norm(one) for one in drawn], np.float32)
    tagged = [a_memory(f"m{place:05}", tags=("there",) if place >= 1500 else ()) for place in range(2000)]
    with made.store.write("mama") as unit:
        unit.memories.add(tagged, vectors)
    made.store.catch_up()
    assert made.indexed() == 2000
    question = np.asarray(here, np.float32)
    exact = [f"m{place:05}" for place in 1500 + np.argsort(-(vectors[1500:] @ question))[:20]]
    found = made.nearest(question, 20, replace(EVERYTHING, tags=frozenset(["there"])))
    made.store.close()
    assert found == exact


def test_an_id_deleted_and_stored_again_at_once_is_found(bank: Bank) -> None:
    vectors = _drawn(3 * FEW, 16)
    bank.keep(vectors)
    bank.store.catch_up()
    with bank.store.write("mama") as unit:
        unit.memories.delete(["m00000"])
        unit.memories.add([a_memory("m00000", "come back")], vectors[1:2])
    assert "m00000" in bank.nearest(vectors[1], 2)
    bank.store.catch_up()
    assert "m00000" in bank.nearest(vectors[1], 2)
    assert [*bank.store.check()] == []


def test_a_row_is_found_at_once_whether_or_not_the_index_has_it(bank: Bank) -> None:
    vectors = _drawn(3 * FEW, 16)
    bank.keep(vectors)
    assert bank.indexed() == 0
    assert [bank.nearest(one, 1) for one in vectors[::50]] == [
        [f"m{place:05}"] for place in range(0, 3 * FEW, 50)
    ]
    bank.store.catch_up()
    assert bank.indexed() == 3 * FEW
    more = _drawn(5, 16, seed=1)
    bank.keep(more, 3 * FEW)
    assert [bank.nearest(one, 1) for one in more] == [[f"m{3 * FEW + place:05}"] for place in range(5)]
    assert bank.indexed() == 3 * FEW


def test_small_banks_stay_out_of_the_index(bank: Bank) -> None:
    bank.keep(_drawn(FEW, 16))
    bank.store.catch_up()
    assert bank.indexed() == 0


def test_rows_are_taken_in_in_the_background(postgres_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(indexing, "AGAIN_SECONDS", 0.0)
    bank = _bank(postgres_database, monkeypatch, background=True)
    bank.settle(16)
    vectors = _drawn(2 * FEW, 16)
    bank.keep(vectors)
    until = time.monotonic() + 120
    while bank.indexed() < 2 * FEW and time.monotonic() < until:
        bank.nearest(vectors[0])
        time.sleep(0.02)
    assert bank.indexed() == 2 * FEW
    bank.store.close()


def test_what_is_deleted_leaves_the_index(bank: Bank) -> None:
    vectors = _drawn(2 * FEW, 16)
    bank.keep(vectors)
    bank.store.catch_up()
    with bank.store.write("mama") as unit:
        unit.memories.delete(["m00007", "m00011"])
    assert bank.indexed() == 2 * FEW - 2
    assert "m00007" not in bank.nearest(vectors[7], 50)
    assert [*bank.store.check()] == []


def test_a_vector_that_changes_is_found_where_it_is_now(bank: Bank) -> None:
    vectors = _drawn(2 * FEW, 16)
    bank.keep(vectors)
    bank.store.catch_up()
    with bank.store.write("mama") as unit:
        unit.memories.update(a_memory("m00007", "elsewhere"), -vectors[7])
    assert bank.nearest(-vectors[7], 1) == ["m00007"]
    assert "m00007" not in bank.nearest(vectors[7], 50)
    assert [*bank.store.check()] == []


def test_the_index_follows_every_way_that_rows_go_or_change(bank: Bank) -> None:
    vectors = _drawn(2 * FEW, 16)
    bank.keep(vectors)
    with bank.store.write("mama") as unit:
        unit.episodes.add([an_episode(f"e{place:05}", f"text {place}") for place in range(2 * FEW)], vectors)
    bank.store.catch_up()

    def switch(unit: Unit) -> None:
        for part in PARTS:
            rows = unit.fresh.missing("other", part, limit=5 * FEW)
            unit.fresh.put("other", part, [(id, text, vectors[0]) for id, text in rows])
        assert unit.fresh.switch("other", 16)

    def clear_episodes(unit: Unit) -> None:
        unit.transfer.clear("episodes")
        unit.transfer.clear("conversations")

    acts: list[Callable[[Unit], object]] = [
        lambda unit: unit.memories.update(a_memory("m00001", "text 1"), vectors[0]),
        lambda unit: unit.memories.delete(["m00002"]),
        lambda unit: unit.episodes.rewrite(an_episode("e00001", "another text"), vectors[0]),
        lambda unit: unit.episodes.delete(["e00002"]),
        switch,
        lambda unit: unit.transfer.clear("memories"),
        clear_episodes,
    ]
    for act in acts:
        with bank.store.write("mama") as unit:
            act(unit)
        assert [*bank.store.check()] == []
        bank.store.catch_up()
        assert [*bank.store.check()] == []
    left = "SELECT (SELECT count(*) FROM memories_near), (SELECT count(*) FROM episodes_near)"
    assert ask(bank.url, left) == [(0, 0)]


def test_rows_that_change_while_taken_in_are_right_afterwards(bank: Bank) -> None:
    vectors = _drawn(5 * FEW, 16)
    bank.keep(vectors)

    def delete_and_move(place: int) -> None:
        bank.store.transact("mama", lambda unit: unit.memories.delete([f"m{place:05}"]))
        moved = a_memory(f"m{place + 1:05}", "moved")
        bank.store.transact("mama", lambda unit: unit.memories.update(moved, -vectors[place + 1]))

    def churn() -> None:
        for place in range(0, 5 * FEW, 25):
            delete_and_move(place)

    with ThreadPoolExecutor(2) as threads:
        work = [threads.submit(churn), threads.submit(bank.store.catch_up)]
        for one in work:
            one.result()
    bank.store.catch_up()
    assert [*bank.store.check()] == []
    assert bank.indexed() == 5 * FEW - len(range(0, 5 * FEW, 25))
    assert bank.nearest(-vectors[26], 1) == ["m00026"]


def test_two_that_take_in_at_once_do_it_once(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    bank.keep(_drawn(4 * FEW, 16))
    other = PostgresStore(bank.url)
    with ThreadPoolExecutor(4) as threads:
        [*threads.map(lambda store: store.catch_up(), [bank.store, other] * 2)]
    bank.store.catch_up()
    ((written,),) = ask(bank.url, "SELECT count(*) FROM memories_near")
    assert written == 4 * FEW
    ((dead,),) = ask(bank.url, "SELECT count(*) FROM memories_near WHERE xmax::text <> '0'")
    assert dead == 0, "no row was written over another"
    other.close()


KILLED = """
import os, signal, sys
from reverie.store.postgres import connection, indexing, near, postings
from reverie.store.postgres.engine import PostgresStore
near.EXACT_ROWS = indexing.EXACT_ROWS = 200
store = PostgresStore(sys.argv[1])
with store._aside("mama") as session:
    indexing.take_in(session, "mama", "memories")
    session.commit()
with store._aside("mama") as session:
    indexing.take_in(session, "mama", "memories")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_killing_who_takes_in_loses_nothing(bank: Bank) -> None:
    vectors = _drawn(2 * FEW, 16)
    bank.keep(vectors)
    done = subprocess.run(
        [sys.executable, "-c", KILLED, bank.url], cwd=ROOT, check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}, capture_output=True,
    )  # fmt: skip
    assert done.returncode == -9, done.stderr
    assert [bank.nearest(one, 1) for one in vectors[::40]] == [
        [f"m{place:05}"] for place in range(0, 2 * FEW, 40)
    ]
    assert bank.indexed() == indexing.BATCH
    bank.store.catch_up()
    assert bank.indexed() == 2 * FEW
    assert [*bank.store.check()] == []


def test_no_agent_finds_the_rows_of_another_in_the_index(bank: Bank) -> None:
    vectors = _drawn(2 * FEW, 16)
    papa = bank.another("papa")
    papa.settle(16)
    bank.keep(vectors)
    papa.keep(vectors[:FEW] * -1)
    papa.keep(vectors[FEW:] * -1, FEW)
    bank.store.catch_up()
    question = vectors[5]
    assert bank.nearest(question, 1) == ["m00005"]
    assert "m00005" not in papa.nearest(question, 20)
    assert papa.nearest(-question, 1) == ["m00005"]


def test_a_small_bank_in_a_shared_graph_is_found_whole(bank: Bank) -> None:
    """Few of the rows of a partition may be the agent's: the graph is walked on until enough of them are."""
    papa = bank.another("papa")
    papa.settle(16)
    papa.keep(_drawn(2 * FEW, 16, seed=3))
    for seed, other in enumerate(("anna", "bert", "cleo")):
        others = bank.another(other)
        others.settle(16)
        others.keep(_drawn(3 * FEW, 16, seed=10 + seed))
    bank.store.catch_up()
    vectors = _drawn(2 * FEW, 16, seed=3)
    for place in range(0, 2 * FEW, 40):
        truth = [f"m{one:05}" for one in np.argsort(-(vectors @ vectors[place]))[:10]]
        assert len(set(truth) & set(papa.nearest(vectors[place], 10))) >= 9


def test_dimensions_that_have_no_graph_are_searched_exactly(
    postgres_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bank = _bank(postgres_database, monkeypatch)
    bank.settle(24)
    vectors = _drawn(2 * FEW, 24)
    bank.keep(vectors)
    bank.store.catch_up()
    for place in (3, 77):
        truth = [f"m{one:05}" for one in np.argsort(-(vectors @ vectors[place]))[:10]]
        assert bank.nearest(vectors[place], 10) == truth
    bank.store.close()


def test_episodes_have_their_own_index(bank: Bank) -> None:
    vectors = _drawn(2 * FEW, 16)
    with bank.store.write("mama") as unit:
        unit.episodes.add([an_episode(f"e{place:05}", f"text {place}") for place in range(2 * FEW)], vectors)
    bank.store.catch_up()
    assert ask(bank.url, "SELECT count(*) FROM episodes_near") == [(2 * FEW,)]
    found = bank.search.view("mama").episodes(Probe(filter=Filter(), now=NOW, vector=vectors[9], limit=1))
    assert found.ids == ["e00009"]
    with bank.store.write("mama") as unit:
        unit.episodes.delete(["e00009"])
    found = bank.search.view("mama").episodes(Probe(filter=Filter(), now=NOW, vector=vectors[9], limit=1))
    assert found.ids != ["e00009"]
    assert [*bank.store.check()] == []
