"""A peer's process: its environment, made once in the user's cache, and the talk with it, one JSON line each way."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import platformdirs

_HERE = Path(__file__).parent


def environment(peer: str) -> Path:
    """The interpreter that has the peer's pinned packages; made, with pip and its index, where it isn't there yet.

    Raises CalledProcessError where pip fails.
    """
    pins = _HERE / peer / "requirements.txt"
    unhashed = pins.with_name("unhashed.txt")  # for packages whose wheels aren't the same on every machine
    listed = [path for path in (pins, unhashed) if path.exists()]
    mark = hashlib.sha256(b"".join(path.read_bytes() for path in listed)).hexdigest()[:12]
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
        if unhashed in listed:
            subprocess.run([*pip, "-r", unhashed], check=True)
        ready.touch()
    return python


class Ended(RuntimeError):
    """A peer's process ended unasked; what it said last is in the standard error."""


class Child:
    """A child process that is talked to. Raises Ended."""

    def __init__(self, command: Sequence[str | Path], first: dict[str, Any]) -> None:
        told = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "OPENAI"))}
        self._process = subprocess.Popen(
            command, env=told, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.ready = self._say(first)

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
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.wait(timeout=60)
        self._process.stdout.close()

    def _say(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(BrokenPipeError):  # then there is no answer either
            print(json.dumps(request), file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        if not line:
            raise Ended(f"the peer's process ended with {self._process.wait()}")
        answer: dict[str, Any] = json.loads(line)
        return answer


class Peer(Child):
    """A peer's process on a server (``bench/peers/NAME/child.py``)."""

    def __init__(self, name: str, url: str, folder: Path) -> None:
        # The address is no argument: whoever lists processes would read its password.
        super().__init__([environment(name), "-P", _HERE / name / "child.py", folder], {"url": url})
