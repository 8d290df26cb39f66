"""The block for a prompt in a bank of n invented memories: how long ``context`` takes, with a soul, standing rules and
procedures beside them.

Measured as it is, then with tasks whose vectors are known already; "rest" is a call without the embedding that was done
inside that very call, which leaves the processor's caches full of the model.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from bench import servers
from bench.filling import AGENT, Place, bank, build, opened
from bench.invented import Invented, invent
from bench.metrics import mean
from bench.report import rounded, show
from bench.timing import Calls, TimedEmbedder
from bench.vectors import KeptVectors
from reverie import Agent
from reverie.domain.block import ContextBlock
from reverie.embedders.minilm import MiniLM

SOUL = (
    "I tell the truth, also where it is unwelcome.",
    "I would rather ask once more than guess.",
    "I care for the people whom I work for.",
)
RULES = (
    ("policy", "Never commit secrets to the repository"),
    ("policy", "Deploys need a green build and a second pair of eyes"),
    ("policy", "Customer data never leaves the production network"),
    ("architecture", "Authentication is a service of its own, behind the gateway"),
    ("architecture", "All writes go through the queue; readers use the replica"),
    ("preference", "Always answers in short sentences"),
)
PROCEDURES = {
    "release": ("run the tests", "tag the commit", "push the tag", "watch the dashboard for an hour"),
    "onboard a colleague": ("make the accounts", "order the laptop", "plan the first week"),
    "restore a backup": ("stop the writers", "load the last dump", "replay the log", "start the writers"),
}
NOTES = {
    "context_p50_ms": "a call as it is",
    "rest_p50_ms": "without the embedding, right after it",
    "known_p50_ms": "of a task whose vector is known: wanted ≤ 3 at 10,000 on SQLite",
    "standing_p50_ms": "without a task: soul and standing rules alone",
    "recall_known_p50_ms": "a recall of ten for the same tasks, whose vectors are known, for comparison",
    "tokens": "of the block, on average",
    "entered": "soul entries, memories and procedures in it, on average",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--n", type=int, default=10_000, help="memories in the bank (default 10,000)")
    parser.add_argument("--queries", type=int, default=1000, help="distinct tasks to time (default 1,000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder that keeps built banks for later runs")
    parser.add_argument(
        "--url", help="on this PostgreSQL instead, in a database that is dropped at the end; no --keep"
    )


def run(
    json_output: bool = False, *, n: int = 10_000, queries: int = 1000, seed: int = 1, keep: Path | None = None,
    url: str | None = None,
) -> dict[str, float]:  # fmt: skip
    """Measure, print, and give the metrics."""
    if url is not None and keep:
        raise SystemExit("--keep is about files: leave it out with --url")
    embedder = TimedEmbedder(KeptVectors(MiniLM()))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="reverie-bench-")))
        if url is None:
            place: Place = bank(folder, n, seed, keep=keep)
        else:
            place = stack.enter_context(servers.database(url)).url
            build(place, n, seed)
        with opened(place, embedder=embedder) as reverie:
            agent = reverie.agent(AGENT)
            furnish(agent)
            metrics = rounded({"n": n, **timed(agent, embedder, list(invent(seed + 2, 0, queries + 20)))})
    where = "SQLite" if url is None else "PostgreSQL"
    title = f"The block for a prompt with {n:,} memories on {where}"
    show(title, metrics, json_output=json_output, notes=NOTES)
    return metrics


def furnish(agent: Agent) -> None:
    """A soul, standing rules and procedures."""
    for text in SOUL:
        agent.soul.add(text)
    for kind, text in RULES:
        agent.remember(text, kind=kind, priority="critical" if kind == "policy" else "high")
    for name, steps in PROCEDURES.items():
        agent.procedures.record(name, steps=steps)


def timed(agent: Agent, embedder: TimedEmbedder, asked: Sequence[Invented]) -> dict[str, float]:
    """Blocks for distinct tasks, some of which may fit a procedure; half of them with vectors that are known."""
    names = list(PROCEDURES)
    tasks = [
        f"{names[at % 3]}: {one.question}" if at % 4 == 0 else one.question for at, one in enumerate(asked)
    ]
    first, others = tasks[:20], tasks[20:]
    for task in first:
        agent.context(task)
        agent.recall(task)
    blocks: list[ContextBlock] = []
    fresh, known, standing, recalls = (Calls(embedder) for _ in range(4))
    for task in others[::2]:
        with fresh.timed():
            block = agent.context(task)
        blocks.append(block)
        with standing.timed():
            agent.context()
    for task in others[1::2]:
        embedder.embed_query(task)
    for task in others[1::2]:
        with known.timed():
            block = agent.context(task)
        blocks.append(block)
    for task in others[1::2]:
        with recalls.timed():
            agent.recall(task)
    return {
        "context_p50_ms": fresh.whole(50),
        "context_p95_ms": fresh.whole(95),
        "rest_p50_ms": fresh.rest(50),
        "rest_p95_ms": fresh.rest(95),
        "known_p50_ms": known.whole(50),
        "known_p95_ms": known.whole(95),
        "standing_p50_ms": standing.whole(50),
        "recall_known_p50_ms": recalls.whole(50),
        "tokens": mean([block.tokens for block in blocks]),
        "entered": mean([len(block.entered) for block in blocks]),
        "tasks": len(blocks),
    }
