"""Pace: work in the background gives way to callers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from reverie import Agent
from reverie.embedders.hashing import HashingEmbedder
from reverie.services.runtime import dirty_agents as stirring
from reverie.services.runtime import pace as pacing
from reverie.services.runtime.dirty_agents import Stirred
from reverie.services.runtime.pace import QUIET_SECONDS, SHARE, Pace, Stopped
from reverie.services.runtime.yielding import PoliteEmbedder, in_background
from tests.services.bench import opened


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
    monkeypatch.setattr(stirring, "monotonic", time)
    return time


def _paced(stirred: Stirred, time: _Time, seconds: float) -> Pace:
    """One that has computed for so long."""
    pace = Pace(stirred, time)
    with pace.work():
        time.computed += seconds
    return pace


def test_while_a_caller_waits_the_background_works_for_its_share_of_the_time(time: _Time) -> None:
    stirred = Stirred()
    with stirred.waiting():
        _paced(stirred, time, 2.0).rest()
    assert time.waited == pytest.approx(2.0 / SHARE - 2.0)


def test_a_caller_who_is_done_is_waited_for_a_moment_longer(time: _Time) -> None:
    stirred = Stirred()
    with stirred.waiting():
        pass
    _paced(stirred, time, 60.0).rest()
    assert QUIET_SECONDS <= time.waited <= QUIET_SECONDS + 0.1


def test_where_nobody_has_called_it_goes_on_at_once(time: _Time) -> None:
    _paced(Stirred(), time, 60.0).rest()
    assert time.waited == 0


def test_a_round_that_somebody_waits_for_gives_way_to_nobody(time: _Time) -> None:
    stirred = Stirred()
    with stirred.waiting():
        pace = Pace(stirred, None)
        with pace.work():
            time.computed += 60
        pace.rest()
    assert time.waited == 0
    assert not Pace(stirred, None).stopped


def test_who_is_told_to_stop_rests_no_longer(time: _Time) -> None:
    stirred = Stirred()
    time.set()
    pace = _paced(stirred, time, 60.0)
    with stirred.waiting():
        pace.rest()
    assert pace.stopped
    assert time.waited < 0.1


def test_one_long_work_rests_for_what_it_has_computed_since_the_last_breath(time: _Time) -> None:
    stirred = Stirred()
    pace = Pace(stirred, time)
    with stirred.waiting(), pace.work():
        for _ in range(3):
            time.computed += 1.0
            pace.breathe()
    assert time.waited == pytest.approx(3 * (1.0 / SHARE - 1.0))


def test_a_long_work_that_is_told_to_stop_ends_at_the_next_breath(time: _Time) -> None:
    pace = Pace(Stirred(), time)
    with pace.work():
        pace.breathe()
        time.set()
        with pytest.raises(Stopped):
            pace.breathe()
    Pace(Stirred(), None).breathe()


def test_of_several_callers_the_last_counts(time: _Time) -> None:
    stirred = Stirred()
    with stirred.waiting():
        with stirred.waiting():
            pass
        time.now += 100
        assert stirred.quiet_for() == 0
    time.now += 7
    assert stirred.quiet_for() == 7


def test_a_caller_whose_call_fails_no_longer_waits(time: _Time) -> None:
    stirred = Stirred()
    with pytest.raises(ValueError, match="refused"), stirred.waiting():
        raise ValueError("refused")
    time.now += 7
    assert stirred.quiet_for() == 7


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
def test_the_background_gives_way_to_verbs_that_a_conversation_waits_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: Callable[[Agent], object]
) -> None:
    quiet: list[float] = []
    with opened(tmp_path / "a.bank") as reverie:
        stirred, embedder = reverie._desk.stirred, reverie._desk.embedder
        really = HashingEmbedder.embed_query

        def embed_query(text: str) -> object:
            quiet.append(stirred.quiet_for())
            return really(embedder, text)  # type: ignore[arg-type]

        monkeypatch.setattr(embedder, "embed_query", embed_query)
        verb(reverie.agent("mama"))
        assert set(quiet) == {0.0}
        assert stirred.quiet_for() > 0


class _Noted(HashingEmbedder):
    """Notes what it is given at once."""

    given: list[list[str]]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.given.append(list(texts))
        return super().embed(texts)


def _polite(stirred: Stirred) -> tuple[PoliteEmbedder, _Noted]:
    inner = _Noted.for_tests()
    inner.given = []
    return PoliteEmbedder(inner, stirred), inner


def test_a_polite_embedder_gives_the_vectors_of_the_one_within() -> None:
    polite, inner = _polite(Stirred())
    texts = ["one", "two", "three"]
    with in_background():
        apart = polite.embed(texts)
        assert polite.embed([]).shape == (0, inner.dimensions)
    assert np.array_equal(apart, polite.embed(texts))
    assert inner.given == [["one"], ["two"], ["three"], [], texts]
    assert np.array_equal(polite.embed_query("one"), apart[0])
    assert (polite.id, polite.dimensions, polite.most_tokens, polite.count_tokens("one two")) == (
        inner.id, inner.dimensions, inner.most_tokens, 2,
    )  # fmt: skip


def test_in_the_background_each_text_lets_callers_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    passed: list[float] = []
    monkeypatch.setattr(Stirred, "let_pass", lambda _, most: passed.append(most))
    polite, _ = _polite(Stirred())
    polite.embed(["one", "two"])
    assert passed == []
    with in_background():
        polite.embed(["one", "two"])
    assert len(passed) == 2


def test_who_lets_callers_pass_goes_on_when_the_last_one_is_answered() -> None:
    stirred, gone_on = Stirred(), threading.Event()

    def go_on() -> None:
        stirred.let_pass(60)
        gone_on.set()

    with stirred.waiting():
        thread = threading.Thread(target=go_on)
        thread.start()
        assert not gone_on.wait(0.05)
    assert gone_on.wait(30)
    thread.join()


def test_who_lets_callers_pass_does_not_wait_for_ever() -> None:
    stirred = Stirred()
    with stirred.waiting():
        thread = threading.Thread(target=stirred.let_pass, args=[0.01], daemon=True)
        thread.start()
        thread.join(30)
        assert not thread.is_alive()
