"""What REST takes: many clients at once ask `reverie serve`, and a bare FastAPI route, in turns of one run.

Each client has one connection and waits for its answer before it asks again. They are one asyncio process that speaks
HTTP by hand, since a library's client takes longer than the server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil

from bench.children import ROOT, environment
from bench.filling import AGENT, KEY, MOST_EMBEDDED, bank, opened
from bench.invented import invent
from bench.report import rounded, show
from bench.timing import percentile

_MIB = 1 << 20
_WARM = 0.05
_ROUNDS = 4
_DISTINCT = 10_000  # requests until they come again: what is remembered again is no new memory
_BARE = """\
import sys, uvicorn
from fastapi import FastAPI
app = FastAPI()
@app.post("/v1/bare")
def bare(body: dict[str, str]) -> dict[str, str]:
    return body
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_config=None, access_log=False, http="h11")
"""
NOTES = {
    "p50_ms": "a request's time as its client sees it: of ten 6 recalls, 2 memories by id, 1 context, 1 remember",
    "recall_p50_ms": "of the recalls among them",
    "bare_p50_ms": "a route that returns its body, by as many clients, in turns",
    "rest_ratio": "p50_ms / bare_p50_ms",
    "errors": "answers that were no 2xx; wanted 0",
    "rss_growth_mb": "the server's memory after all requests, less that after the first twentieth",
    "rss_second_half_mb": "the part of it that came in the second half; flat from 200,000 requests on",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--n", type=int, default=10_000, help="memories in the bank (default 10,000)")
    parser.add_argument("--clients", type=int, default=50, help="connections at once (default 50)")
    parser.add_argument(
        "--requests", type=int, default=4_000, help="requests to Reverie in all (default 4,000)"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder that keeps built banks for later runs")


def run(
    json_output: bool = False, *, n: int = 10_000, clients: int = 50, requests: int = 4_000, seed: int = 1,
    keep: Path | None = None,
) -> dict[str, float]:  # fmt: skip
    """Measure, print, and give the metrics."""
    with tempfile.TemporaryDirectory(prefix="reverie-bench-") as folder:
        path = bank(Path(folder), n, seed, keep=keep)
        with opened(path) as reverie:
            ids = [one.id for one in reverie.agent(AGENT).memories(limit=200)]
        with served(path, Path(folder)) as (process, port, token), _bare() as bare_port:
            asked = _asked(requests, seed, ids, token)
            bare = [_request("POST", "/v1/bare", {"a": "b"}, "")] * (requests // _ROUNDS)
            server = psutil.Process(process.pid)
            warm = int(len(asked) * _WARM)
            first = asyncio.run(_loaded(port, asked[:warm], clients))
            done: list[tuple[str, int, float]] = []
            bares: list[tuple[str, int, float]] = []
            spent = bare_spent = 0.0
            sizes = [server.memory_info().rss]
            each = -(-(len(asked) - warm) // _ROUNDS)
            for begin in range(warm, len(asked), each):
                start = time.perf_counter()
                done += asyncio.run(_loaded(port, asked[begin : begin + each], clients))
                middle = time.perf_counter()
                bares += asyncio.run(_loaded(bare_port, bare, clients))
                spent, bare_spent = spent + middle - start, bare_spent + time.perf_counter() - middle
                sizes.append(server.memory_info().rss)
    seconds = [one[2] for one in done]
    metrics = rounded(
        {
            "n": n, "clients": clients, "requests": requests, "precomputed_vectors": int(n > MOST_EMBEDDED),
            "p50_ms": percentile(seconds, 50), "p95_ms": percentile(seconds, 95),
            "recall_p50_ms": percentile([one[2] for one in done if one[0] == "recall"], 50),
            "requests_per_s": len(done) / spent,
            "bare_p50_ms": percentile([one[2] for one in bares], 50),
            "bare_p95_ms": percentile([one[2] for one in bares], 95),
            "bare_requests_per_s": len(bares) / bare_spent,
            "rest_ratio": percentile(seconds, 50) / percentile([one[2] for one in bares], 50),
            "errors": sum(not 200 <= status < 300 for _, status, _ in (*first, *done, *bares)),
            "rss_mb": sizes[-1] / _MIB, "rss_growth_mb": (sizes[-1] - sizes[0]) / _MIB,
            "rss_second_half_mb": (sizes[-1] - sizes[_ROUNDS // 2]) / _MIB,
        }
    )  # fmt: skip
    show(f"REST with {n:,} memories and {clients} clients", metrics, json_output=json_output, notes=NOTES)
    return metrics


def _asked(requests: int, seed: int, ids: Sequence[str], token: str) -> list[tuple[str, bytes]]:
    """Return the requests in order, each with its kind."""
    invented = list(invent(seed + 2, 0, min(requests, 5_000)))
    root = f"/v1/banks/main/agents/{AGENT}"
    made = []
    for place in (one % _DISTINCT for one in range(requests)):
        one = invented[place % len(invented)]
        match place % 10:
            case 3 | 7:
                made.append(_request("GET", f"{root}/memories/{ids[place % len(ids)]}", None, token, "get"))
            case 5:
                made.append(_request("POST", f"{root}/context", {"task": one.question}, token, "context"))
            case 9:
                text = f"Note {place}: {one.question}"
                made.append(_request("POST", f"{root}/memories", {"text": text}, token, "remember"))
            case _:
                made.append(
                    _request("POST", f"{root}/memories/recall", {"query": one.question}, token, "recall")
                )
    return made


def _request(method: str, path: str, body: object, token: str, kind: str = "bare") -> tuple[str, bytes]:
    sent = b"" if body is None else json.dumps(body).encode()
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(sent)}\r\n"
    head += f"Content-Type: application/json\r\nAuthorization: Bearer {token}\r\n\r\n"
    return kind, head.encode() + sent


async def _loaded(
    port: int, asked: Sequence[tuple[str, bytes]], clients: int
) -> list[tuple[str, int, float]]:
    """Return kind, status and seconds of each request."""
    left = iter(asked)
    done: list[tuple[str, int, float]] = []

    async def client() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for kind, request in left:
            start = time.perf_counter()
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            lines = head.lower().split(b"\r\n")
            size = next((int(line[15:]) for line in lines if line.startswith(b"content-length:")), 0)
            await reader.readexactly(size)
            done.append((kind, int(head[9:12]), time.perf_counter() - start))
        writer.close()

    await asyncio.gather(*(client() for _ in range(clients)))
    return done


@contextmanager
def served(path: Path, folder: Path) -> Iterator[tuple[subprocess.Popen[str], int, str]]:
    """`reverie serve` on a bank: its process, its port, and a token that may do everything."""
    around = environment(REVERIE_BANK=str(path), REVERIE_KEY=KEY.hex())
    command = [
        sys.executable, "-m", "reverie", "serve", "--json", "--port", "0", "--no-loop", "--rate", "0", "--tokens",
        str(folder / "tokens.json"), "--allow-host", "127.0.0.1",
    ]  # fmt: skip
    with subprocess.Popen(command, env=around, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        text = "".join(iter(process.stdout.readline, "}\n")) + "}"
        said = json.loads(text)
        try:
            yield process, int(said["url"].rsplit(":", 1)[1]), said["token"]
        finally:
            process.terminate()
            process.wait(60)


@contextmanager
def _bare() -> Iterator[int]:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    with subprocess.Popen([sys.executable, "-c", _BARE, str(port)], cwd=ROOT) as process:
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.1)
        try:
            yield port
        finally:
            process.terminate()
            process.wait(60)
