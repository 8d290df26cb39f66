"""backfill: the emotions of memories that nobody has judged yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from reverie.domain.outcome import Backfilled
from reverie.doors.cli import options, words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.verb import verb
from reverie.errors import InvalidInput

if TYPE_CHECKING:
    from reverie.client import Reverie


def register(app: typer.Typer) -> None:
    """Adds the command."""
    verb(app, "backfill", shared=("bank", "unencrypted", "keyring", "as_json"))(backfill)


def backfill(
    door: Door,
    agents: Annotated[
        options.Names,
        typer.Option("--agent", metavar="ID", help="Only this agent; may be repeated. Default: all."),
    ] = None,
) -> Code:
    """Judge emotions, lesson and importance of memories that lack one.

    For example:
      reverie backfill
      reverie backfill --agent mama --bank team.bank

    Memories lack one that were stored before there was a judge, or where it was cleared.
    Nothing else of them changes; each is in the audit log. If it is interrupted, run it again: it goes
    on where it was.
    """
    given = agents if agents is not None else ([door.agent] if door.agent is not None else None)
    with door.opened() as reverie:
        chosen = chosen_agents(reverie, given)
        done = {agent_id: _one(door, reverie, agent_id) for agent_id in chosen}
        if door.out.as_json:
            rows = [{"agent_id": id, "judged": one.judged, "left": one.left} for id, one in done.items()]
            door.out.document({"agents": rows})
        elif not done:
            door.out.show("The bank has no agents: there was nothing to judge.")
        else:
            door.out.show(*(_line(agent_id, one) for agent_id, one in done.items()))
    return Code.DONE


def chosen_agents(reverie: Reverie, given: Sequence[str] | None) -> Sequence[str]:
    """The agents that were named, or all. Raises InvalidInput for one that the bank doesn't have."""
    known = reverie.agents()
    for agent_id in given or ():
        if agent_id not in known:
            raise InvalidInput("agents", f"the bank has no agent {agent_id!r}", "choose from its agents")
    return known if given is None else [*dict.fromkeys(given)]


def _one(door: Door, reverie: Reverie, agent_id: str) -> Backfilled:
    with door.out.progress(f"judging {agent_id}", 1) as advance:
        return reverie.agent(agent_id).jobs.backfill(on_progress=advance)


def _line(agent_id: str, done: Backfilled) -> str:
    left = f"; {words.counted(done.left, 'memory', 'memories')} still without" if done.left else ""
    return f"{agent_id}: {words.counted(done.judged, 'memory', 'memories')} judged{left}"
