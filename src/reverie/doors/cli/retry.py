"""retry: tries again what failed and was parked."""

from __future__ import annotations

import typer

from reverie.doors.cli import words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.verb import verb


def register(app: typer.Typer) -> None:
    """Adds the command."""
    verb(app, "retry")(retry)


def retry(door: Door) -> Code:
    """Let what failed and was parked be tried again at the next chance.

    For example:
      reverie retry --agent mama

    `reverie stats` shows what is parked: a mind that gave no usable answer, say. A `reverie sleep` by hand
    tries at once anyway. Exit code 1 if nothing is parked.
    """
    with door.agent_opened() as agent:
        count = agent.jobs.retry()
        if door.out.as_json:
            door.out.document({"retried": count})
        elif count:
            door.out.show(
                f"{words.counted(count, 'parked job or conversation', 'parked jobs and conversations')} free"
            )
        else:
            door.out.say("nothing is parked")
    return Code.DONE if count else Code.NOTHING
