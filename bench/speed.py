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
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from bench import living, servers
from bench.children import said_by
from bench.filling import AGENT, MOST_EMBEDDED, Place, bank, build, opened
from bench.invented import MOST_KINDS, Invented, invent, topics
from bench.report import rounded, show
from bench.timing import Calls, TimedEmbedder
from reverie import Agent
from reverie.embedders.minilm import MiniLM

SLICE = 500
FEW = 10
"""So many recalls, then as many embeddings alone, in turns."""
NOTES = {
    "observe_ratio": "observe's throughput / the embedder's, in alternating slices; wanted ≥ 0.8",
    "remember_many_ratio": "remember_many's throughput / that of the embedder within it",
    "embed_query_p50_ms": "within a recall",
    "embed_alone_p50_ms": "one after the other, without recalls: the processor's caches hold the model then",
    "rest_ratio_to_embedding": "recall_rest_p50 / embed_query_p50; wanted ≤ 0.7, 2, 15 at 10,000, 100,000, 1,000,000",
    "open_ms": "open the file and load the bank's snapshot",
    "rss_mb": "a process with this bank open and the model loaded",
    "mixed_ratio": "mixed p95 / (3 × static p50 + 5 ms); wanted ≤ 1",
    "missed_writes": "acknowledged writes that a recall after them did not find; wanted 0",
    "precomputed_vectors": "1: the bank was filled with clustered vectors, not embedded ones",
    "recall_tagged_rest_p50_ms": "with a filter that few memories pass",
}
SERVER_NOTES = NOTES | {
    "observe_ratio": "observe's throughput / the embedder's, in alternating slices",
    "rest_ratio_to_embedding": "recall_rest_p50 / embed_query_p50",
    "open_ms": "connect and find the latest memory; there is no snapshot to load",
    "open_file_ms": "connect",
    "bytes_per_memory": "tables and indexes",
    "index_behind_s": "after the filling, until the approximate index held all of a large bank",
}
"""What the same figures mean on a server; the targets of a file don't hold there."""


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
    parser.add_argument(
        "--url",
        help="on this PostgreSQL instead, in databases that are dropped at the end; no --plain, no --keep",
    )


def run(
    json_output: bool = False, *, n: int = 10_000, mixed: bool = False, plain: bool = False, seed: int = 1,
    queries: int = 500, messages: int = 5000, keep: Path | None = None, url: str | None = None,
) -> dict[str, float]:  # fmt: skip
    """Measure, print, and give the metrics."""
    if url is not None and (plain or keep):
        raise SystemExit("--plain and --keep are about files: leave them out with --url")
    encrypted = not plain
    metrics: dict[str, float] = {"n": n, "seed": seed, "queries": queries, "messages": messages}
    metrics["precomputed_vectors"] = int(n > MOST_EMBEDDED)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="reverie-bench-")))
        if url is None:
            metrics["encrypted"] = int(encrypted)
            metrics |= observing(folder / "observe.bank", messages, seed, encrypted=encrypted)
            place: Place = bank(folder, n, seed, encrypted=encrypted, keep=keep)
        else:
            print(f"  server: {servers.settings(url)}")
            print('  left out: "encrypted", since what encrypts a server\'s disk is not ours', flush=True)
            with servers.database(url) as apart:
                metrics |= observing(apart.url, messages, seed, encrypted=encrypted)
            database = stack.enter_context(servers.database(url))
            place = database.url
            build(place, n, seed)
            with opened(place, embedder=MiniLM()) as reverie:
                metrics["index_behind_s"] = database.catch_up(reverie)
            database.settle()
        with opened(place, encrypted=encrypted) as reverie:
            metrics["bytes_per_memory"] = reverie.info().bytes / n
        metrics |= opening(place, encrypted=encrypted)
        told = said_by("bench.footprint", "encrypted" if encrypted else "plain", str(seed), bank=place)
        metrics["rss_mb"] = json.loads(told)[0]
        embedder = TimedEmbedder(MiniLM())
        with opened(place, encrypted=encrypted, embedder=embedder) as reverie:
            agent = reverie.agent(AGENT)
            metrics |= recalling(agent, embedder, list(invent(seed + 2, 0, queries + 20)))
            if mixed:
                metrics |= living.measure(
                    agent, embedder, place, rounds=queries, seed=seed, encrypted=encrypted
                )
                bound = 3 * metrics["static_recall_p50_ms"] + 5
                metrics["mixed_ratio"] = metrics["mixed_recall_p95_ms"] / bound
            metrics |= remembering(agent, embedder, list(invent(seed, n, min(n, 200) + min(n, 1000))))
    found = rounded(metrics)
    where, notes = ("", NOTES) if url is None else (" on PostgreSQL", SERVER_NOTES)
    show(f"Speed with {n:,} memories{where}", found, json_output=json_output, notes=notes)
    return found


def observing(place: Place, messages: int, seed: int, *, encrypted: bool) -> dict[str, float]:
    """Observe against the embedder alone on the same texts, slice by slice in turns, so that noise hits both."""
    model = MiniLM()
    model.embed(["warm", "up"] * 8)
    said = [one.message() for one in invent(seed + 1, 0, messages)]
    embedding = observed = 0.0
    with opened(place, encrypted=encrypted, embedder=model) as reverie:
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


def opening(place: Place, *, encrypted: bool, rounds: int = 3) -> dict[str, float]:
    """To the latest memory, which needs a file's snapshot but no model; the system's file cache is warm."""
    files, banks = [], []
    for _ in range(rounds):
        start = time.perf_counter()
        with opened(place, encrypted=encrypted) as reverie:
            files.append(time.perf_counter() - start)
            reverie.agent(AGENT).recall(strategy="temporal", limit=1)
            banks.append(time.perf_counter() - start)
    return {"open_ms": median(banks) * 1000, "open_file_ms": median(files) * 1000}


def recalling(agent: Agent, embedder: TimedEmbedder, asked: Sequence[Invented]) -> dict[str, float]:
    """Distinct recalls in a bank at rest and their embeddings alone, in turns."""
    warm, timed = asked[:20], asked[20:]
    for one in warm:
        agent.recall(one.question, kinds=MOST_KINDS)
    calls, alone, tagged = (Calls(embedder) for _ in range(3))
    for first in range(0, len(timed), FEW):
        some = timed[first : first + FEW]
        for one in some:
            with calls.timed():
                agent.recall(one.question, kinds=MOST_KINDS)
        for one in some:
            with alone.timed():
                embedder.embed_query(one.question)
    for place, one in enumerate(timed[: max(1, len(timed) // 5)]):
        with tagged.timed():
            agent.recall(one.question, tags=topics()[-1 - place % 5].name)
    return {
        "embed_query_p50_ms": calls.embedding(50),
        "embed_alone_p50_ms": alone.whole(50),
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
            agent.remember(draft.pop("essence"), **draft)  # type: ignore[arg-type]  # its fields
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
