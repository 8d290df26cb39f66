"""Who is compared: Reverie on a file, Reverie on PostgreSQL, and a peer, behind one face.

Every call of a contender is timed inside it, so that what carries the requests doesn't count.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bench.dataset import FILTERS, PEER_FILTERS, Data
from bench.peers.process import Peer
from bench.servers import Database
from reverie import Reverie

BEST = 10


class Searchable(Protocol):
    """Holds the data's memories by their places and finds them by meaning."""

    @property
    def stored(self) -> NDArray[np.bool_]:
        """Which memories it holds. A duplicate that only reinforced another isn't stored."""
        ...

    def nearest(self, questions: Sequence[int], filter: str) -> Sequence[Sequence[int]]:
        """The ten nearest by meaning alone, best first."""
        ...


class Contender(Searchable, Protocol):
    """Stores the data's memories and searches them."""

    def fill(self, first: int, last: int) -> float:
        """Stores them the fastest way there is; seconds."""
        ...

    def add(self, first: int, last: int) -> Sequence[float]:
        """Stores them one a call; seconds of each."""
        ...

    def catch_up(self) -> float:
        """Waits for what is still done in the background about the last writes; seconds."""
        ...

    def search(self, questions: Sequence[int], filter: str) -> Sequence[float]:
        """The whole search for the best ten; seconds of each."""
        ...

    def bytes(self) -> int:
        """What all of it occupies on the disk."""
        ...


class Ours:
    """Reverie through its public client."""

    def __init__(self, reverie: Reverie, data: Data, database: Database | None = None) -> None:
        self._reverie = reverie
        self._database = database
        self._data = data
        self._places: dict[str, int] = {}
        self.stored = np.zeros(len(data.memories), np.bool_)

    def fill(self, first: int, last: int) -> float:
        seconds = 0.0
        for name, places in groupby(range(first, last), self._data.agent):
            drafts = {place: self._data.draft(place) for place in places}
            start = time.perf_counter()
            outcomes = self._reverie.agent(name).remember_many(drafts.values())
            seconds += time.perf_counter() - start
            for place, outcome in zip(drafts, outcomes, strict=True):
                self._note(place, outcome.memory.id)
        return seconds

    def add(self, first: int, last: int) -> Sequence[float]:
        seconds = []
        for place in range(first, last):
            agent, draft = self._reverie.agent(self._data.agent(place)), self._data.draft(place)
            start = time.perf_counter()
            outcome = agent.remember(draft.pop("essence"), **draft)  # type: ignore[arg-type]  # its fields
            seconds.append(time.perf_counter() - start)
            self._note(place, outcome.memory.id)
        return seconds

    def catch_up(self) -> float:
        return self._database.catch_up(self._reverie) if self._database else 0.0

    def search(self, questions: Sequence[int], filter: str) -> Sequence[float]:
        seconds = []
        for number in questions:
            agent, text = self._reverie.agent(self._data.asks(number)), self._data.questions[number].question
            start = time.perf_counter()
            agent.recall(text, **FILTERS[filter])  # type: ignore[arg-type]  # keywords of recall
            seconds.append(time.perf_counter() - start)
        return seconds

    def nearest(self, questions: Sequence[int], filter: str) -> Sequence[Sequence[int]]:
        found = []
        for number in questions:
            agent, text = self._reverie.agent(self._data.asks(number)), self._data.questions[number].question
            asked = {"strategy": "semantic", "min_score": 0, "limit": BEST, **FILTERS[filter]}
            hits = agent.recall(text, **asked).hits  # type: ignore[arg-type]  # keywords of recall
            found.append([self._places[hit.memory.id] for hit in hits])
        return found

    def bytes(self) -> int:
        return self._reverie.info().bytes

    def _note(self, place: int, id: str) -> None:
        self.stored[place] = self._places.setdefault(id, place) == place


class Theirs:
    """A peer's process and the database that its tables lie in."""

    def __init__(self, peer: Peer, database: Database, data: Data) -> None:
        self._peer = peer
        self._database = database
        self._data = data
        self.stored = np.zeros(len(data.memories), np.bool_)

    def fill(self, first: int, last: int) -> float:
        self.stored[first:last] = True
        return sum(self._peer.seconds("fill", first=first, last=last))

    def add(self, first: int, last: int) -> Sequence[float]:
        self.stored[first:last] = True
        return self._peer.seconds("add", first=first, last=last)

    def catch_up(self) -> float:
        return 0.0

    def search(self, questions: Sequence[int], filter: str) -> Sequence[float]:
        seconds: list[float] = []
        for number in questions:
            seconds += self._peer.seconds("search", questions=[number], filters=self._filters(number, filter))
        return seconds

    def nearest(self, questions: Sequence[int], filter: str) -> Sequence[Sequence[int]]:
        found = []
        for number in questions:
            answer = self._peer.ask("nearest", questions=[number], filters=self._filters(number, filter))
            found.append(answer["found"][0][:BEST])
        return found

    def bytes(self) -> int:
        import psycopg

        with psycopg.connect(self._database.url) as connection:
            row = connection.execute(
                "SELECT sum(pg_total_relation_size(oid)) FROM pg_class"
                " WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
            ).fetchone()
        assert row is not None
        return int(row[0])

    def attempts(self) -> int:
        """How often it asked for a host that isn't its server."""
        found: int = self._peer.ask("attempts")["attempts"]
        return found

    def _filters(self, question: int, filter: str) -> Mapping[str, object]:
        return {"agent_id": self._data.asks(question), **PEER_FILTERS[filter]}


def recall_of(
    contender: Searchable, data: Data, questions: Sequence[int], filter: str, within: int = BEST
) -> float:
    """The share of the exact ``within`` nearest that it finds, averaged over the questions that have any."""
    stored = contender.stored & data.passing(filter)
    shares = []
    for number, found in zip(questions, contender.nearest(questions, filter), strict=True):
        best = data.nearest(number, stored, within)
        if best:
            shares.append(len(set(best) & set(found)) / len(best))
    return float(np.mean(shares)) if shares else 1.0
