"""profile: who the agent is to the outside, shown and set."""

from __future__ import annotations

from typing import Annotated

import typer

from reverie.doors.cli import options, tables, words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.verb import verb
from reverie.doors.cli.watch import Watch

TimeZone = Annotated[str | None, typer.Option("--time-zone", metavar="NAME", help="Such as Europe/Budapest.")]
Principals = Annotated[
    options.Names,
    typer.Option("--principal", metavar="NAME", help="A person whose word counts; may be repeated."),
]
Home = Annotated[str | None, typer.Option("--home", help='Where the agent lives; "" takes it away.')]
Location = Annotated[str | None, typer.Option("--location", help='Where it is now; "" if nobody knows.')]


def register(app: typer.Typer) -> None:
    """Adds the command."""
    verb(app, "profile")(profile)


def profile(
    door: Door,
    time_zone: TimeZone = None,
    principals: Principals = None,
    home: Home = None,
    location: Location = None,
) -> Code:
    """Show the agent's profile, or set what is given of it and leave the rest.

    For example:
      reverie profile --agent nova
      reverie profile --agent nova --home Lighthouse --location Harbour
      reverie profile --agent nova --home ""

    An agent that has a home practises self-care only there.
    """
    given = (time_zone, principals, home, location)
    with door.agent_opened(make=any(value is not None for value in given)) as agent:
        if any(value is not None for value in given):
            agent.set_profile(time_zone=time_zone, principals=principals, home=home, location=location)
        found = agent.profile
        if door.out.as_json:
            door.out.document(found)
            return Code.DONE
        rows = [
            ("agent", found.id),
            ("time zone", found.time_zone),
            ("principals", words.listed(found.principals)),
            ("home", found.home or "–"),
            ("location", found.location or "–"),
        ]
        if found.paused_at is not None:
            rows.append(("paused", f"since {Watch.of(agent).time(found.paused_at)}"))
        door.out.show(tables.pairs(rows))
    return Code.DONE
