"""episode: what happened, in the words of the agents' tool ``memory_episode``."""

from __future__ import annotations

from typing import Annotated

import typer

from reverie.domain.message import Message, Role
from reverie.domain.outcome import Observed
from reverie.doors.cli import options, words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.verb import verb

Event = Annotated[str, typer.Argument(help="What happened.")]
Outcome = Annotated[
    str | None, typer.Option("--outcome", metavar="TEXT", help="How it ended.", show_default=False)
]
Tags = Annotated[options.Names, typer.Option("--tag", metavar="TAG", help="A tag; may be repeated.")]
InRoom = Annotated[str, typer.Option("--conversation", metavar="ID", help="Where it is kept.")]
Override = Annotated[bool, typer.Option("--override", help="Record again what was forgotten on purpose.")]


def register(app: typer.Typer) -> None:
    """Adds the command."""
    verb(app, "episode")(episode)


def episode(
    door: Door,
    event: Event,
    outcome: Outcome = None,
    tags: Tags = None,
    conversation: InRoom = "events",
    override: Override = False,
) -> Code:
    """Record what happened and how it ended, as agents do with memory_episode.

    For example:
      reverie episode "Deployed 2.4 to staging" --outcome "worked after a retry" --tag deploy

    The agent itself tells it; `reverie observe` stores what others say. Exit code 1 if nothing was recorded:
    it was forgotten on purpose, or is private as a whole.
    """
    with door.agent_opened(make=True) as agent:
        message = Message(content=event, role=Role.AGENT, outcome=outcome, tags=tuple(tags or ()))
        seen = agent.observe(message, conversation=conversation, override=override)
        _show(door, seen)
    return Code.DONE if seen.episode_ids or seen.queued else Code.NOTHING


def _show(door: Door, seen: Observed) -> None:
    if door.out.as_json:
        door.out.document(seen)
        return
    for id in seen.episode_ids:
        door.out.show(f"recorded {id}")
    if seen.queued:
        door.out.say(
            "the embedder fails just now: it waits in the bank, and is recorded once the embedder works"
        )
    if seen.redacted:
        door.out.say(f"taken out of it: {words.tally(seen.redacted)}")
    if seen.forgotten:
        door.out.say("passed over: it was forgotten on purpose; --override records it again")
    if seen.emptied:
        door.out.say("passed over: all of it is private")
