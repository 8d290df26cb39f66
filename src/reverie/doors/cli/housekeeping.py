"""housekeeping: merges what says the same, archives what is stale, promotes what recurs."""

from __future__ import annotations

from typing import Annotated

import typer

from reverie.domain.housekept import Housekept
from reverie.doors.cli import options, tables, words
from reverie.doors.cli.backfill import chosen_agents
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.verb import verb

Agents = Annotated[
    options.Names,
    typer.Option("--agent", metavar="ID", help="Only this agent; may be repeated. Default: all."),
]


def register(app: typer.Typer) -> None:
    """Adds the command."""
    verb(app, "housekeeping", shared=("bank", "unencrypted", "keyring", "as_json"))(housekeeping)


def housekeeping(door: Door, agents: Agents = None) -> Code:
    """Put banks in order: merge what says the same, archive what is stale, keep what recurs.

    For example:
      reverie housekeeping
      reverie housekeeping --agent mama --bank team.bank

    Once a week is enough. Nothing is deleted, and each change is in the audit log. Archived memories are
    still found, but enter no prompt unasked; new evidence brings them back. If it is interrupted, run it
    again: it goes on where it was.
    """
    given = agents if agents is not None else ([door.agent] if door.agent is not None else None)
    done: dict[str, Housekept] = {}
    with door.opened() as reverie:
        for agent_id in chosen_agents(reverie, given):
            if given is None and reverie.agent(agent_id).profile.paused_at is not None:
                door.out.say(
                    f"{agent_id} is paused: passed over; `reverie resume --agent {agent_id}` lifts it"
                )
                continue
            with door.out.progress(f"housekeeping {agent_id}", 1) as advance:
                done[agent_id] = reverie.agent(agent_id).housekeeping(on_progress=advance)
        if door.out.as_json:
            door.out.document({"agents": [{"agent_id": id, "done": one} for id, one in done.items()]})
        elif not done:
            door.out.show("The bank has no agents: there was nothing to put in order.")
        else:
            for agent_id, one in done.items():
                door.out.show(f"{agent_id}:", tables.pairs(rows(one)))
    return Code.DONE


def rows(done: Housekept) -> list[tuple[str, str]]:
    """What was done, a line each."""
    promoted = sum(not one.known for one in done.promoted)
    known = len(done.promoted) - promoted
    counted = [
        ("merged", words.counted(len(done.merged), "pair")),
        ("archived", words.memories(len(done.archived))),
        ("promoted", words.memories(promoted)),
        ("reinforced", words.memories(known)),
        *([("restored", words.memories(len(done.restored)))] if done.restored else []),
        ("faded", f"{words.memories(done.faded)}, {done.unsure:,} of all below 0.3"),
        ("looked at", f"{words.memories(done.memories)}, {words.counted(done.episodes, 'new message')}"),
    ]
    if done.unread:
        counted.append(("not read", ", ".join(done.unread)))
    return counted + [("left", f"{count:,} {why}") for why, count in done.passed_over.items()]
