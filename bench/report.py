"""What a command prints: the surroundings, a table, and with --json one flat object as the last line."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import reverie

LIBRARIES = ("numpy", "onnxruntime", "numkong", "apsw-sqlite3mc", "psycopg")


def versions() -> dict[str, str]:
    """What the figures hang on: interpreter, libraries, Reverie, processor."""
    found = {"reverie": reverie.__version__, "python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "not installed"
    found["processor"] = f"{_processor()}, {os.cpu_count()} cores"
    found["system"] = platform.platform(terse=True)
    return found


def show(
    title: str, metrics: Mapping[str, float], *, json_output: bool, notes: Mapping[str, str] | None = None
) -> None:
    """Prints the table; ``notes`` say what a metric means where its name doesn't."""
    _head(title)
    width = max(map(len, metrics), default=0)
    for name, value in metrics.items():
        note = (notes or {}).get(name, "")
        print(f"  {name:{width}}  {_figure(value):>12}  {note}".rstrip())
    if json_output:
        print(json.dumps(dict(metrics)), flush=True)


@dataclass(frozen=True, kw_only=True, slots=True)
class Target:
    """A figure that must reach ``least`` or stay within ``most``; one with neither is only told."""

    name: str
    what: str
    measured: float
    least: float | None = None
    most: float | None = None

    @property
    def verdict(self) -> str:
        """What was wanted, and whether it is so."""
        if self.least is not None:
            return f"wanted ≥ {self.least:g}: {'reached' if self.measured >= self.least else 'NOT REACHED'}"
        if self.most is not None:
            return f"wanted ≤ {self.most:g}: {'reached' if self.measured <= self.most else 'NOT REACHED'}"
        return "told, no target here"


def show_columns(title: str, columns: Mapping[str, Mapping[str, float]]) -> None:
    """Prints a table with a column for each thing compared; a metric that one of them lacks is a dash."""
    _head(title)
    rows = list(dict.fromkeys(metric for column in columns.values() for metric in column))
    width = max(map(len, rows), default=0)
    print(f"  {'':{width}}" + "".join(f"  {name:>12}" for name in columns))
    for metric in rows:
        figures = [_figure(column[metric]) if metric in column else "–" for column in columns.values()]
        print(f"  {metric:{width}}" + "".join(f"  {figure:>12}" for figure in figures))


def show_targets(targets: Iterable[Target]) -> None:
    """A line for each target, with its verdict."""
    for target in targets:
        print(f"  {target.what}: {target.measured:.4g} ({target.verdict})")
    print(flush=True)


def rounded(metrics: Mapping[str, float]) -> dict[str, float]:
    """Whole numbers as they are, the rest to five significant digits."""
    return {
        name: value if isinstance(value, int) else float(f"{value:.5g}") for name, value in metrics.items()
    }


def _head(title: str) -> None:
    print(f"\n{title}")
    print("  " + " · ".join(f"{name} {version}" for name, version in versions().items()))
    print(f"  load average {', '.join(f'{load:.2f}' for load in os.getloadavg())}\n")


def _figure(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
