"""import: what `reverie export` wrote, into one agent's bank."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reverie.domain.imported import Counted, Imported, OnConflict
from reverie.doors.cli import tables, words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.observe import opened_file
from reverie.doors.cli.private_file import is_a_name
from reverie.doors.cli.verb import verb
from reverie.errors import InvalidInput

if TYPE_CHECKING:
    from reverie.client import Agent, Reverie

_COLUMNS = ("added", "known", "replaced", "kept", "forgotten", "left_out")


def register(app: typer.Typer) -> None:
    """Adds the command."""
    verb(app, "import")(import_)


def import_(
    door: Door,
    file: Annotated[str, typer.Argument(metavar="FILE", help="An export; - is standard input.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Change nothing; show what would be.")] = False,
    on_conflict: Annotated[
        str,
        typer.Option(
            "--on-conflict",
            metavar="RULE",
            help=f"What stays where both have an id and differ: {', '.join(OnConflict)}.",
        ),
    ] = OnConflict.REFUSE,
    untrusted: Annotated[
        bool,
        typer.Option("--untrusted", help="The file is not your own: what it says enters as external text."),
    ] = False,
) -> Code:
    """Bring an export into an agent's bank, all of it or nothing.

    For example:
      reverie import mama.jsonl --agent mama
      reverie import mama.jsonl --agent mama --dry-run --on-conflict newer
      reverie import somebodys.jsonl --agent guest --untrusted

    An agent that has never written becomes the exported one, under its new name. Into a bank that isn't
    empty only what is new enters: what is there stays, and what was forgotten there stays forgotten. Every
    line is checked before the first is stored; a bank that isn't there is made whole, or not at all.
    Import files of others with --untrusted alone: an export carries rules for the agent too.
    """
    with (
        opened_file(file, door, "lines that `reverie export` wrote") as stream,
        _opened(door, make=not dry_run) as agent,
        door.out.progress("embedding", 1) as advance,
    ):
        done = agent.import_bank(
            stream, on_conflict=on_conflict, untrusted=untrusted, dry_run=dry_run, on_progress=advance
        )
        _show(door, done)
    return Code.DONE


@contextmanager
def _opened(door: Door, *, make: bool) -> Iterator[Agent]:
    """The agent's bank. One that isn't there is made beside its name, and gets that with what was brought: else it
    would be another process's bank as well by the time that this import fails, and must go again.
    """
    path = door.path if make else None
    if path is None or path.exists() or not is_a_name(path):
        with door.agent_opened(make=make) as agent:
            yield agent
        return
    if door.bank is None:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _beside(door, path) as beside, beside.opened(make=True) as reverie:
        try:
            yield reverie.agent(door.agent_id)
        finally:
            if reverie.agents():
                _name(reverie, path)


@contextmanager
def _beside(door: Door, path: Path) -> Iterator[Door]:
    """The door to a draft; where there can be none, to the bank itself, which tells why."""
    from reverie.client import draft

    if not (path.parent.is_dir() and os.access(path.parent, os.W_OK | os.X_OK)):
        yield door
        return
    with draft(path) as place:
        yield replace(door, bank=str(place))


def _name(reverie: Reverie, path: Path) -> None:
    """The bank under its name, whole; whoever has made one of that name meanwhile keeps it. Raises InvalidInput."""
    try:
        reverie.backup(path)
    except InvalidInput:
        if not path.exists():
            raise
        raise InvalidInput(
            "--bank",
            f"another process made {path} meanwhile",
            "nothing was brought in: import into that bank",
        ) from None


def _show(door: Door, done: Imported) -> None:
    if door.out.as_json:
        door.out.document(done)
        return
    used = [name for name in _COLUMNS if any(getattr(one, name) for one in done.counts.values())]
    rows = [(kind, *_cells(one, used)) for kind, one in done.counts.items()]
    headings = ("", *(name.replace("_", " ") for name in used))
    if rows:
        door.out.show(*tables.fitting(headings, rows, door.out.width))
    said = "would change" if done.dry_run else "changed"
    place = f"agent {done.agent_id}" + (" (new)" if done.new else "")
    door.out.show(f"{words.counted(done.changed, 'line')} of {done.source}'s export {said} {place}")
    if done.embedded:
        door.out.say(f"{'to embed' if done.dry_run else 'embedded'}: {words.counted(done.embedded, 'text')}")
    if done.redacted:
        door.out.say(f"taken out of it: {words.tally(done.redacted)}")
    if any(one.forgotten for one in done.counts.values()):
        door.out.say("What was forgotten here on purpose does not come back by an import.")


def _cells(one: Counted, used: list[str]) -> list[str]:
    return [f"{getattr(one, name):,}" if getattr(one, name) else "" for name in used]
