"""Workers' turns: what makes an agent due, in what order and how often it is done, and what becomes of what fails."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from reverie import Agent, MindFailed, Reverie, SleepSettings, WorkerSettings
from reverie.client import backlog, dead_jobs, working
from reverie.domain.change import Proposal
from reverie.domain.job import LEASE, NEVER, SLEEP, WORKER
from reverie.domain.turned import DeadJob, Turned
from reverie.embedders.hashing import HashingEmbedder
from reverie.services.upkeep import turns
from tests.services.beds import Dreamer
from tests.services.bench import NOON, Clock, opened
from tests.services.conftest import Open
from tests.services.scripted import Scripted, minded

SAID = [f"Anna lives in house {number}" for number in range(12)]


def _due(agent: Agent) -> datetime | None:
    with agent._desk.store.read(agent.id) as unit:
        return unit.agents.due_at()


def _done(reverie: Reverie, agent_id: str | None = None) -> list[Turned]:
    return [*working(reverie, agent_id, stop=threading.Event())]


def _asleep(reverie: Reverie, dream: Any = lambda _: Proposal()) -> tuple[Reverie, Dreamer]:
    mind = Dreamer(dream=dream)
    return minded(reverie, mind)[0], mind


def _set(reverie: Reverie, **groups: Any) -> None:
    desk = reverie._desk
    object.__setattr__(desk, "settings", replace(desk.settings, **groups))


def test_what_is_said_is_due_at_once_and_then_the_night(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    thinking, mind = _asleep(reverie)
    mama.observe(SAID, conversation="chat")
    assert _due(mama) == NOON
    (done,) = _done(thinking)
    assert (done.agent_id, done.done, done.failed, done.slept) == ("mama", ["loop"] * 2, [], [])
    assert _due(mama) == NOON + timedelta(minutes=5)  # nobody has said anything for so long by then
    clock.wait(minutes=4)
    assert _done(thinking) == []
    clock.wait(minutes=1)
    (done,) = _done(thinking)
    assert (done.done, len(done.slept), len(mind.nights)) == (["sleep"], 1, 1)
    due = _due(mama)
    assert due is not None  # the week's housekeeping
    assert timedelta(days=7) <= due - NOON < timedelta(days=14)
    assert _done(thinking) == []


def test_the_week_is_put_in_order_when_it_is_due(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    mama.remember("Anna keeps bees")
    thinking, _ = _asleep(reverie)
    assert [one.done for one in _done(thinking)] == [[]]
    weeks = []
    for _ in range(3):
        due = _due(mama)
        assert due is not None
        assert due > clock()
        clock.now = due
        weeks.append(due)
        (done,) = _done(thinking)
        assert (done.done, done.housekept is not None) == (["housekeeping"], True)
    assert weeks[2] - weeks[1] == timedelta(days=7)


def test_whoever_waits_longest_comes_first(reverie: Reverie, clock: Clock) -> None:
    thinking, _ = _asleep(reverie)
    for name in ("zoe", "anna", "mama"):
        reverie.agent(name).observe("hello there")
        clock.wait(minutes=1)
    reverie.agent("zoe").observe("hello again")
    found = reverie._desk.store.due_agents(clock(), 10)
    assert [one.agent_id for one in found] == ["zoe", "anna", "mama"]
    assert [one.at - NOON for one in found] == [timedelta(minutes=number) for number in range(3)]
    assert [one.agent_id for one in reverie._desk.store.due_agents(clock(), 1)] == ["zoe"]
    assert backlog(reverie).lag == 180
    assert backlog(reverie).due == 3
    assert {one.agent_id for one in _done(thinking)} == {"zoe", "anna", "mama"}
    assert (backlog(reverie).lag, backlog(reverie).due) == (0, 0)


def test_one_agent_does_not_hold_the_worker_while_others_wait(
    reverie: Reverie, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    thinking, mind = _asleep(reverie)
    _set(thinking, sleep=SleepSettings(batch=4))
    for name in ("long", "short"):
        reverie.agent(name).observe(SAID[:12], conversation="chat")
        clock.wait(seconds=1)
    _done(thinking)
    clock.wait(minutes=10)
    with monkeypatch.context() as patch:
        patch.setattr(turns._Budget, "is_set", lambda budget: budget._outer.is_set() or bool(mind.nights))
        once = turns.turn(thinking._desk, "long", actor="w", stop=threading.Event())
    assert once is not None
    assert (len(once.slept), once.is_left) == (1, True)
    assert [one.agent_id for one in reverie._desk.store.due_agents(clock(), 10)] == ["short", "long"]
    rest = {one.agent_id: len(one.slept) for one in _done(thinking)}
    assert rest == {"short": 3, "long": 2}  # the night goes on, though the last sleep was just now


@contextmanager
def _held(agent: Agent, holder: str, now: datetime) -> Iterator[None]:
    with agent._desk.store.write(agent.id) as unit:
        assert unit.jobs.take(WORKER, holder, now=now, until=now + LEASE)
    yield


def test_what_a_dead_worker_held_is_taken_over_within_a_minute(
    reverie: Reverie, mama: Agent, clock: Clock
) -> None:
    thinking, _ = _asleep(reverie)
    mama.observe(SAID, conversation="chat")
    with _held(mama, "elsewhere", clock()):
        assert _done(thinking) == []
        assert turns.turn(thinking._desk, "mama", actor="w", stop=threading.Event()) is None
        assert backlog(thinking).due == 1
        clock.wait(seconds=55)
        assert [one.done for one in _done(thinking)] == [["loop"] * 2]


def test_two_workers_that_saw_the_same_do_it_once(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    thinking, mind = _asleep(reverie)
    mama.observe(SAID, conversation="chat")
    _done(thinking)
    clock.wait(minutes=10)
    stop = threading.Event()
    both = [turns.turn(thinking._desk, "mama", actor="w", stop=stop) for _ in range(2)]
    assert [one is not None for one in both] == [True, False]
    assert len(mind.nights) == 1


def test_what_is_said_during_a_turn_is_not_lost(reverie: Reverie, mama: Agent) -> None:
    def more(_snippet: object) -> Sequence[object]:
        if len(script.seen) == 1:
            mama.observe("one thing more", conversation="another")
        return []

    script = Scripted(more)
    thinking, _ = minded(reverie, script)
    mama.observe("hello there", conversation="chat")
    done = _done(thinking)
    assert sum(one.attended.snippets for one in done) == 2


def _failing(_night: object) -> Proposal:
    raise MindFailed("scripted", "it has had enough")


def test_what_fails_rests_longer_each_time_and_in_the_end_is_dead(
    reverie: Reverie, mama: Agent, clock: Clock
) -> None:
    thinking, mind = _asleep(reverie, _failing)
    _set(thinking, worker=WorkerSettings(tries=3))
    mama.observe(SAID, conversation="chat")
    _done(thinking)
    clock.wait(minutes=5)
    for pause in (5, 10):
        (done,) = _done(thinking)
        assert (done.done, done.failed) == ([], ["sleep"])
        assert _due(mama) == clock() + timedelta(minutes=pause)
        clock.wait(minutes=pause)
    assert [one.failed for one in _done(thinking)] == [["sleep"]]
    assert dead_jobs(thinking) == [DeadJob(agent_id="mama", job=SLEEP, failures=3, note="MindFailed")]
    assert backlog(thinking).dead == 1
    (state,) = mama.stats().jobs
    assert (state.is_dead, state.parked_until) == (True, NEVER)
    clock.wait(days=2)
    assert _done(thinking) == []
    assert len(mind.nights) == 3

    assert mama.jobs.retry() == 1
    assert (dead_jobs(thinking), backlog(thinking).dead) == ([], 0)
    mind.dream = lambda _: Proposal()
    assert [one.done for one in _done(thinking)] == [["sleep"]]
    assert mama.stats().jobs[0].failures == 0


def test_a_conversation_that_is_never_read_is_dead_too(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    def fail(_snippet: object) -> Sequence[object]:
        raise MindFailed("scripted", "it has had enough")

    script = Scripted(fail)
    thinking, _ = minded(reverie, script)
    _set(thinking, worker=WorkerSettings(tries=1))
    mama.observe("hello there", conversation="chat")
    for _ in range(4):
        assert [one.failed for one in _done(thinking)] == [["loop"]]
        clock.wait(hours=1)
    assert _done(thinking) == []
    (dead,) = dead_jobs(thinking)
    assert (dead.agent_id, dead.job, dead.failures) == ("mama", "loop", 4)
    mama.jobs.retry()
    script.script = lambda _: []
    assert [one.attended.snippets for one in _done(thinking)] == [1]


def test_a_paused_agent_is_not_due_until_it_is_awake(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    thinking, _ = _asleep(reverie)
    mama.observe(SAID, conversation="chat")
    mama.jobs.pause()
    assert [one.done for one in _done(thinking)] == [[]]
    assert _due(mama) is None
    clock.wait(days=10)
    mama.jobs.resume()
    assert _due(mama) == clock()
    assert [one.attended.snippets for one in _done(thinking)] == [2]


def test_a_copy_is_due_at_once(
    reverie: Reverie, tmp_path_factory: pytest.TempPathFactory, clock: Clock
) -> None:
    reverie.agent("mama").remember("Anna keeps bees")
    _done(_asleep(reverie)[0])
    with opened(tmp_path_factory.mktemp("other") / "copy", clock=clock) as other:
        reverie.copy_to(other)
        assert _due(other.agent("mama")) == clock()


def test_a_bank_of_another_embedder_waits_for_its_own_worker(
    reverie: Reverie, open_bank: Open, mama: Agent, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    mama.observe(SAID, conversation="chat")
    other = open_bank(embedder=HashingEmbedder.for_tests(64))
    assert _done(other) == []
    assert _due(mama) == clock() + timedelta(minutes=5)
    desk = other._desk
    with desk.store.write("mama") as unit:  # an interrupted `reverie reembed`
        rows = unit.fresh.missing(desk.embedder.id, "episodes", limit=1)
        unit.fresh.put(desk.embedder.id, "episodes", [(*rows[0], desk.embedder.embed([rows[0][1]])[0])])
        unit.agents.note_due(clock())
    (done,) = _done(other)
    assert "re-embedding" in done.done
    assert other.agent("mama").stats().embedder == desk.embedder.id


def test_a_clock_that_was_ahead_puts_nobody_off(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    thinking, _ = _asleep(reverie)
    mama.observe(SAID, conversation="chat")
    with mama._desk.store.write("mama") as unit:
        unit.agents.settle_due(clock() + timedelta(days=400))
    assert [one.done for one in _done(thinking)] == [["loop"] * 2]


def test_a_stop_ends_a_turn_and_gives_the_lease_back(reverie: Reverie, mama: Agent, clock: Clock) -> None:
    stop = threading.Event()
    thinking, mind = _asleep(reverie)
    mama.observe(SAID, conversation="chat")
    _done(thinking)
    clock.wait(minutes=10)
    mind.meanwhile = stop.set
    (done,) = working(thinking, stop=stop)
    assert (done.slept, done.is_left) == ([], True)
    with mama._desk.store.read("mama") as unit:
        assert {one.holder for one in unit.jobs.all()} == {None}
    assert [len(one.slept) for one in _done(thinking)] == [1]
