"""Banks for the services on each of the real engines, the hashing embedder, and a clock that a test turns."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from reverie import Agent, Reverie
from tests.contract.store_engines import ENGINES
from tests.crash.conftest import all_processes, fleet
from tests.services.beds import Bed, bed
from tests.services.bench import Clock, opened
from tests.services.moody import Moody

__all__ = ["all_processes", "fleet"]
Open = Callable[..., Reverie]


@pytest.fixture
def clock() -> Clock:
    """A clock that goes only when told to."""
    return Clock()


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    """The name of the engine that the test runs on."""
    name: str = request.param
    return name


@pytest.fixture
def open_bank(engine: str, clock: Clock, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Opens the test's banks, as often as another process would; all are closed in the end, and nothing is left."""
    place = ENGINES[engine].place(request)
    made: list[Reverie] = []

    def another(**changed: object) -> Reverie:
        made.append(opened(place, **{"clock": clock, **changed}))
        return made[-1]

    yield another
    for reverie in made:
        reverie.close()
    assert ENGINES[engine].left_behind(place) == []


@pytest.fixture
def reverie(open_bank: Open) -> Reverie:
    """The test's banks, open."""
    return open_bank()


@pytest.fixture
def mama(reverie: Reverie) -> Agent:
    """An agent that has written nothing."""
    return reverie.agent("mama")


@pytest.fixture
def nova(reverie: Reverie) -> Agent:
    """An agent that has written nothing; it receives neural links."""
    return reverie.agent("nova")


@pytest.fixture
def kade(reverie: Reverie) -> Agent:
    """An agent that has written nothing; it shares its bank."""
    return reverie.agent("kade")


@pytest.fixture(scope="module", params=ENGINES)
def lasting_place(request: pytest.FixtureRequest) -> Iterator[str]:
    """A place on each engine for all examples of a module's tests."""
    with ENGINES[request.param].lasting_place(request) as place:
        yield place


@pytest.fixture(scope="module")
def lasting(lasting_place: str) -> Iterator[Reverie]:
    """One place for all tests of a module; each has an agent of its own."""
    with opened(lasting_place) as reverie:
        yield reverie


@pytest.fixture
def asleep(lasting: Reverie, clock: Clock, request: pytest.FixtureRequest) -> Bed:
    """An agent of the lasting place, with a mind that dreams what the test scripts."""
    return bed(lasting, agent_id=request.node.name[:190], clock=clock)


@pytest.fixture
def asking(lasting: Reverie, clock: Clock, request: pytest.FixtureRequest) -> Bed:
    """An agent of the lasting place without any mind of ours: its host is asked."""
    return bed(lasting, agent_id=request.node.name[:190], clock=clock, mind=None)


@pytest.fixture
def moody() -> Moody:
    """An embedder that fails when it is told to."""
    return Moody()
