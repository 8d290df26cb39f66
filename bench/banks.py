"""Many open banks in one file: what they cost in memory above a single one, in a process of its own.

The banks are filled with clustered vectors, not embedded ones: nothing measured here depends on which vectors they are.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

from bench.children import said_by
from bench.filling import ClusteredEmbedder, fill, opened
from bench.invented import invent
from bench.report import rounded, show
from reverie.embedders.minilm import MiniLM

NOTES = {
    "rss_one_mb": "a process after 20 recalls in one bank, the model loaded",
    "rss_above_one_mb": "added by one recall in each of the others",
    "fill_per_s": "memories, vectors precomputed",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--banks", type=int, default=200, help="agents in the file (default 200)")
    parser.add_argument("--memories", type=int, default=500, help="memories in each bank (default 500)")
    parser.add_argument("--seed", type=int, default=1)


def run(
    json_output: bool = False, *, banks: int = 200, memories: int = 500, seed: int = 1
) -> dict[str, float]:
    """Measure, print, and give the metrics."""
    with tempfile.TemporaryDirectory(prefix="reverie-bench-") as folder:
        path = Path(folder) / "banks.bank"
        embedder = ClusteredEmbedder(MiniLM(), seed, banks * memories)
        start = time.perf_counter()
        with opened(path, embedder=embedder) as reverie:
            for place in range(banks):
                fill(reverie, f"agent-{place:05}", list(invent(seed, place * memories, memories)))
        filling = time.perf_counter() - start
        one, all_of_them = json.loads(said_by("bench.footprint", "encrypted", str(seed), bank=path))
        size = path.stat().st_size
    metrics = rounded(
        {
            "banks": banks,
            "memories_per_bank": memories,
            "seed": seed,
            "rss_one_mb": one,
            "rss_above_one_mb": all_of_them - one,
            "bytes_per_memory": size / (banks * memories),
            "fill_per_s": banks * memories / filling,
        }
    )
    show(f"{banks} open banks of {memories} memories", metrics, json_output=json_output, notes=NOTES)
    return metrics
