"""The raw rows of an agent, on every engine: they come back as they were added, in their order, and stay its own."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from reverie.domain.memory import Connection
from reverie.errors import InvalidInput, StoreError
from reverie.ports.store import Store, Unit
from reverie.ports.transfer import AGENT, Copying, RawRow
from tests.contract.conftest import Banks
from tests.contract.store_rows import (
    NOW,
    a_memory,
    a_version,
    an_agent,
    an_entry,
    an_episode,
    keep,
    tell,
    upkeep,
)
from tests.tables import TABLES, UNREVISED

EVERY = (*TABLES, *UNREVISED, AGENT)
COPYING = Copying(source=bytes(range(32)), rev=7, holder="first", started_at=NOW)


def _fill(unit: Unit) -> None:
    """Rows in every table; the order of storing is neither that of ids nor of times."""
    tell(
        unit, *(an_episode(f"e{9 - number}", number, ref=f"r{number}", speaker="Anna") for number in range(9))
    )
    keep(unit, *(a_memory(f"m{9 - number}", source_episodes=("e9",)) for number in range(9)))
    unit.memories.add_version(a_version("m3", 1))
    unit.memories.connect(Connection(source="m3", target="m4", relation="near", created_at=NOW))
    unit.memories.touch({"m3": (2, NOW)})
    upkeep(unit)
    unit.memories.delete(["m5"])
    unit.audit.add([an_entry("a1"), an_entry("a2", before=None)])
    unit.tombstones.add([b"\0digest"], NOW)


def _rows(store: Store, agent_id: str) -> dict[str, list[RawRow]]:
    with store.read(agent_id) as unit:
        return {table: [row for page in unit.transfer.pages(table) for row in page] for table in EVERY}


def _copied(store: Store, rows: dict[str, list[RawRow]], agent_id: str) -> None:
    with store.write(agent_id) as unit:
        unit.transfer.hold(COPYING)
        for table in (*TABLES, *UNREVISED):
            unit.transfer.add(table, rows[table])
        unit.transfer.finish(rows[AGENT][0])


def _ids(rows: Sequence[RawRow]) -> list[object]:
    return [row[0] for row in rows]


@pytest.fixture
def filled(store: Store) -> Store:
    """Mama has rows in every table."""
    with store.write("mama") as unit:
        _fill(unit)
    return store


def test_rows_that_were_read_can_be_added_and_are_read_again(filled: Store) -> None:
    rows = _rows(filled, "mama")
    assert all(rows.values())
    _copied(filled, rows, "copy")
    assert _rows(filled, "copy") == rows
    assert filled.agent_ids() == ["copy", "mama", "papa"]
    with filled.read("mama") as old, filled.read("copy") as new:
        assert new.memories.get(["m3"]) == old.memories.get(["m3"])
        assert new.memories.versions("m3") == old.memories.versions("m3")
        assert new.agents.rev() == old.agents.rev()


def test_memories_and_episodes_come_in_the_order_of_storing(filled: Store) -> None:
    rows = _rows(filled, "mama")
    assert _ids(rows["episodes"]) == [f"e{number}" for number in range(9, 0, -1)]
    assert _ids(rows["memories"]) == [f"m{number}" for number in (9, 8, 7, 6, 4, 3, 2, 1)]
    for table in set(EVERY) - {"episodes", "memories"}:
        keys = [row[:3] if table == "connections" else row[:2] for row in rows[table]]
        assert keys == sorted(keys, key=lambda key: [str(part) for part in key]), table


def test_many_rows_come_in_pages_and_none_is_left_out(store: Store) -> None:
    names = [f"e{number * 7919 % 1000:04}" for number in range(900)]
    with store.write("mama") as unit:
        tell(unit, *(an_episode(name, number, speaker=name) for number, name in enumerate(names)))
    with store.read("mama") as unit:
        pages = [*unit.transfer.pages("episodes")]
        assert len(pages) > 1
        assert [row[0] for page in pages for row in page] == names
        people = [row[1] for page in unit.transfer.pages("participants") for row in page]
        assert people == sorted(names)
        assert unit.transfer.count("episodes") == unit.transfer.count("participants") == 900
        assert unit.transfer.last("episodes") == pages[-1][-1]
        assert unit.transfer.last("participants") == ("kitchen", max(names), 1)


def test_another_agents_rows_stay_out_of_reach(filled: Store) -> None:
    rows = _rows(filled, "mama")
    with filled.write("papa") as unit:
        for table in TABLES:
            assert (unit.transfer.count(table), unit.transfer.last(table)) == (0, None)
            unit.transfer.clear(table)
    assert _rows(filled, "mama") == rows


def test_cleared_tables_are_empty_and_can_be_filled_again(filled: Store) -> None:
    rows = _rows(filled, "mama")
    with filled.write("copy") as unit:
        unit.transfer.hold(COPYING)
        for table in (*TABLES, *UNREVISED):
            unit.transfer.add(table, rows[table])
            unit.transfer.clear(table)
            assert (unit.transfer.count(table), unit.transfer.last(table)) == (0, None)
    _copied(filled, rows, "copy")
    assert _rows(filled, "copy") == rows
    assert [*filled.check()] == []


def test_the_last_to_hold_a_copy_under_way_has_it(store: Store) -> None:
    with store.write("copy") as unit:
        assert unit.transfer.under_way() is None
        unit.transfer.hold(COPYING)
    second = Copying(source=b"other", rev=8, holder="second", started_at=NOW)
    with store.write("copy") as unit:
        assert unit.transfer.under_way() == COPYING
        unit.transfer.hold(second)
    with store.read("copy") as unit, store.read("mama") as other:
        assert unit.transfer.under_way() == second
        assert other.transfer.under_way() is None


def test_a_half_copied_agent_is_unlisted_and_cannot_be_made(store: Store) -> None:
    with store.write("copy") as unit:
        unit.transfer.hold(COPYING)
    assert store.agent_ids() == ["mama", "papa"]
    with pytest.raises(StoreError, match="not whole yet"), store.write("copy") as unit:
        unit.agents.put(an_agent("copy"), bytes(32))
    assert store.agent_ids() == ["mama", "papa"]


def test_a_copy_that_was_given_up_leaves_room_for_the_agent(filled: Store) -> None:
    rows = _rows(filled, "mama")
    with filled.write("copy") as unit:
        unit.transfer.hold(COPYING)
        unit.transfer.add("memories", rows["memories"])
    with filled.write("copy") as unit:
        unit.transfer.clear("memories")
        unit.transfer.abandon()
        assert unit.transfer.under_way() is None
        unit.agents.put(an_agent("copy"), bytes(32))
    assert filled.agent_ids() == ["copy", "mama", "papa"]


def test_an_agent_that_is_there_is_no_place_for_a_copy(store: Store) -> None:
    with pytest.raises(InvalidInput, match="there already"), store.write("mama") as unit:
        unit.transfer.hold(COPYING)


def test_a_key_that_is_taken_is_refused(filled: Store) -> None:
    rows = _rows(filled, "mama")
    for table in TABLES:
        with pytest.raises(InvalidInput), filled.write("mama") as unit:
            unit.transfer.add(table, rows[table][:1])
    assert _rows(filled, "mama") == rows


def test_a_half_copied_agent_survives_closing_and_opening(banks: Banks) -> None:
    with banks.store.write("mama") as unit:
        _fill(unit)
    rows = _rows(banks.store, "mama")
    with banks.store.write("copy") as unit:
        unit.transfer.hold(COPYING)
        unit.transfer.add("memories", rows["memories"])
    with banks.again().read("copy") as unit:
        assert unit.transfer.under_way() == COPYING
        assert unit.transfer.last("memories") == rows["memories"][-1]
