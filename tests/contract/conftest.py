"""One bank an engine for the store's laws; whoever leaves something open or lying about fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from reverie.ports.store import Store
from tests.contract.store_engines import BUSY_SECONDS, NAMES, SPREAD_ENGINES, Engine
from tests.contract.store_rows import settle


@dataclass
class Banks:
    """``store`` is open at ``place`` with the settled agents mama and papa; ``again`` opens the same banks anew."""

    name: str
    engine: Engine
    place: str
    opened: list[Store] = field(default_factory=list)

    @property
    def store(self) -> Store:
        return self.opened[0]

    def again(self, busy_seconds: float = BUSY_SECONDS) -> Store:
        self.opened.append(self.engine.open(self.place, busy_seconds))
        return self.opened[-1]


@pytest.fixture(params=NAMES)
def banks(request: pytest.FixtureRequest) -> Iterator[Banks]:
    """An engine's banks at a place of their own."""
    engine = SPREAD_ENGINES[request.param]
    made = Banks(request.param, engine, engine.place(request))
    made.again()
    for agent_id in ("mama", "papa"):
        with made.store.write(agent_id) as unit:
            settle(unit, agent_id)
    yield made
    for store in made.opened:
        store.close()
    assert engine.left_behind(made.place) == []


@pytest.fixture
def store(banks: Banks) -> Store:
    """The store alone, for laws that need nothing else."""
    return banks.store
