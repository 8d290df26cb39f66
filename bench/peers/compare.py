"""`bench peers`: Reverie and its peers on LoCoMo's dialogues, with the same vectors, in the same run.

A turn is a memory, a dialogue a bank of its own (user, collection, namespace, index or table, as each peer has it).
Turns are added a session at a time in each one's own way for many, and every question of categories 1 to 4 that has
evidence is asked for the ten best. All take turns, session by session and block by block, so that noise hits all of
them. Vectors are computed once, here, and looked up by all; no time holds an embedding or its looking up. Reverie is
told who speaks in a field of its own; peers, whose ranking knows no such field, in the text ("Anna: what she said").

Reverie is as it comes: an encrypted file, the full default ranking, the default floor. Peers are as they come too, each
in an environment of its own that is installed once into the user's cache (REVERIE_BENCH_CACHE), without telemetry or
network.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from bench import locomo_data, places
from bench.locomo_data import ANSWERABLE, Dialogue, Question
from bench.metrics import mean, recall_at, reciprocal_rank
from bench.peers.contenders import Contender, Ours, Said, Theirs
from bench.peers.process import Child, Ended, environment
from bench.report import Target, rounded, show_columns, show_targets
from bench.timing import TimedEmbedder, percentile
from bench.vectors import KeptVectors, kept_vectors
from reverie import Settings

Result = TypeVar("Result")
OURS = "reverie"
BLOCK = 20
NEAR = 0.15
"""A peer whose recall@10 is at most so far below ours has to be slower than us."""
QUALITY = ("recall@5", "recall@10", "mrr")
_HERE = Path(__file__).parent


@dataclass(frozen=True, kw_only=True, slots=True)
class Peer:
    """Where its adapter lies, and whose environment it runs in (None: ours, for it needs nothing but Python)."""

    adapter: Path
    environment: str | None

    def python(self) -> str | Path:
        """The interpreter, installed where it isn't there yet. Raises CalledProcessError."""
        return sys.executable if self.environment is None else environment(self.environment)


PEERS = {
    "mem0": Peer(adapter=_HERE / "mem0" / "qdrant.py", environment="mem0"),
    "mem0_bm25": Peer(adapter=_HERE / "mem0" / "qdrant.py", environment="mem0_bm25"),
    "chroma": Peer(adapter=_HERE / "chroma" / "adapter.py", environment="chroma"),
    "langgraph": Peer(adapter=_HERE / "langgraph" / "memory.py", environment="langgraph"),
    "langgraph_sqlite": Peer(adapter=_HERE / "langgraph" / "sqlite.py", environment="langgraph"),
    "txtai": Peer(adapter=_HERE / "txtai" / "adapter.py", environment="txtai"),
    "fts5": Peer(adapter=_HERE / "fts5" / "adapter.py", environment=None),
}


@dataclass(kw_only=True, slots=True)
class Record:
    """What one contender did."""

    added: int = 0
    adding: float = 0.0
    seconds: list[float] = field(default_factory=list)
    found: list[tuple[Question, list[str | None]]] = field(default_factory=list)

    def figures(self) -> dict[str, float]:
        """The column of metrics."""
        pairs = [(refs, question.evidence) for question, refs in self.found]
        return {
            "recall@5": mean([recall_at(5, *pair) for pair in pairs]),
            "recall@10": mean([recall_at(10, *pair) for pair in pairs]),
            "mrr": mean([reciprocal_rank(*pair) for pair in pairs]),
            "adds_per_s": self.added / self.adding,
            "search_p50_ms": percentile(self.seconds, 50),
            "search_p95_ms": percentile(self.seconds, 95),
        }


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="a file in LoCoMo's format")
    parser.add_argument(
        "--only", nargs="+", default=list(PEERS), choices=list(PEERS), metavar="NAME",
        help=f"these peers and us: {', '.join(PEERS)}",
    )  # fmt: skip
    parser.add_argument(
        "--bare",
        action="store_true",
        help='give peers what was said alone, not "Anna: what she said": they find less',
    )
    parser.add_argument("--sample", action="append", default=[], help="only this dialogue; may be repeated")
    parser.add_argument("--keep", type=Path, help="a folder that keeps the texts' vectors for the next run")


def run(
    json_output: bool = False,
    *,
    data: Path,
    only: Sequence[str] = tuple(PEERS),
    bare: bool = False,
    sample: Sequence[str] = (),
    keep: Path | None = None,
) -> dict[str, float]:
    """Measure, print, and give the metrics."""
    dialogues = locomo_data.read(data, sample)
    columns: dict[str, dict[str, float]] = {}
    with ExitStack() as stack:
        vectors = stack.enter_context(kept_vectors(Settings(), keep))
        timed = TimedEmbedder(vectors)
        reverie = stack.enter_context(places.empty(None, embedder=timed))
        contenders: dict[str, Contender] = {OURS: Ours(reverie, timed)}
        started = _started(stack, only, dialogues, vectors, speakers=not bare)
        records = compared({**contenders, **started}, dialogues)
        columns = {name: record.figures() for name, record in records.items()}
        for name in columns.keys() & started.keys():
            columns[name]["network_attempts"] = started[name].attempts()
    columns = {name: rounded(column) for name, column in columns.items()}
    turns = sum(dialogue.turns for dialogue in dialogues)
    targets = judged(columns)
    show_columns(
        f"{turns:,} turns of {len(dialogues)} dialogues, {len(records[OURS].found)} questions ({data.name})",
        columns,
    )
    show_targets(targets)
    metrics: dict[str, float] = {"turns": turns, "n": len(records[OURS].found)}
    for name, column in columns.items():
        metrics |= {f"{name}_{metric}": value for metric, value in column.items()}
    metrics |= rounded({target.name: target.measured for target in targets})
    if json_output:
        print(json.dumps(metrics), flush=True)
    return metrics


def compared(contenders: Mapping[str, Contender], dialogues: Sequence[Dialogue]) -> dict[str, Record]:
    """What each did with the dialogues, all of them in turns. The first block of a bank is asked once before for
    warming up.
    """
    standing = dict(contenders)
    records = {name: Record() for name in contenders}
    for dialogue in dialogues:
        for session in dialogue.sessions:
            for name, spent in _each(standing, lambda one: one.add(dialogue.id, session)):  # noqa: B023
                records[name].adding += spent
                records[name].added += len(session.messages)
        print(f"  {dialogue.id}: stored", flush=True)
    for dialogue in dialogues:
        blocks = list(_blocks(answerable(dialogue)))
        for place, block in enumerate([*blocks[:1], *blocks]):
            for name, (found, seconds) in _each(standing, lambda one: one.search(dialogue.id, block)):  # noqa: B023
                if place > 0:
                    records[name].found += zip(block, found, strict=True)
                    records[name].seconds += seconds
        print(f"  {dialogue.id}: asked", flush=True)
    return {name: records[name] for name in standing}


def judged(columns: Mapping[str, Mapping[str, float]]) -> list[Target]:
    """Whether ours leads every column of quality, and is faster than every peer that comes near; none without peers."""
    ours = columns[OURS]
    peers = {name: column for name, column in columns.items() if name != OURS}
    if not peers:
        return []
    targets = []
    for metric in QUALITY:
        best = max(peers, key=lambda name: peers[name][metric])
        lead = ours[metric] - peers[best][metric]
        targets.append(
            Target(name=f"{metric}_lead", what=f"our {metric} − {best}'s", measured=lead, least=0.0)
        )
    near = {name: column for name, column in peers.items() if column["recall@10"] >= ours["recall@10"] - NEAR}
    for metric in ("search_p50_ms", "search_p95_ms"):
        if not near:
            break
        fastest = min(near, key=lambda name: near[name][metric])
        targets.append(
            Target(
                name=metric.replace("_ms", "_ratio"),
                what=f"our {metric} / {fastest}'s, the fastest within {NEAR * 100:.0f} points of our recall@10",
                measured=ours[metric] / near[fastest][metric],
                most=1.0 if "p50" in metric else None,
            )
        )
    return targets


def answerable(dialogue: Dialogue) -> list[Question]:
    """Its questions of categories 1 to 4 that have evidence."""
    return [one for one in dialogue.questions if one.category in ANSWERABLE and one.evidence]


def _started(
    stack: ExitStack,
    only: Sequence[str],
    dialogues: Sequence[Dialogue],
    vectors: KeptVectors,
    *,
    speakers: bool,
) -> dict[str, Theirs]:
    """The peers, each in a process and a folder of its own. What can't be installed or started is left out and said."""
    said = Said(dialogues, speakers=speakers)
    started = {}
    for name in only:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix=f"reverie-bench-{name}-")))
        said.write(folder, vectors)
        try:
            python = PEERS[name].python()
            child = Child([python, "-P", _HERE / "host.py", PEERS[name].adapter, folder], {})
        except (subprocess.CalledProcessError, Ended) as error:
            print(f"  {name} is left out: {error}", flush=True)
            continue
        stack.enter_context(child)
        versions = " · ".join(f"{package} {version}" for package, version in child.ready["versions"].items())
        print(f"  {name}: {versions}", flush=True)
        started[name] = Theirs(child, said)
    return started


def _each(standing: dict[str, Contender], do: Callable[[Contender], Result]) -> Iterator[tuple[str, Result]]:
    """Each contender's result in turn. One whose process ends meanwhile is out, and that is said."""
    for name in list(standing):
        try:
            result = do(standing[name])
        except Ended as error:
            print(f"  {name} is left out: {error}", flush=True)
            del standing[name]
        else:
            yield name, result


def _blocks(questions: Sequence[Question]) -> Iterator[Sequence[Question]]:
    return (questions[first : first + BLOCK] for first in range(0, len(questions), BLOCK))
