"""What a command prints: one result on stdout, everything else on stderr."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.domain.address import masked
from reverie.doors.cli.codes import Code, code_of, hint_for, option_of
from reverie.doors.cli.jsonable import jsonable
from reverie.errors import InvalidInput, ReverieError

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

Progress = Callable[[int, int], None]


class Output:
    """One command's two streams.

    With ``as_json``, stdout gets one document, and stderr errors as JSON and nothing else.
    """

    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json

    def document(self, value: object) -> None:
        """The result as one JSON document; plain ASCII where stdout can't carry more."""
        narrow = not (sys.stdout.encoding or "").lower().startswith("utf")
        sys.stdout.write(json.dumps(jsonable(value), ensure_ascii=narrow, indent=2) + "\n")

    def line(self, value: object) -> None:
        """One of several results as JSON on a line of its own, handed on at once."""
        narrow = not (sys.stdout.encoding or "").lower().startswith("utf")
        sys.stdout.write(json.dumps(jsonable(value), ensure_ascii=narrow) + "\n")
        sys.stdout.flush()

    def show(self, *parts: RenderableType) -> None:
        """Readable results. Where stdout is no terminal, lines are left whole for grep and the like."""
        console = _console()
        for part in parts:
            console.print(part, soft_wrap=not console.is_terminal and isinstance(part, str))

    @property
    def width(self) -> int:
        """Columns of the terminal, or what COLUMNS says; 80 where neither is known."""
        return _console().width

    def flush(self) -> None:
        """Hands on what was written to stdout so far."""
        sys.stdout.flush()

    def say(self, text: str) -> None:
        """A message beside the result."""
        if not self.as_json:
            _tell(text)

    def fail(self, kind: str, message: str, code: Code, **details: object) -> Code:
        """Says what went wrong and gives the code back. A password that came in with a URL is never repeated."""
        message = masked(message)
        if self.as_json:
            error = {"type": kind, "message": message, "exit_code": int(code), **details}
            _tell(json.dumps({"error": error}))
        else:
            _tell(f"reverie: {message}")
        return code

    def refuse(self, error: ReverieError) -> Code:
        """``fail`` for an error of ours."""
        details: dict[str, object] = {}
        message = str(error)
        if isinstance(error, InvalidInput):
            details = {"field": option_of(error), "problem": error.problem, "remedy": error.remedy}
            message = f"{details['field']}: {error.problem}; {error.remedy}"
        hint = hint_for(error)
        if hint:
            message = f"{message} ({hint})"
        return self.fail(type(error).__name__, message, code_of(error), **details)

    @contextmanager
    def progress(self, what: str, total: int) -> Iterator[Progress | None]:
        """A bar with its rate on stderr, where that is a terminal; else None."""
        if self.as_json or not sys.stderr.isatty() or not total:
            yield None
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (
            TextColumn(what),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(what, total=total, rate="")

            def advance(done: int, of: int) -> None:
                speed = bar.tasks[0].speed
                bar.update(task, completed=done, total=of, rate=f"{speed:,.0f}/s" if speed else "")

            yield advance


def prepare_streams() -> None:
    """Lets stdout and stderr print any text: what their encoding lacks comes as an escape instead of a crash.

    A stream that the caller closed (``>&-``) leads nowhere from now on.
    """
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is None:
            _occupy(number)
            nowhere = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115  # open to the end
            setattr(sys, name, nowhere)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def abandon_stdout() -> None:
    """After a broken pipe: the reader has gone, so what is left in the buffer goes nowhere, quietly."""
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def abandon_stdout_if_full() -> None:
    """After a failed write: what stdout doesn't take is given up, else it would fail again at the end."""
    try:
        sys.stdout.flush()
    except OSError:
        abandon_stdout()


def _occupy(number: int) -> None:
    """Keeps the number of a closed stream from being given to the next file opened, such as a bank."""
    try:
        os.fstat(number)
    except OSError:
        handle = os.open(os.devnull, os.O_RDWR)
        if handle != number:
            os.dup2(handle, number)
            os.close(handle)


def _tell(text: str) -> None:
    with suppress(OSError):  # where stderr takes nothing, there is nobody to tell
        sys.stderr.write(text + "\n")
        sys.stderr.flush()


def _console() -> Console:
    from rich.console import Console

    class Quiet(Console):
        """Leaves a broken pipe to us: rich would exit with code 1."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Quiet(markup=False, highlight=False, emoji=False)
