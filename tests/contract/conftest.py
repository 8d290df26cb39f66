"""One bank an engine for the store's laws; whoever leaves something open or lying about fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from reverie.ports.store import Store
from tests.contract.store_engines import BUSY_SECONDS, ENGINES, Engine
from tests.contract.store_rows import settle


@dataclass
class Banks:
    """``store`` is open in ``folder`` with the settled agents mama and papa; ``again`` opens the same banks anew."""

    name: str
    engine: Engine
    folder: Path
    opened: list[Store] = field(default_factory=list)

    @property
    def store(self) -> Store:
        return self.opened[0]

    def again(self, busy_seconds: float = BUSY_SECONDS) -> Store:
        self.opened.append(self.engine.open(self.folder, busy_seconds))
        return self.opened[-1]


@pytest.fixture(params=ENGINES)
def banks(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Banks]:
    """An engine's banks in a folder of their own."""
    made = Banks(request.param, ENGINES[request.param], tmp_path)
    made.again()
    for agent_id in ("mama", "papa"):
        with made.store.write(agent_id) as unit:
            settle(unit, agent_id)
    yield made
    for store in made.opened:
        store.close()
    assert made.engine.left_behind(tmp_path) == []


@pytest.fixture
def store(banks: Banks) -> Store:
    """The store alone, for laws that need nothing else."""
    return banks.store
