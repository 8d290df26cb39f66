"""pause and resume: an agent's jobs and capture stand still, and go on."""

from __future__ import annotations

import typer

from reverie.doors.cli.backfill import chosen_agents
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.verb import verb
from reverie.doors.cli.watch import Watch


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    verb(app, "pause")(pause)
    verb(app, "resume")(resume)


def pause(door: Door) -> Code:
    """Let an agent's jobs and capture stand still: nothing is slept on, put in order or captured.

    For example:
      reverie pause --agent mama

    What is told is kept as it is, and recall goes on. It holds over restarts, for every process, until
    `reverie resume`.
    """
    with door.opened() as reverie:
        [agent_id] = chosen_agents(reverie, [door.agent_id])
        agent = reverie.agent(agent_id)
        profile = agent.jobs.pause()
        if door.out.as_json:
            door.out.document(profile)
        else:
            door.out.show(f"{agent.id} is paused since {Watch.of(agent).time(profile.paused_at)}")
    return Code.DONE


def resume(door: Door) -> Code:
    """Lift a pause.

    For example:
      reverie resume --agent mama

    What was told meanwhile is read by the next sleep and the next round of the memory loop.
    """
    with door.opened() as reverie:
        [agent_id] = chosen_agents(reverie, [door.agent_id])
        agent = reverie.agent(agent_id)
        profile = agent.jobs.resume()
        if door.out.as_json:
            door.out.document(profile)
        else:
            door.out.show(f"{agent.id} is awake")
    return Code.DONE
