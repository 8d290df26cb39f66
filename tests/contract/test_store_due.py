"""The queue of what is due: whose work is found, in what order, and what is dead."""

from __future__ import annotations

from datetime import timedelta

from reverie.domain.job import LEASE, NEVER, SLEEP, WORKER
from reverie.ports.store import Due, DueCounts, Store
from tests.contract.store_rows import NOW, a_memory, after, an_episode, keep, settle, tell


def _found(store: Store, limit: int = 10) -> list[str]:
    return [one.agent_id for one in store.due_agents(NOW, limit)]


def _set(store: Store, agent_id: str, minutes: float | None) -> None:
    with store.write(agent_id) as unit:
        settle(unit, agent_id)
        unit.agents.settle_due(None if minutes is None else after(minutes=minutes))


def test_due_agents_come_longest_overdue_first_and_others_not_at_all(store: Store) -> None:
    for name, minutes in (
        ("mama", -1),
        ("papa", -3),
        ("zoe", 0),
        ("anna", -3),
        ("later", 1),
        ("never", None),
    ):
        _set(store, name, minutes)
    assert _found(store) == ["anna", "papa", "mama", "zoe"]
    assert _found(store, 2) == ["anna", "papa"]
    assert store.due_agents(NOW, 1) == [Due(agent_id="anna", at=after(minutes=-3))]
    assert store.due_counts(NOW) == DueCounts(due=4, oldest=after(minutes=-3), dead=0)
    assert store.due_counts(after(days=-1)) == DueCounts(due=0, oldest=None, dead=0)


def test_whom_a_worker_holds_is_not_found_until_the_lease_is_over(store: Store) -> None:
    _set(store, "mama", -1)
    with store.write("mama") as unit:
        assert unit.jobs.take(WORKER, "a", now=NOW, until=NOW + LEASE)
        assert unit.jobs.take(SLEEP, "a", now=NOW, until=NOW + LEASE)
    assert _found(store) == []
    assert store.due_counts(NOW).due == 1
    assert [one.agent_id for one in store.due_agents(NOW + LEASE, 9)] == ["mama"]
    with store.write(
        "mama"
    ) as unit:  # another job's lease keeps nobody out; nor does one of a clock that was ahead
        unit.jobs.release(WORKER, "a")
        assert unit.jobs.take(WORKER, "b", now=after(days=400), until=after(days=400) + LEASE)
    assert _found(store) == ["mama"]


def test_what_a_clock_far_ahead_has_set_is_due(store: Store) -> None:
    _set(store, "mama", timedelta(days=400) / timedelta(minutes=1))
    assert store.due_agents(NOW, 10) == [Due(agent_id="mama", at=NOW)]


def test_the_soonest_of_what_is_noted_stands(store: Store) -> None:
    with store.write("mama") as unit:
        settle(unit)
        unit.agents.settle_due(None)
        rev = unit.agents.rev()
        for minutes, stands in ((5, 5), (7, 5), (3, 3)):
            unit.agents.note_due(after(minutes=minutes))
            assert unit.agents.due_at() == after(minutes=stands)
        assert unit.agents.rev() == rev
        unit.agents.settle_due(after(minutes=9))
    with store.read("mama") as unit:
        assert unit.agents.due_at() == after(minutes=9)
    with store.read("papa") as unit:
        assert unit.agents.due_at() is None


def test_messages_and_memories_that_are_added_are_due(store: Store) -> None:
    episode, memory = an_episode("e1"), a_memory("m1")
    for name in ("mama", "papa"):
        _set(store, name, None)
    with store.write("mama") as unit:
        tell(unit, episode)
        assert unit.agents.due_at() == episode.observed_at
        unit.agents.settle_due(None)
        keep(unit, memory)
        assert unit.agents.due_at() == memory.updated_at
    with store.read("papa") as unit:
        assert unit.agents.due_at() is None


def test_dead_jobs_are_told_with_their_agents_and_revived_by_unparking(store: Store) -> None:
    for name in ("papa", "mama"):
        with store.write(name) as unit:
            settle(unit, name)
            tell(unit, an_episode("e1"))
            unit.jobs.fail(SLEEP, parked_until=NEVER, note="MindFailed")
            unit.jobs.fail("self-care", parked_until=after(hours=1), note="MindFailed")
    with store.write("mama") as unit:
        assert unit.watermarks.fail("loop", "kitchen", seen=0, parked_until=NEVER)
        assert unit.watermarks.behind("loop", now=after(days=400)) == []
        assert unit.watermarks.next_try("loop") is None
    assert store.dead_jobs(9) == [("mama", "loop"), ("mama", SLEEP), ("papa", SLEEP)]
    assert store.dead_jobs(1) == [("mama", "loop")]
    assert store.due_counts(NOW).dead == 3
    with store.write("mama") as unit:
        assert unit.jobs.get(SLEEP).is_dead
        assert unit.jobs.unpark() == 3
        assert not unit.jobs.get(SLEEP).is_dead
    assert store.dead_jobs(9) == [("papa", SLEEP)]
