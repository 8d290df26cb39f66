"""Processes of our own: what must be measured from nothing, or at the same time as us."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from reverie.domain.address import is_server

ROOT = Path(__file__).resolve().parent.parent
_PLACE = "REVERIE_BENCH_PLACE"
"""Not an argument, since everybody may read those of a process, and a URL may hold a password."""


def environment(**more: str) -> dict[str, str]:
    """Ours, with this project and its source on the path of modules."""
    path = [str(ROOT), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path)), **more}


def place() -> Path | str:
    """In a child: the bank that it was started for."""
    told = os.environ[_PLACE]
    return told if is_server(told) else Path(told)


def module(name: str, *arguments: str, bank: Path | str) -> subprocess.Popen[str]:
    """Starts `python -m name`, to be talked to through its standard input and output."""
    return subprocess.Popen(
        [sys.executable, "-m", name, *arguments],
        env=environment(**{_PLACE: str(bank)}),
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def said_by(name: str, *arguments: str, bank: Path | str) -> str:
    """Runs `python -m name` to its end; what it printed. Raises CalledProcessError."""
    command = [sys.executable, "-m", name, *arguments]
    return subprocess.run(
        command,
        env=environment(**{_PLACE: str(bank)}),
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
