"""A peer's process: its environment, made once in the user's cache, and the talk with it, one JSON line each way."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import platformdirs

_HERE = Path(__file__).parent


def environment(peer: str) -> Path:
    """The interpreter that has the peer's pinned packages; made, with pip and its index, where it isn't there yet.

    Raises CalledProcessError where pip fails.
    """
    pins = _HERE / peer / "requirements.txt"
    mark = hashlib.sha256(pins.read_bytes()).hexdigest()[:12]
    cache = Path(os.environ.get("REVERIE_BENCH_CACHE") or platformdirs.user_cache_path("reverie-bench"))
    folder = cache / f"{peer}-{mark}-{sys.version_info.major}.{sys.version_info.minor}"
    ready = folder / "ready"
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not ready.exists():
        print(f"  installing {peer} into {folder}", flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--require-hashes", "--no-deps", "-r", pins], check=True)
        ready.touch()
    return python


class Peer:
    """A peer's child process (``bench/peers/NAME/child.py``). Raises RuntimeError where it ends unasked."""

    def __init__(self, name: str, url: str, folder: Path) -> None:
        told = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "OPENAI"))}
        self._process = subprocess.Popen(
            [environment(name), "-P", _HERE / name / "child.py", folder],
            env=told,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._say({"url": url})  # no argument: whoever lists processes would read its password

    def ask(self, do: str, **arguments: Any) -> dict[str, Any]:
        """One request and its answer."""
        return self._say({"do": do, **arguments})

    def seconds(self, do: str, **arguments: Any) -> Sequence[float]:
        """The times in the answer."""
        found: Sequence[float] = self.ask(do, **arguments)["seconds"]
        return found

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=60)
        self._process.stdout.close()

    def _say(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(request), file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the peer's process ended with {self._process.wait()}")
        answer: dict[str, Any] = json.loads(line)
        return answer
