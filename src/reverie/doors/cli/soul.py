"""soul: add, remove and list what the agent is at its core."""

from __future__ import annotations

from typing import Annotated

import typer

from reverie.doors.cli import options, tables
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.grouping import grouped
from reverie.doors.cli.verb import verb
from reverie.doors.cli.watch import Watch

_HELP = """Core beliefs, values, fears and convictions of an agent: who it is.

They stand first in every context block. Nothing summarizes, fades or rewrites them; only these commands
and the calls behind them change them."""

Text = Annotated[str, typer.Argument(help="The conviction, in the agent's own words.")]
Id = Annotated[str, typer.Argument(metavar="ID", help="The entry's id.")]
Refresh = Annotated[bool, typer.Option("--refresh", help="Have it written anew first.")]


def register(app: typer.Typer) -> None:
    """Adds the group of commands."""
    group = grouped(app, "soul", _HELP)
    verb(group, "add")(add)
    verb(group, "remove")(remove)
    verb(group, "list")(listing)
    verb(group, "portrait")(portrait)


def add(door: Door, text: Text, override: options.Override = False) -> Code:
    """Add an entry to the agent's soul.

    For example:
      reverie soul add "I would rather ask than guess"

    The id of the entry is printed. One that is there already is refused.
    """
    with door.agent_opened(make=True) as agent:
        entry = agent.soul.add(text, override=override)
        if door.out.as_json:
            door.out.document(entry)
        else:
            door.out.show(f"added {entry.id}")
    return Code.DONE


def remove(door: Door, id: Id) -> Code:
    """Take an entry out of the agent's soul.

    For example:
      reverie soul remove 0199c2f0-7a31-7c11-9d6e-3f1a2b4c5d6e

    The audit log keeps that it was there. Exit code 1 if there is no such entry.
    """
    with door.agent_opened() as agent:
        entry = agent.soul.remove(id)
        if door.out.as_json:
            door.out.document(entry)
        else:
            door.out.show(f"removed {entry.id}: {entry.text}")
    return Code.DONE


def listing(door: Door) -> Code:
    """List the entries, oldest first.

    For example:
      reverie soul list --agent mama

    Exit code 1 if there is none.
    """
    with door.agent_opened() as agent:
        entries = agent.soul.list()
        watch = Watch.of(agent)
        if door.out.as_json:
            door.out.document(entries)
        elif entries:
            door.out.show(
                *(tables.block(entry.text, watch.ago(entry.created_at), entry.id) for entry in entries)
            )
        else:
            door.out.say("The soul has no entries.")
    return Code.DONE if entries else Code.NOTHING


def portrait(door: Door, refresh: Refresh = False) -> Code:
    """Show the self-portrait (soul.md): the soul's entries, then what the agent is sure of.

    For example:
      reverie soul portrait
      reverie soul portrait --refresh

    Each sleep writes it anew. With REVERIE_SOUL_FILE it is also a file, in which your own text survives.
    """
    with door.agent_opened() as agent:
        notes = agent.soul.refresh() if refresh else ()
        text = agent.soul.portrait()
        if door.out.as_json:
            door.out.document({"portrait": text, "notes": notes})
        else:
            door.out.show(text.rstrip())
            for note in notes:
                door.out.say(note)
    return Code.DONE
