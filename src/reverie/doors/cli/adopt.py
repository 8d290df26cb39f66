"""adopt: the owner vouches for a memory."""

from __future__ import annotations

from typing import Annotated

import typer

from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.verb import verb

Id = Annotated[str, typer.Argument(metavar="ID", help="The memory's id.")]
Reason = Annotated[str | None, typer.Option("--reason", help="Why; for the audit log.")]


def register(app: typer.Typer) -> None:
    """Adds the command."""
    verb(app, "adopt")(adopt)


def adopt(door: Door, id: Id, reason: Reason = None) -> Code:
    """Vouch for a memory that came from elsewhere, so that it may instruct the agent.

    For example:
      reverie adopt 0199c2f0-… --reason "it stands in our handbook"

    What tools, web pages and other people say never instructs by itself, whatever it says. Read it first:
    `reverie show ID`. Exit code 1 if there is no such id.
    """
    with door.agent_opened() as agent:
        agent.portrait(id)  # not the id of a link, by which everything would be adopted
        agent.adopt(id, reason=reason)
        memory = agent.portrait(id).memory
        if door.out.as_json:
            door.out.document(memory)
        else:
            door.out.show(f"adopted {memory.id}: {memory.essence}")
    return Code.DONE
