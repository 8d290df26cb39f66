"""Whole-process times: a bare interpreter, `import reverie`, and `reverie recall` on a bank of n memories.

Each is the median of several processes started in turns, so that noise hits all alike; the system's file cache is warm.
Processor time is given beside: other work on the machine adds less to it.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import median

from bench.children import ROOT, environment
from bench.filling import AGENT, KEY, MOST_EMBEDDED, bank
from bench.invented import invent
from bench.report import rounded, show

# What the console script `reverie` does.
COMMAND_LINE = "import sys; from reverie.doors.cli import main; sys.exit(main())"
NOTES = {
    "cold_recall_s": "`reverie recall`, the whole process; wanted ≤ 1 at 10,000",
    "cold_recall_cpu_s": "the processor time of that",
    "bare_python_cpu_s": "the processor time of `python -c pass`",
    "import_reverie_s": "`python -c 'import reverie'`, the whole process; wanted ≤ 0.25",
    "bare_python_s": "`python -c pass`",
    "help_s": "`reverie --help`, the whole process",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--n", type=int, default=10_000, help="memories in the bank (default 10,000)")
    parser.add_argument("--runs", type=int, default=7, help="processes of each sort (default 7)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder that keeps built banks for later runs")


def run(
    json_output: bool = False, *, n: int = 10_000, runs: int = 7, seed: int = 1, keep: Path | None = None
) -> dict[str, float]:
    """Measure, print, and give the metrics."""
    with tempfile.TemporaryDirectory(prefix="reverie-bench-") as folder:
        path = bank(Path(folder), n, seed, keep=keep)
        around = environment(REVERIE_BANK=str(path), REVERIE_KEY=KEY.hex(), REVERIE_AGENT=AGENT)
        questions = [one.question for one in invent(seed + 2, 0, runs + 1)]
        _seconds([COMMAND_LINE, "recall", questions.pop()], around)
        codes = {
            "bare_python": ["pass"], "import_reverie": ["import reverie"], "help": [COMMAND_LINE, "--help"],
        }  # fmt: skip
        times: dict[str, list[tuple[float, float]]] = {name: [] for name in (*codes, "cold_recall")}
        for question in questions:
            for name, code in (codes | {"cold_recall": [COMMAND_LINE, "recall", question]}).items():
                times[name].append(_seconds(code, around))
    metrics = rounded(
        {
            "n": n,
            "seed": seed,
            "runs": runs,
            "precomputed_vectors": int(n > MOST_EMBEDDED),
            **{f"{name}_s": median(wall for wall, _ in values) for name, values in times.items()},
            "cold_recall_min_s": min(wall for wall, _ in times["cold_recall"]),
            **{
                f"{name}_cpu_s": median(spent for _, spent in times[name])
                for name in ("bare_python", "cold_recall")
            },
        }
    )
    show(f"Cold starts with {n:,} memories", metrics, json_output=json_output, notes=NOTES)
    return metrics


def _seconds(code: list[str], around: Mapping[str, str]) -> tuple[float, float]:
    """Return the seconds that a process takes, and its processor time."""
    start, before = time.perf_counter(), _spent()
    command = [sys.executable, "-c", *code]
    ended = subprocess.run(command, env=dict(around), cwd=ROOT, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - start
    if ended.returncode:
        raise SystemExit(f"{' '.join(code[1:]) or code[0]} failed:\n{ended.stderr}")
    return seconds, _spent() - before


def _spent() -> float:
    """Return the processor time of all processes that this one has waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
