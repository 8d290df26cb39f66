"""reembed: banks move to another embedder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from reverie.doors.cli import options, words
from reverie.doors.cli.backfill import chosen_agents
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.verb import verb

if TYPE_CHECKING:
    from reverie.client import Reverie
    from reverie.domain.outcome import Reembedded


def register(app: typer.Typer) -> None:
    """Adds the command."""
    verb(app, "reembed", shared=("bank", "unencrypted", "keyring", "as_json"))(reembed)


def reembed(
    door: Door,
    agents: Annotated[
        options.Names,
        typer.Option("--agent", metavar="ID", help="Only this agent; may be repeated. Default: all."),
    ] = None,
) -> Code:
    """Move banks to the embedder that the settings name.

    For example:
      REVERIE_EMBED_PROVIDER=ollama reverie reembed
      reverie reembed --agent mama --bank team.bank

    Every text is embedded anew, in batches. Until the last one is done the bank stays as it is, and whoever
    has it open goes on; then it moves in one step. If it is interrupted, run it again: it goes on where it was.
    """
    given = agents if agents is not None else ([door.agent] if door.agent is not None else None)
    with door.opened() as reverie:
        done = [_one(door, reverie, agent_id) for agent_id in chosen_agents(reverie, given)]
        if door.out.as_json:
            door.out.document({"agents": done})
        elif not done:
            door.out.show("The bank has no agents: there was nothing to move.")
        else:
            door.out.show(*map(_line, done))
    return Code.DONE


def _one(door: Door, reverie: Reverie, agent_id: str) -> Reembedded:
    with door.out.progress(f"embedding {agent_id}", 1) as advance:
        return reverie.agent(agent_id).jobs.reembed(on_progress=advance)


def _line(done: Reembedded) -> str:
    if not done.switched:
        return (
            f"{done.agent_id}: its vectors are by {done.after} already"
            if done.before
            else f"{done.agent_id}: no vectors"
        )
    return f"{done.agent_id}: {words.counted(done.embedded, 'text')} embedded, moved from {done.before} to {done.after}"
