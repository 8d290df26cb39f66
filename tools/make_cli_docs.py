"""Writes docs/cli.md from the command line's own --help. Run it when a command has changed."""

from __future__ import annotations

import io
import os
import re
import sys
from contextlib import redirect_stdout
from pathlib import Path
from unittest.mock import patch

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "cli.md"

_COLORS = re.compile(r"\x1b\[[0-9;]*m")
_INTRO = """# The command line

<!-- Written by tools/make_cli_docs.py from --help; a test compares them. -->

Results go to stdout; progress, messages and errors to stderr. With `--json` stdout is one JSON document: a list of what
a command lists (`list`, `sleeps`, `audit`, `summaries`, …), an object for what it does or shows (`sleep` gives
`{"sleeps": [report, …]}`, `sleeps` the records of the past ones, `diff` one report). An error is
`{"error": {"type": …, "message": …, "exit_code": …}}` on stderr. A command that reads makes no bank: a slip in
`--bank` is an error, and so is an empty `--bank` or `--agent`, as from a variable that isn't set.
A pipe that is closed early (`| head`) is no error, nor is a closed stream (`>&-`).

Times are shown in the agent's time zone with their offset, as `--since`, `--until` and `--as-of` read them; with
`--json` they are in UTC.

| exit code | means |
|---|---|
| 0 | done |
| 1 | nothing found, no such thing, or you said no |
| 2 | bad input or usage |
| 3 | the bank can't be opened, read or written: key, damage, busy, disk, server; `check` found faults |
| 130 | interrupted by Ctrl-C or SIGTERM; what was acknowledged is stored. A second signal ends it at once |
"""


def page() -> str:
    """The whole page."""
    from reverie.doors.cli.program import app

    commands: list[tuple[str, ...]] = [(str(command.name),) for command in app.registered_commands]
    for group in app.registered_groups:
        assert group.typer_instance is not None
        named = str(group.typer_instance.info.name)
        commands += [
            (named,),
            *((named, str(each.name)) for each in group.typer_instance.registered_commands),
        ]
    parts = [
        _INTRO,
        _section("reverie"),
        *(_section(" ".join(("reverie", *each)), *each) for each in commands),
    ]
    return "\n".join(parts)


def _section(title: str, *command: str) -> str:
    return f"## {title}\n\n```text\n{_help(*command)}\n```\n"


def _help(*command: str) -> str:
    from reverie.doors.cli import main

    raw = io.BytesIO()
    with (
        patch.dict(os.environ, {"COLUMNS": "100"}),
        redirect_stdout(io.TextIOWrapper(raw, encoding="utf-8")) as out,
    ):
        main([*command, "--help"])
        out.flush()
    text = _COLORS.sub("", raw.getvalue().decode())
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines()).strip("\n")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "src"))
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")
