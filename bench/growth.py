"""How recall's time grows with the bank, as a picture: from what ``bench speed --json`` printed at several sizes.

    python -m bench speed --n 10000 --json | tail -1 > 10000.json        and so on for other sizes
    python -m bench growth --figures 10000.json 100000.json --png bench/growth.png

Drawing takes matplotlib, which nothing else here needs: install it where you run this.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

from bench.report import rounded, show

LIMITS = {10_000: 0.7, 100_000: 2.0, 1_000_000: 15.0}
"""The most that recall may take beside its embedding, by size, in embeddings."""

NOTES = {
    "steepest": "between two sizes: the growth of time by that of the bank, on logarithmic scales; 1 is linear",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--figures",
        type=Path,
        nargs="+",
        required=True,
        help="files with the last line of `bench speed --json`",
    )
    parser.add_argument("--png", type=Path, help="where to draw it")


def run(json_output: bool = False, *, figures: Sequence[Path], png: Path | None = None) -> dict[str, float]:
    """Read, draw, print, and give the ratios by size and the steepest growth."""
    runs = sorted((json.loads(path.read_text("utf-8")) for path in figures), key=lambda one: float(one["n"]))
    metrics = {f"ratio_at_{int(one['n'])}": float(one["rest_ratio_to_embedding"]) for one in runs}
    if len(runs) > 1:
        metrics["steepest"] = steepest(runs)
    if png is not None:
        _draw(runs, png)
    metrics = rounded(metrics)
    show("Growth of recall's time without the embedding", metrics, json_output=json_output, notes=NOTES)
    return metrics


def steepest(runs: Sequence[Mapping[str, float]]) -> float:
    """The greatest slope between neighbouring sizes, of time over size, both as logarithms."""
    points = [(math.log(one["n"]), math.log(one["recall_rest_p50_ms"])) for one in runs]
    return max((time - before) / (size - smaller) for (smaller, before), (size, time) in pairwise(points))


def _draw(runs: Sequence[Mapping[str, float]], png: Path) -> None:
    if find_spec("matplotlib") is None:
        raise SystemExit("drawing takes matplotlib, which isn't installed here: pip install matplotlib")
    import_module("matplotlib").use("Agg")
    pyplot = import_module("matplotlib.pyplot")
    figure, axes = pyplot.subplots(figsize=(7, 4.5), layout="constrained")
    sizes = [one["n"] for one in runs]
    for name, label in (("recall_rest_p50_ms", "p50"), ("recall_rest_p95_ms", "p95")):
        axes.plot(sizes, [one[name] for one in runs], marker="o", label=f"recall without embedding, {label}")
    axes.plot(
        sizes,
        [one["embed_query_p50_ms"] for one in runs],
        marker="s",
        linestyle=":",
        label="one query's embedding",
    )
    limits = [
        (one["n"], LIMITS[int(one["n"])] * one["embed_query_p50_ms"])
        for one in runs
        if int(one["n"]) in LIMITS
    ]
    axes.scatter(*zip(*limits, strict=True), marker="_", s=400, color="tab:red", label="wanted: p50 below")
    first = runs[0]
    axes.plot(
        sizes,
        [first["recall_rest_p50_ms"] * size / first["n"] for size in sizes],
        linestyle="--",
        color="grey",
        label="linear growth",
    )
    axes.set(
        xscale="log",
        yscale="log",
        xlabel="memories in the bank",
        ylabel="ms",
        title="Recall, encrypted, filtered",
    )
    axes.legend()
    figure.savefig(png, dpi=110)
