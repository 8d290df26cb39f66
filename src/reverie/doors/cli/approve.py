"""approve: a person vouches for the wording of a memory."""

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
    verb(app, "approve")(approve)


def approve(door: Door, id: Id, reason: Reason = None) -> Code:
    """Vouch for the wording of a memory that waits for approval.

    For example:
      reverie list --review
      reverie approve 0199c2f0-…

    A language model worded it, and a check of its sources left a doubt. Until you approve it, it is marked
    "unconfirmed" and instructs nobody. Read it first: `reverie show ID`. To change the wording, use `reverie revise`.
    Exit code 1 if there is no such id.
    """
    with door.agent_opened() as agent:
        memory = agent.approve(id, reason=reason)
        if door.out.as_json:
            door.out.document(memory)
        else:
            door.out.show(f"approved {memory.id}: {memory.essence}")
    return Code.DONE
