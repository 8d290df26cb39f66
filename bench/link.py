"""What a neural link costs: one agent's whole bank copied into another's, the copy taken back, and what it takes of
memory meanwhile; on a file, and on PostgreSQL.

The giver has n memories, half as many messages on which they rest, and as many edges; the receiver a tenth as many
memories, half of which the giver has too, word for word. Vectors are scattered around the real model's, so that
nothing here waits for an embedding, as nothing does in a link.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from bench import servers
from bench.filling import ClusteredEmbedder, opened
from bench.invented import Invented, invent
from bench.report import Target, rounded, show, show_targets
from reverie import Agent, Connection, Episode, Memory, Message, Reverie
from reverie.domain.trust import SourceTrust
from reverie.embedders.minilm import MiniLM
from reverie.ports.search import Floats

GIVER, RECEIVER = "kade", "nova"
MOST_SECONDS = 20.0
ENGINES = ("sqlite", "postgres")
_AT_ONCE = 2_000
_WATCHED = 0.05  # seconds between two looks at memory
_SLOWEST_READ = 1.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--n", type=int, default=100_000, help="memories that are copied (default 100,000)")
    parser.add_argument("--own", type=int, default=None, help="memories of the receiver (default: a tenth)")
    parser.add_argument("--engine", choices=ENGINES, action="append", help="(default: both)")
    parser.add_argument(
        "--url", help="a PostgreSQL where databases and roles may be made (default: one of our own)"
    )
    parser.add_argument(
        "--revoke", action="store_true", help="take it back too, which takes longer than the copy"
    )
    parser.add_argument("--seed", type=int, default=1)


def run(
    json_output: bool = False, *, n: int = 100_000, own: int | None = None, engine: Sequence[str] | None = None,
    url: str | None = None, revoke: bool = False, seed: int = 1,
) -> dict[str, float]:  # fmt: skip
    """Measure, print, and give the metrics."""
    own = n // 10 if own is None else own
    metrics: dict[str, float] = {"n": n, "own": own, "seed": seed}
    targets = []
    for name in engine or ENGINES:
        found = rounded(_on(name, url, n, own, seed, revoke=revoke))
        show(f"A neural link over {n:,} memories to one who has {own:,}: {name}", found, json_output=False)
        targets.append(
            Target(
                name=f"{name}_copy", what=f"seconds that the copy takes on {name}", measured=found["copy_s"],
                most=MOST_SECONDS if name == "sqlite" and n <= 100_000 else None,
            )
        )  # fmt: skip
        targets.append(
            Target(
                name=f"{name}_reading", what="the longest that a reader waited meanwhile, seconds",
                measured=found["slowest_read_s"], most=_SLOWEST_READ,
            )
        )  # fmt: skip
        metrics |= {f"{name}_{metric}": value for metric, value in found.items()}
    show_targets(targets)
    if json_output:
        print(json.dumps(metrics), flush=True)
    return metrics


def _on(engine: str, url: str | None, n: int, own: int, seed: int, *, revoke: bool) -> dict[str, float]:
    embedder = ClusteredEmbedder(MiniLM(), seed, n)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="reverie-bench-")))
        place: Path | str = folder / "link.bank"
        if engine == "postgres":
            place = stack.enter_context(servers.database(stack.enter_context(servers.server(url)))).url
        reverie = stack.enter_context(opened(place, embedder=embedder))
        nova, kade = reverie.agent(RECEIVER), reverie.agent(GIVER)
        given = list(invent(seed, 0, n))
        vectors = embedder.embed([one.text for one in given])
        both = own // 2
        mine = list(invent(seed + 1, 0, own - both))
        print(f"  {engine}: filling", flush=True)
        _fill(reverie, GIVER, given, vectors, talk=True)
        _fill(reverie, RECEIVER, [*given[:both]], vectors[:both])
        _fill(reverie, RECEIVER, mine, embedder.embed([one.text for one in mine]))
        print(f"  {engine}: copying", flush=True)
        return _measured(nova, kade, revoke=revoke)


def _measured(nova: Agent, kade: Agent, *, revoke: bool) -> dict[str, float]:
    asked = nova.link.request(GIVER)
    watch = _Watch(nova)
    watch.start()
    before, start, spent = _resident(), time.perf_counter(), time.process_time()
    shared = kade.link.accept(asked.id)
    seconds, spent = time.perf_counter() - start, time.process_time() - spent
    watch.stop()
    taking_back = {}
    if revoke:
        start = time.perf_counter()
        kade.link.revoke(asked.id)
        taking_back["revoke_s"] = time.perf_counter() - start
    return {
        "copy_s": seconds, "copy_cpu_s": spent, "peak_mb_above": watch.peak - before, "slowest_read_s": watch.slowest,
        **taking_back,
        **{f"copied_{name}": count for name, count in shared.counts.items()},
    }  # fmt: skip


def _fill(
    reverie: Reverie, agent: str, many: Sequence[Invented], vectors: Floats, *, talk: bool = False
) -> None:
    """Stores memories as they are, each pair of them on one message of its own where ``talk`` is."""
    desk = reverie._desk  # noqa: SLF001  # the door has no way past the comparison
    kept = reverie.agent(agent).remember("The first of them all, which is like no other").memory
    reverie.agent(agent).observe(Message(content="The first message of them all"), conversation="first")
    said: Episode = reverie.agent(agent).episodes(limit=1)[0]
    for first in range(0, len(many), _AT_ONCE):
        some, own = many[first : first + _AT_ONCE], vectors[first : first + _AT_ONCE]
        now = desk.clock()
        memories = [_memory(kept, one, desk.ids(now)) for one in some]
        episodes = [
            replace(
                said, id=desk.ids(now), conversation=f"talk {first // _AT_ONCE}", position=place // 2,
                time=now + timedelta(microseconds=place), content=one.text, source_trust=SourceTrust.PRINCIPAL,
            )
            for place, one in enumerate(some[: len(some) if talk else 0])
            if place % 2 == 0
        ]  # fmt: skip
        if talk:
            memories = [
                replace(one, source_episodes=(episodes[place // 2].id,)) for place, one in enumerate(memories)
            ]
        with desk.store.write(agent) as unit:
            unit.episodes.add(episodes, own[::2][: len(episodes)])
            unit.memories.add(memories, own)
            for one, other in zip(memories, memories[1:] if talk else (), strict=False):
                unit.memories.connect(
                    Connection(source=one.id, target=other.id, relation="supports", created_at=now)
                )
    desk.store.catch_up()


def _memory(model: Memory, one: Invented, id: str) -> Memory:
    drafted = {
        name: tuple(value) if isinstance(value, list) else value for name, value in one.draft().items()
    }
    return replace(model, id=id, **drafted)  # type: ignore[arg-type]  # a draft's fields


class _Watch:
    """Reads the receiver's bank all the time, and looks how much memory the process takes."""

    def __init__(self, agent: Agent) -> None:
        self._agent, self._done = agent, threading.Event()
        self._thread = threading.Thread(target=self._run)
        self.peak = self.slowest = 0.0

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._done.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._done.wait(_WATCHED):
            start = time.perf_counter()
            self._agent.memories(limit=5)
            self.slowest = max(self.slowest, time.perf_counter() - start)
            self.peak = max(self.peak, _resident())


def _resident() -> float:
    """Megabytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6
