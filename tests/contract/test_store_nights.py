"""Nights that a host's model was asked about, on every engine."""

from __future__ import annotations

import pytest

from reverie.errors import StoreError
from reverie.ports.store import Store
from tests.contract.store_rows import FIRST, LAST, NOW, after

HOSTILE = "'; DROP TABLE nights; -- \\ % ? $1 \u202e \U0001f70d \u05e0\u05b8\u05d0 \t\n {}"


def test_a_night_comes_back_as_given(store: Store) -> None:
    with store.write("mama") as unit:
        for id, at in (("n1", NOW), ("first", FIRST), ("last", LAST)):
            unit.nights.put(id, at, HOSTILE)
    with store.read("mama") as unit:
        assert unit.nights.get("n1") == (NOW, HOSTILE)
        assert unit.nights.get("first") == (FIRST, HOSTILE)
        assert unit.nights.get("last") == (LAST, HOSTILE)
        assert unit.nights.get("nobody") is None


def test_a_night_takes_the_place_of_the_one_of_its_id(store: Store) -> None:
    with store.write("mama") as unit:
        unit.nights.put("n1", NOW, "[1]")
        unit.nights.put("n1", after(days=1), "[2]")
        assert unit.nights.get("n1") == (after(days=1), "[2]")


def test_nights_are_dropped_alone_and_together(store: Store) -> None:
    with store.write("mama") as unit:
        for id in ("n1", "n2", "n3"):
            unit.nights.put(id, NOW, "[]")
        unit.nights.remove("n2")
        unit.nights.remove("nobody")
        assert [id for id in ("n1", "n2", "n3") if unit.nights.get(id)] == ["n1", "n3"]
        unit.nights.clear()
        assert [id for id in ("n1", "n2", "n3") if unit.nights.get(id)] == []


def test_nights_are_their_agents_alone_and_bump_no_revision(store: Store) -> None:
    with store.write("mama") as unit:
        before = unit.agents.rev()
        unit.nights.put("n1", NOW, "[]")
        assert unit.agents.rev() == before
    with store.write("papa") as unit:
        assert unit.nights.get("n1") is None
        unit.nights.remove("n1")
        unit.nights.clear()
        unit.nights.put("n1", NOW, "[2]")
    with store.read("mama") as unit:
        assert unit.nights.get("n1") == (NOW, "[]")


def test_a_unit_that_reads_puts_no_night(store: Store) -> None:
    with pytest.raises(StoreError), store.read("mama") as unit:
        unit.nights.put("n1", NOW, "[]")
