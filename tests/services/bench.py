"""What the tests of the services work with."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from reverie import Agent, Inserted, Memory, Reinforced, Reverie
from reverie.domain.address import is_server
from reverie.embedders.hashing import HashingEmbedder
from reverie.errors import ReverieError
from reverie.ports.embedder import Embedder
from tests.services.sure import Sure

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
KEY = bytes(range(32))
DAY = timedelta(days=1)


class Clock:
    """Tells the time that it was set to."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def wait(self, **span: float) -> datetime:
        """Lets time pass; gives the time now."""
        self.now += timedelta(**span)
        return self.now


def opened(place: str | Path, **changed: object) -> Reverie:
    """A bank file, with a key of the tests, or a database; with the hashing embedder, and judges who believe whoever
    speaks (``judges=None``: the shipped ones).
    """
    judges = changed.pop("judges", Sure())
    embedder: Embedder = HashingEmbedder.for_tests()
    key = None if is_server(str(place)) else KEY
    reverie = Reverie.open(place, **{"key": key, "embedder": embedder, **changed})  # type: ignore[arg-type]
    if judges is not None:
        object.__setattr__(reverie._desk, "judges", judges)
    return reverie


def kept(agent: Agent, essence: str, **fields: object) -> Memory:
    """A memory that the agent remembers anew."""
    outcome = agent.remember(essence, **fields)  # type: ignore[arg-type]  # the draft checks them
    assert isinstance(outcome, Inserted), outcome
    return outcome.memory


def repeated(agent: Agent, essence: str, **fields: object) -> Memory:
    """A memory that the agent knew already."""
    outcome = agent.remember(essence, **fields)  # type: ignore[arg-type]  # the draft checks them
    assert isinstance(outcome, Reinforced), outcome
    return outcome.memory


def state_of(agent: Agent) -> tuple[object, ...]:
    """Everything in a bank that a failed write must leave alone."""
    return (
        agent.memories(deep=True, limit=1000),
        agent.episodes(limit=1000),
        agent.conversations(limit=1000),
        agent.audit(limit=1000),
        agent.stats().rev,
        agent.profile,
    )


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Make the calls in threads that begin together; return what each gave, or the error of ours that it raised."""
    ready = threading.Barrier(len(calls))
    results: list[Any] = [None] * len(calls)

    def run(place: int) -> None:
        ready.wait(30)
        try:
            results[place] = calls[place]()
        except ReverieError as error:
            results[place] = error

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results
