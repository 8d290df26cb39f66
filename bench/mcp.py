"""What a tool call costs a host: `memory_recall` over stdio beside the client's own recall, in a bank of n memories.

Both are asked the same distinct questions in turns, each in its own process, so that noise hits both alike. Over stdio
the time runs from writing the request's line to reading the answer's.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.children import ROOT, environment
from bench.filling import AGENT, KEY, MOST_EMBEDDED, bank, opened
from bench.invented import invent
from bench.report import rounded, show
from bench.timing import percentile

BUDGET = 2_000
"""Of both, in tokens: `memory_recall`'s own."""
FEW = 10
_WARM = 10
_HELLO = {
    "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"},
}  # fmt: skip
NOTES = {
    "mcp_recall_p50_ms": "`memory_recall` over stdio, to the answer's line",
    "client_recall_p50_ms": "agent.recall with the same question, limit and budget",
    "mcp_ratio": "mcp_recall_p50_ms / client_recall_p50_ms; wanted ≤ 1.3",
    "mcp_start_ms": "from starting `reverie mcp` to the answer of initialize",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--n", type=int, default=10_000, help="memories in the bank (default 10,000)")
    parser.add_argument("--queries", type=int, default=200, help="distinct questions to time (default 200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder that keeps built banks for later runs")


def run(
    json_output: bool = False, *, n: int = 10_000, queries: int = 200, seed: int = 1, keep: Path | None = None
) -> dict[str, float]:
    """Measure, print, and give the metrics."""
    questions = [one.question for one in invent(seed + 2, 0, queries + _WARM)]
    times: dict[str, list[float]] = {"mcp_recall": [], "client_recall": []}
    with tempfile.TemporaryDirectory(prefix="reverie-bench-") as folder:
        path = bank(Path(folder), n, seed, keep=keep)
        start = time.perf_counter()
        with opened(path) as reverie, _server(path) as host:
            host.ask("initialize", _HELLO)
            started = time.perf_counter() - start
            host.tell("notifications/initialized")
            agent = reverie.agent(AGENT)
            for place, question in enumerate(questions):
                start = time.perf_counter()
                said = host.ask("tools/call", {"name": "memory_recall", "arguments": {"query": question}})
                middle = time.perf_counter()
                agent.recall(question, limit=FEW, max_tokens=BUDGET)
                end = time.perf_counter()
                if said.get("isError"):
                    raise SystemExit("memory_recall failed")
                if place >= _WARM:
                    times["mcp_recall"].append(middle - start)
                    times["client_recall"].append(end - middle)
    figures = {
        f"{name}_p{rank}_ms": percentile(seconds, rank)
        for name, seconds in times.items()
        for rank in (50, 95)
    }
    metrics = rounded(
        {
            "n": n, "seed": seed, "queries": queries, "precomputed_vectors": int(n > MOST_EMBEDDED), **figures,
            "mcp_ratio": figures["mcp_recall_p50_ms"] / figures["client_recall_p50_ms"],
            "mcp_start_ms": started * 1000,
        }
    )  # fmt: skip
    show(f"Tools over stdio with {n:,} memories", metrics, json_output=json_output, notes=NOTES)
    return metrics


class _Host:
    """A host's end of the pipes: a JSON-RPC message a line."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._asked = 0

    def tell(self, method: str, **more: object) -> None:
        """Send a message."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", "method": method, **more}) + "\n")
        self._process.stdin.flush()

    def ask(self, method: str, params: Mapping[str, object]) -> dict[str, Any]:
        """Send a request, and return its result."""
        self._asked += 1
        self.tell(method, id=self._asked, params=params)
        assert self._process.stdout is not None
        reply = json.loads(self._process.stdout.readline())
        result: dict[str, Any] = reply["result"]
        return result


@contextmanager
def _server(path: Path) -> Iterator[_Host]:
    around = environment(REVERIE_BANK=str(path), REVERIE_KEY=KEY.hex(), REVERIE_AGENT=AGENT)
    command = [sys.executable, "-m", "reverie", "mcp", "--no-loop"]
    with subprocess.Popen(
        command,
        env=around,
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        yield _Host(process)
        assert process.stdin is not None
        process.stdin.close()
        process.wait(60)
