"""What sleep keeps in a bank, on every engine: records, jobs, usage, portraits, the outbox, and ways back."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from reverie.domain.audit import Action
from reverie.domain.change import Spent
from reverie.domain.job import EVERYONE, SLEEP, JobState
from reverie.domain.kinds import Kind
from reverie.domain.memory import Connection, State
from reverie.domain.queued import QueuedWrite
from reverie.ports.store import Store
from tests.contract.store_rows import (
    NOW,
    a_memory,
    a_sleep,
    a_version,
    after,
    an_agent,
    an_entry,
    an_episode,
    ids,
    keep,
    tell,
    vectors,
)

HOSTILE = "'; DROP TABLE sleeps; -- \\ % ? $1 \u202e 🜍 נָא 日本 \t\n {}"


def _rev(store: Store) -> int:
    with store.read("mama") as unit:
        return unit.agents.rev()


def test_records_come_back_whole_and_newest_first(store: Store) -> None:
    old, young = (
        a_sleep("z1", notes=(HOSTILE,)),
        a_sleep("z2", reverted_at=after(days=1), rejected=(), episodes=()),
    )
    with store.write("mama") as unit:
        unit.sleeps.add(old)
        unit.sleeps.add(young)
    with store.read("mama") as unit:
        assert unit.sleeps.list() == [young, old]
        assert unit.sleeps.list(limit=1) == [young]
        assert unit.sleeps.list(before="z2") == [old]
        assert unit.sleeps.get("z1") == old
        assert unit.sleeps.get("nobody") is None
    with store.read("papa") as unit:
        assert unit.sleeps.list() == []


def test_what_the_portrait_cost_is_added_to_its_sleep_alone(store: Store) -> None:
    record, other = a_sleep("z1", notes=("before",)), a_sleep("z2")
    more = Spent(calls=3, input_tokens=30, output_tokens=20, micro_dollars=7)
    with store.write("mama") as unit:
        unit.sleeps.add(record)
        unit.sleeps.add(other)
        rev = unit.agents.rev()
        unit.sleeps.add_after("z1", more, [HOSTILE])
        assert unit.agents.rev() > rev
        unit.sleeps.add_after("nobody", more, ["nothing"])
    with store.read("mama") as unit:
        assert unit.sleeps.get("z1") == replace(record, spent=record.spent + more, notes=("before", HOSTILE))
        assert unit.sleeps.list() == [other, unit.sleeps.get("z1")]


def test_a_scrub_takes_what_was_rejected_and_leaves_why(store: Store) -> None:
    record = a_sleep("z1")
    with store.write("mama") as unit:
        unit.sleeps.add(record)
        unit.sleeps.scrub()
    with store.read("mama") as unit:
        (one,) = unit.sleeps.list()
    assert one == replace(record, rejected=(replace(record.rejected[0], text=None),), notes=())


def test_a_revert_is_noted_and_all_can_be_dropped(store: Store) -> None:
    with store.write("mama") as unit:
        unit.sleeps.add(a_sleep("z1"))
        unit.sleeps.note_reverted("z1", after(days=2))
        assert unit.sleeps.list()[0].reverted_at == after(days=2)
        unit.sleeps.clear()
        assert unit.sleeps.list() == []


def test_one_lease_at_a_time_until_it_expires(store: Store) -> None:
    soon = after(minutes=10)
    with store.write("mama") as unit:
        assert unit.jobs.take(SLEEP, "a", now=NOW, until=soon)
        assert not unit.jobs.take(SLEEP, "b", now=after(minutes=9), until=after(minutes=30))
        assert unit.jobs.take(SLEEP, "a", now=after(minutes=5), until=after(minutes=15))
        assert unit.jobs.take(SLEEP, "b", now=after(minutes=15), until=after(minutes=30))
        assert unit.jobs.get(SLEEP) == JobState(job=SLEEP, holder="b", until=after(minutes=30))
        assert not unit.jobs.done(SLEEP, "a", NOW)
        unit.jobs.release(SLEEP, "a")
        assert unit.jobs.get(SLEEP).holder == "b"
        unit.jobs.release(SLEEP, "b")
        assert unit.jobs.take(SLEEP, "a", now=NOW, until=soon)
    with store.write("papa") as unit:
        assert unit.jobs.take(SLEEP, "b", now=NOW, until=soon)


def test_failures_are_counted_parked_and_forgotten_by_success(store: Store) -> None:
    with store.write("mama") as unit:
        unit.jobs.fail(SLEEP, parked_until=after(hours=1), note="MindFailed")
        unit.jobs.fail(SLEEP, parked_until=after(hours=2), note="TimedOut")
        known = unit.jobs.get(SLEEP)
        assert (known.failures, known.parked_until, known.note) == (2, after(hours=2), "TimedOut")
        assert unit.jobs.unpark() == 1
        assert (unit.jobs.get(SLEEP).failures, unit.jobs.get(SLEEP).parked_until) == (2, None)
        assert unit.jobs.take(SLEEP, "a", now=NOW, until=after(hours=1))
        assert unit.jobs.done(SLEEP, "a", after(minutes=1))
        assert unit.jobs.all() == [JobState(job=SLEEP, last_at=after(minutes=1))]


def test_unparking_frees_parked_conversations_too(store: Store) -> None:
    with store.write("mama") as unit:
        tell(unit, an_episode("e1"))
        assert unit.watermarks.fail("loop", "kitchen", seen=0, parked_until=after(days=1))
        assert unit.watermarks.behind("loop", now=NOW) == []
        assert unit.jobs.unpark() == 1
        assert [one.watermark.conversation for one in unit.watermarks.behind("loop", now=NOW)] == ["kitchen"]


def test_usage_adds_up_by_minute_and_may_be_settled(store: Store) -> None:
    spent = Spent(calls=1, input_tokens=1000, output_tokens=20, micro_dollars=7)
    start = NOW.replace(second=0, microsecond=0)
    with store.write(EVERYONE) as unit:
        unit.usage.add(NOW, spent)
        unit.usage.add(after(seconds=5), Spent(input_tokens=-900))
        unit.usage.add(after(minutes=3), spent)
        settled = replace(spent, input_tokens=100)
        assert unit.usage.since(NOW) == {start: settled, start + timedelta(minutes=3): spent}
        unit.usage.drop_before(after(minutes=1), keep=2)
        assert len(unit.usage.since(NOW)) == 2
        unit.usage.drop_before(after(minutes=1), keep=1)
    with store.read(EVERYONE) as unit:
        assert unit.usage.since(NOW) == {start + timedelta(minutes=3): spent}
    assert store.agent_ids() == ["mama", "papa"]
    with store.read("mama") as unit:
        assert unit.usage.since(NOW) == {}


def test_a_portrait_is_replaced_whole(store: Store) -> None:
    with store.write("mama") as unit:
        unit.portraits.put({"fact": HOSTILE, "goal": "walk"}, NOW)
        unit.portraits.put({"fact": HOSTILE}, NOW)
        assert unit.portraits.get() == {"fact": HOSTILE}
        unit.portraits.clear()
        assert unit.portraits.get() == {}


def test_a_portraits_files_outlast_its_sections(store: Store) -> None:
    with store.write("mama") as unit:
        for path in ("/b/soul.md", "/a/soul.md", "/b/soul.md"):
            unit.portraits.note_file(path, NOW)
        unit.portraits.put({"fact": "x"}, NOW)
        unit.portraits.clear()
        assert unit.portraits.files() == ["/a/soul.md", "/b/soul.md"]
        assert unit.portraits.get() == {}
    with store.read("papa") as unit:
        assert unit.portraits.files() == []


def test_jobs_lose_their_reasons_and_nothing_else(store: Store) -> None:
    told = [
        an_entry("a1", job="z1", reason="since", after={"x": 1}),
        an_entry("a2", reason="a caller's", after={"x": 1}),
    ]  # fmt: skip
    with store.write("mama") as unit:
        unit.audit.add(told)
        unit.audit.hush()
        assert unit.audit.list() == [replace(told[0], reason=None), told[1]]


def test_what_the_log_told_is_told_anew(store: Store) -> None:
    told = [an_entry("a1", job="z1", reason="since", after={"x": 1}), an_entry("a2", after={"x": 1})]
    with store.write("mama") as unit:
        unit.audit.add(told)
        unit.audit.retell([replace(told[0], before={"y": HOSTILE}, after=None)])
        assert unit.audit.list() == [replace(told[0], before={"y": HOSTILE}, after=None), told[1]]
        assert unit.audit.known(["a2", "a3"]) == {"a2"}
        assert unit.audit.known([]) == frozenset()


def test_edges_are_found_that_have_none_of_the_relations(store: Store) -> None:
    def edge(relation: str, seconds: int) -> Connection:
        return Connection(source="m1", target="m2", relation=relation, created_at=after(seconds=seconds))

    with store.write("mama") as unit:
        keep(unit, a_memory("m1"), a_memory("m2"))
        for one in (edge(HOSTILE, 2), edge("near", 0), edge("told on one day", 1)):
            unit.memories.connect(one)
        assert unit.undo.related_otherwise(["near", "merged"]) == [
            edge("told on one day", 1),
            edge(HOSTILE, 2),
        ]


def test_essences_are_those_of_memories_that_nothing_superseded(store: Store) -> None:
    with store.write("mama") as unit:
        keep(
            unit, a_memory("m2", essence=HOSTILE), a_memory("m1", state=State.ARCHIVED), a_memory("m3", kind=Kind.GOAL),
            a_memory("m4", superseded_by="m1"),
        )  # fmt: skip
        assert dict(unit.memories.essences([Kind.FACT])) == {"m1": a_memory("m1").essence, "m2": HOSTILE}


def test_queued_writes_keep_their_order_and_go_once(store: Store) -> None:
    writes = [
        QueuedWrite(id=f"q{n}", at=after(seconds=-n), verb="observe", payload={"messages": [HOSTILE], "n": n})
        for n in (3, 1, 2)
    ]
    with store.write("mama") as unit:
        for write in writes:
            unit.outbox.add(write)
        assert [one.id for one in unit.outbox.list()] == ["q3", "q1", "q2"]
        assert [replace(one, place=None) for one in unit.outbox.list()] == writes
        assert [one.id for one in unit.outbox.list(after="q1")] == ["q2"]
        assert [one.id for one in unit.outbox.list(limit=1, after="q3")] == ["q1"]
        assert unit.outbox.remove(["q1", "nobody"]) == 1
        assert unit.outbox.remove(["q1"]) == 0
        assert unit.outbox.count() == 2
        unit.outbox.clear()
        assert unit.outbox.count() == 0


def test_a_queued_write_that_is_put_back_keeps_its_place(store: Store) -> None:
    with store.write("mama") as unit:
        for n in (3, 1, 2):
            unit.outbox.add(QueuedWrite(id=f"q{n}", at=NOW, verb="observe", payload={"n": n}))
        known = unit.outbox.list()[1]
        unit.outbox.remove([known.id])
        for part in ("b", "a"):
            unit.outbox.add(replace(known, id=f"{known.id}.{part}"))
        assert [one.id for one in unit.outbox.list()] == ["q3", "q1.a", "q1.b", "q2"]


def test_a_write_set_aside_is_passed_over_until_taken_up(store: Store) -> None:
    with store.write("mama") as unit:
        for n in (1, 2):
            unit.outbox.add(QueuedWrite(id=f"q{n}", at=NOW, verb="observe", payload={"n": n}))
        assert unit.outbox.set_aside("q1", "it refuses the request") == 1
        assert unit.outbox.set_aside("q1", "it refuses the request") == 0
        assert unit.outbox.set_aside("nobody", "it refuses the request") == 0
        assert [one.id for one in unit.outbox.list(waiting=True)] == ["q2"]
        assert [one.failure for one in unit.outbox.list()] == ["it refuses the request", None]
        assert (unit.outbox.count(), unit.outbox.count(waiting=True)) == (2, 1)
        assert unit.outbox.take_up() == 1
        assert unit.outbox.take_up() == 0
        assert [one.id for one in unit.outbox.list(waiting=True)] == ["q1", "q2"]


@pytest.mark.parametrize("act", ["sleep", "revert", "connect"])
def test_what_a_copy_must_notice_bumps_the_revision(store: Store, act: str) -> None:
    with store.write("mama") as unit:
        keep(unit, a_memory("m1"), a_memory("m2"))
        unit.memories.connect(Connection(source="m1", target="m2", relation="near", created_at=NOW))
        unit.sleeps.add(a_sleep("z0"))
    before = _rev(store)
    with store.write("mama") as unit:
        match act:
            case "sleep":
                unit.sleeps.add(a_sleep("z1"))
            case "revert":
                unit.sleeps.note_reverted("z0", NOW)
            case _:
                edge = Connection(source="m1", target="m2", relation="near", created_at=after(days=3))
                assert unit.undo.disconnect(edge)
                assert not unit.undo.disconnect(edge)
    assert _rev(store) == before + 1


def test_jobs_and_usage_leave_the_revision(store: Store) -> None:
    before = _rev(store)
    with store.write("mama") as unit:
        assert unit.jobs.take(SLEEP, "a", now=NOW, until=after(hours=1))
        unit.jobs.fail(SLEEP, parked_until=NOW, note="MindFailed")
        unit.usage.add(NOW, Spent(calls=1))
        unit.portraits.put({"fact": "x"}, NOW)
        unit.outbox.add(QueuedWrite(id="q", at=NOW, verb="observe", payload={}))
    assert _rev(store) == before


def test_episodes_wait_for_sleep_in_order_of_time(store: Store) -> None:
    with store.write("mama") as unit:
        tell(unit, an_episode("e3", 0, time=after(days=-1)), an_episode("e2", 1), an_episode("e1", 2))
        assert ids(unit.episodes.unconsolidated(10)) == ["e3", "e1", "e2"]
        assert ids(unit.episodes.unconsolidated(1)) == ["e3"]
        before = unit.agents.rev()
        assert unit.episodes.consolidate(["e3", "e1", "nobody"], after(hours=1)) == 2
        assert unit.agents.rev() == before + 1
        assert ids(unit.episodes.unconsolidated(10)) == ["e2"]
        assert unit.episodes.count_unconsolidated() == 1
        assert unit.episodes.get(["e1"])["e1"].consolidated_at == after(hours=1)
        assert unit.episodes.consolidate(["e1"], None) == 1
        assert ids(unit.episodes.unconsolidated(10)) == ["e1", "e2"]
    with store.read("papa") as unit:
        assert unit.episodes.unconsolidated(10) == []


def test_a_dropped_version_gives_its_vector_back(store: Store) -> None:
    [old, new] = vectors(2)
    with store.write("mama") as unit:
        unit.memories.add([a_memory("m1")], old[None])
        unit.memories.add_version(a_version("m1", 1))
        unit.memories.update(a_memory("m1", version=2, essence="another"), new)
        given = unit.undo.drop_version("m1", 1)
        assert given is not None
        np.testing.assert_array_equal(given, old)
        assert unit.undo.drop_version("m1", 1) is None
        assert unit.memories.versions("m1") == []


def test_who_superseded_whom_is_known_from_the_successor(store: Store) -> None:
    with store.write("mama") as unit:
        keep(unit, a_memory("m1", superseded_by="m3"), a_memory("m2", superseded_by="m3"), a_memory("m3"))
        assert unit.undo.superseding(["m3", "m1", "nobody"]) == {"m3": ["m1", "m2"]}


def test_the_log_is_asked_by_job_actor_action_and_time(store: Store) -> None:
    entries = [
        an_entry("a1", job="z1", action=Action.FADE, actor="x"),
        an_entry("a2", at=after(days=1), target="m2"),
        an_entry("a3", at=after(days=2), job="z1"),
    ]
    with store.write("mama") as unit:
        unit.audit.add(entries)
        assert unit.audit.list(job="z1") == [entries[0], entries[2]]
        assert unit.audit.list(newest_first=True) == entries[::-1]
        assert unit.audit.list(newest_first=True, after="a2") == [entries[0]]
        assert unit.audit.list(since=after(days=1), until=after(days=2)) == [entries[1]]
        assert unit.audit.list(actions=[Action.FADE, Action.FORGET]) == [entries[0]]
        assert unit.audit.list(actor="x") == [entries[0]]


def test_a_pause_is_kept_with_the_agent(store: Store) -> None:
    with store.write("mama") as unit:
        unit.agents.put(an_agent(paused_at=after(days=1)), bytes(32))
        assert unit.agents.get() == an_agent(paused_at=after(days=1))
        unit.agents.put(an_agent(), bytes(32))
        assert unit.agents.get() == an_agent()
