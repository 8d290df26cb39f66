"""How long each page takes in a large bank: until its HTML is there, and with --paint until Chromium paints it.

Pages come from a real `reverie serve`, each after the server has answered it once: what the first one loads stays.
"""

from __future__ import annotations

import argparse
import http.client
import importlib
import shutil
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import psutil

from bench.filling import AGENT, MOST_EMBEDDED, bank, opened
from bench.invented import invent
from bench.report import rounded, show
from bench.rest import served
from bench.timing import percentile

_HOME = f"/b/main/{AGENT}"
_PARTS = ("overview_numbers", "soul_portrait", "upkeep_state")
_TIMES = 5
_OUTSIDE = 40
_SAID = 60
NOTES = {
    "…_html_ms": "the middle of five requests for the page, after a first one",
    "…_cpu_ms": "the processor's time of the server a request, in steps of 2 ms; others' load matters less to it",
    "…_paint_ms": "first contentful paint in Chromium, from the click on; the middle of five; wanted at most 300",
    "worst_paint_ms": "of all pages",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--n", type=int, default=100_000, help="memories in the bank (default 100,000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--paint", action="store_true", help="in Chromium, too; needs Playwright and a chromium on the PATH"
    )
    parser.add_argument("--keep", type=Path, help="a folder that keeps built banks for later runs")


def run(
    json_output: bool = False,
    *,
    n: int = 100_000,
    seed: int = 1,
    paint: bool = False,
    keep: Path | None = None,
) -> dict[str, float]:
    """Measure, print, and give the metrics."""
    with tempfile.TemporaryDirectory(prefix="reverie-bench-") as folder:
        path = bank(Path(folder), n, seed, keep=keep)
        pages = _lived_in(path, seed)
        with served(path, Path(folder)) as (process, port, token):
            cookie, server = _login(port, token), psutil.Process(process.pid)
            html = {name: _html(server, port, cookie, _HOME + page) for name, page in pages.items()}
            painted = _paints(port, cookie, pages) if paint else {}
    metrics = rounded(
        {
            "n": n, "precomputed_vectors": int(n > MOST_EMBEDDED),
            **{f"{name}_html_ms": took for name, (took, _) in html.items()},
            **{f"{name}_cpu_ms": worked for name, (_, worked) in html.items()},
            **{f"{name}_paint_ms": took for name, took in painted.items()},
            **({"worst_paint_ms": max(painted.values())} if painted else {}),
        }
    )  # fmt: skip
    show(f"The pages of a bank with {n:,} memories", metrics, json_output=json_output, notes=NOTES)
    return metrics


def _lived_in(path: Path, seed: int) -> Mapping[str, str]:
    """Let somebody talk, let it sleep, let something come from outside; return the pages by name."""
    with opened(path) as reverie:
        mama = reverie.agent(AGENT)
        asked = [*invent(seed + 5, 0, _SAID + _OUTSIDE)]
        said = [{"speaker": "Anna", "content": one.text} for one in asked[:_SAID]]
        mama.observe(said, conversation="today")
        night = mama.sleep().sleep.id
        for one in asked[_SAID:]:
            mama.remember(one.text, source_trust="external")
        [memory] = mama.memories(limit=1)
        question = urlencode({"q": asked[0].question})
    return {
        "overview": "", "overview_numbers": "/numbers", "review": "/review", "memories": "/memories",
        "memories_search": f"/memories?{question}", "memory": f"/memories/{memory.id}",
        "conversations": "/conversations", "conversations_search": f"/conversations?{question}",
        "conversation": "/conversations/today", "nights": "/nights", "night": f"/nights/{night}",
        "context": f"/context?{urlencode({'task': asked[0].question})}", "soul": "/soul",
        "soul_portrait": "/soul/portrait", "diary": "/diary",
        "relationships": "/relationships", "links": "/links", "audit": "/audit", "upkeep": "/upkeep",
        "upkeep_state": "/upkeep/state", "tokens": "/tokens",
    }  # fmt: skip


def _login(port: int, token: str) -> str:
    """Return the cookie of a session that may do everything."""
    there = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    there.request("POST", "/login", urlencode({"token": token}), kind)
    answer = there.getresponse()
    answer.read()
    there.close()
    return str(answer.headers["set-cookie"]).partition(";")[0]


def _html(server: psutil.Process, port: int, cookie: str, path: str) -> tuple[float, float]:
    """Return the middle of the times that the page took, and the processor's time of one, in milliseconds."""
    there = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    seconds, before = [], 0.0
    for turn in range(1 + _TIMES):
        before = before if turn > 1 else _worked(server)
        start = time.perf_counter()
        there.request("GET", path, headers={"Cookie": cookie})
        answer = there.getresponse()
        answer.read()
        seconds.append(time.perf_counter() - start)
        if answer.status != 200:
            raise RuntimeError(f"{path} answered {answer.status}")
    there.close()
    return percentile(seconds[1:], 50), (_worked(server) - before) / _TIMES * 1000


def _worked(server: psutil.Process) -> float:
    spent = server.cpu_times()
    return float(spent.user + spent.system)


def _paints(port: int, cookie: str, pages: Mapping[str, str]) -> Mapping[str, float]:
    """Return first contentful paints."""
    browser = shutil.which("chromium")
    name, _, value = cookie.partition("=")
    whole = {
        one: page
        for one, page in pages.items()
        if one not in ("overview_numbers", "soul_portrait", "upkeep_state")
    }
    with importlib.import_module("playwright.sync_api").sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=browser)
        context = chromium.new_context()
        context.add_cookies([{"name": name, "value": value, "url": f"http://127.0.0.1:{port}"}])
        tab = context.new_page()
        found: dict[str, Sequence[float]] = {}
        for one, page in whole.items():
            found[one] = [_paint(tab, f"http://127.0.0.1:{port}{_HOME}{page}") for _ in range(1 + _TIMES)][1:]
        chromium.close()
    return {one: percentile(took, 50) for one, took in found.items()}


def _paint(tab: Any, url: str) -> float:
    tab.goto(url)
    entry = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
    while (painted := tab.evaluate(entry)) is None:  # the page lets no script of ours wait in it
        tab.wait_for_timeout(10)
    return float(painted) / 1000
