"""scoped: the memories that concern a file."""

from __future__ import annotations

import os.path
from pathlib import Path
from typing import Annotated

import typer

from reverie.doors.cli import tables
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.verb import verb
from reverie.doors.cli.watch import Watch
from reverie.errors import InvalidInput

File = Annotated[
    str, typer.Argument(metavar="PATH", help="A file, as scopes name it: relative to the project's folder.")
]
Limit = Annotated[int, typer.Option("--limit", metavar="N", min=1, help="At most so many.")]


def register(app: typer.Typer) -> None:
    """Adds the command."""
    verb(app, "scoped")(scoped)


def scoped(door: Door, path: File, limit: Limit = 20) -> Code:
    """List the memories that concern a file.

    For example:
      reverie scoped src/reverie/client.py

    First those whose scope covers it, the most closely written first, then those that name it. An absolute
    path inside the current folder is read from there; nothing is looked up on disk. Exit code 1 if there is
    none.
    """
    with door.agent_opened() as agent:
        try:
            found = agent.scoped(_from_here(path), limit=limit)
        except InvalidInput as error:
            name = "PATH" if error.field == "path" else error.field
            raise InvalidInput(name, error.problem, error.remedy) from None
        if door.out.as_json:
            door.out.document(found)
        elif found:
            watch = Watch.of(agent)
            door.out.show(*(tables.item_lines(memory, watch) for memory in found))
        else:
            door.out.say("Nothing concerns this file.")
    return Code.DONE if found else Code.NOTHING


def _from_here(path: str) -> str:
    """An absolute path inside the current folder, by its text, relative to it."""
    if not Path(path).is_absolute():
        return path
    here, whole = Path.cwd(), Path(os.path.normpath(path))  # resolve() would follow links
    return str(whole.relative_to(here)) if whole.is_relative_to(here) else path
