"""Running the command line inside the test's process."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from reverie.doors.cli import main


@dataclass(frozen=True, kw_only=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """stdout as the one JSON document that it must be."""
        return json.loads(self.out)

    @property
    def error(self) -> Any:
        """The error that stands on stderr as JSON."""
        return json.loads(self.err)["error"]


class Cli:
    """Runs commands on one bank. The embedder is a cheap one, put in by the ``cli`` fixture."""

    def __init__(self, bank: Path, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self.bank = bank
        self._capsys = capsys
        self._patch = patch

    def __call__(self, *arguments: str, stdin: bytes | str = b"", terminal: bool = False) -> Ran:
        """One command with --bank and --agent mama, which come first so that a test may give its own."""
        return self.bare(
            "--bank", str(self.bank), "--agent", "mama", *arguments, stdin=stdin, terminal=terminal
        )

    def bare(self, *arguments: str, stdin: bytes | str = b"", terminal: bool = False) -> Ran:
        """One command with nothing added."""
        raw = stdin.encode() if isinstance(stdin, str) else stdin
        stream = io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8")
        with self._patch.context() as patch:
            patch.setattr(stream, "isatty", lambda: terminal)
            patch.setattr(sys, "stdin", stream)
            self._capsys.readouterr()
            code = main(arguments)
        said = self._capsys.readouterr()
        return Ran(code=code, out=said.out, err=said.err)

    def remember(self, essence: str, *arguments: str) -> str:
        """Keeps a memory and gives its id."""
        return str(self("remember", essence, *arguments, "--json").document["memory"]["id"])

    def observe(self, *messages: dict[str, object] | str) -> list[str]:
        """Stores messages and gives their ids, room after room."""
        lines = [json.dumps({"content": item} if isinstance(item, str) else item) for item in messages]
        ran = self("observe", "-", "--json", stdin="\n".join(lines))
        assert ran.code == 0, ran.err
        return [id for room in ran.document["rooms"] for id in room["outcome"]["episode_ids"]]
