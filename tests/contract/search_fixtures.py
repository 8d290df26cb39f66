"""What the search laws are tried on: an engine's store with its search, and makers of rows with few words.

Another engine adds an opener to OPENERS; no law changes.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from reverie.domain.agent import Agent
from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind, Priority
from reverie.domain.memory import Memory, Origin, Version
from reverie.domain.message import EpisodeMetadata, Role
from reverie.domain.query import EVERYTHING, Filter
from reverie.domain.trust import SourceTrust
from reverie.ports.search import EpisodeCandidates, MemoryCandidates, Probe, Search, View
from reverie.ports.store import Store, Unit
from tests.contract.store_engines import NAMES, SPREAD_ENGINES

DIMENSIONS = 16
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
AGENT = "mama"

_generator = np.random.default_rng(7)
_drawn = _generator.standard_normal((40, DIMENSIONS)).astype(np.float32)
DIRECTIONS: NDArray[np.float32] = _drawn / np.linalg.norm(_drawn, axis=1, keepdims=True)
"""Unit vectors that no test can tell from an embedder's."""

Opener = Callable[[str], tuple[Store, Search]]


def _open_sqlite(place: str) -> tuple[Store, Search]:
    from reverie.store.sqlite.engine import SqliteStore
    from reverie.store.sqlite.search import SqliteSearch

    store = SqliteStore(place, key=bytes(range(32)), synchronous="normal")
    return store, SqliteSearch(store)


def _open_postgres(place: str) -> tuple[Store, Search]:
    from reverie.store.postgres.engine import PostgresStore
    from reverie.store.postgres.search import PostgresSearch

    store = PostgresStore(place)
    return store, PostgresSearch(store)


OPENERS: dict[str, Opener] = {"sqlite": _open_sqlite, "postgres": _open_postgres, "citus": _open_postgres}


@dataclass
class Searched:
    """One bank file or database and one search over it; `another` opens the same bank a second time."""

    opener: Opener
    place: str
    store: Store = field(init=False)
    search: Search = field(init=False)
    opened: list[tuple[Store, Search]] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=itertools.count)

    def __post_init__(self) -> None:
        self.store, self.search = self.another()

    def another(self) -> tuple[Store, Search]:
        pair = self.opener(self.place)
        self.opened.append(pair)
        return pair

    def close(self) -> None:
        for store, search in self.opened:
            search.close()
            store.close()

    def write(self, change: Callable[[Unit], Any], agent_id: str = AGENT) -> None:
        """One acknowledged write."""
        with self.store.write(agent_id) as unit:
            if unit.agents.get() is None:
                unit.agents.put(Agent(id=agent_id, created_at=NOW), bytes(32))
                unit.agents.set_embedder("test", DIMENSIONS)
            change(unit)

    def keep(self, *memories: Memory, vectors: Sequence[int] | None = None, agent_id: str = AGENT) -> None:
        """Stores memories; `vectors` are places in DIRECTIONS, one each (else all the first)."""
        chosen = DIRECTIONS[list(vectors or [0] * len(memories))]
        self.write(lambda unit: unit.memories.add(memories, chosen), agent_id)

    def say(self, *episodes: Episode, vectors: Sequence[int] | None = None, agent_id: str = AGENT) -> None:
        """Stores episodes; see `keep`."""
        chosen = DIRECTIONS[list(vectors or [0] * len(episodes))]
        self.write(lambda unit: unit.episodes.add(episodes, chosen), agent_id)

    def view(self, agent_id: str = AGENT) -> View:
        return self.search.view(agent_id)

    def memories(self, filter: Filter = EVERYTHING, **asked: Any) -> MemoryCandidates:
        return self.view().memories(Probe(filter=filter, now=NOW, **asked))

    def episodes(self, filter: Filter = EVERYTHING, **asked: Any) -> EpisodeCandidates:
        return self.view().episodes(Probe(filter=filter, now=NOW, **asked))


@pytest.fixture(params=NAMES)
def searched(request: pytest.FixtureRequest) -> Iterator[Searched]:
    """An empty bank of each engine."""
    bank = Searched(opener=OPENERS[request.param], place=SPREAD_ENGINES[request.param].place(request))
    yield bank
    bank.close()


def day(number: float) -> datetime:
    """So many days after NOW."""
    return NOW + timedelta(days=number)


def a_memory(id: str, essence: str = "nothing much", **fields: Any) -> Memory:
    """A memory with defaults; `at` sets all its times."""
    at = fields.pop("at", NOW)
    given: dict[str, Any] = {
        "kind": Kind.FACT, "priority": Priority.NORMAL, "confidence": 0.9, "confidence_at": at,
        "origin": Origin.COMMIT, "source_trust": SourceTrust.PRINCIPAL, "last_reinforced_at": at,
        "created_at": at, "updated_at": at, "believed_from": at,
    }  # fmt: skip
    return Memory(id=id, essence=essence, **given | fields)


def an_episode(id: str, content: str = "nothing much", **fields: Any) -> Episode:
    """An episode with defaults, at a position of its own; fields of its metadata may be given directly."""
    meta = {name: fields.pop(name) for name in ("topics", "entities", "importance") if name in fields}
    given: dict[str, Any] = {
        "conversation": "room", "position": next(_positions), "time": NOW, "observed_at": NOW,
        "channel": "api", "role": Role.USER, "speaker": None, "source_trust": SourceTrust.PRINCIPAL,
        "metadata": EpisodeMetadata(**meta),
    }  # fmt: skip
    return Episode(id=id, content=content, **given | fields)


_positions = itertools.count()


def a_version(memory: Memory, believed_to: datetime, **fields: Any) -> Version:
    """The memory's wording as it was until `believed_to`."""
    given: dict[str, Any] = {
        "memory_id": memory.id, "version": memory.version, "essence": memory.essence, "lesson": memory.lesson,
        "believed_from": memory.believed_from, "believed_to": believed_to, "valid_from": memory.valid_from,
        "valid_to": memory.valid_to,
    }  # fmt: skip
    return Version(**given | fields)
