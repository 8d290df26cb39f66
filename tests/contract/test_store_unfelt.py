"""Memories without emotions: found page by page, and given some."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reverie.domain.emotion import Emotion, Emotions
from reverie.domain.memory import State
from reverie.errors import StoreError
from reverie.ports.store import Store
from tests.contract.conftest import Banks
from tests.contract.store_rows import a_memory, a_version, after, keep

GLAD: Emotions = (Emotion.JOY, Emotion.LOVE, Emotion.NEUTRAL)
SAD: Emotions = (Emotion.SADNESS, Emotion.GRIEF, Emotion.FEAR)


def test_memories_without_emotions_are_found_in_order_of_id(store: Store) -> None:
    with store.write("mama") as unit:
        keep(
            unit, a_memory("m3"), a_memory("m1", state=State.SUMMARIZED), a_memory("m2", emotions=GLAD),
            a_memory("m4", superseded_by="m1", state=State.ARCHIVED), a_memory("m0", state=State.INACTIVE),
        )  # fmt: skip
        assert unit.memories.unfelt(limit=10) == ["m0", "m1", "m3", "m4"]
        assert unit.memories.count_unfelt() == 4


def test_pages_of_them_follow_each_other(store: Store) -> None:
    with store.write("mama") as unit:
        keep(unit, *(a_memory(f"m{number}") for number in range(7)))
        assert unit.memories.unfelt(limit=3) == ["m0", "m1", "m2"]
        assert unit.memories.unfelt(limit=3, after="m2") == ["m3", "m4", "m5"]
        assert unit.memories.unfelt(limit=3, after="m5") == ["m6"]
        assert unit.memories.unfelt(limit=3, after="m6") == []


def test_feeling_changes_emotions_and_update_time_alone(store: Store) -> None:
    whole = a_memory(
        "m1", version=2, reinforcement_count=3, confidence=0.4, source_episodes=("e1",), touches=2
    )
    with store.write("mama") as unit:
        keep(unit, whole, a_memory("m2"), a_memory("m3"))
        unit.memories.add_version(a_version("m1", 1))
        vector = unit.memories.vectors(["m1"])["m1"].tobytes()
        unit.memories.feel({"m1": GLAD, "m2": SAD, "nobody": SAD}, after(days=1))
        found = unit.memories.get(["m1", "m2", "m3"])
        assert found == {
            "m1": replace(whole, emotions=GLAD, updated_at=after(days=1)),
            "m2": a_memory("m2", emotions=SAD, updated_at=after(days=1)),
            "m3": a_memory("m3"),
        }
        assert unit.memories.versions("m1") == [a_version("m1", 1)]
        assert unit.memories.vectors(["m1"])["m1"].tobytes() == vector
        assert unit.memories.unfelt(limit=10) == ["m3"]


def test_many_that_feel_at_once_take_one_revision(store: Store) -> None:
    with store.write("mama") as unit:
        keep(unit, *(a_memory(f"m{number:04}") for number in range(600)))
        rev = unit.agents.rev()
        unit.memories.feel({f"m{number:04}": GLAD for number in range(600)}, after(days=1))
        assert unit.agents.rev() == rev + 1
        assert unit.memories.count_unfelt() == 0
        unit.memories.feel({}, after(days=1))
        assert unit.agents.rev() == rev + 1


def test_another_agents_memories_are_neither_found_nor_changed(store: Store) -> None:
    with store.write("papa") as unit:
        keep(unit, a_memory("m1"))
    with store.write("mama") as unit:
        assert (unit.memories.unfelt(limit=10), unit.memories.count_unfelt()) == ([], 0)
        unit.memories.feel({"m1": GLAD}, after(days=1))
    with store.read("papa") as unit:
        assert unit.memories.get(["m1"]) == {"m1": a_memory("m1")}


def test_what_was_felt_is_there_when_the_bank_is_opened_again(banks: Banks) -> None:
    with banks.store.write("mama") as unit:
        keep(unit, a_memory("m1"))
        unit.memories.feel({"m1": GLAD}, after(days=1))
    with banks.again().read("mama") as unit:
        assert unit.memories.get(["m1"])["m1"].emotions == GLAD


def test_a_unit_that_reads_feels_nothing(store: Store) -> None:
    with store.write("mama") as unit:
        keep(unit, a_memory("m1"))
    with pytest.raises(StoreError), store.read("mama") as unit:
        unit.memories.feel({"m1": GLAD}, after(days=1))
