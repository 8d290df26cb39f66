"""revise: new values for a memory, the old wording kept in its history."""

from __future__ import annotations

from typing import Annotated

import typer

from reverie.domain.revision import CLEARABLE
from reverie.doors.cli import options
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.groups import Worth, given
from reverie.doors.cli.verb import verb

Id = Annotated[str, typer.Argument(metavar="ID", help="The memory's id.")]
Essence = Annotated[str | None, typer.Argument(help="The new wording.")]
Pinned = Annotated[bool | None, typer.Option("--pinned/--not-pinned", help="Never archive it.")]
Since = Annotated[
    str | None,
    typer.Option("--time", metavar="TIME", help="Since when the new wording is believed. Default: now."),
]
Clear = Annotated[
    options.Names,
    typer.Option("--clear", metavar="FIELD", help=f"Empty a field: {', '.join(sorted(CLEARABLE))}."),
]
Reason = Annotated[str | None, typer.Option("--reason", help="Why; for the audit log.")]


def register(app: typer.Typer) -> None:
    """Adds the command."""
    verb(app, "revise")(revise)


def revise(
    door: Door,
    id: Id,
    essence: Essence = None,
    pinned: Pinned = None,
    time: Since = None,
    clear: Clear = None,
    reason: Reason = None,
    override: options.Override = False,
    *,
    worth: Worth,
) -> Code:
    """Correct a memory under its old id; `recall --as-of` still finds the old wording.

    For example:
      reverie revise 0199c2f0-… "Anna lives in Lisbon" --reason "she moved"
      reverie revise 0199c2f0-… --importance 0.8 --clear lesson

    What you don't name stays as it is. Exit code 1 if there is no such id.
    """
    fields = given(worth) | {"essence": essence, "pinned": pinned, "time": time, "clear": clear or ()}
    with door.agent_opened() as agent:
        memory = agent.revise(id, override=override, reason=reason, **fields)
        if door.out.as_json:
            door.out.document(memory)
        else:
            door.out.show(f"revised {memory.id}, wording {memory.version}: {memory.essence}")
    return Code.DONE
