"""What a coding agent waits for a hook: a prompt's context out of a bank of n memories, from a warm daemon.

Each hook is a process of its own, with its interpreter's start in the time. In turns with it, the same interpreter runs
`-c pass`: what no hook in Python can be faster than.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from bench.filling import KEY, bank
from bench.invented import invent
from bench.report import rounded, show
from bench.timing import percentile

NOTES = {
    "hook_p50_ms": "UserPromptSubmit, whole process; wanted ≤ 80 at 10,000 memories",
    "plain_python_ms": "`python -c pass` with the same interpreter, median, in turns with the hooks",
    "answered": "share of the hooks that brought a context",
    "tool_p50_ms": "PostToolUse, which is only handed over",
}
_WARM_SECONDS = 300.0
_SCRIPT = "import sys\nfrom reverie.doors.hooks.client import main\nsys.exit(main())\n"
"""What an installer writes as the program reverie-hook."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--n", type=int, default=10_000, help="memories in the bank (default 10,000)")
    parser.add_argument("--hooks", type=int, default=100, help="hooks to time (default 100)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder that keeps built banks for later runs")


def run(
    json_output: bool = False, *, n: int = 10_000, hooks: int = 100, seed: int = 1, keep: Path | None = None
) -> dict[str, float]:
    """Measure, print, and give the metrics."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        house = _House(folder, bank(folder, n, seed, keep=keep))
        try:
            house.warm()
            metrics: dict[str, float] = {"n": n, "hooks": hooks} | _timed(house, hooks, seed)
        finally:
            house.end()
    metrics = rounded(metrics)
    show(f"Hooks with {n:,} memories", metrics, json_output=json_output, notes=NOTES)
    return metrics


def _timed(house: _House, hooks: int, seed: int) -> dict[str, float]:
    asked, tools, plain, answered = [], [], [], 0
    for number, one in enumerate(invent(seed, 0, hooks)):
        took, out = house.fire("UserPromptSubmit", {"prompt": one.question}, session=f"s-{number}")
        asked.append(took)
        answered += bool(out)
        more = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": "ok"}
        tools.append(house.fire("PostToolUse", more, session=f"s-{number}")[0])
        plain.append(_process([sys.executable, "-c", "pass"], b"", house.env)[0])
    return {
        "hook_p50_ms": percentile(asked, 50), "hook_p95_ms": percentile(asked, 95),
        "tool_p50_ms": percentile(tools, 50), "plain_python_ms": percentile(plain, 50), "answered": answered / hooks,
    }  # fmt: skip


class _House:
    """A HOME of its own, with a program as installers write it."""

    def __init__(self, folder: Path, bank: Path) -> None:
        self._folder = folder
        self._script = folder / "reverie-hook"
        self._script.write_text(_SCRIPT, "utf-8")
        (folder / "run").mkdir(mode=0o700)
        given = {
            name: value for name, value in os.environ.items() if not name.startswith(("REVERIE_", "XDG_"))
        }
        self.env = given | {
            "HOME": str(folder), "XDG_RUNTIME_DIR": str(folder / "run"), "REVERIE_BANK": str(bank),
            "REVERIE_AGENT": "bench", "REVERIE_KEY": KEY.hex(),
        }  # fmt: skip

    def fire(
        self, event: str, fields: Mapping[str, object], *, session: str, deadline: float = 10.0
    ) -> tuple[float, bytes]:
        """Run a hook; return what it took and printed."""
        given = {"session_id": session, "cwd": str(self._folder), "hook_event_name": event, **fields}
        command = [sys.executable, str(self._script), "codex", event, "--deadline", str(deadline)]
        return _process(command, json.dumps(given).encode(), self.env)

    def warm(self) -> None:
        """Start the daemon, and wait until it answers."""
        until = time.monotonic() + _WARM_SECONDS
        while not self.fire("UserPromptSubmit", {"prompt": "What do you know of me?"}, session=str(until))[1]:
            if time.monotonic() > until:
                raise SystemExit("the daemon gives no context: see its log")
            until += 1e-6  # each time another session
            time.sleep(0.5)

    def end(self) -> None:
        """End the daemon."""
        for lock in self._folder.glob("run/reverie/*/lock"):
            if (process := lock.read_text("ascii").strip()).isdecimal():
                os.kill(int(process), signal.SIGTERM)
                while lock.read_text("ascii"):
                    time.sleep(0.05)


def _process(command: list[str], given: bytes, env: Mapping[str, str]) -> tuple[float, bytes]:
    start = time.perf_counter()
    ran = subprocess.run(command, input=given, capture_output=True, env=env, check=True)
    return time.perf_counter() - start, ran.stdout
