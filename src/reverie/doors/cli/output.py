"""What a command prints: one result on stdout, everything else on stderr."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.domain.address import masked
from reverie.domain.query import EpisodeHit, MemoryHit
from reverie.doors.cli.codes import Code, code_of, hint_for
from reverie.errors import InvalidInput, ReverieError

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

Progress = Callable[[int, int], None]
_DEAF = dict.fromkeys((7, 8, 11, 12, 13))
"""Bell, backspace, vertical tab, form feed and carriage return, which rich strips, too."""


class Output:
    """One command's two streams.

    With ``as_json``, stdout gets one document, and stderr errors as JSON and nothing else.
    """

    def __init__(self, *, as_json: bool) -> None:
        self.as_json = as_json

    def document(self, value: object) -> None:
        """Print the result as one JSON document."""
        sys.stdout.write(_json(value, indent=2) + "\n")

    def line(self, value: object) -> None:
        """Print one of several results as JSON on a line of its own, and flush it."""
        sys.stdout.write(_json(value) + "\n")
        sys.stdout.flush()

    def show(self, *parts: RenderableType) -> None:
        """Print readable results. Where stdout is no terminal, lines stay whole for grep and the like."""
        for part in parts:
            if isinstance(part, str) and not sys.stdout.isatty():  # rich would take 0.1 s to load for it
                sys.stdout.write(part.translate(_DEAF) + "\n")
            else:
                _console().print(part)

    @property
    def width(self) -> int:
        """Columns of the terminal, or what COLUMNS says; 80 where neither is known."""
        return _console().width

    def flush(self) -> None:
        """Flush stdout."""
        sys.stdout.flush()

    def say(self, text: str) -> None:
        """Print a message beside the result, on stderr."""
        if not self.as_json:
            _tell(text)

    def fail(self, kind: str, message: str, code: Code, **details: object) -> Code:
        """Say what went wrong and return the code. A password that came in with a URL is never repeated."""
        message = masked(message)
        if self.as_json:
            error = {"type": kind, "message": message, "exit_code": int(code), **details}
            _tell(json.dumps({"error": error}))
        else:
            _tell(f"reverie: {message}")
        return code

    def refuse(self, error: ReverieError, field: Callable[[str], str] = str) -> Code:
        """``fail`` for an error of ours. ``field`` turns the name of a field into the option that it came in by."""
        details: dict[str, object] = {}
        message = str(error)
        if isinstance(error, InvalidInput):
            details = {"field": field(error.field), "problem": error.problem, "remedy": error.remedy}
            message = f"{details['field']}: {error.problem}; {error.remedy}"
        hint = hint_for(error)
        return self.fail(
            type(error).__name__, f"{message} ({hint})" if hint else message, code_of(error), **details
        )

    @contextmanager
    def progress(self, what: str, total: int = 1) -> Iterator[Progress | None]:
        """Show a bar with its rate on stderr, where that is a terminal; else yield None."""
        if self.as_json or not sys.stderr.isatty() or not total:
            yield None
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        rate = TextColumn("{task.fields[rate]}")
        columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(what, total=total, rate="")

            def advance(done: int, of: int) -> None:
                speed = bar.tasks[0].speed
                bar.update(task, completed=done, total=of, rate=f"{speed:,.0f}/s" if speed else "")

            yield advance


def jsonable(value: object) -> object:
    """Return a domain value as a JSON value: dataclasses as objects with their fields' names, times as ISO 8601 in UTC,
    sets sorted, tuples as lists.
    """
    match value:
        case Enum():
            return jsonable(value.value)
        case None | bool() | int() | float() | str():
            return value
        case datetime():
            return value.isoformat()
        case MemoryHit() | EpisodeHit():
            return _hit(value)
        case Mapping():
            return {str(key): jsonable(item) for key, item in value.items()}
        case frozenset() | set():
            return sorted((jsonable(item) for item in value), key=str)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: jsonable(getattr(value, field.name)) for field in fields(value)}
    return [jsonable(item) for item in value] if isinstance(value, Iterable) else str(value)


def prepare_streams() -> None:
    """Let stdout and stderr print any text: what their encoding lacks comes as an escape instead of a crash.

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
    """Drop what is left in the buffer of stdout, after a broken pipe."""
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def abandon_stdout_if_full() -> None:
    """Drop what stdout doesn't take, after a failed write: else it would fail again at the end."""
    try:
        sys.stdout.flush()
    except OSError:
        abandon_stdout()


def _json(value: object, *, indent: int | None = None) -> str:
    """Return JSON, as plain ASCII where stdout can't carry more."""
    narrow = not (sys.stdout.encoding or "").lower().startswith("utf")
    return json.dumps(jsonable(value), ensure_ascii=narrow, indent=indent)


def _hit(hit: MemoryHit | EpisodeHit) -> dict[str, object]:
    names = ("id", "text", "score", "relevance", "terms")
    common = {name: jsonable(getattr(hit, name)) for name in names}
    if isinstance(hit, MemoryHit):
        summary = {} if hit.summary is None else {"summary": jsonable(hit.summary)}
        return {**common, "refs": list(hit.refs), **summary, "memory": jsonable(hit.memory)}
    return {**common, "ref": hit.ref, "episode": jsonable(hit.episode)}


def _occupy(number: int) -> None:
    """Keep the number of a closed stream from being given to the next file opened, such as a bank."""
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
