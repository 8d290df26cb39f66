"""A user's house with hooks as processes of their own: an empty HOME, the daemon, and what fires at it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reverie.doors.hooks import spool

PATIENCE = "30"
"""Seconds that a test lets a hook wait: machines that test have other things to do."""


class House:
    """Runs hooks in a HOME of its own, and ends its daemon when it is left."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.home = folder / "home"
        self.home.mkdir(parents=True)
        runtime = folder / "run"
        runtime.mkdir(mode=0o700)
        self.env = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("REVERIE_", "XDG_", "CLAUDE", "CODEX"))
        } | {
            "HOME": str(self.home),
            "XDG_RUNTIME_DIR": str(runtime),
            "REVERIE_REMEMBER_EMOTIONS": "false",
            **settings,
        }
        self.state = self.home / ".local/state/reverie/hooks/main"
        self.lock = runtime / "reverie/main/lock"

    @property
    def log(self) -> str:
        """What the log says."""
        path = self.state / "log"
        return path.read_text("utf-8") if path.exists() else ""

    def start(
        self, host: str, given: Mapping[str, Any] | bytes, *options: str, event: str | None = None
    ) -> subprocess.Popen[bytes]:
        """Start one hook, as its host does."""
        body = given if isinstance(given, bytes) else json.dumps(given).encode()
        name = event or ("Stop" if isinstance(given, bytes) else str(given["hook_event_name"]))
        command = [sys.executable, "-m", "reverie.doors.hooks.client", host, name, *options]
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=self.env)
        assert process.stdin is not None
        process.stdin.write(body)
        process.stdin.close()
        process.stdin = None
        return process

    def fire(
        self, host: str, given: Mapping[str, Any] | bytes, *options: str, event: str | None = None
    ) -> bytes:
        """Run one hook: it ends with code 0, whatever comes. Return what it prints."""
        return said(self.start(host, given, *options, event=event))

    def reverie(self, *arguments: str) -> Any:
        """Run a command of ours; return its JSON."""
        command = [sys.executable, "-m", "reverie", *arguments, "--json"]
        ran = subprocess.run(command, capture_output=True, env=self.env, check=False, timeout=120)
        return json.loads(ran.stdout) if ran.stdout else None

    def waiting(self) -> list[str]:
        """Return the ids of what is in the spool."""
        return spool.waiting(str(self.state / "spool"))

    def settle(self, seconds: float = 60.0) -> None:
        """Wait until the daemon has taken what is in the spool."""
        until = time.monotonic() + seconds
        while self.waiting():
            assert time.monotonic() < until, self.log
            time.sleep(0.05)

    def daemon(self) -> int | None:
        """Return the daemon's process id; None where there is none."""
        said_it = self.lock.read_text("ascii") if self.lock.exists() else ""
        return int(said_it) if said_it else None

    def end(self, number: signal.Signals = signal.SIGTERM) -> None:
        """End the daemon, and wait for it."""
        process = self.daemon()
        until = time.monotonic() + 60
        while process is not None and _lives(process):
            os.kill(process, number)
            time.sleep(0.1)
            assert time.monotonic() < until, self.log

    def __enter__(self) -> House:
        return self

    def __exit__(self, *_: object) -> None:
        self.end(signal.SIGKILL)


def said(process: subprocess.Popen[bytes]) -> bytes:
    """Wait for a hook: code 0, and nothing on stderr. Return what it prints."""
    out, err = process.communicate(timeout=120)
    assert (process.returncode, err) == (0, b"")
    return out


def _lives(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        try:
            os.kill(process, 0)
        except OSError:
            return False
        return not Path("/proc/self").exists()
    return state != "Z"
