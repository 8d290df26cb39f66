from __future__ import annotations

from typing import cast

from reverie.store.executor import Executor
from reverie.store.unit import StoreUnit


def test_an_aggregate_of_a_unit_is_made_once() -> None:
    unit = StoreUnit(cast(Executor, None), "anna")
    assert unit.memories is unit.memories


def test_every_aggregate_of_a_unit_is_bound_to_its_agent() -> None:
    unit = StoreUnit(cast(Executor, None), "anna")
    parts = [name for name in vars(StoreUnit) if not name.startswith("_")]
    assert {"memories", "episodes"} <= {*parts}
    assert {getattr(unit, name).agent_id for name in parts} == {"anna"}
