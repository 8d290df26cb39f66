"""What the core weighs once installed: files of the pinned run-time packages that are installed here, and our own.

Bytecode isn't counted; the tools that install the project (the build back end and what it brings) are counted apart.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from bench.report import rounded, show

ROOT = Path(__file__).resolve().parent.parent
BUILD_ONLY = frozenset({"editables", "hatchling", "pathspec", "pluggy", "tomlkit", "trove-classifiers"})
_PIN = re.compile(r"^([A-Za-z0-9_.\-]+)==", re.MULTILINE)


def add_arguments(_parser: argparse.ArgumentParser) -> None:
    """No options of its own."""


def run(json_output: bool = False) -> dict[str, float]:
    """Measure, print, and give the metrics, in MB (10^6 bytes)."""
    names = sorted(set(_PIN.findall((ROOT / "requirements" / "run.txt").read_text("utf-8"))) - BUILD_ONLY)
    sizes = {name: size for name in names if (size := _installed(name)) is not None}
    sizes["reverie"] = _of(path for path in (ROOT / "src" / "reverie").rglob("*"))
    metrics: dict[str, float] = {"core_mb": sum(sizes.values()), "packages": len(sizes)}
    metrics |= {f"{name}_mb": size for name, size in sorted(sizes.items(), key=lambda item: -item[1])}
    metrics = rounded(metrics)
    show("the core, installed", metrics, json_output=json_output, notes={"core_mb": "wanted ≤ 250"})
    return metrics


def _installed(name: str) -> float | None:
    """MB of an installed package's files; None for one that this platform doesn't need."""
    try:
        files = distribution(name).files or []
    except PackageNotFoundError:
        return None
    return _of(Path(str(file.locate())) for file in files)


def _of(paths: Iterable[Path]) -> float:
    return sum(path.stat().st_size for path in paths if path.is_file() and path.suffix != ".pyc") / 1e6
