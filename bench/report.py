"""What a command prints: the surroundings, a table, and with --json one flat object as the last line."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

import reverie

LIBRARIES = ("numpy", "onnxruntime", "numkong", "apsw-sqlite3mc")


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
    print(f"\n{title}")
    print("  " + " · ".join(f"{name} {version}" for name, version in versions().items()))
    print(f"  load average {', '.join(f'{load:.2f}' for load in os.getloadavg())}\n")
    width = max(map(len, metrics), default=0)
    for name, value in metrics.items():
        note = (notes or {}).get(name, "")
        print(f"  {name:{width}}  {_figure(value):>12}  {note}".rstrip())
    if json_output:
        print(json.dumps(dict(metrics)), flush=True)


def rounded(metrics: Mapping[str, float]) -> dict[str, float]:
    """Whole numbers as they are, the rest to five significant digits."""
    return {
        name: value if isinstance(value, int) else float(f"{value:.5g}") for name, value in metrics.items()
    }


def _figure(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
