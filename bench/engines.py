"""The engines side by side on the same memories and vectors: SQLite, PostgreSQL, and mem0 on the same server.

Three sizes: N memories in one bank (--n, may be repeated), and many agents with few each. The engines take turns, slice
by slice and block by block, so that noise hits all of them. No time holds an embedding: vectors are looked up.

Every search asks for ten under a filter: none, "kinds" (the one of `bench speed`, which nine of ten pass), and marks
that 90 %, 10 % and 1 % bear. mem0 is added to with infer=False, so no language model takes part; past the rows that
are timed its tables are filled straight through its store where there are many. Its recall is that of the list by
meaning which its search is made from. `--no-peer` leaves it out; else it is installed once into the user's cache.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench import servers
from bench.contenders import Contender, Ours, Theirs, recall_of
from bench.dataset import FILTERS, SHARES, Data, Looking, made
from bench.filling import opened
from bench.peers.process import Peer
from bench.report import Target, rounded, show_columns, show_targets
from bench.timing import percentile
from reverie.embedders.minilm import MiniLM

SLOWEST_RECALL = 2.0
FEWEST_ADDS = 5.0
LEAST_RECALL = 0.98
BLOCK = 20
_MUCH = 100_000
_MOST_ADDED = 10_000
"""Larger banks of the peer are filled past its add."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Shape:
    """So many memories, over so many agents."""

    memories: int
    banks: int

    @property
    def name(self) -> str:
        return str(self.memories) if self.banks == 1 else f"{self.banks}x{self.memories // self.banks}"

    @property
    def title(self) -> str:
        return f"{self.memories:,} memories " + (
            f"over {self.banks} agents" if self.banks > 1 else "in one bank"
        )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--n", type=int, action="append", help="memories in one bank (default 10,000 and 100,000)"
    )
    parser.add_argument(
        "--banks", type=int, default=200, help="agents of the last size (default 200; 0: leave it out)"
    )
    parser.add_argument("--memories", type=int, default=500, help="memories of each of them (default 500)")
    parser.add_argument(
        "--url", help="a PostgreSQL where databases and roles may be made (default: one of our own)"
    )
    parser.add_argument(
        "--peer", action=argparse.BooleanOptionalAction, default=True, help="measure mem0 too"
    )
    parser.add_argument(
        "--queries", type=int, default=200, help="distinct questions under each filter (default 200)"
    )
    parser.add_argument(
        "--adds", type=int, default=1000, help="memories added in timed batches (default 1,000)"
    )
    parser.add_argument("--seed", type=int, default=1)


def run(
    json_output: bool = False, *, n: Sequence[int] | None = None, banks: int = 200, memories: int = 500,
    url: str | None = None, peer: bool = True, queries: int = 200, adds: int = 1000, seed: int = 1,
) -> dict[str, float]:  # fmt: skip
    """Measure, print, and give the metrics."""
    shapes = [Shape(memories=number, banks=1) for number in n or (10_000, 100_000)]
    if banks:
        shapes.append(Shape(memories=banks * memories, banks=banks))
    metrics: dict[str, float] = {"seed": seed, "queries": queries}
    with servers.server(url) as address:
        print(f"  server: {servers.settings(address)}", flush=True)
        for shape in shapes:
            data = made(shape.memories, shape.banks, seed, queries)
            with _contenders(data, address, peer=peer) as ready:
                columns = measured(ready.contenders, ready.databases, data, adds)
                if ready.peer is not None:
                    columns["mem0"]["network_attempts"] = ready.peer.attempts()
            columns = {name: rounded(column) for name, column in columns.items()}
            targets = judged(columns, shape)
            show_columns(shape.title, columns)
            show_targets(targets)
            for name, column in columns.items():
                metrics |= {f"{shape.name}_{name}_{metric}": value for metric, value in column.items()}
            metrics |= {f"{shape.name}_{target.name}": target.measured for target in targets}
    if json_output:
        print(json.dumps(metrics), flush=True)
    return metrics


@dataclass(frozen=True, kw_only=True, slots=True)
class _Ready:
    """Contenders by name, the databases that they lie in, and the peer's own handle."""

    contenders: Mapping[str, Contender]
    databases: Sequence[servers.Database]
    peer: Theirs | None


@contextmanager
def _contenders(data: Data, address: str, *, peer: bool) -> Iterator[_Ready]:
    """Each with nothing stored yet; all of it is gone at the end."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="reverie-bench-")))
        embedder = Looking(MiniLM(), data)
        ours = stack.enter_context(servers.database(address))
        contenders: dict[str, Contender] = {
            "sqlite": Ours(stack.enter_context(opened(folder / "engines.bank", embedder=embedder)), data),
            "postgres": Ours(stack.enter_context(opened(ours.url, embedder=embedder)), data, ours),
        }
        databases, theirs = [ours], None
        if peer:
            databases.append(stack.enter_context(servers.database(address, prepared=False)))
            data.write(folder)
            process = stack.enter_context(Peer("mem0", databases[-1].url, folder))
            theirs = contenders["mem0"] = Theirs(process, databases[-1], data)
        yield _Ready(contenders=contenders, databases=databases, peer=theirs)


def measured(
    contenders: Mapping[str, Contender], databases: Sequence[servers.Database], data: Data, adds: int
) -> dict[str, dict[str, float]]:
    """A column of metrics for each. What is left after the filling is added in turns, slice by slice."""
    count = len(data.memories)
    batched, alone = min(adds, count // 2), min(adds // 5, count // 4)
    filled = count - batched - alone
    columns: dict[str, dict[str, float]] = {name: {} for name in contenders}
    for name, contender in contenders.items():
        seconds = _filled(contender, filled)
        behind = contender.catch_up()
        columns[name] |= {"fill_per_s": filled / seconds, "fill_indexed_per_s": filled / (seconds + behind)}
        print(f"  {name}: {filled:,} filled in {seconds:,.0f} s, indexed {behind:,.0f} s later", flush=True)
    for database in databases:
        database.settle()
    _adding(contenders, columns, range(filled, filled + batched), range(filled + batched, count))
    for database in databases:
        database.settle()
    for filter in FILTERS:
        _searching(contenders, columns, data, filter)
    for name, contender in contenders.items():
        columns[name]["bytes_per_memory"] = contender.bytes() / count
    return columns


def _filled(contender: Contender, count: int) -> float:
    if isinstance(contender, Theirs) and count <= _MOST_ADDED:
        return sum(contender.add(0, count))
    return contender.fill(0, count)


def _adding(
    contenders: Mapping[str, Contender], columns: Mapping[str, dict[str, float]], batched: range, alone: range
) -> None:
    """`adds_per_s`: the most that each one's own way gives, which is a batch for ours and one by one for the peer.
    `adds_indexed_per_s`: until the approximate index holds them too; the others wait for that, so it slows nobody else.
    """
    seconds = dict.fromkeys(contenders, 0.0)
    behind = dict.fromkeys(contenders, 0.0)
    singly: dict[str, list[float]] = {name: [] for name in contenders}
    for part in _parts(batched, 4):
        for name, contender in contenders.items():
            if isinstance(contender, Theirs):
                times = contender.add(part.start, part.stop)
                singly[name] += times
                seconds[name] += sum(times)
            else:
                seconds[name] += contender.fill(part.start, part.stop)
            behind[name] += contender.catch_up()
    for part in _parts(alone, 4):
        for name, contender in contenders.items():
            singly[name] += contender.add(part.start, part.stop)
            contender.catch_up()
    for name, column in columns.items():
        column["adds_per_s"] = len(batched) / seconds[name]
        column["adds_indexed_per_s"] = len(batched) / (seconds[name] + behind[name])
        column["adds_alone_per_s"] = len(singly[name]) / sum(singly[name])


def _parts(places: range, count: int) -> Iterator[range]:
    """The range in so many slices, none of them empty."""
    step = max(1, -(-len(places) // count))
    return (places[first : first + step] for first in range(0, len(places), step))


def _searching(
    contenders: Mapping[str, Contender], columns: Mapping[str, dict[str, float]], data: Data, filter: str
) -> None:
    """Ours in turns, then the peer, whose reads would push our pages out of the server's memory between two blocks."""
    questions = range(len(data.questions))
    own = [name for name, contender in contenders.items() if isinstance(contender, Ours)]
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for group in (own, [name for name in contenders if name not in own]):
        for name in group:  # the first questions of a filter are for warming up
            contenders[name].search(range(min(len(questions), max(BLOCK, data.banks))), filter)
        for block in _parts(questions, max(1, len(questions) // BLOCK)):
            for name in group:
                times[name] += contenders[name].search(block, filter)
    for name, column in columns.items():
        column[f"search_{filter}_p50_ms"] = percentile(times[name], 50)
        column[f"search_{filter}_p95_ms"] = percentile(times[name], 95)
        column[f"recall@10_{filter}"] = recall_of(contenders[name], data, questions, filter)


def judged(columns: Mapping[str, Mapping[str, float]], shape: Shape) -> list[Target]:
    """The targets of these columns. How recall's time compares is one only where there is much to search."""
    much = shape.banks == 1 and shape.memories >= _MUCH
    ours, file = columns["postgres"], columns["sqlite"]
    ratios = {filter: ours[f"search_{filter}_p95_ms"] / file[f"search_{filter}_p95_ms"] for filter in FILTERS}
    targets = [
        Target(
            name="search_p95_ratio",
            what="PostgreSQL's recall p95 / SQLite's, under the filter of `bench speed`",
            measured=ratios["kinds"],
            most=SLOWEST_RECALL if much else None,
        ),
        Target(
            name="search_p95_ratio_worst",
            what=f"the same under the worst of all filters ({max(ratios, key=ratios.__getitem__)})",
            measured=max(ratios.values()),
        ),
        Target(
            name="least_recall",
            what="PostgreSQL's recall@10 against exact, the least under 90 %, 10 %, 1 %",
            measured=min(ours[f"recall@10_{share}"] for share in SHARES),
            least=LEAST_RECALL,
        ),
    ]
    if "mem0" in columns:
        theirs = columns["mem0"]["adds_per_s"]
        targets += [
            Target(
                name="adds_ratio_to_mem0",
                what="PostgreSQL's adds per second / mem0's",
                measured=ours["adds_per_s"] / theirs,
                least=FEWEST_ADDS,
            ),
            Target(
                name="adds_indexed_ratio_to_mem0",
                what="the same, until the approximate index holds them",
                measured=ours["adds_indexed_per_s"] / theirs,
            ),
            Target(
                name="adds_alone_ratio_to_mem0",
                what="PostgreSQL's adds one a call / mem0's",
                measured=ours["adds_alone_per_s"] / theirs,
            ),
        ]
    return targets
