"""Many agents at once on one PostgreSQL, on a Citus cluster of three nodes, and on mem0 beside them.

Each agent has so many invented memories, whose vectors are looked up and not embedded; they are stored by the store's
own writes, an agent at a time. Recalls are whole ones (hybrid, ten hits) by 1, 8 and 32 clients at once, which are
threads of this process; each question is put to another agent than the one before. The server and the cluster take
turns. recall@10 is that of the list by meaning, against all vectors of the agent compared exactly.

The nights: agents with twelve messages each are due to sleep, and one worker or two, each a process, have them sleep;
then again with one of the two killed in the middle. On a machine of few cores all of this shows what a cluster costs,
not what it gains.

mem0 is added to and searched on the same server, one memory a call; past --adds its tables are filled straight through
its store, and of more than --peer-memories it gets the first agents' alone.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from bench import due_nights, servers
from bench.contenders import BEST, Theirs, recall_of
from bench.dataset import Data, Looking, made
from bench.filling import put
from bench.peers.process import Peer
from bench.report import Target, rounded, show_columns, show_targets
from bench.timing import percentile
from reverie import Reverie, Settings, StoreSettings
from reverie.embedders.minilm import MiniLM

CLIENTS = (1, 8, 32)
LEAST_RECALL, SLOWEST_CLUSTER = 0.99, 1.6
KILLED_AFTER = 5.0
"""Seconds after which one of two workers is killed."""
_ROUNDS = 4
_CONNECTIONS = max(CLIENTS) + 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--agents", type=int, default=2000, help="agents (default 2,000)")
    parser.add_argument("--memories", type=int, default=500, help="memories of each (default 500)")
    parser.add_argument("--url", help="a PostgreSQL where databases and roles may be made (default: our own)")
    parser.add_argument("--cluster", help="the coordinator of a Citus cluster where that is so, too")
    parser.add_argument(
        "--no-cluster",
        action="store_true",
        help="no cluster (else: the given one, or our own where it can be)",
    )
    parser.add_argument("--shards", type=int, default=32, help="of the cluster (default 32)")
    parser.add_argument(
        "--peer", action=argparse.BooleanOptionalAction, default=True, help="measure mem0 too"
    )
    parser.add_argument(
        "--peer-memories", type=int, default=100_000, help="the most that it gets (default 100,000)"
    )
    parser.add_argument("--adds", type=int, default=1000, help="of these by its add (default 1,000)")
    parser.add_argument("--queries", type=int, default=400, help="distinct questions (default 400)")
    parser.add_argument("--due", type=int, default=1000, help="agents due to sleep (default 1,000; 0: none)")
    parser.add_argument(
        "--kill", action=argparse.BooleanOptionalAction, default=True, help="kill one of two workers, too"
    )
    parser.add_argument("--seed", type=int, default=1)


def run(
    json_output: bool = False, *, agents: int = 2000, memories: int = 500, url: str | None = None,
    cluster: str | None = None, no_cluster: bool = False, shards: int = 32, peer: bool = True,
    peer_memories: int = 100_000, adds: int = 1000, queries: int = 400, due: int = 1000, kill: bool = True,
    seed: int = 1,
) -> dict[str, float]:  # fmt: skip
    """Measure, print, and give the metrics."""
    data = made(agents * memories, agents, seed, queries)
    metrics: dict[str, float] = {"agents": agents, "memories": memories, "seed": seed, "queries": queries}
    with ExitStack() as stack:
        places = {"postgres": _Place(address=stack.enter_context(servers.server(url)))}
        if not no_cluster and (cluster is not None or servers.has_cluster()):
            nodes = stack.enter_context(servers.cluster(cluster))
            places["cluster"] = _Place(address=nodes[0], nodes=nodes, shards=shards)
        for name, place in places.items():
            print(f"  {name}: {servers.settings(place.address)}", flush=True)
        columns = _recalled(places, data)
        show_columns("so far", {name: rounded(column) for name, column in columns.items()})
        if peer:
            columns["mem0"] = _peer(places["postgres"], data, peer_memories, adds)
        if due:
            for name, place in places.items():
                columns[name] |= _slept(place, due, kill=kill)
    columns = {name: rounded(column) for name, column in columns.items()}
    show_columns(f"{agents:,} agents with {memories:,} memories each", columns)
    targets = judged(columns)
    show_targets(targets)
    print(f"  load {os.getloadavg()[0]:.1f}", flush=True)
    for name, column in columns.items():
        metrics |= {f"{name}_{metric}": value for metric, value in column.items()}
    metrics |= {target.name: target.measured for target in targets}
    if json_output:
        print(json.dumps(metrics), flush=True)
    return metrics


@dataclass(frozen=True, kw_only=True)
class _Place:
    """A server, or a cluster's coordinator with all nodes."""

    address: str = field(repr=False)
    nodes: Sequence[str] = field(default=(), repr=False)
    shards: int = 0

    def database(self, stack: ExitStack) -> servers.Database:
        """A new database there, as long as the stack is open."""
        return stack.enter_context(servers.database(self.address, nodes=self.nodes, shards=self.shards or 32))


class _Banks:
    """All agents' banks in one database, open."""

    def __init__(self, reverie: Reverie, data: Data) -> None:
        self.reverie, self._data = reverie, data
        self._places = {one.text: place for place, one in enumerate(data.memories)}
        self.stored = np.ones(len(data.memories), np.bool_)

    def fill(self) -> float:
        """Store everything, an agent at a time; seconds."""
        each = len(self._data.memories) // self._data.banks
        start = said = time.perf_counter()
        for number, agent in enumerate(self._data.agents):
            first, *rest = self._data.memories[number * each : (number + 1) * each]
            kept = self.reverie.agent(agent).remember_many([first.draft()])
            put(self.reverie, agent, kept[0].memory, rest)
            if time.perf_counter() - said > 30:
                said = time.perf_counter()
                print(f"  filling: {number + 1:,} agents after {said - start:,.0f} s", flush=True)
        return time.perf_counter() - start

    def recall(self, asked: tuple[int, int]) -> float:
        """Put a question to an agent, by their numbers; seconds."""
        question, agent = asked
        text = self._data.questions[question].question
        start = time.perf_counter()
        self.reverie.agent(self._data.agents[agent]).recall(text)
        return time.perf_counter() - start

    def nearest(self, questions: Sequence[int], filter: str) -> Sequence[Sequence[int]]:  # noqa: ARG002  # the protocol's
        """See Searchable."""
        found = []
        for number in questions:
            text = self._data.questions[number].question
            asked = self.reverie.agent(self._data.asks(number))
            hits = asked.recall(text, strategy="semantic", min_score=0, limit=BEST).hits
            found.append([self._places[hit.memory.essence] for hit in hits])
        return found


def _recalled(places: Mapping[str, _Place], data: Data) -> dict[str, dict[str, float]]:
    """Fill the banks of each place, then ask them in turns."""
    columns: dict[str, dict[str, float]] = {name: {} for name in places}
    with ExitStack() as stack:
        banks = {}
        for name, place in places.items():
            database = place.database(stack)
            settings = Settings(store=StoreSettings(connections=_CONNECTIONS))
            embedder = Looking(MiniLM(), data)
            reverie = stack.enter_context(Reverie.open(database.url, embedder=embedder, settings=settings))
            banks[name] = _Banks(reverie, data)
            seconds = banks[name].fill()
            database.settle()
            columns[name]["fill_per_s"] = len(data.memories) / seconds
            print(f"  {name}: {len(data.memories):,} filled in {seconds:,.0f} s", flush=True)
        for turn, clients in enumerate(CLIENTS):
            times: dict[str, list[float]] = {name: [] for name in banks}
            for part in _rounds(data):
                asked = [
                    (question, (question + turn * len(data.questions)) % data.banks) for question in part
                ]
                for name, one in banks.items():
                    times[name] += _together(one, asked, clients)
            for name, found in times.items():
                columns[name][f"recall_p50_ms_{clients}"] = percentile(found, 50)
                columns[name][f"recall_p95_ms_{clients}"] = percentile(found, 95)
        for name, one in banks.items():
            columns[name]["recall@10"] = recall_of(one, data, range(len(data.questions)), "none")
            columns[name]["bytes_per_memory"] = one.reverie.info().bytes / len(data.memories)
    return columns


def _rounds(data: Data) -> Iterator[range]:
    """The first questions for warming up, whose times count as well; then the others in so many parts."""
    step = max(1, -(-len(data.questions) // _ROUNDS))
    return (range(len(data.questions))[first : first + step] for first in range(0, len(data.questions), step))


def _together(banks: _Banks, asked: Sequence[tuple[int, int]], clients: int) -> list[float]:
    if clients == 1:
        return [*map(banks.recall, asked)]
    with ThreadPoolExecutor(clients) as threads:
        return [*threads.map(banks.recall, asked)]


def _peer(place: _Place, data: Data, most: int, adds: int) -> dict[str, float]:
    """mem0's column: its adds, and its searches by one client."""
    each = len(data.memories) // data.banks
    banks = max(1, min(data.banks, most // each))
    count = banks * each
    few = replace(
        data, memories=data.memories[:count], vectors=data.vectors[:count], chances=data.chances[:count], banks=banks
    )  # fmt: skip
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="reverie-bench-")))
        database = stack.enter_context(servers.database(place.address, prepared=False))
        few.write(folder)
        theirs = Theirs(stack.enter_context(Peer("mem0", database.url, folder)), database, few)
        added = min(adds, count)
        theirs.fill(0, count - added)
        seconds = theirs.add(count - added, count)
        database.settle()
        questions = range(len(few.questions))
        times = theirs.search(questions, "none")
        return {
            "fill_per_s": added / sum(seconds),
            "recall_p50_ms_1": percentile(times, 50),
            "recall_p95_ms_1": percentile(times, 95),
            "recall@10": recall_of(theirs, few, questions, "none"),
            "bytes_per_memory": theirs.bytes() / count,
            "peer_memories": count,
            "network_attempts": theirs.attempts(),
        }


def _slept(place: _Place, due: int, *, kill: bool) -> dict[str, float]:
    """One worker, two workers, and two of which one is killed, each over agents of its own."""
    figures: dict[str, float] = {"nights_twice": 0, "nights_missed": 0}
    runs = [("workers1", 1, None), ("workers2", 2, None), *([("killed", 2, KILLED_AFTER)] if kill else [])]
    for name, workers, after in runs:
        with ExitStack() as stack:
            database = place.database(stack)
            due_nights.make_due(database.url, due)
            database.settle()
            nights = due_nights.run_workers(database.url, workers, kill_after=after)
        figures["nights_twice"] += nights.twice
        figures["nights_missed"] += nights.agents - min(nights.nights - nights.twice, nights.agents)
        if after is None:
            figures[f"{name}_nights_per_s"] = nights.per_second
        print(
            f"  {name}: {nights.nights:,} nights of {nights.agents:,} in {nights.seconds:,.0f} s", flush=True
        )
    return figures


def judged(columns: Mapping[str, Mapping[str, float]]) -> list[Target]:
    """The targets of these columns."""
    ours = {name: column for name, column in columns.items() if name != "mem0"}
    targets = [
        Target(
            name="least_recall@10", what="the least recall@10 of ours against exact",
            measured=min(column["recall@10"] for column in ours.values()), least=LEAST_RECALL,
        )
    ]  # fmt: skip
    if "cluster" in ours:
        targets.append(
            Target(
                name="cluster_p50_ratio", what="the cluster's recall p50 / the server's, one client",
                measured=ours["cluster"]["recall_p50_ms_1"] / ours["postgres"]["recall_p50_ms_1"],
                most=SLOWEST_CLUSTER,
            )
        )  # fmt: skip
    for name, what in (("nights_twice", "agents that slept twice"), ("nights_missed", "that never did")):
        found = [column[name] for column in ours.values() if name in column]
        if found:
            targets.append(Target(name=name, what=what, measured=sum(found), most=0))
    return targets
