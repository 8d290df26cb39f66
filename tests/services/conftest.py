"""Banks for the services: the real engine, the hashing embedder, and a clock that a test turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reverie import Agent, Reverie
from tests.services.bench import Clock, opened

Open = Callable[..., Reverie]


@pytest.fixture
def clock() -> Clock:
    """A clock that goes only when told to."""
    return Clock()


@pytest.fixture
def open_bank(tmp_path: Path, clock: Clock) -> Iterator[Open]:
    """Opens the test's bank file, as often as another process would; all are closed in the end."""
    made: list[Reverie] = []

    def another(**changed: object) -> Reverie:
        made.append(opened(tmp_path / "test.bank", **{"clock": clock, **changed}))
        return made[-1]

    yield another
    for reverie in made:
        reverie.close()


@pytest.fixture
def reverie(open_bank: Open) -> Reverie:
    """The test's bank file, open."""
    return open_bank()


@pytest.fixture
def mama(reverie: Reverie) -> Agent:
    """An agent that has written nothing."""
    return reverie.agent("mama")
