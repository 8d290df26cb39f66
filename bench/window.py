"""How long a turn's window takes: of a long talk that nobody has summarized yet, once more, and grown by one message.

The bank is a file of n invented memories, the mind the built-in one, every message some hundred tokens long.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median

from bench.filling import AGENT, bank, opened
from bench.invented import invent
from bench.report import rounded, show
from reverie.domain.episode import Episode
from reverie.minds.local import LocalMind
from reverie.services.prompt.window import window
from reverie.services.runtime.desk import Desk

_SENTENCES = 3
_WINDOW = 100_000
NOTES = {
    "first_s": "nothing of the talk is summarized yet",
    "first_calls": "calls of the mind then",
    "again_p50_ms": "the same talk once more: every summary is there",
    "again_calls": "calls of the mind then; wanted 0",
    "grown_p50_ms": "one message more each time",
    "grown_calls": "calls of the mind in all those",
    "talk_tokens": "of the whole talk, by the built-in estimate",
    "window_tokens": "of the window",
}


class _Counting(LocalMind):
    """The built-in mind, and how often it was asked to compress."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.embedder)
        self.calls = 0

    def compress(self, messages: Sequence[Episode], *, so_far: str | None, max_tokens: int) -> str:
        self.calls += 1
        return super().compress(messages, so_far=so_far, max_tokens=max_tokens)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--n", type=int, default=1_000, help="memories in the bank (default 1,000)")
    parser.add_argument("--messages", type=int, default=500, help="of the talk (default 500)")
    parser.add_argument("--turns", type=int, default=40, help="windows of each sort to time (default 40)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder that keeps built banks for later runs")


def run(
    json_output: bool = False, *, n: int = 1_000, messages: int = 500, turns: int = 40, seed: int = 1,
    keep: Path | None = None,
) -> dict[str, float]:  # fmt: skip
    """Measure, print, and give the metrics."""
    talk = _talk(seed + 1, messages + turns)
    with tempfile.TemporaryDirectory(prefix="reverie-bench-") as folder:
        path = bank(Path(folder), n, seed, keep=keep)
        with opened(path) as reverie:
            desk = reverie._desk  # noqa: SLF001  # a mind that counts is put in
            mind = _Counting(desk)
            desk = replace(desk, mind=mind)
            desk.embedder.embed_query("the model is loaded before anything is timed")
            first, tokens = _timed(desk, talk[:messages])
            calls = [mind.calls]
            again = [_timed(desk, talk[:messages])[0] for _ in range(turns)]
            calls.append(mind.calls)
            grown = [_timed(desk, talk[: messages + more + 1])[0] for more in range(turns)]
            calls.append(mind.calls)
            whole = sum(desk.tokens(message["content"]) for message in talk[:messages])
    metrics = rounded(
        {
            "n": n, "seed": seed, "messages": messages, "talk_tokens": whole, "window_tokens": tokens,
            "first_s": first, "first_calls": calls[0],
            "again_p50_ms": 1e3 * median(again), "again_calls": calls[1] - calls[0],
            "grown_p50_ms": 1e3 * median(grown), "grown_max_ms": 1e3 * max(grown),
            "grown_calls": calls[2] - calls[1],
        }
    )  # fmt: skip
    title = f"A window of {_WINDOW:,} tokens of {messages:,} messages, {n:,} memories"
    show(title, metrics, json_output=json_output, notes=NOTES)
    return metrics


def _talk(seed: int, count: int) -> list[dict[str, str]]:
    said = [one.text for one in invent(seed, 0, _SENTENCES * count)]
    return [
        {
            "role": ("user", "assistant")[number % 2],
            "content": " ".join(said[_SENTENCES * number : _SENTENCES * (number + 1)]),
        }
        for number in range(count)
    ]


def _timed(desk: Desk, messages: Sequence[dict[str, str]]) -> tuple[float, int]:
    start = time.perf_counter()
    made = window(desk, AGENT, messages, max_tokens=_WINDOW, system="You are Mama.")
    return time.perf_counter() - start, made.token_count
