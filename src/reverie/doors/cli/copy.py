"""copy: agents, whole, into another file or database, engine to engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reverie.domain.outcome import Copied
from reverie.doors.cli import options, tables, words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.verb import verb
from reverie.errors import InvalidInput

if TYPE_CHECKING:
    from reverie.client import Reverie

_SOURCE = "The source's key"
_TARGET = "The destination's key"


@dataclass(frozen=True, kw_only=True)
class Keys:
    """Where each side's key lies; the client's own default where nothing is given."""

    source_key_file: Annotated[
        Path | None,
        typer.Option(
            "--source-key-file",
            metavar="PATH",
            help="Where it lies. Default: REVERIE_KEY, or your key file.",
            rich_help_panel=_SOURCE,
        ),
    ] = None
    source_keyring: Annotated[
        bool,
        typer.Option("--source-keyring", help="It lies in the system's keyring.", rich_help_panel=_SOURCE),
    ] = False
    source_unencrypted: Annotated[
        bool,
        typer.Option("--source-unencrypted", help="A plain SQLite file, no key.", rich_help_panel=_SOURCE),
    ] = False
    dest_key_file: Annotated[
        Path | None,
        typer.Option(
            "--dest-key-file",
            metavar="PATH",
            help="Where it lies, or is made for a new file. Default: REVERIE_KEY, or your key file.",
            rich_help_panel=_TARGET,
        ),
    ] = None
    dest_keyring: Annotated[
        bool,
        typer.Option("--dest-keyring", help="It lies in the system's keyring.", rich_help_panel=_TARGET),
    ] = False
    dest_unencrypted: Annotated[
        bool,
        typer.Option("--dest-unencrypted", help="A plain SQLite file, no key.", rich_help_panel=_TARGET),
    ] = False


def register(app: typer.Typer) -> None:
    """Adds the command."""
    verb(app, "copy", shared=("as_json",))(copy)


def copy(
    door: Door,
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="A bank file, or a postgresql:// URL.")],
    destination: Annotated[
        str, typer.Argument(metavar="DEST", help="Another; a file is made if there is none.")
    ],
    keys: Keys,
    agents: Annotated[
        options.Names,
        typer.Option("--agent", metavar="ID", help="Only this agent; may be repeated. Default: all."),
    ] = None,
) -> Code:
    """Copy agents, whole, into another bank file or database.

    For example:
      reverie copy reverie.bank backup.bank
      reverie copy reverie.bank postgresql://db.example/memory
      reverie copy postgresql://db.example/memory mama.bank --agent mama

    Vectors are copied, not computed anew. Every table is compared, by counts and checksums, before an
    agent appears at DEST. If it is interrupted, run it again: it goes on where it was. The source stays
    as it is; what is written there later is not copied.
    """
    _check_shared(door)
    for argument, where in (("SOURCE", source), ("DEST", destination)):
        if not where.strip():
            raise InvalidInput(argument, "it is empty", "give the path of a bank file or a postgresql:// URL")
    came_from = _opening("source", keys.source_key_file, keys.source_keyring, keys.source_unencrypted)
    goes_to = _opening("dest", keys.dest_key_file, keys.dest_keyring, keys.dest_unencrypted)
    chosen = agents if agents is not None else ([door.agent] if door.agent is not None else None)
    from reverie.client import Reverie

    with Reverie.open(source, create=False, actor="cli", **came_from) as old:
        for agent_id in chosen or ():  # before a file is made for nothing
            if agent_id not in old.agents():
                raise InvalidInput(
                    "agents", f"the source has no agent {agent_id!r}", "choose from its agents"
                )
        with Reverie.open(destination, actor="cli", **goes_to) as new:
            with door.out.progress("copying", 1) as advance:
                copied = old.copy_to(new, agents=chosen, on_progress=advance)
            _show(door, old, new, copied)
            if copied and old.info().encrypted and not new.info().encrypted:
                door.out.say(
                    "Reverie encrypts nothing at the destination: there these agents lie as plain rows."
                )
            door.out.flush()
    return Code.DONE


def _check_shared(door: Door) -> None:
    """Raises InvalidInput for options before the command that don't say which of the two banks they mean."""
    if door.bank is not None:
        raise InvalidInput("--bank", "copy has two banks", "name them behind the command: SOURCE DEST")
    for name, given in (("unencrypted", door.unencrypted), ("keyring", door.keyring)):
        if given:
            raise InvalidInput(
                f"--{name}", "copy has two banks", f"give --source-{name} or --dest-{name}, or both"
            )


def _opening(side: str, key_file: Path | None, keyring: bool, unencrypted: bool) -> Mapping[str, Any]:
    if sum((key_file is not None, keyring, unencrypted)) > 1:
        raise InvalidInput(
            f"--{side}-key-file", "it is one of several ways that were given", "give at most one a side"
        )
    if unencrypted:
        return {"encrypted": False}
    return {"key": "keyring" if keyring else key_file}


def _show(door: Door, old: Reverie, new: Reverie, copied: Sequence[Copied]) -> None:
    if door.out.as_json:
        door.out.document({"source": old.info().where, "destination": new.info().where, "agents": copied})
        return
    if not copied:
        door.out.show("The source has no agents: there was nothing to copy.")
        return
    rows = [
        (
            one.agent_id, f"{one.rows['memories']:,}", f"{one.rows['episodes']:,}", f"{one.total:,}",
            f"{one.written:,}", _verdict(one),
        )
        for one in copied
    ]  # fmt: skip
    columns = ("agent", "memories", "messages", "all rows", "written now", "verdict")
    door.out.show(*tables.fitting(columns, rows, door.out.width))
    door.out.show(
        f"{words.counted(len(copied), 'agent')} whole at {new.info().where}; every table compared equal"
    )


def _verdict(copied: Copied) -> str:
    if not copied.written:
        return "there already"
    return "copied" if copied.written == copied.total else "copied to the end"
