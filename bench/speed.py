"""Speed in a bank of n invented memories: observe, remember, recall; with --mixed while another process writes too.

Queries are distinct, filters on (ordinary states, and kinds that nine memories of ten have), the file encrypted.
Banks of more than 10,000 memories are filled with precomputed clustered vectors; every query and every timed write
uses the real model. "rest" is a call without the embedding that was done inside that very call.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from bench import living
from bench.children import said_by
from bench.filling import AGENT, MOST_EMBEDDED, bank, opened
from bench.invented import MOST_KINDS, Invented, invent, topics
from bench.report import rounded, show
from bench.timing import Calls, TimedEmbedder
from reverie import Agent
from reverie.embedders.minilm import MiniLM

SLICE = 500
NOTES = {
    "observe_ratio": "observe's throughput / the embedder's, in alternating slices; wanted ≥ 0.8",
    "remember_many_ratio": "remember_many's throughput / that of the embedder within it",
    "rest_ratio_to_embedding": "recall_rest_p50 / embed_query_p50; wanted ≤ 0.8 at 10,000, ≤ 2.5 at 100,000",
    "open_ms": "open the file and load the bank's snapshot",
    "rss_mb": "a process with this bank open and the model loaded",
    "mixed_ratio": "mixed p95 / (3 × static p50 + 5 ms); wanted ≤ 1",
    "missed_writes": "acknowledged writes that a recall after them did not find; wanted 0",
    "precomputed_vectors": "1: the bank was filled with clustered vectors, not embedded ones",
    "recall_tagged_rest_p50_ms": "with a filter that few memories pass",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--n", type=int, default=10_000, help="memories in the bank (default 10,000)")
    parser.add_argument(
        "--mixed", action="store_true", help="also the living bank: two processes write between recalls"
    )
    parser.add_argument("--plain", action="store_true", help="without encryption")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--queries", type=int, default=500, help="distinct recalls to time (default 500)")
    parser.add_argument("--messages", type=int, default=5000, help="messages to observe (default 5,000)")
    parser.add_argument("--keep", type=Path, help="a folder that keeps built banks for later runs")


def run(
    json_output: bool = False, *, n: int = 10_000, mixed: bool = False, plain: bool = False, seed: int = 1,
    queries: int = 500, messages: int = 5000, keep: Path | None = None,
) -> dict[str, float]:  # fmt: skip
    """Measure, print, and give the metrics."""
    encrypted = not plain
    metrics: dict[str, float] = {
        "n": n,
        "seed": seed,
        "queries": queries,
        "messages": messages,
        "encrypted": int(encrypted),
    }
    metrics["precomputed_vectors"] = int(n > MOST_EMBEDDED)
    with tempfile.TemporaryDirectory(prefix="reverie-bench-") as name:
        folder = Path(name)
        metrics |= observing(folder / "observe.bank", messages, seed, encrypted=encrypted)
        path = bank(folder, n, seed, encrypted=encrypted, keep=keep)
        metrics["bytes_per_memory"] = path.stat().st_size / n
        metrics |= opening(path, encrypted=encrypted)
        metrics["rss_mb"] = json.loads(
            said_by("bench.footprint", str(path), "" if encrypted else "plain", str(seed))
        )[0]
        embedder = TimedEmbedder(MiniLM())
        with opened(path, encrypted=encrypted, embedder=embedder) as reverie:
            agent = reverie.agent(AGENT)
            metrics |= recalling(agent, embedder, list(invent(seed + 2, 0, queries + 20)))
            if mixed:
                metrics |= living.measure(
                    agent, embedder, path, rounds=queries, seed=seed, encrypted=encrypted
                )
                bound = 3 * metrics["static_recall_p50_ms"] + 5
                metrics["mixed_ratio"] = metrics["mixed_recall_p95_ms"] / bound
            metrics |= remembering(agent, embedder, list(invent(seed, n, min(n, 200) + min(n, 1000))))
    found = rounded(metrics)
    show(f"Speed with {n:,} memories", found, json_output=json_output, notes=NOTES)
    return found


def observing(path: Path, messages: int, seed: int, *, encrypted: bool) -> dict[str, float]:
    """Observe against the embedder alone on the same texts, slice by slice in turns, so that noise hits both."""
    model = MiniLM()
    model.embed(["warm", "up"] * 8)
    said = [one.message() for one in invent(seed + 1, 0, messages)]
    embedding = observed = 0.0
    with opened(path, encrypted=encrypted, embedder=model) as reverie:
        agent = reverie.agent("observer")
        for first in range(0, messages, SLICE):
            part = said[first : first + SLICE]
            texts = [str(message["content"]) for message in part]
            start = time.perf_counter()
            model.embed(texts)
            middle = time.perf_counter()
            agent.observe(part, conversation=f"talk-{first}")
            embedding += middle - start
            observed += time.perf_counter() - middle
    return {
        "observe_per_s": messages / observed,
        "embed_batch_per_s": messages / embedding,
        "observe_ratio": embedding / observed,
    }


def opening(path: Path, *, encrypted: bool, rounds: int = 3) -> dict[str, float]:
    """From the path to the latest memory, which needs the snapshot but no model; the system's file cache is warm."""
    files, banks = [], []
    for _ in range(rounds):
        start = time.perf_counter()
        with opened(path, encrypted=encrypted) as reverie:
            files.append(time.perf_counter() - start)
            reverie.agent(AGENT).recall(strategy="temporal", limit=1)
            banks.append(time.perf_counter() - start)
    return {"open_ms": median(banks) * 1000, "open_file_ms": median(files) * 1000}


def recalling(agent: Agent, embedder: TimedEmbedder, asked: Sequence[Invented]) -> dict[str, float]:
    """Distinct recalls in a bank at rest."""
    warm, timed = asked[:20], asked[20:]
    for one in warm:
        agent.recall(one.question, kinds=MOST_KINDS)
    calls, tagged = Calls(embedder), Calls(embedder)
    for one in timed:
        with calls.timed():
            agent.recall(one.question, kinds=MOST_KINDS)
    for place, one in enumerate(timed[: max(1, len(timed) // 5)]):
        with tagged.timed():
            agent.recall(one.question, tags=topics()[-1 - place % 5].name)
    return {
        "embed_query_p50_ms": calls.embedding(50),
        "recall_p50_ms": calls.whole(50),
        "recall_p95_ms": calls.whole(95),
        "recall_rest_p50_ms": calls.rest(50),
        "recall_rest_p95_ms": calls.rest(95),
        "recall_tagged_rest_p50_ms": tagged.rest(50),
        "rest_ratio_to_embedding": calls.rest(50) / calls.embedding(50),
        "static_recall_p50_ms": calls.whole(50),
    }


def remembering(agent: Agent, embedder: TimedEmbedder, many: Sequence[Invented]) -> dict[str, float]:
    """One by one, then a batch."""
    alone = min(200, len(many) // 2)
    calls = Calls(embedder)
    for one in many[:alone]:
        draft = one.draft()
        with calls.timed():
            agent.remember(**draft)  # type: ignore[arg-type]  # an essence and the fields of a draft
    spent, start = embedder.seconds, time.perf_counter()
    agent.remember_many([one.draft() for one in many[alone:]])
    batch = time.perf_counter() - start
    return {
        "remember_per_s": 1000 / calls.mean(),
        "remember_p50_ms": calls.whole(50),
        "remember_rest_p50_ms": calls.rest(50),
        "remember_many_per_s": (len(many) - alone) / batch,
        "remember_many_ratio": (embedder.seconds - spent) / batch,
    }
