"""export: one agent's bank as a file of JSON lines, for its owner alone."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from reverie.doors.cli import words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.private_file import private_file
from reverie.doors.cli.verb import verb


def register(app: typer.Typer) -> None:
    """Adds the command."""
    verb(app, "export")(export)


def export(
    door: Door,
    file: Annotated[
        str, typer.Argument(metavar="[FILE]", help="Where to; - is standard output.", show_default=False)
    ] = "-",
    vectors: Annotated[
        bool,
        typer.Option("--vectors", help="With the embeddings: larger, and an import needn't compute them."),
    ] = False,
    no_log: Annotated[
        bool, typer.Option("--no-log", help="Without the audit log and the records of sleeps.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it is there.")] = False,
) -> Code:
    """Write one agent's bank to a file that `reverie import` makes an equal bank of.

    For example:
      reverie export mama.jsonl --agent mama
      reverie export --no-log | grep '"type":"memory"'

    The file is plain text: all that was said and learned, readable by whoever has it. It is made for you
    alone (mode 0600), whole or not at all.
    """
    with door.agent_opened() as agent:
        lines = agent.export(log=not no_log, vectors=vectors)
        if file == "-":
            sys.stdout.flush()
            for _ in _counted(lines, sys.stdout.buffer):
                pass
            sys.stdout.buffer.flush()
            return Code.DONE
        with private_file(Path(file), overwrite=force) as stream:
            *_, end = _counted(lines, stream)
        counts = {name: count for name, count in _counts(end).items() if name != "reverie"}
        if door.out.as_json:
            door.out.document({"file": file, "agent_id": agent.id, "counts": counts})
        else:
            door.out.show(
                f"{file}: {words.counted(sum(counts.values()), 'line')} of agent {agent.id}"
                f" ({words.tally(counts)}); plain text, readable by you alone"
            )
    return Code.DONE


def _counted(lines: Iterable[Mapping[str, object]], stream: BinaryIO) -> Iterator[Mapping[str, object]]:
    """Writes the lines as they come."""
    for one in lines:
        stream.write(json.dumps(one, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
        yield one


def _counts(end: Mapping[str, object]) -> dict[str, int]:
    counts = end["counts"]
    assert isinstance(counts, dict)
    return counts
