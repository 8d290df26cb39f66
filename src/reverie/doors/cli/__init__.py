"""The command line: ``reverie``. Results go to stdout; progress, messages and errors to stderr."""

from __future__ import annotations

from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code (see ``codes``). ``arguments`` None: the process's own."""
    try:
        from reverie.doors.cli.program import run  # typer is loaded for a command, not for an import

        return run(arguments)
    except KeyboardInterrupt:  # before the command began
        return 130
