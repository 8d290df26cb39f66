"""The test's side: processes to command, to wait for, and to kill; none outlives its test."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.crash.story import Step

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 300.0
"""Seconds after which a silent process is taken for one that hangs."""

Answer = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a bank and its key lie."""

    folder: Path

    @property
    def bank(self) -> Path:
        """The bank's file."""
        return self.folder / "test.bank"

    @property
    def key(self) -> Path:
        """The key file."""
        return self.folder / "keys" / "key"


class Child:
    """A process that obeys commands (see ``worker.Worker``)."""

    def __init__(self, pid: int, channel: socket.socket, fleet: Fleet) -> None:
        self.pid = pid
        self._channel, self._fleet = channel, fleet
        channel.settimeout(PATIENCE)
        self._lines = channel.makefile("r")
        self.code: int | None = None

    def send(self, *steps: Step) -> None:
        """Commands, without waiting for answers. A process that has died meanwhile hears nothing."""
        text = "".join(json.dumps(list(step)) + "\n" for step in steps)
        try:
            self._channel.sendall(text.encode())
        except (BrokenPipeError, ConnectionResetError):
            return

    def answer(self) -> Answer | None:
        """The next line; None if there is no more, since the process has died."""
        try:
            line = self._lines.readline()
        except ConnectionResetError:
            return None
        return json.loads(line) if line.endswith("\n") else None

    def ask(self, *step: str | int | float) -> Answer:
        """Sends one command and gives its answer, which must not be an error."""
        answer = self.try_to(*step)
        assert "error" not in answer, answer
        return answer

    def try_to(self, *step: str | int | float) -> Answer:
        """Sends one command and gives its answer, whatever it is."""
        self.send(step)  # type: ignore[arg-type]
        answer = self.answer()
        assert answer is not None, f"died during {step}"
        return answer

    def open(self, place: Place, busy_seconds: float = 30.0) -> Child:
        """Opens the bank there."""
        self.ask("open", str(place.bank), str(place.key), busy_seconds)
        return self

    def kill(self) -> None:
        """SIGKILL from outside. Safe: the pid is kept until ``wait``."""
        os.kill(self.pid, signal.SIGKILL)

    def answers_until_death(self) -> list[Answer]:
        """All answers to come, of a process that is to die by SIGKILL, and gets no more commands."""
        with suppress(OSError):
            self._channel.shutdown(socket.SHUT_WR)
        answers = []
        while (answer := self.answer()) is not None:
            answers.append(answer)
        assert self.wait() == -signal.SIGKILL
        return answers

    def wait(self) -> int:
        """How the process ended, once its channel is closed at either end."""
        if self.code is None:
            self.code = self._fleet.wait(self.pid)
        return self.code

    def end(self) -> None:
        """Asks the process to end by itself, and waits for it."""
        self._channel.shutdown(socket.SHUT_WR)
        while self.answer() is not None:
            pass
        assert self.wait() == 0

    def fileno(self) -> int:
        """For ``select``."""
        return self._channel.fileno()

    def close(self) -> None:
        """Kills it if it still lives."""
        if self.code is None:
            self.kill()
            self.wait()
        self._lines.close()
        self._channel.close()


class Fleet:
    """Starts processes. Ending it leaves none."""

    def __init__(self) -> None:
        self._orders, theirs = socket.socketpair()
        path = os.pathsep.join((str(ROOT), str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])))
        self._server = subprocess.Popen(
            [sys.executable, "-m", "tests.crash.worker", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            cwd=ROOT,
            # Threads of a library that a process starts at import don't live on in a fork.
            env={**os.environ, "PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        )
        theirs.close()
        self._orders.settimeout(PATIENCE)
        self._children: list[Child] = []

    def start(self, count: int = 1) -> Sequence[Child]:
        """Fresh processes."""
        return [self._start() for _ in range(count)]

    def _start(self) -> Child:
        ours, theirs = socket.socketpair()
        socket.send_fds(self._orders, [b"fork\n"], [theirs.fileno()])
        theirs.close()
        child = Child(self._number(), ours, self)
        self._children.append(child)
        return child

    def wait(self, pid: int) -> int:
        """How a process ended that has died or is about to."""
        self._orders.sendall(b"%d\n" % pid)
        return self._number()

    def _number(self) -> int:
        text = b""
        while not text.endswith(b"\n"):
            part = self._orders.recv(64)
            assert part, "the process that forks has died"
            text += part
        return int(text)

    def clear(self) -> None:
        """Ends what a test has started."""
        while self._children:
            self._children.pop().close()

    def close(self) -> None:
        """Ends everything."""
        self._orders.close()
        try:
            self._server.wait(timeout=PATIENCE)
        finally:
            self._server.kill()
            self._server.wait()


def ready(children: Sequence[Child]) -> list[Child]:
    """Those that have something to say, at least one."""
    spoken, _, _ = select.select(children, [], [], PATIENCE)
    assert spoken, "no process has said anything for long"
    return spoken
