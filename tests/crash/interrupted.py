"""Every command that writes, as a process that gets a signal; and a bank for them to write into."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from reverie.client import Reverie
from reverie.domain.settings import Settings, SleepSettings
from reverie.doors.cli import main

ROOT = Path(__file__).resolve().parents[2]
KEY = "5e" * 32
PATIENCE = 600
SLEEPY = Settings(sleep=SleepSettings(batch=20))

# Says when it has begun: what comes before is Python's own.
_CHILD = """
import os, signal
from reverie.doors.cli.process import process
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, signal.default_int_handler)
try:
    os.write(int(os.environ["BEGUN"]), b"begun")
    process()
except KeyboardInterrupt:
    os._exit(130)
"""

# {n}: how often it has been run; the others are names in ``Bank.names``
INTERRUPTED: Mapping[str, str] = {
    "init": "--bank {folder}/new-{n}.bank init --agent mama",
    "observe": "observe {big}",
    "remember": "remember Lived{n}",
    "forget": "forget --conversation chat-1 --yes",
    "sleep": "sleep",
    "revert": "revert {slept} --yes",
    "self-care": "self-care",
    "housekeeping": "housekeeping",
    "retry": "retry",
    "backfill": "backfill",
    "reembed": "reembed",
    "copy": "copy {bank} {folder}/copied.bank",
    "export": "export {folder}/out.jsonl --force --vectors",
    "import": "import {exported} --agent newcomer{n}",
    "backup": "backup {folder}/backup-{n}.bank",
    "link/adopt": "link adopt {linked} --yes",
    "link/revoke": "link revoke {linked} --yes",
    "recall": "recall Lisbon{n}",
    "worker": "worker --once",
}
"""Those that write by a path of their own."""
ALIKE = frozenset(
    """profile revise adopt approve night procedures/add procedures/record pause resume demo watch goals/add
    goals/complete goals/postpone goals/reopen soul/add soul/remove soul/show diary/add diary/remove relationships/add
    relationships/remove rooms/say link/request link/accept link/decline link/block link/unblock mcp open
    serve""".split()
)
"""Those that write once, as ``remember`` and ``forget`` do, or by the path of another."""
ENDLESS: Mapping[str, str] = {
    "watch": "watch {big}",
    "worker": "worker",
    "mcp": "mcp",
    "mcp http": "mcp --http --port 0",
    "serve": "serve --port 0",
    "open": "open --port 0",
}
READING = frozenset(
    """stats check show list scoped context window sleeps sleeps/list sleeps/show summaries summaries/list
    summaries/show audit goals goals/due goals/list procedures procedures/list procedures/show soul soul/list diary
    diary/show diary/list diary/search diary/month relationships relationships/show relationships/list
    relationships/history relationships/graph rooms rooms/list rooms/show llm llm/check link link/show link/list
    link/blocked postgres""".split()
)
ELSEWHERE = frozenset(
    """rekey postgres/init postgres/scour postgres/status postgres/move install uninstall daemon token token/create
    token/list token/revoke""".split()
)
"""Tested where their files and servers are: tests/crash/test_rekey.py, tests/store/test_postgres_schema.py,
tests/doors/test_install.py, tests/doors/test_hooks.py, tests/doors/test_serve.py.
"""


@dataclass(frozen=True, kw_only=True)
class Ended:
    """How a process ended."""

    code: int
    err: str


@dataclass(frozen=True, kw_only=True)
class Bank:
    """A bank of some age, and what is in it; ``url``: of its database, if it isn't a file of the folder."""

    folder: Path
    names: Mapping[str, str]
    url: str | None = None

    @property
    def where(self) -> str:
        """Its address."""
        return self.url or str(self.folder / "a.bank")

    @contextmanager
    def opened(self) -> Iterator[Reverie]:
        """The bank, in this process."""
        key = bytes.fromhex(KEY) if self.url is None else None
        with Reverie.open(self.where, key=key, settings=SLEEPY) as reverie:
            yield reverie

    def run(self, command: str, n: int, *, after: float, signals: Sequence[int]) -> Ended:
        """One command; after so many seconds from its beginning it gets the signals. Raises TimeoutExpired."""
        reading, writing = os.pipe()
        environment = {
            **os.environ,
            **self._environment(),
            "PYTHONPATH": str(ROOT / "src"),
            "BEGUN": str(writing),
        }
        with subprocess.Popen(
            [sys.executable, "-c", _CHILD, *self._words(command, n)],
            env=environment, pass_fds=(writing,), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        ) as process:  # fmt: skip
            os.close(writing)
            try:
                os.read(reading, 5)
                os.close(reading)
                try:
                    process.wait(after)
                except subprocess.TimeoutExpired:
                    for number in signals:
                        process.send_signal(number)
                err = process.communicate(timeout=PATIENCE)[1]
                return Ended(code=process.wait(PATIENCE), err=err.decode(errors="replace"))
            finally:
                process.kill()

    def run_here(self, command: str, n: int) -> Ended:
        """One command in this process, which has loaded everything."""
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            for name, value in self._environment().items():
                patch.setenv(name, value)
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
            code = main(self._words(command, n))
        err.seek(0)
        return Ended(code=code, err=err.read())

    def _words(self, command: str, n: int) -> Sequence[str]:
        return command.format(**self.names, folder=self.folder, bank=self.where, n=n).split()

    def _environment(self) -> Mapping[str, str]:
        key = {} if self.url else {"REVERIE_KEY": KEY}
        return {"REVERIE_BANK": self.where, "REVERIE_AGENT": "mama", "REVERIE_SLEEP_BATCH": "20", **key}


def aged(folder: Path, url: str | None = None) -> Bank:
    """A bank with something of everything, made in that folder, or in the database of that address."""
    bank = Bank(folder=folder, names={}, url=url)
    lines = [
        {"content": f"Message {n}: Anna moved to town {n} and likes it there", "ref": f"m{n}"}
        for n in range(300)
    ]
    big, exported = folder / "big.jsonl", folder / "exported.jsonl"
    big.write_text("\n".join(map(json.dumps, lines)))
    with bank.opened() as reverie:
        mama, kade = reverie.agent("mama"), reverie.agent("kade")
        for room in ("chat-1", "chat-2"):
            mama.observe(
                [f"I like town {n} of {room} better than my street" for n in range(20)], conversation=room
            )
        memory = mama.remember("Anna lives in Lisbon").memory
        for n in range(40):
            mama.remember(f"On day {n} Kade walked to harbour {n}", kind="observation")
        kade.remember_many([f"The keeper of light {n} has map {n}" for n in range(20)])
        mama.goals.add("Learn Portuguese")
        mama.soul.add("I ask before I guess")
        mama.diary.write("Kade kept his word", date="2026-05-13")
        mama.relationships.assign("Anna", "friend", 0.5)
        slept = mama.sleep()
        assert slept
        linked = mama.link.request("kade")
        kade.link.accept(linked.id)
    names = {"memory": memory.id, "slept": slept.sleep.id, "linked": linked.id}
    assert bank.run_here(f"export {exported}", 0).code == 0
    return replace(bank, names={**names, "big": str(big), "exported": str(exported)})


BOTH = (signal.SIGINT, signal.SIGTERM)
