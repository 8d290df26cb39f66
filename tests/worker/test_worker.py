"""Worker: it attends in the background, disturbs nobody, and ends without losing anything."""

from __future__ import annotations

import logging
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from reverie import Agent, Busy, Closed, InvalidInput, Reverie
from reverie.domain.attended import Attended
from reverie.domain.turned import Turned
from reverie.worker import Worker
from reverie.worker import worker as working
from tests.services.bench import Clock
from tests.services.conftest import Open
from tests.services.scripted import Scripted, each_new, minded

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 300.0
FACTS = [
    "Anna moved to Lisbon in spring", "Péter keeps seven bees", "The boiler was repaired on Tuesday",
    "Zoe plays the cello in an orchestra", "Ben bakes rye bread at night", "The cat sleeps on the piano",
    "Mum paints harbours with oil", "The tax return is due in May", "Omar swims before work",
]  # fmt: skip


class Slow:
    """A script that waits in the middle: ``begun`` is set once it is asked, and it answers when it ``may``."""

    def __init__(self) -> None:
        self.begun, self.may = threading.Event(), threading.Event()

    def __call__(self, snippet: Any) -> object:
        self.begun.set()
        assert self.may.wait(PATIENCE)
        return each_new(snippet)


def _heard(rounds: queue.Queue[Attended]) -> Attended:
    return rounds.get(timeout=PATIENCE)


def _texts(agent: Agent) -> list[str]:
    return sorted(memory.essence for memory in agent.memories(limit=1000))


def _ended(worker: Worker) -> bool:
    assert worker._thread is not None
    worker._thread.join(PATIENCE)
    return not worker.is_running


def test_observations_become_memories_in_the_background(reverie: Reverie) -> None:
    thinking, mama = minded(reverie, Scripted())
    rounds: queue.Queue[Attended] = queue.Queue()
    mama.observe(FACTS[:2])
    with Worker(thinking, every=0.01, on_round=rounds.put):
        assert len(_heard(rounds).inserted) == 2
        mama.observe(FACTS[2])
        assert len(_heard(rounds).inserted) == 1
    assert _texts(mama) == sorted(FACTS[:3])


def test_a_worker_may_be_one_agents_alone(reverie: Reverie) -> None:
    thinking, mama = minded(reverie, Scripted())
    papa = thinking.agent("papa")
    papa.observe(FACTS[0])
    rounds: queue.Queue[Attended] = queue.Queue()
    with Worker(thinking, every=0.01, agent_id="mama", on_round=rounds.put):
        mama.observe(FACTS[1])
        assert len(_heard(rounds).inserted) == 1
    assert (_texts(mama), _texts(papa)) == ([FACTS[1]], [])


def test_what_another_process_wrote_is_seen_at_the_next_look(open_bank: Open) -> None:
    thinking, mama = minded(open_bank(), Scripted())
    other = open_bank().agent("mama")
    rounds: queue.Queue[Attended] = queue.Queue()
    with Worker(thinking, every=0.01, on_round=rounds.put):
        other.observe(FACTS[0])
        assert len(_heard(rounds).inserted) == 1
        other.observe(FACTS[1])
        assert len(_heard(rounds).inserted) == 1
    assert _texts(mama) == sorted(FACTS[:2])


def test_a_caller_does_not_wait_for_the_mind(reverie: Reverie) -> None:
    slow = Slow()
    thinking, mama = minded(reverie, Scripted(slow))
    mama.observe(FACTS[0])
    with Worker(thinking, every=0.01):
        assert slow.begun.wait(PATIENCE)
        assert mama.observe(FACTS[1]).stored == 1  # the mind answers only after these
        assert mama.recall_episodes(FACTS[1]).hits
        assert mama.remember(FACTS[2]).memory.essence == FACTS[2]
        slow.may.set()


def test_stopping_finishes_the_snippet_and_keeps_the_rest(reverie: Reverie) -> None:
    slow = Slow()
    thinking, mama = minded(reverie, Scripted(slow))
    mama.observe(FACTS)  # two snippets
    worker = Worker(thinking, every=0.01).start()
    assert slow.begun.wait(PATIENCE)
    assert not worker.stop(timeout=0)
    slow.may.set()
    assert worker.stop()
    assert _texts(mama) == sorted(FACTS[:3])
    rounds: queue.Queue[Attended] = queue.Queue()
    with Worker(thinking, every=0.01, on_round=rounds.put):
        assert len(_heard(rounds).inserted) == 6
    assert _texts(mama) == sorted(FACTS)
    assert {memory.reinforcement_count for memory in mama.memories()} == {1}


def test_a_worker_that_was_stopped_may_start_again(reverie: Reverie) -> None:
    thinking, mama = minded(reverie, Scripted())
    rounds: queue.Queue[Attended] = queue.Queue()
    worker = Worker(thinking, every=0.01, on_round=rounds.put)
    for fact in FACTS[:3]:
        mama.observe(fact)
        with worker:
            assert len(_heard(rounds).inserted) == 1
    assert worker.stop()


def test_a_reverie_has_one_worker_at_a_time(open_bank: Open) -> None:
    one, other = open_bank(), open_bank()
    with Worker(one) as worker, Worker(other):
        with pytest.raises(InvalidInput, match="runs already"):
            Worker(one).start()
        with pytest.raises(InvalidInput, match="runs already"):
            worker.start()
        assert worker.is_running
    with Worker(one):
        pass


def test_closing_the_reverie_ends_an_idle_worker_quietly(
    reverie: Reverie, caplog: pytest.LogCaptureFixture
) -> None:
    thinking, mama = minded(reverie, Scripted())
    mama.observe(FACTS[0])
    rounds: queue.Queue[Attended] = queue.Queue()
    worker = Worker(thinking, every=0.01, on_round=rounds.put).start()
    _heard(rounds)
    thinking.close()
    assert _ended(worker)
    assert caplog.records == []
    assert worker.stop()


def test_closing_the_reverie_ends_a_worker_without_a_mind(
    reverie: Reverie, caplog: pytest.LogCaptureFixture
) -> None:
    unthinking, _ = minded(reverie, None)
    worker = Worker(unthinking, every=0.01).start()
    unthinking.close()
    assert _ended(worker)
    assert caplog.records == []
    assert worker.stop()


def test_closing_while_the_mind_thinks_loses_nothing(
    open_bank: Open, caplog: pytest.LogCaptureFixture
) -> None:
    slow = Slow()
    thinking, mama = minded(open_bank(), Scripted(slow))
    mama.observe(FACTS[:2])
    worker = Worker(thinking, every=0.01).start()
    assert slow.begun.wait(PATIENCE)
    thinking.close()
    slow.may.set()
    assert _ended(worker)
    assert caplog.records == []
    again, mama = minded(open_bank(), Scripted())
    assert _texts(mama) == []
    assert len(again.attend("mama").inserted) == 2


@pytest.mark.parametrize("every", [0, -1, float("nan"), float("inf"), True, "5"], ids=str)
def test_an_impossible_pace_is_refused(reverie: Reverie, every: Any) -> None:
    with pytest.raises(InvalidInput, match="every"):
        Worker(reverie, every=every)


class _Waits(threading.Event):
    """Passes no time; ends the worker after so many waits, and notes how long each would have been."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most, self.seconds = most, [0.0]

    def wait(self, timeout: float | None = None) -> bool:
        assert timeout is not None
        self.seconds.append(timeout)
        if len(self.seconds) > self.most:
            self.set()
        return self.is_set()


class _Fake:
    """Stands for what a worker calls: fails with each of these errors in turn, and then finds nothing due."""

    def __init__(self, patch: pytest.MonkeyPatch, *errors: Exception) -> None:
        self.errors = list(errors)
        self.asked: list[str | None] = []
        patch.setattr(working, "working", self)

    def __call__(
        self, _reverie: object, agent_id: str | None = None, *, stop: threading.Event
    ) -> Iterator[Turned]:
        assert not stop.is_set()
        self.asked.append(agent_id)
        if self.errors:
            raise self.errors.pop(0)
        return iter(())


def test_errors_make_it_pause_longer_and_end_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    secret = "Anna moved to Lisbon"
    fake = _Fake(monkeypatch, Busy(secret, 1), RuntimeError(secret), Busy(secret, 1))
    waits = _Waits(5)
    Worker(cast(Any, fake), every=5)._run(waits)
    assert len(fake.asked) == 5
    assert waits.seconds[1:] == [10, 20, 40, 5, 5]
    assert len(caplog.records) == 3
    assert {record.levelno for record in caplog.records} == {logging.WARNING}
    assert secret not in caplog.text


def test_after_failures_it_looks_again_within_five_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    waits = _Waits(2000)
    Worker(cast(Any, _Fake(monkeypatch, *(Busy("x", 1) for _ in range(2000)))), every=5)._run(waits)
    assert max(waits.seconds) == 300


def test_closed_ends_it_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = _Fake(monkeypatch, Closed("it was closed"))
    waits = _Waits(5)
    Worker(cast(Any, fake), every=5)._run(waits)
    assert (len(fake.asked), len(waits.seconds)) == (1, 1)


SCRIPT = """
import sys
from reverie import Reverie
from reverie.embedders.hashing import HashingEmbedder
from reverie.worker import Worker
from tests.services.scripted import Scripted, minded
reverie = Reverie.open(sys.argv[1], key="5e" * 32, embedder=HashingEmbedder.for_tests())
thinking, mama = minded(reverie, Scripted())
worker = Worker(thinking, every=0.01).start()
for number in range(200):
    mama.observe(f"message {number} says something new", conversation=f"room {number}")
print("done", flush=True)
"""


@pytest.mark.slow
def test_a_program_may_end_while_its_worker_works(tmp_path: Path) -> None:
    bank = tmp_path / "a.bank"
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT, str(bank)],
        capture_output=True, text=True, cwd=ROOT, check=False, timeout=PATIENCE,
        env={"PYTHONPATH": f"{ROOT / 'src'}:{ROOT}", "PATH": ""},
    )  # fmt: skip
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "done\n", "")


def test_all_that_is_due_is_done_and_told(reverie: Reverie, clock: Clock) -> None:
    thinking, mama = minded(reverie, Scripted())
    mama.remember(FACTS[0])
    clock.wait(days=14)
    turns: queue.Queue[Turned] = queue.Queue()
    with Worker(thinking, every=0.01, on_turn=turns.put):
        done = turns.get(timeout=PATIENCE)
    assert (done.agent_id, done.done, done.housekept is not None) == ("mama", ["housekeeping"], True)
