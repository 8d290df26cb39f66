"""What a bank holds beside messages and memories, on every engine: soul, procedures, goals, watermarks, counters and
summaries of messages.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from reverie.domain.goal import Achieved
from reverie.domain.kinds import Kind
from reverie.domain.memory import State
from reverie.domain.procedure import Run, Steps
from reverie.domain.soul import SoulEntry
from reverie.domain.watermark import Watermark
from reverie.errors import InvalidInput
from reverie.ports.store import Store, Unit
from reverie.store import digests
from tests.contract.conftest import Banks
from tests.contract.store_rows import NOW, a_memory, after, an_episode, keep, tell

HOSTILE = "'; DROP TABLE soul; -- \\ % ? $1 \u202e 🜍 נָא 日本 \t\n {}"
DEPLOY = Steps(memory_id="m1", name="Deploy", steps=("build", HOSTILE, "push"))
LOOP = "loop"


def _belief(id: str, **fields: object) -> SoulEntry:
    usual: dict[str, object] = {"id": id, "text": f"I believe {id} {HOSTILE}", "created_at": NOW}
    return SoulEntry(**usual | fields)  # type: ignore[arg-type]


def _rev(store: Store) -> int:
    with store.read("mama") as unit:
        return unit.agents.rev()


def test_soul_entries_come_oldest_first_and_go_when_told_to(store: Store) -> None:
    young, old, other = _belief("s1", created_at=after(days=2)), _belief("s3"), _belief("s2")
    with store.write("mama") as unit:
        for entry in (young, old, other):
            unit.soul.add(entry)
        assert unit.soul.list() == [other, old, young]
        unit.soul.remove("s3")
        unit.soul.remove("nobody")
    with store.read("mama") as unit:
        assert unit.soul.list() == [other, young]
    with store.read("papa") as unit:
        assert unit.soul.list() == []


def test_what_enters_prompts_bumps_the_revision(store: Store) -> None:
    acts = [
        lambda unit: unit.soul.add(_belief("s1")),
        lambda unit: unit.soul.remove("s1"),
        lambda unit: unit.procedures.put(DEPLOY),
        lambda unit: unit.procedures.record("m1", Run(id="r1", at=NOW, succeeded=True)),
        lambda unit: unit.goals.achieve(Achieved(memory_id="m1", at=NOW)),
        lambda unit: unit.goals.reopen("m1"),
        lambda unit: unit.dues.put("m1", NOW),
        lambda unit: unit.dues.remove("m1"),
    ]
    with store.write("mama") as unit:
        keep(unit, a_memory("m1"))
    for act in acts:
        before = _rev(store)
        with store.write("mama") as unit:
            act(unit)  # type: ignore[no-untyped-call]
        assert _rev(store) == before + 1


def test_what_only_counts_and_caches_leaves_the_revision(store: Store) -> None:
    with store.write("mama") as unit:
        tell(unit, an_episode("e1"))
    before = _rev(store)
    with store.write("mama") as unit:
        unit.counters.add({"loop.skipped": 3})
        assert unit.watermarks.advance(LOOP, "kitchen", seen=0, position=1)
        assert unit.watermarks.fail(LOOP, "kitchen", seen=1, parked_until=NOW)
        unit.digests.put(bytes(32), "a summary", NOW)
        unit.digests.clear()
        unit.soul.remove("nobody")
    assert _rev(store) == before


def test_procedures_are_found_by_id_and_by_name_in_any_case(store: Store) -> None:
    other = Steps(memory_id="m2", name="äther", steps=("one",), success_count=2, failure_count=1)
    with store.write("mama") as unit:
        keep(unit, a_memory("m1"), a_memory("m2"))
        unit.procedures.put(DEPLOY)
        unit.procedures.put(other)
        assert unit.procedures.get(["m1", "m2", "m3"]) == {"m1": DEPLOY, "m2": other}
        assert unit.procedures.named("dEPLOY") == DEPLOY
        assert unit.procedures.named("ÄTHER") == other
        assert unit.procedures.named("nobody") is None
        assert unit.procedures.list() == [DEPLOY, other]
        changed = replace(DEPLOY, name="DEPLOY", steps=("only",))
        unit.procedures.put(changed)
        assert unit.procedures.list() == [changed, other]


def test_two_procedures_dont_share_a_name(store: Store) -> None:
    with store.write("mama") as unit:
        keep(unit, a_memory("m1"), a_memory("m2"))
        unit.procedures.put(DEPLOY)
    with store.write("mama") as unit, pytest.raises(InvalidInput):
        unit.procedures.put(replace(DEPLOY, memory_id="m2", name="DEPLOY"))
    with store.read("mama") as unit:
        assert unit.procedures.list() == [DEPLOY]


def test_outcomes_are_counted_and_come_latest_last(store: Store) -> None:
    runs = [
        Run(
            id=f"r{number}", at=after(days=number), succeeded=number % 3 > 0, note=HOSTILE if number else None
        )
        for number in range(5)
    ]
    with store.write("mama") as unit:
        keep(unit, a_memory("m1"))
        unit.procedures.put(DEPLOY)
        for run in runs:
            unit.procedures.record("m1", run)
        assert unit.procedures.runs("m1") == runs
        assert unit.procedures.runs("m1", limit=2) == runs[3:]
        assert unit.procedures.named("deploy") == replace(DEPLOY, success_count=3, failure_count=2)


def test_a_memory_takes_procedure_and_achievement_along(store: Store) -> None:
    with store.write("mama") as unit:
        keep(unit, a_memory("m1"), a_memory("m2"))
        for id in ("m1", "m2"):
            unit.procedures.put(replace(DEPLOY, memory_id=id, name=id))
            unit.procedures.record(id, Run(id="r1", at=NOW, succeeded=True))
            unit.goals.achieve(Achieved(memory_id=id, at=NOW))
            unit.dues.put(id, NOW)
        unit.memories.delete(["m1"])
        assert list(unit.procedures.get(["m1", "m2"])) == ["m2"]
        assert unit.procedures.runs("m1") == []
        assert len(unit.procedures.runs("m2")) == 1
        assert list(unit.goals.achieved()) == ["m2"]
        assert unit.dues.between(None, None) == {"m2": NOW}


def test_open_goals_are_counted(store: Store) -> None:
    goals: dict[str, dict[str, Any]] = {
        "open": {}, "reached": {}, "past": {"state": State.ARCHIVED}, "replaced": {"superseded_by": "open"},
    }  # fmt: skip
    with store.write("mama") as unit:
        keep(unit, *(a_memory(id, kind=Kind.GOAL, **more) for id, more in goals.items()), a_memory("fact"))
        assert unit.goals.count_open() == 2
        unit.goals.achieve(Achieved(memory_id="reached", at=NOW))
        assert unit.goals.count_open() == 1
    with store.read("papa") as unit:
        assert unit.goals.count_open() == 0


def test_a_goals_first_achievement_stands_until_reopened(store: Store) -> None:
    first = Achieved(memory_id="m1", at=NOW, note=HOSTILE)
    with store.write("mama") as unit:
        keep(unit, a_memory("m1"))
        unit.goals.achieve(first)
        unit.goals.achieve(Achieved(memory_id="m1", at=after(days=1)))
        assert unit.goals.achieved(["m1", "m2"]) == {"m1": first}
        assert unit.goals.achieved() == {"m1": first}
        assert unit.goals.achieved([]) == {}
        unit.goals.reopen("m1")
        assert unit.goals.achieved() == {}


def test_what_is_due_comes_soonest_first_within_its_bounds(store: Store) -> None:
    with store.write("mama") as unit:
        keep(unit, *(a_memory(f"m{n}") for n in range(4)))
        for n in (3, 1, 2, 0):
            unit.dues.put(f"m{n}", after(days=n))
        unit.dues.put("m0", after(days=9))  # replaces
        unit.dues.remove("m3")
        unit.dues.remove("nobody")
        assert list(unit.dues.between(None, None).items()) == [
            ("m1", after(days=1)), ("m2", after(days=2)), ("m0", after(days=9)),
        ]  # fmt: skip
        assert list(unit.dues.between(after(days=2), after(days=9))) == ["m2"]
        assert unit.dues.get(["m0", "m3"]) == {"m0": after(days=9)}
        assert unit.dues.get([]) == {}
    with store.read("papa") as unit:
        assert unit.dues.between(None, None) == {}


def _said(unit: Unit, room: str, count: int, **fields: object) -> None:
    tell(
        unit, *(an_episode(f"{room}{number}", number, conversation=room, **fields) for number in range(count))
    )


def test_conversations_behind_come_longest_silent_first(
    store: Store,
) -> None:
    with store.write("mama") as unit:
        _said(unit, "late", 2, time=after(days=1))
        _said(unit, "early", 3)
        _said(unit, "done", 1)
        assert unit.watermarks.advance(LOOP, "done", seen=0, position=1)
        assert unit.watermarks.advance(LOOP, "early", seen=0, position=2)
        assert unit.watermarks.advance("other", "late", seen=0, position=2)
        found = unit.watermarks.behind(LOOP, now=NOW)
        assert [(one.watermark.conversation, one.watermark.position, one.next_position) for one in found] == [
            ("early", 2, 3), ("late", 0, 2),
        ]  # fmt: skip
        assert [one.last_at for one in found] == [NOW, after(days=1)]
        assert len(unit.watermarks.behind(LOOP, now=NOW, limit=1)) == 1
        assert unit.watermarks.count_behind(LOOP) == 2
    with store.read("papa") as unit:
        assert unit.watermarks.behind(LOOP, now=NOW) == []


def test_a_watermark_moves_only_from_where_it_is(store: Store) -> None:
    with store.write("mama") as unit:
        _said(unit, "kitchen", 5)
        assert unit.watermarks.get(LOOP, "kitchen") == Watermark(job=LOOP, conversation="kitchen")
        assert not unit.watermarks.advance(LOOP, "kitchen", seen=1, position=2)
        assert unit.watermarks.advance(LOOP, "kitchen", seen=0, position=3)
        assert not unit.watermarks.advance(LOOP, "kitchen", seen=0, position=4)
        assert not unit.watermarks.fail(LOOP, "kitchen", seen=0, parked_until=NOW)
        assert unit.watermarks.get(LOOP, "kitchen").position == 3
        assert unit.watermarks.advance(LOOP, "kitchen", seen=3, position=5)
        assert unit.watermarks.behind(LOOP, now=NOW) == []


def test_a_conversation_that_is_not_there_has_no_watermark(store: Store) -> None:
    with store.write("mama") as unit:
        assert not unit.watermarks.advance(LOOP, "nowhere", seen=0, position=3)
        assert not unit.watermarks.fail(LOOP, "nowhere", seen=0, parked_until=NOW)
        assert unit.transfer.count("watermarks") == 0


def test_failures_park_a_conversation_until_success(store: Store) -> None:
    with store.write("mama") as unit:
        _said(unit, "kitchen", 2)
        assert unit.watermarks.fail(LOOP, "kitchen", seen=0, parked_until=after(minutes=1))
        assert unit.watermarks.fail(LOOP, "kitchen", seen=0, parked_until=after(minutes=2))
        failing = Watermark(job=LOOP, conversation="kitchen", failures=2, parked_until=after(minutes=2))
        assert unit.watermarks.failing(LOOP) == [failing]
        assert unit.watermarks.failing("other") == []
        assert unit.watermarks.behind(LOOP, now=after(minutes=1)) == []
        assert len(unit.watermarks.behind(LOOP, now=after(minutes=2))) == 1
        assert unit.watermarks.advance(LOOP, "kitchen", seen=0, position=1)
        assert unit.watermarks.failing(LOOP) == []
        assert len(unit.watermarks.behind(LOOP, now=NOW)) == 1


def test_a_conversation_takes_its_watermark_with_it(store: Store) -> None:
    with store.write("mama") as unit:
        _said(unit, "kitchen", 2)
        assert unit.watermarks.advance(LOOP, "kitchen", seen=0, position=2)
        unit.episodes.delete(["kitchen0", "kitchen1"])
        assert unit.watermarks.get(LOOP, "kitchen").position == 0
        _said(unit, "kitchen", 1)
        assert len(unit.watermarks.behind(LOOP, now=NOW)) == 1


def test_counters_add_up_over_processes(banks: Banks) -> None:
    for store in (banks.store, banks.again()):
        with store.write("mama") as unit:
            unit.counters.add({"b": 2, "a": 1, "zero": 0})
    with banks.store.read("mama") as unit:
        assert list(unit.counters.all().items()) == [("a", 2), ("b", 4)]
    with banks.store.read("papa") as unit:
        assert unit.counters.all() == {}


def test_summaries_are_found_by_key_until_they_are_cleared(store: Store) -> None:
    one, other = bytes(range(32)), bytes(32)
    with store.write("mama") as unit:
        unit.digests.put(one, HOSTILE, NOW)
        unit.digests.put(other, "first", NOW)
        unit.digests.put(other, "second", after(days=1))
        assert unit.digests.get([one, other, b"unknown"]) == {one: HOSTILE, other: "second"}
    with store.write("papa") as unit:
        assert unit.digests.get([one]) == {}
        unit.digests.clear()
    with store.write("mama") as unit:
        assert len(unit.digests.get([one, other])) == 2
        unit.digests.clear()
        assert unit.digests.get([one, other]) == {}


def test_only_the_latest_summaries_are_kept(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digests, "KEPT", 3)
    keys = [bytes([number]) * 32 for number in range(5)]
    with store.write("mama") as unit:
        for number, key in enumerate(keys):
            unit.digests.put(key, f"summary {number}", after(days=number))
        assert sorted(unit.digests.get(keys)) == keys[2:]


def test_unjudged_memories_are_found_in_order_of_id(store: Store) -> None:
    with store.write("mama") as unit:
        keep(
            unit, a_memory("m4"), a_memory("m1", lesson="l"), a_memory("m2", importance=0.0),
            a_memory("m3", lesson="l", importance=0.5),
        )  # fmt: skip
        assert unit.memories.unjudged(limit=2) == ["m1", "m2"]
        assert unit.memories.unjudged(limit=2, after="m2") == ["m4"]
        assert unit.memories.count_unjudged() == 3


def test_tokens_are_a_third_of_the_bytes_of_each_text(store: Store) -> None:
    with store.write("mama") as unit:
        assert unit.memories.tokens() == 0
        keep(unit, a_memory("m1", essence="four", lesson="éé"), a_memory("m2", essence="six six"))
        assert unit.memories.tokens() == 2 + 2 + 3
    with store.read("papa") as unit:
        assert unit.memories.tokens() == 0


def test_dropping_notes_leaves_what_they_were_noted_on(store: Store) -> None:
    runs = [Run(id=f"r{n}", at=after(days=n), succeeded=n != 1, note=f"note {n}") for n in range(4)]
    with store.write("mama") as unit:
        keep(unit, a_memory("m1"), a_memory("m2"), a_memory("m3"))
        unit.procedures.put(DEPLOY)
        for run in runs:
            unit.procedures.record("m1", run)
        for n in (2, 3):
            unit.goals.achieve(Achieved(memory_id=f"m{n}", at=after(days=n), note=f"note {n}"))
    before = _rev(store)
    with store.write("mama") as unit:
        unit.procedures.drop_notes(after(days=1), after(days=3))
        unit.goals.drop_notes(after(days=1), after(days=3))
    assert _rev(store) > before
    with store.write("mama") as unit:
        assert [run.note for run in unit.procedures.runs("m1")] == ["note 0", None, None, "note 3"]
        assert [one.note for one in unit.goals.achieved().values()] == [None, "note 3"]
        assert unit.procedures.named("deploy") == replace(DEPLOY, success_count=3, failure_count=1)
        unit.procedures.drop_notes(None, after(days=1))
        unit.goals.drop_notes(after(days=3), None)
        assert [run.note for run in unit.procedures.runs("m1")] == [None, None, None, "note 3"]
        assert [one.note for one in unit.goals.achieved().values()] == [None, None]
