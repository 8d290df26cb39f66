"""The living bank: a remember before each recall, and a second process that writes all the while.

Every recall asks for a memory whose write was acknowledged just before: in turns our own last one, and the last
that the other process reported. Right after, all that was acknowledged since is asked for by its tags. What isn't
found is a missed write.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from subprocess import Popen
from typing import Self

from bench.children import module, place
from bench.filling import AGENT, Place, opened
from bench.invented import MOST, MOST_KINDS, Invented, invent
from bench.timing import Calls, TimedEmbedder
from reverie import Agent, Kind

RATE = 20
"""Rows a second that the other process writes."""
_MOST_TAGS = 100


def measure(
    agent: Agent, embedder: TimedEmbedder, bank: Place, *, rounds: int, seed: int, encrypted: bool
) -> dict[str, float]:
    """The times of ``rounds`` distinct recalls, and how many writes they missed."""
    recalls, writes = Calls(embedder), Calls(embedder)
    missed, unchecked = 0, 0
    with _Neighbour(bank, seed=seed, encrypted=encrypted) as neighbour:
        started, before = time.perf_counter(), len(neighbour.rows)
        for number, own in enumerate(invent(seed + 3, 0, rounds, coded=True)):
            with writes.timed():
                _remember(agent, own)
            known = neighbour.rows[:]
            question, code = (own.question, own.code) if number % 2 == 0 else known[-1]
            with recalls.timed():
                found = agent.recall(question, kinds=MOST_KINDS)
            missed += not any(code in hit.text for hit in found.hits)
            codes = [own.code, *(their_code for _, their_code in known[unchecked:])]
            missed += _missing(agent, codes)
            unchecked = len(known)
        rate = (len(neighbour.rows) - before) / (time.perf_counter() - started)
    return {
        "mixed_recalls": rounds,
        "mixed_recall_p50_ms": recalls.whole(50),
        "mixed_recall_p95_ms": recalls.whole(95),
        "mixed_rest_p50_ms": recalls.rest(50),
        "mixed_rest_p95_ms": recalls.rest(95),
        "mixed_remember_p50_ms": writes.whole(50),
        "mixed_remember_p95_ms": writes.whole(95),
        "other_process_rows_per_s": rate,
        "missed_writes": missed,
    }


def _missing(agent: Agent, codes: list[str]) -> int:
    """How many of these codes no memory bears as a tag."""
    seen = 0
    for first in range(0, len(codes), _MOST_TAGS):
        part = codes[first : first + _MOST_TAGS]
        seen += len(agent.recall(strategy="temporal", tags=part, limit=len(part)).hits)
    return len(codes) - seen


def _remember(agent: Agent, one: Invented) -> None:
    draft = one.draft(tags=[one.code], kind=Kind.FACT)
    essence = draft.pop("essence")
    agent.remember(essence, **draft)  # type: ignore[arg-type]  # a draft's fields


class _Neighbour:
    """The other process: what it was told has been written, as (question, code), in ``rows``."""

    def __init__(self, bank: Place, *, seed: int, encrypted: bool) -> None:
        self.rows: list[tuple[str, str]] = []
        self._process: Popen[str] = module(
            "bench.living", str(seed + 4), "encrypted" if encrypted else "plain", bank=bank
        )
        self._listener = threading.Thread(target=self._listen, daemon=True)

    def __enter__(self) -> Self:
        self._listener.start()
        while not self.rows:
            if self._process.poll() is not None:
                raise RuntimeError(f"the writing process ended with {self._process.returncode}")
            time.sleep(0.01)
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=60)
        self._listener.join(timeout=60)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            question, code = json.loads(line)
            self.rows.append((question, code))


def main(seed: str, mode: str) -> None:
    """The other process: writes until its input is closed, and says of each row when it has been acknowledged."""
    told_to_stop = threading.Event()

    def listen() -> None:
        sys.stdin.read()
        told_to_stop.set()

    threading.Thread(target=listen, daemon=True).start()
    with opened(place(), encrypted=mode != "plain") as reverie:
        agent = reverie.agent(AGENT)
        due = time.perf_counter()
        for one in invent(int(seed), 0, MOST, coded=True):
            if told_to_stop.wait(max(0.0, due - time.perf_counter())):
                return
            # Who is late by more than a row doesn't make up for it in a burst.
            due = max(due, time.perf_counter() - 1 / RATE) + 1 / RATE
            _remember(agent, one)
            print(json.dumps([one.question, one.code]), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
