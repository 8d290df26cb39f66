"""Sleeps that fail, or meet another: nothing is half done, and the next sleep reads the same episodes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from reverie import Reverie
from reverie.domain.change import Connect, Proposal, Reinforce
from reverie.domain.job import SLEEP
from reverie.embedders.hashing import HashingEmbedder
from reverie.errors import CapReached, EmbedderFailed, JobRunning, MindFailed, ReverieError
from reverie.ports.night import Night
from reverie.services.sleep import applying
from reverie.services.sleep.sleep import due, sleep, sleep_through
from tests.services.beds import Bed, bed, learn, revise
from tests.services.bench import NOON, Clock, at_once, state_of
from tests.services.conftest import Open

pytestmark = pytest.mark.slow

BEES = "Anna keeps seven bees"


class Broken(Exception):
    """What nobody expects."""


@dataclass
class Stumbling:
    """An embedder that fails when it is told to."""

    inner: HashingEmbedder
    fails: BaseException | None = None

    id = property(lambda self: self.inner.id)
    dimensions = property(lambda self: self.inner.dimensions)
    most_tokens = property(lambda self: self.inner.most_tokens)

    def embed(self, texts: Sequence[str]) -> Any:
        if self.fails is not None:
            raise self.fails
        return self.inner.embed(texts)

    def embed_query(self, text: str) -> Any:
        return self.inner.embed_query(text)

    def count_tokens(self, text: str) -> int:
        return self.inner.count_tokens(text)


@pytest.fixture
def asleep(reverie: Reverie) -> Bed:
    return bed(reverie, embedder=Stumbling(HashingEmbedder.for_tests()))


def _changes(bed: Bed) -> tuple[Any, ...]:
    """A memory and what was said, and changes of several sorts."""
    old = bed.knows("Anna lives in Munich", kind="fact")
    ids = bed.said(BEES, "Anna lives in Berlin", "Anna keeps bees in Berlin")
    return (
        learn(BEES, (ids[0],)),
        revise(old, "Anna lives in Berlin", (ids[1],)),
        learn("Anna keeps bees in Berlin", (ids[2],)),
        Connect(memory_a="new:0", memory_b="new:1", relation="supports"),
    )


def _mind_breaks(bed: Bed, _: pytest.MonkeyPatch) -> None:
    def dream(_: Night) -> Any:
        raise Broken

    bed.mind.dream = dream


def _embedder_breaks(bed: Bed, _: pytest.MonkeyPatch) -> None:
    embedder: Any = bed.reverie._desk.embedder
    embedder.fails = Broken()


def _embedder_fails(bed: Bed, _: pytest.MonkeyPatch) -> None:
    embedder: Any = bed.reverie._desk.embedder
    embedder.fails = EmbedderFailed("far", "it is away")


def _breaks_at(where: object, name: str, calls: int = 1) -> Callable[[Bed, pytest.MonkeyPatch], None]:
    """The n-th call of it breaks."""

    def install(_: Bed, patch: pytest.MonkeyPatch) -> None:
        really, left = getattr(where, name), [calls]

        def breaking(*args: Any, **kwargs: Any) -> Any:
            left[0] -= 1
            if not left[0]:
                raise Broken
            return really(*args, **kwargs)

        patch.setattr(where, name, breaking)

    return install


def _breaks_in_store(part: str, name: str) -> Callable[[Bed, pytest.MonkeyPatch], None]:
    def install(bed: Bed, patch: pytest.MonkeyPatch) -> None:
        with bed.reverie._desk.store.read("mama") as unit:
            _breaks_at(type(getattr(unit, part)), name)(bed, patch)

    return install


STEPS: dict[str, Callable[[Bed, pytest.MonkeyPatch], None]] = {
    "the mind": _mind_breaks,
    "the embedder": _embedder_breaks,
    "a provider": _embedder_fails,
    "first decisions": _breaks_at(applying.Applying, "resolve"),
    "memories.add": _breaks_in_store("memories", "add"),
    "memories.add_version": _breaks_in_store("memories", "add_version"),
    "memories.update": _breaks_in_store("memories", "update"),
    "memories.connect": _breaks_in_store("memories", "connect"),
    "audit.add": _breaks_in_store("audit", "add"),
    "episodes.consolidate": _breaks_in_store("episodes", "consolidate"),
    "sleeps.add": _breaks_in_store("sleeps", "add"),
    "jobs.done": _breaks_in_store("jobs", "done"),
}  # fmt: skip


@pytest.mark.parametrize("step", STEPS)
def test_a_failure_at_any_step_changes_nothing(asleep: Bed, step: str) -> None:
    changes = _changes(asleep)
    before = state_of(asleep.agent)
    asleep.mind.dream = lambda _: Proposal(changes=changes)
    with pytest.MonkeyPatch.context() as patch:
        STEPS[step](asleep, patch)
        with pytest.raises((Broken, ReverieError)):
            asleep.again()
    embedder: Any = asleep.reverie._desk.embedder
    embedder.fails = None
    assert state_of(asleep.agent) == before
    job = asleep.job()
    assert (job.holder, job.failures, job.parked_until) == (None, 1, NOON + timedelta(minutes=5))
    assert job.note in ("Broken", "MindFailed", "EmbedderFailed")
    assert asleep.waiting() == 3
    assert len(asleep.sleep(*changes).changes) >= 3
    assert asleep.job().failures == 0


def test_the_pause_doubles_up_to_a_day(asleep: Bed, clock: Clock) -> None:
    asleep.said(BEES)
    _mind_breaks(asleep, pytest.MonkeyPatch())
    pauses = []
    for _ in range(12):
        with pytest.raises(MindFailed):
            asleep.again()
        parked = asleep.job().parked_until
        assert parked is not None
        pauses.append(parked - clock.now)
    assert pauses[:4] == [timedelta(minutes=5 * 2**step) for step in range(4)]
    assert pauses[-3:] == [timedelta(hours=24)] * 3


def test_a_caller_retries_a_parked_sleep_before_the_background(asleep: Bed, clock: Clock) -> None:
    asleep.said(*(f"Anna saw {count} herons" for count in range(10)))
    clock.wait(minutes=10)
    _mind_breaks(asleep, pytest.MonkeyPatch())
    with pytest.raises(MindFailed):
        asleep.again()
    asleep.mind.dream = lambda _: Proposal()
    assert not asleep.again(respect_park=True)
    assert not due(asleep.reverie._desk, "mama")
    clock.wait(minutes=5)
    assert due(asleep.reverie._desk, "mama")
    assert asleep.again(respect_park=True)


def test_a_reached_limit_parks_the_sleep_until_it_is_free(asleep: Bed) -> None:
    asleep.said(BEES)

    def dream(_: Night) -> Any:
        raise CapReached("llm_calls_per_hour", "2026-11-20T12:34:00+00:00")

    asleep.mind.dream = dream
    with pytest.raises(CapReached):
        asleep.again()
    assert asleep.job().parked_until == NOON + timedelta(minutes=34)
    assert asleep.waiting() == 1


@pytest.mark.parametrize("answer", [None, {}, "learn", [], Proposal(changes=None)])  # type: ignore[arg-type]
def test_an_answer_that_is_no_proposal_consumes_no_episode(asleep: Bed, answer: object) -> None:
    asleep.said(BEES)
    asleep.mind.dream = lambda _: answer
    with pytest.raises(MindFailed):
        asleep.again()
    assert asleep.waiting() == 1


@pytest.mark.parametrize("spent", [None, "much"])
def test_a_minds_malformed_cost_and_notes_do_no_harm(asleep: Bed, spent: Any) -> None:
    asleep.said(BEES)
    asleep.mind.dream = lambda _: Proposal(changes=(), spent=spent, notes=(7, "x\x00", "y" * 999))  # type: ignore[arg-type]
    done = asleep.again()
    assert done.sleep.spent.calls == 0
    assert [len(note) for note in done.sleep.notes] == [1, 300]


def test_of_two_at_once_the_second_is_told_that_a_sleep_runs(asleep: Bed, open_bank: Open) -> None:
    asleep.said(BEES)
    other = bed(open_bank())
    seen: list[str] = []

    def meanwhile() -> None:
        with pytest.raises(JobRunning) as raised:
            other.sleep()
        seen.append(str(raised.value))

    asleep.mind.meanwhile = meanwhile
    assert asleep.sleep()
    assert len(seen) == 1
    assert other.mind.nights == []


def test_a_lease_that_ran_out_is_taken_over(asleep: Bed, open_bank: Open, clock: Clock) -> None:
    [id] = asleep.said(BEES)
    other = bed(open_bank())

    def meanwhile() -> None:
        asleep.mind.meanwhile = lambda: None
        clock.wait(minutes=11)
        assert other.sleep(learn("Anna keeps bees", (id,)))

    asleep.mind.meanwhile = meanwhile
    with pytest.raises(JobRunning):
        asleep.sleep(learn(BEES, (id,)))
    assert [one.essence for one in asleep.memories()] == ["Anna keeps bees"]
    assert asleep.job().failures == 0


def test_a_late_apply_is_undone_whole(asleep: Bed, clock: Clock) -> None:
    changes = _changes(asleep)
    before = state_of(asleep.agent)
    desk = asleep.reverie._desk
    really = applying.Applying.write

    def late(self: applying.Applying) -> None:
        really(self)
        self._unit.jobs.take(
            SLEEP, "another", now=clock.now + timedelta(hours=1), until=clock.now + timedelta(hours=2)
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(applying.Applying, "write", late)
        with pytest.raises(JobRunning):
            asleep.sleep(*changes)
    assert state_of(asleep.agent) == before
    assert sleep(desk, "mama", actor="caller").sleep.episodes


def test_of_threads_that_sleep_at_once_one_sleeps_at_a_time(asleep: Bed) -> None:
    [id] = asleep.said(BEES)
    asleep.mind.dream = lambda _: Proposal(changes=(learn(BEES, (id,)),))
    reports = [one for one in at_once(*[asleep.again] * 4) if not isinstance(one, JobRunning)]
    assert [bool(one) for one in reports].count(True) == 1
    assert [one.essence for one in asleep.memories()] == [BEES]


def test_a_sleep_that_is_stopped_ends_with_nothing_changed(asleep: Bed) -> None:
    changes = _changes(asleep)
    stop = threading.Event()
    asleep.mind.meanwhile = stop.set
    before = state_of(asleep.agent)
    done = asleep.sleep(*changes, stop=stop)
    assert not done
    assert done.remaining == 3
    assert state_of(asleep.agent) == before
    assert (asleep.job().holder, asleep.job().failures) == (None, 0)


def test_sleeping_through_ends_where_it_is_stopped(asleep: Bed) -> None:
    asleep.said(BEES)
    stop = threading.Event()
    stop.set()
    assert sleep_through(asleep.reverie._desk, "mama", actor="caller", stop=stop) == ()
    assert asleep.waiting() == 1


def test_vectors_of_another_embedder_are_not_slept_on(asleep: Bed) -> None:
    asleep.said(BEES)
    desk = replace(asleep.reverie._desk, embedder=HashingEmbedder.for_tests(dimensions=16))
    with pytest.raises(ReverieError, match="embedder"):
        sleep(desk, "mama", actor="caller")
    assert asleep.waiting() == 1


def test_a_duplicate_that_came_meanwhile_is_reinforced(asleep: Bed) -> None:
    [id] = asleep.said(BEES)
    really = asleep.reverie._desk.embedder.embed

    def embed(texts: Sequence[str]) -> Any:
        vectors = really(texts)
        if list(texts) == [BEES] and not asleep.memories():
            asleep.knows(BEES, kind="fact")
        return vectors

    desk = replace(asleep.reverie._desk, embedder=_With(asleep.reverie._desk.embedder, embed))
    asleep.mind.dream = lambda _: Proposal(changes=(learn(BEES, (id,)),))
    done = sleep(desk, "mama", actor="caller")
    [memory] = asleep.memories()
    assert (memory.reinforcement_count, memory.source_episodes) == (2, (id,))
    assert [str(one.act) for one in done.changes] == ["reinforce"]


class _With:
    """An embedder that embeds otherwise."""

    def __init__(self, inner: Any, embed: Callable[[Sequence[str]], np.ndarray[Any, Any]]) -> None:
        self.inner, self.embed = inner, embed

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


def test_the_same_night_makes_the_same_of_the_bank_twice_over(asleep: Bed) -> None:
    known = asleep.knows(BEES, confidence=0.5)
    asleep.said("Anna says that she keeps seven bees")
    asleep.sleep(Reinforce(memory_id=known.id, reason=""))
    desk = asleep.reverie._desk
    with desk.store.write("mama") as unit:
        unit.episodes.consolidate([one.id for one in asleep.agent.episodes()], None)
    before = asleep.memory(known.id)
    assert asleep.sleep(Reinforce(memory_id=known.id, reason="")).changes == ()
    assert asleep.memory(known.id) == before
