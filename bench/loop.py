"""What the memory loop costs the caller: observing with a worker beside, against observing without, in turns.

Back to back: a caller that observes one message after the other, and one that observes a hundred at a time, as fast as
they can. At a chat's pace: a caller that observes a message every so often and waits for the answer. Each bout with the
worker lies beside one without, first or second by turns, so that what else the machine does hits both. What a bout left
unread is attended to before the next one begins, outside the figures.
"""

from __future__ import annotations

import argparse
import gc
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import numpy as np

from bench.filling import AGENT, opened
from bench.invented import invent
from bench.report import Target, rounded, show, show_targets
from reverie import Reverie
from reverie.domain.attended import Attended
from reverie.embedders.minilm import MiniLM
from reverie.worker import Worker

WANTED = 1.05
AT_ONCE = 100
NEIGHBOURS = 25
IDLE_MS = 0.1
NOTES = {
    "single_ratio": "mean time of observes of one message each, back to back, with the worker / without; wanted ≤ 1.05",
    "single_felt": "the same from within: what observes took longer while the loop computed; wanted ≤ 0.05",
    "many_ratio": f"mean time of observes of {AT_ONCE} messages each, back to back; wanted ≤ 1.05",
    "many_felt": "the same from within",
    "chat_ratio": "mean time of an observe at a chat's pace; wanted ≤ 1.05",
    "chat_felt": "the same from within",
    "snippets": "that the loop read while it was timed: it was at work",
    "memories": "that it made of them",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rounds", type=int, default=10, help="pairs of bouts of each sort (default 10)")
    parser.add_argument("--seconds", type=float, default=10.0, help="about as long a bout is (default 10)")
    parser.add_argument(
        "--pace", type=float, default=0.5, help="seconds from one message of a chat to the next (default 0.5)"
    )
    parser.add_argument("--every", type=float, default=5.0, help="the worker's pace (default 5)")
    parser.add_argument("--seed", type=int, default=1)


def run(
    json_output: bool = False, *, rounds: int = 10, seconds: float = 10.0, pace: float = 0.5, every: float = 5.0,
    seed: int = 1,
) -> dict[str, float]:  # fmt: skip
    """Measure, print, and give the metrics."""
    with (
        tempfile.TemporaryDirectory(prefix="reverie-bench-") as folder,
        opened(Path(folder) / "loop.bank", embedder=MiniLM()) as reverie,
    ):
        arena = _Arena(reverie, _messages(seed), every)
        arena.warm()
        single = arena.pairs(rounds, lambda: _back_to_back(arena, seconds, 1))
        many = arena.pairs(rounds, lambda: _back_to_back(arena, seconds, AT_ONCE))
        chat = arena.pairs(rounds, lambda: _chat(arena, seconds, pace))
        done = arena.done
    metrics = {
        "rounds": rounds, "seconds": seconds, "pace": pace, "every": every, "seed": seed,
        **_compared("single", single), **_compared("many", many), **_compared("chat", chat),
        "snippets": done.snippets, "memories": len(done.inserted) + len(done.reinforced), "skipped": done.skipped,
        "failures": done.failures,
    }  # fmt: skip
    found = rounded(metrics)
    show("What the memory loop costs the caller", found, json_output=False, notes=NOTES)
    show_targets(
        Target(name=name, what=NOTES[name].partition(";")[0], measured=found[name], most=WANTED)
        for name in ("single_ratio", "many_ratio", "chat_ratio")
    )
    if json_output:
        show("The same", found, json_output=True)
    return found


@dataclass(frozen=True, slots=True)
class _Observed:
    """Times in ms: one observe, a message's share of it, and how long the loop's thread computed meanwhile."""

    took: float
    loop: float


@dataclass
class _Bouts:
    """A list of observes a bout; the n-th of both lie side by side."""

    without: list[list[_Observed]] = field(default_factory=list)
    beside: list[list[_Observed]] = field(default_factory=list)


class _Arena:
    """One bank, in which callers observe with a worker and without."""

    def __init__(self, reverie: Reverie, messages: Iterator[dict[str, object]], every: float) -> None:
        self._reverie, self._messages, self._every = reverie, messages, every
        self._agent = reverie.agent(AGENT)
        self._rooms = 0
        self._clock: int | None = None
        self.done = Attended()

    def warm(self) -> None:
        """Everything is loaded, and the bank holds something."""
        self._agent.observe([next(self._messages) for _ in range(200)], conversation="warm")
        self._reverie.attend()

    def pairs(self, rounds: int, bout: Callable[[], list[_Observed]]) -> _Bouts:
        """Bouts with a worker and without, by turns; nothing is left unread between them."""
        found = _Bouts()
        for number in range(rounds):
            for beside in (number % 2 == 0, number % 2 == 1):
                gc.collect()
                self._rooms += 1
                if beside:
                    with self._worker():
                        found.beside.append(bout())
                else:
                    found.without.append(bout())
                self._reverie.attend()
        return found

    def observed(self, count: int) -> _Observed:
        """One observe of so many messages."""
        messages = [next(self._messages) for _ in range(count)]
        loop, start = self._loop_seconds(), time.perf_counter()
        self._agent.observe(messages, conversation=f"talk-{self._rooms}")
        took, spent = time.perf_counter() - start, self._loop_seconds() - loop
        return _Observed(took * 1000 / count, spent * 1000 / count)

    @contextmanager
    def _worker(self) -> Iterator[None]:
        with Worker(self._reverie, self._every, on_round=self._add):
            [thread] = [one for one in threading.enumerate() if one.name == "reverie-worker"]
            assert thread.ident is not None
            self._clock = time.pthread_getcpuclockid(thread.ident)
            try:
                yield
            finally:
                self._clock = None

    def _loop_seconds(self) -> float:
        """How long the worker's thread has computed so far."""
        return 0.0 if self._clock is None else time.clock_gettime(self._clock)

    def _add(self, done: Attended) -> None:
        self.done += done


def _messages(seed: int) -> Iterator[dict[str, object]]:
    for one in invent(seed, 0, 1_000_000):
        yield one.message()


def _back_to_back(arena: _Arena, seconds: float, at_once: int) -> list[_Observed]:
    found, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end:
        found.append(arena.observed(at_once))
    return found


def _chat(arena: _Arena, seconds: float, pace: float) -> list[_Observed]:
    found, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end:
        found.append(arena.observed(1))
        time.sleep(max(pace - found[-1].took / 1000, 0.0))
    return found


def _compared(name: str, bouts: _Bouts) -> dict[str, float]:
    """Ratios are medians over the pairs: one that something else disturbed counts no more than another."""
    without = [[one.took for one in bout] for bout in bouts.without]
    beside = [[one.took for one in bout] for bout in bouts.beside]
    pairs = [*zip(beside, without, strict=True)]
    found = {f"{name}_ratio": median(_mean(one) / _mean(other) for one, other in pairs)}
    found[f"{name}_felt"] = _felt(bouts.beside)
    for what, bout in (("without", without), ("beside", beside)):
        every = [took for times in bout for took in times]
        found |= {f"{name}_{what}_p{rank}_ms": float(np.percentile(every, rank)) for rank in (50, 95)}
    return found


def _felt(bouts: Sequence[Sequence[_Observed]]) -> float:
    """What observes took longer while the loop computed than those just before and after, in proportion to all time."""
    longer = whole = 0.0
    for bout in bouts:
        whole += sum(one.took for one in bout)
        for place, one in enumerate(bout):
            near = bout[max(place - NEIGHBOURS, 0) : place + NEIGHBOURS + 1]
            alone = [other.took for other in near if other.loop <= IDLE_MS]
            if one.loop > IDLE_MS and alone:
                longer += one.took - median(alone)
    return longer / (whole - longer)


def _mean(times: Sequence[float]) -> float:
    return sum(times) / len(times)
