"""consolidate: housekeeping of one agent's bank, in the words of the agents' tool ``memory_consolidate``."""

from __future__ import annotations

import typer

from reverie.doors.cli import housekeeping, tables
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.verb import verb


def register(app: typer.Typer) -> None:
    """Adds the command."""
    verb(app, "consolidate")(consolidate)


def consolidate(door: Door) -> Code:
    """Put one agent's bank in order, as agents do with memory_consolidate.

    For example:
      reverie consolidate --agent mama

    It is what `reverie housekeeping` does for all agents.
    """
    with door.agent_opened() as agent:
        done = agent.housekeeping()
        if door.out.as_json:
            door.out.document(done)
        else:
            door.out.show(tables.pairs(housekeeping.rows(done)))
    return Code.DONE
