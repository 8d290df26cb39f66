"""The SQLite engine's search: one state whatever way it was come to, in every thread and process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import astuple
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reverie.domain.agent import Agent
from reverie.domain.memory import Memory, State
from reverie.domain.query import EVERYTHING, Filter
from reverie.language.lexical_terms import query_terms
from reverie.ports.search import Probe, View
from reverie.ports.store import Unit
from reverie.store import revisions
from reverie.store.sqlite import corpus as corpora
from reverie.store.sqlite import loader, postings, threads
from reverie.store.sqlite.engine import SqliteStore
from reverie.store.sqlite.search import SqliteSearch
from tests.contract.search_fixtures import (
    DIMENSIONS,
    DIRECTIONS,
    NOW,
    a_memory,
    a_version,
    an_episode,
    day,
)

_KEY = bytes(range(32))


def _store(path: Path) -> SqliteStore:
    return SqliteStore(path, key=_KEY, synchronous="normal")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = _store(tmp_path / "bank.reverie")
    yield opened
    opened.close()


def _write(store: SqliteStore, change: Callable[[Unit], Any], agent: str = "mama", secret: int = 0) -> None:
    with store.write(agent) as unit:
        if unit.agents.get() is None:
            unit.agents.put(Agent(id=agent, created_at=NOW), bytes([secret] * 32))
            unit.agents.set_embedder("test", DIMENSIONS)
        change(unit)


def _keep(store: SqliteStore, *ids: str, agent: str = "mama", secret: int = 0) -> None:
    memories = [a_memory(id, f"about {id}") for id in ids]
    _write(store, lambda unit: unit.memories.add(memories, DIRECTIONS[: len(ids)]), agent, secret)


def _ids(view: View) -> list[str]:
    return list(view.memories(Probe(filter=EVERYTHING, now=NOW)).ids)


class _Watched:
    """A store that counts what is read for views, and may be changed for another or made to wait."""

    def __init__(self, store: SqliteStore) -> None:
        self.store = store
        self.rows = 0
        self.loads = 0
        self.before_load: Callable[[str], None] = lambda _: None

    @contextmanager
    def reader(self) -> Iterator[_Watched]:
        with self.store.reader() as session:
            self._run = session.run
            yield _Session(session, self)  # type: ignore[misc]


class _Session:
    def __init__(self, session: Any, watched: _Watched) -> None:
        self._session, self._watched = session, watched

    def run(self, sql: str, params: Sequence[object] = ()) -> list[tuple[object, ...]]:
        if "FROM memories m WHERE" in sql:
            self._watched.before_load(str(params[1]))
            self._watched.loads += 1
        rows: list[tuple[object, ...]] = self._session.run(sql, params)
        if "FROM agents" not in sql:
            self._watched.rows += len(rows)
        return rows

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)


# One state, whatever way led there

_TEXTS = ["garden river", "river", "the winter garden", "bridge over the river", "cooking"]
_places = st.integers(0, 4)
_verbs = ["keep", "keep", "reinforce", "revise", "forget", "say", "say", "rewrite", "unsay", "look", "look"]
_changes = st.tuples(st.sampled_from(_verbs), _places, _places)


class _Bank:
    """Makes small changes to one bank; what a change is about is chosen by two small numbers."""

    def __init__(self, store: SqliteStore, agent: str) -> None:
        self._store, self._agent = store, agent
        self._memories: dict[str, Memory] = {}
        self._episodes: dict[str, int] = {}
        self._clock = 0

    def change(self, what: str, first: int, second: int) -> None:
        self._clock += 1
        _write(self._store, lambda unit: getattr(self, f"_{what}")(unit, first, second), self._agent)

    def _keep(self, unit: Unit, first: int, second: int) -> None:
        text = _TEXTS[first % 5]
        labels = {
            "tags": (f"t{second % 3}",),
            "topics": (_TEXTS[second % 5],),
            "scope": ("*.py",) * (second % 2),
        }
        memory = a_memory(f"m{self._clock}", text, at=day(second), **labels)
        self._memories[memory.id] = memory
        unit.memories.add([memory], DIRECTIONS[[first]])

    def _chosen(self, first: int) -> Memory | None:
        kept = list(self._memories.values())
        return kept[first % len(kept)] if kept else None

    def _update(self, unit: Unit, memory: Memory, direction: int | None, **fields: Any) -> None:
        changed = {name: getattr(memory, name) for name in memory.__dataclass_fields__} | fields
        self._memories[memory.id] = Memory(**changed)
        unit.memories.update(self._memories[memory.id], None if direction is None else DIRECTIONS[direction])

    def _reinforce(self, unit: Unit, first: int, second: int) -> None:
        if memory := self._chosen(first):
            state = [*State][second % 4]
            fields = {"reinforcement_count": memory.reinforcement_count + 1, "state": state}
            self._update(unit, memory, None, **fields, tags=(f"t{second % 3}",))

    def _revise(self, unit: Unit, first: int, second: int) -> None:
        if memory := self._chosen(first):
            moment = day(10 + self._clock)
            unit.memories.add_version(a_version(memory, believed_to=moment))
            fields = {"version": memory.version + 1, "believed_from": moment, "essence": _TEXTS[second % 5]}
            self._update(unit, memory, second, **fields)

    def _forget(self, unit: Unit, first: int, second: int) -> None:
        if memory := self._chosen(first):
            del self._memories[memory.id]
            unit.memories.delete([memory.id])

    def _say(self, unit: Unit, first: int, second: int) -> None:
        fields = {"speaker": ["Zoë", "Anna", None][second % 3], "conversation": f"room {second % 2}"}
        self._episodes[f"e{self._clock}"] = self._clock
        episode = an_episode(f"e{self._clock}", _TEXTS[first % 5], position=self._clock, **fields)
        unit.episodes.add([episode], DIRECTIONS[[second]])

    def _rewrite(self, unit: Unit, first: int, second: int) -> None:
        if self._episodes:
            id = list(self._episodes)[first % len(self._episodes)]
            old = unit.episodes.get([id])[id]
            fields = {"speaker": old.speaker, "conversation": old.conversation, "position": old.position}
            unit.episodes.rewrite(an_episode(id, _TEXTS[second % 5], **fields), DIRECTIONS[second])

    def _unsay(self, unit: Unit, first: int, second: int) -> None:
        if self._episodes:
            id = list(self._episodes)[first % len(self._episodes)]
            del self._episodes[id]
            unit.episodes.delete([id])


_PROBES = [
    Probe(filter=EVERYTHING, now=NOW, vector=DIRECTIONS[2], terms=query_terms("river garden"), limit=3),
    Probe(filter=EVERYTHING, now=NOW, vector=DIRECTIONS[0], limit=2),
    Probe(filter=EVERYTHING, now=NOW, terms=query_terms("the river in winter"), limit=2),
    Probe(filter=EVERYTHING, now=NOW, limit=4),
    Probe(filter=EVERYTHING, now=NOW, vector=DIRECTIONS[1], terms=["river"], as_of=day(18)),
    Probe(filter=EVERYTHING, now=NOW, terms=["garden"], as_of=day(30), limit=50),
    Probe(filter=Filter(tags=frozenset({"T1"}), scope="a.md"), now=NOW, vector=DIRECTIONS[4], limit=3),
]


def _all_of(view: View) -> str:
    """Everything that a view can tell, to the last bit."""
    told: list[Any] = [view.rev, view.embedder, sorted(view.speakers.items())]
    for probe in _PROBES:
        for candidates in (view.memories(probe), view.episodes(probe)):
            told.append(
                [
                    part.tobytes().hex() if isinstance(part, np.ndarray) else [*part]
                    for part in astuple(candidates)
                ]
            )
    told.append(view.nearest(DIRECTIONS[:3], filter=EVERYTHING, now=NOW, limit=3))
    return json.dumps(told)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=st.lists(_changes, min_size=20, max_size=45), tidy=st.booleans())
def test_a_bank_seen_change_by_change_is_the_bank_read_at_once(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch, changes: list[tuple[str, int, int]], tidy: bool
) -> None:
    monkeypatch.setattr(corpora, "_DEAD_LEAST", 1 if tidy else 1000)
    monkeypatch.setattr(threads, "_TAIL_LEAST", 6)
    monkeypatch.setattr(postings, "_TAIL_LEAST", 16)
    monkeypatch.setattr(loader, "_PAGE", 3)
    agent = f"agent {len(store.agent_ids())}"
    bank, seen = _Bank(store, agent), SqliteSearch(store)
    _write(store, lambda unit: None, agent)
    for what, first, second in changes:
        if what == "look":
            seen.view(agent)
        else:
            bank.change(what, first, second)
    assert _all_of(seen.view(agent)) == _all_of(SqliteSearch(store).view(agent))


def _bits(part: Any) -> Any:
    return part.tobytes().hex() if isinstance(part, np.ndarray) else [*part]


_ELSEWHERE = """
import sys
from pathlib import Path
from reverie.store.sqlite.engine import SqliteStore
from reverie.store.sqlite.search import SqliteSearch
from tests.store.test_search_sqlite import _all_of, _keep, _store
store = _store(Path(sys.argv[1]))
match sys.argv[2]:
    case "keep":
        _keep(store, *sys.argv[3:])
    case "tell":
        print(_all_of(SqliteSearch(store).view("mama")))
store.close()
"""


def _elsewhere(path: Path, *arguments: str) -> str:
    """Runs in a process of its own, where hashes of texts are others."""
    root = Path(__file__).resolve().parents[2]
    paths = os.pathsep.join((str(root), str(root / "src")))
    done = subprocess.run(
        [sys.executable, "-c", _ELSEWHERE, str(path), *arguments],
        env={**os.environ, "PYTHONPATH": paths, "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_two_processes_see_the_same_to_the_last_bit(store: SqliteStore, tmp_path: Path) -> None:
    search = SqliteSearch(store)
    bank = _Bank(store, "mama")
    for what in ("keep", "say", "keep", "revise", "say"):
        bank.change(what, 1, 2)
        search.view("mama")
    _elsewhere(tmp_path / "bank.reverie", "keep", "x1", "x2")
    assert _ids(search.view("mama")) == ["m1", "m3", "x1", "x2"]
    bank.change("forget", 0, 0)
    assert _elsewhere(tmp_path / "bank.reverie", "tell") == _all_of(search.view("mama"))


# What is loaded, and how often


def test_only_rows_that_are_newer_than_the_snapshot_are_read(store: SqliteStore) -> None:
    _keep(store, *(f"m{n}" for n in range(20)))
    watched = _Watched(store)
    search = SqliteSearch(watched)  # type: ignore[arg-type]
    search.view("mama")
    assert watched.rows == 20
    _keep(store, "new")
    search.view("mama")
    assert watched.rows == 21


def test_a_current_snapshot_is_the_view_without_a_load(store: SqliteStore) -> None:
    _keep(store, "m1")
    search = SqliteSearch(store)
    assert search.view("mama") is search.view("mama")


def test_a_snapshot_never_changes(store: SqliteStore) -> None:
    _keep(store, "m1")
    search = SqliteSearch(store)
    before = search.view("mama")
    _keep(store, "m2")
    _write(store, lambda unit: unit.memories.delete(["m1"]))
    assert _ids(search.view("mama")) == ["m2"]
    assert _ids(before) == ["m1"]


def test_threads_that_ask_at_once_load_a_bank_once(store: SqliteStore) -> None:
    _keep(store, "m1")
    watched = _Watched(store)
    search = SqliteSearch(watched)  # type: ignore[arg-type]
    watched.before_load = lambda _: time.sleep(0.1)  # time enough for the others to come along
    together = threading.Barrier(6)

    def ask(_: int) -> int:
        together.wait(10)
        return id(search.view("mama"))

    with ThreadPoolExecutor(6) as threads:
        views = set(threads.map(ask, range(6)))
    assert len(views) == 1
    assert watched.loads == 1


def test_while_one_bank_is_loaded_others_answer(store: SqliteStore) -> None:
    _keep(store, "m1")
    _keep(store, "p1", agent="papa")
    watched = _Watched(store)
    search = SqliteSearch(watched)  # type: ignore[arg-type]
    search.view("papa")
    going_on, loading = threading.Event(), threading.Event()

    def wait(agent: str) -> None:
        if agent == "mama":
            loading.set()
            going_on.wait(10)

    watched.before_load = wait
    with ThreadPoolExecutor(1) as threads:
        slow = threads.submit(search.view, "mama")
        assert loading.wait(10)
        try:
            assert _ids(search.view("papa")) == ["p1"]
            assert not slow.done()
        finally:
            going_on.set()
        assert _ids(slow.result(10)) == ["m1"]


def test_the_bank_that_was_used_longest_ago_is_dropped_first(store: SqliteStore) -> None:
    for agent in "abc":
        _keep(store, "m1", agent=agent)
    search = SqliteSearch(store, open_banks=2)
    first, second = search.view("a"), search.view("b")
    assert search.view("a") is first
    search.view("c")
    assert search.view("a") is first
    assert search.view("b") is not second
    assert _ids(second) == ["m1"]


# When nothing of the old snapshot holds


def test_a_file_replaced_by_an_older_one_is_read_anew(store: SqliteStore, tmp_path: Path) -> None:
    _keep(store, "m1")
    older = _store(tmp_path / "older.reverie")
    _keep(older, "m1")
    _keep(store, "m2")
    watched = _Watched(store)
    search = SqliteSearch(watched)  # type: ignore[arg-type]
    assert _ids(search.view("mama")) == ["m1", "m2"]
    watched.store = older
    assert _ids(search.view("mama")) == ["m1"]
    older.close()


def test_another_bank_at_the_same_revision_is_read_anew(store: SqliteStore, tmp_path: Path) -> None:
    _keep(store, "m1")
    other = _store(tmp_path / "other.reverie")
    _keep(other, "n1", secret=9)
    watched = _Watched(store)
    search = SqliteSearch(watched)  # type: ignore[arg-type]
    assert _ids(search.view("mama")) == ["m1"]
    watched.store = other
    assert _ids(search.view("mama")) == ["n1"]
    other.close()


def test_a_snapshot_older_than_known_deletions_is_built_anew(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(revisions, "KEPT_DELETIONS", 2)
    _keep(store, *(f"m{n}" for n in range(8)))
    search = SqliteSearch(store)
    search.view("mama")
    for number in range(6):
        with store.write("mama") as unit:
            unit.memories.delete([f"m{number}"])
    assert _ids(search.view("mama")) == ["m6", "m7"]


def test_a_foreign_vector_is_near_to_nothing(store: SqliteStore) -> None:
    _keep(store, "m1", "m2")
    _write(store, lambda unit: unit.agents.set_embedder("new", DIMENSIONS))
    _write(store, lambda unit: unit.memories.update(a_memory("m2", "about m2"), DIRECTIONS[0]))
    got = (
        SqliteSearch(store)
        .view("mama")
        .memories(Probe(filter=EVERYTHING, now=NOW, vector=DIRECTIONS[0], terms=["m1"]))
    )
    assert got.semantic.tolist() == pytest.approx([0, 1], abs=1e-4)
    assert got.lexical[0] > 0


def test_a_change_of_embedder_is_seen_by_an_open_search(store: SqliteStore) -> None:
    _keep(store, "m1")
    search = SqliteSearch(store)
    assert search.view("mama").embedder == ("test", DIMENSIONS)
    _write(store, lambda unit: unit.agents.set_embedder("small", 4))
    _write(store, lambda unit: unit.memories.update(a_memory("m1"), np.eye(4, dtype=np.float32)[0]))
    view = search.view("mama")
    assert view.embedder == ("small", 4)
    got = view.memories(Probe(filter=EVERYTHING, now=NOW, vector=np.eye(4, dtype=np.float32)[0]))
    assert got.semantic.tolist() == pytest.approx([1], abs=1e-4)


# Many threads


def test_no_thread_ever_sees_half_a_write(store: SqliteStore) -> None:
    """Each write adds a memory whose words and vector belong together, and changes one that is there."""
    _write(store, lambda unit: None)
    search, done = SqliteSearch(store), threading.Event()
    torn: list[str] = []

    def look(_: int) -> int:
        looks = 0
        while not done.is_set() or not looks:
            view = search.view("mama")
            for place in range(0, 40, 7):
                probe = Probe(filter=EVERYTHING, now=NOW, vector=DIRECTIONS[place], terms=[f"word{place}"])
                got = view.memories(probe)
                theirs = np.array([id.endswith(f"-{place}") for id in got.ids], np.bool_)
                if not ((got.semantic > 0.999) == theirs).all() or not ((got.lexical > 0) == theirs).all():
                    torn.append(f"{list(got.ids)} {got.semantic} {got.lexical}")
            looks += 1
        return looks

    with ThreadPoolExecutor(3) as threads:
        looking = [threads.submit(look, number) for number in range(3)]
        try:
            for number in range(120):
                place = number % 40
                memory = a_memory(f"m{number}-{place}", f"word{place} {'filler ' * (number % 3)}")
                with store.write("mama") as unit:
                    unit.memories.add([memory], DIRECTIONS[[place]])
                with store.write("mama") as unit:
                    unit.memories.update(memory)
        finally:
            done.set()
        assert all(found.result(20) for found in looking)
    assert torn == []
    assert len(_ids(search.view("mama"))) == 100
