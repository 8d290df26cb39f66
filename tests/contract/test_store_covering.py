"""What the store does for self-care, on every engine: what it comes to, what is next, and what stands under what."""

from __future__ import annotations

from typing import Any

from reverie.domain.kinds import Kind
from reverie.domain.memory import State
from reverie.domain.summary import Load, OpenRoom, Summary
from reverie.ports.store import Store, Unit
from tests.contract.store_rows import NOW, a_memory, after, an_episode, keep, settle, tell


def _seen(id: str, **fields: Any) -> Any:
    return a_memory(id, **{"kind": Kind.OBSERVATION, "essence": "x" * 30, "lesson": None, **fields})


def _stands(unit: Unit, id: str, **fields: Any) -> None:
    given = {"job": "j1", "items": 1, "began_at": NOW, "ended_at": NOW, "created_at": NOW, **fields}
    unit.summaries.add(Summary(memory_id=id, **given))


def test_observations_are_counted_and_come_by_time(store: Store) -> None:
    with store.write("mama") as unit:
        settle(unit)
        keep(
            unit,
            _seen("a", valid_from=after(days=3)), _seen("b", valid_from=after(days=1)), _seen("c", pinned=True),
            _seen("d", state=State.ARCHIVED), _seen("e", superseded_by="a"), a_memory("f"), _seen("s", lesson="yyy"),
        )  # fmt: skip
        _stands(unit, "s", began_at=after(days=2))
    with store.read("mama") as unit:
        assert unit.summaries.load() == Load(details=2, summaries=1, tokens=41)
        assert unit.summaries.next_up(9, summaries=False) == ["b", "a"]
        assert unit.summaries.next_up(1, summaries=False) == ["b"]
        assert unit.summaries.next_up(9, summaries=True) == ["s"]
    with store.read("papa") as unit:
        assert unit.summaries.load() == Load(details=0, summaries=0, tokens=0)


def test_covers_are_found_from_both_ends_and_may_be_undone(store: Store) -> None:
    with store.write("mama") as unit:
        settle(unit)
        keep(unit, *(_seen(id) for id in "abst"))
        for id in "st":
            _stands(unit, id)
        before = unit.agents.rev()
        unit.summaries.cover("s", ["a", "b"], after(days=1))
        assert unit.agents.rev() == before + 1
        unit.summaries.cover("t", ["s"], after(days=2))
    with store.write("mama") as unit:
        assert unit.summaries.members("s") == ["a", "b"]
        assert dict(unit.summaries.above(["a", "s"])) == {"s": ["a"], "t": ["s"]}
        found = unit.memories.get("ab")
        assert {(one.state, one.updated_at) for one in found.values()} == {(State.SUMMARIZED, after(days=1))}
        unit.summaries.uncover(["a", "t"], after(days=3))
    with store.read("mama") as unit:
        states = {id: one.state for id, one in unit.memories.get("abst").items()}
    assert states == {
        "a": State.ACTIVE, "b": State.SUMMARIZED, "s": State.SUMMARIZED, "t": State.ACTIVE,
    }  # fmt: skip


def test_rooms_tell_what_is_live_and_spans_which_it_is(store: Store) -> None:
    with store.write("mama") as unit:
        settle(unit)
        tell(
            unit, *(an_episode(f"e{n}", n, conversation="kitchen", time=after(minutes=n)) for n in range(10))
        )
        tell(unit, an_episode("x", 0, conversation="link:papa:hall", channel="link"))
        keep(unit, _seen("s"), _seen("t"))
        _stands(unit, "s", conversation="kitchen", first=2, last=4, items=3)
        _stands(unit, "t", conversation="kitchen", first=7, last=7)
    with store.read("mama") as unit:
        assert unit.summaries.rooms() == [OpenRoom(id="kitchen", live=6, last_at=after(minutes=9))]
        assert unit.summaries.open_spans("kitchen") == [(0, 1), (5, 6), (8, None)]
        assert unit.summaries.live_since() == after(minutes=0)
        assert unit.summaries.open_spans("nowhere") == [(0, None)]
    with store.write("mama") as unit:
        unit.memories.delete(["s"])
    with store.read("mama") as unit:
        assert unit.summaries.open_spans("kitchen") == [(0, 6), (8, None)]
