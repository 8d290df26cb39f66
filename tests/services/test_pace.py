"""Background work gives way to callers, and survives what minds and embedders raise."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from reverie import Agent
from reverie.embedders.hashing import HashingEmbedder
from reverie.errors import Busy, Closed, MindFailed, ReverieError
from reverie.services.runtime import dirty_agents
from reverie.services.runtime import pace as pacing
from reverie.services.runtime.dirty_agents import DirtyAgents
from reverie.services.runtime.guarded_calls import asked, tried
from reverie.services.runtime.pace import QUIET_SECONDS, SHARE, Pace, Stopped, YieldingEmbedder, in_background
from tests.services.bench import opened
from tests.services.scripted import Scripted


class _Time(threading.Event):
    """A clock that goes on only where somebody waits for the event; ``waited`` is how much they have waited."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 100.0
        self.computed = 0.0
        self.waited = 0.0

    def __call__(self) -> float:
        return self.now

    def wait(self, timeout: float | None = None) -> bool:
        assert timeout is not None
        self.now += timeout
        self.waited += timeout
        return self.is_set()


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> _Time:
    time = _Time()
    monkeypatch.setattr(pacing, "monotonic", time)
    monkeypatch.setattr(pacing, "thread_time", lambda: time.computed)
    monkeypatch.setattr(dirty_agents, "monotonic", time)
    return time


def _paced(dirty: DirtyAgents, time: _Time, seconds: float) -> Pace:
    """One that has computed for so long."""
    pace = Pace(dirty, time)
    with pace.work():
        time.computed += seconds
    return pace


def test_the_background_takes_only_its_share_of_the_time(time: _Time) -> None:
    dirty = DirtyAgents()
    with dirty.waiting():
        _paced(dirty, time, 2.0).rest()
    assert time.waited == pytest.approx(2.0 / SHARE - 2.0)


def test_a_caller_who_is_done_is_waited_for_a_moment_longer(time: _Time) -> None:
    dirty = DirtyAgents()
    with dirty.waiting():
        pass
    _paced(dirty, time, 60.0).rest()
    assert QUIET_SECONDS <= time.waited <= QUIET_SECONDS + 0.1


def test_where_nobody_has_called_it_goes_on_at_once(time: _Time) -> None:
    _paced(DirtyAgents(), time, 60.0).rest()
    assert time.waited == 0


def test_a_round_that_somebody_waits_for_gives_way_to_nobody(time: _Time) -> None:
    dirty = DirtyAgents()
    with dirty.waiting():
        pace = Pace(dirty, None)
        with pace.work():
            time.computed += 60
        pace.rest()
    assert time.waited == 0
    assert not Pace(dirty, None).stopped


def test_who_is_told_to_stop_rests_no_longer(time: _Time) -> None:
    dirty = DirtyAgents()
    time.set()
    pace = _paced(dirty, time, 60.0)
    with dirty.waiting():
        pace.rest()
    assert pace.stopped
    assert time.waited < 0.1


def test_a_checkpoint_rests_for_the_work_since_the_last(time: _Time) -> None:
    dirty = DirtyAgents()
    pace = Pace(dirty, time)
    with dirty.waiting(), pace.work():
        for _ in range(3):
            time.computed += 1.0
            pace.checkpoint()
    assert time.waited == pytest.approx(3 * (1.0 / SHARE - 1.0))


def test_a_stop_ends_long_work_at_the_next_checkpoint(time: _Time) -> None:
    pace = Pace(DirtyAgents(), time)
    with pace.work():
        pace.checkpoint()
        time.set()
        with pytest.raises(Stopped):
            pace.checkpoint()
    Pace(DirtyAgents(), None).checkpoint()


def test_of_several_callers_the_last_counts(time: _Time) -> None:
    dirty = DirtyAgents()
    with dirty.waiting():
        with dirty.waiting():
            pass
        time.now += 100
        assert dirty.quiet_for() == 0
    time.now += 7
    assert dirty.quiet_for() == 7


def test_a_caller_whose_call_fails_no_longer_waits(time: _Time) -> None:
    dirty = DirtyAgents()
    with pytest.raises(ValueError, match="refused"), dirty.waiting():
        raise ValueError("refused")
    time.now += 7
    assert dirty.quiet_for() == 7


@pytest.mark.parametrize(
    "verb",
    [
        lambda mama: mama.observe("Anna moved to Lisbon"),
        lambda mama: mama.remember("Anna moved to Lisbon"),
        lambda mama: mama.recall("where does Anna live?"),
        lambda mama: mama.recall_episodes("where does Anna live?"),
    ],
    ids=["observe", "remember", "recall", "recall_episodes"],
)
def test_the_background_gives_way_to_a_conversations_verbs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: Callable[[Agent], object]
) -> None:
    quiet: list[float] = []
    with opened(tmp_path / "a.bank") as reverie:
        dirty, embedder = reverie._desk.dirty, reverie._desk.embedder
        really = HashingEmbedder.embed_query

        def embed_query(text: str) -> object:
            quiet.append(dirty.quiet_for())
            return really(embedder, text)  # type: ignore[arg-type]

        monkeypatch.setattr(embedder, "embed_query", embed_query)
        verb(reverie.agent("mama"))
        assert set(quiet) == {0.0}
        assert dirty.quiet_for() > 0


class _Noted(HashingEmbedder):
    """Notes what it is given at once."""

    given: list[list[str]]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.given.append(list(texts))
        return super().embed(texts)


def _yielding(dirty: DirtyAgents) -> tuple[YieldingEmbedder, _Noted]:
    inner = _Noted.for_tests()
    inner.given = []
    return YieldingEmbedder(inner, dirty), inner


def test_a_yielding_embedder_gives_the_vectors_of_the_one_within() -> None:
    yielding, inner = _yielding(DirtyAgents())
    texts = ["one", "two", "three"]
    with in_background():
        apart = yielding.embed(texts)
        assert yielding.embed([]).shape == (0, inner.dimensions)
    assert np.array_equal(apart, yielding.embed(texts))
    assert inner.given == [["one"], ["two"], ["three"], [], texts]
    assert np.array_equal(yielding.embed_query("one"), apart[0])
    assert (yielding.id, yielding.dimensions, yielding.most_tokens, yielding.count_tokens("one two")) == (
        inner.id, inner.dimensions, inner.most_tokens, 2,
    )  # fmt: skip


def test_in_the_background_each_text_lets_callers_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    passed: list[float] = []
    monkeypatch.setattr(DirtyAgents, "let_pass", lambda _, most: passed.append(most))
    yielding, _ = _yielding(DirtyAgents())
    yielding.embed(["one", "two"])
    assert passed == []
    with in_background():
        yielding.embed(["one", "two"])
    assert len(passed) == 2


def test_work_goes_on_when_the_last_caller_is_answered() -> None:
    dirty, gone_on = DirtyAgents(), threading.Event()

    def go_on() -> None:
        dirty.let_pass(60)
        gone_on.set()

    with dirty.waiting():
        thread = threading.Thread(target=go_on)
        thread.start()
        assert not gone_on.wait(0.05)
    assert gone_on.wait(30)
    thread.join()


def test_who_lets_callers_pass_does_not_wait_for_ever() -> None:
    dirty = DirtyAgents()
    with dirty.waiting():
        thread = threading.Thread(target=dirty.let_pass, args=[0.01], daemon=True)
        thread.start()
        thread.join(30)
        assert not thread.is_alive()


def _raising(error: BaseException) -> str:
    raise error


def test_what_a_mind_raises_is_its_failure_by_name_alone() -> None:
    with pytest.raises(MindFailed) as caught:
        asked(Scripted(), lambda: _raising(RuntimeError("Anna likes tea")))
    assert "RuntimeError" in str(caught.value)
    assert "tea" not in str(caught.value)


@pytest.mark.parametrize("error", [MindFailed("m", "down"), Busy("the file", 1)])
def test_an_error_of_ours_stays_as_it_is(error: ReverieError) -> None:
    with pytest.raises(type(error)) as caught:
        asked(Scripted(), lambda: _raising(error))
    assert caught.value is error


def test_what_was_tried_gives_its_result_or_its_error() -> None:
    error = RuntimeError("no")
    assert tried(lambda: "yes") == "yes"
    assert tried(lambda: _raising(error)) is error


@pytest.mark.parametrize("error", [Closed("it was closed"), KeyboardInterrupt()])
def test_a_closed_bank_and_an_interruption_end_the_try(error: BaseException) -> None:
    with pytest.raises(type(error)):
        tried(lambda: _raising(error))
