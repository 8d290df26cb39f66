"""learn: one insight, in the words of the agents' tool ``memory_learn``."""

from __future__ import annotations

from typing import Annotated

import typer

from reverie.domain.kinds import checked_kind
from reverie.doors.cli import options
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.remember import show_outcome
from reverie.doors.cli.verb import verb

Content = Annotated[str, typer.Argument(help="The insight, understood by itself.")]


def register(app: typer.Typer) -> None:
    """Adds the command."""
    verb(app, "learn")(learn)


def learn(
    door: Door,
    content: Content,
    kind: options.TypeOf = "fact",
    scope: options.Scopes = None,
    priority: options.PriorityOf = None,
    lesson: options.Lesson = None,
    emotions: options.Emotions = None,
    importance: options.Importance = None,
    tags: options.TagsOf = None,
    override: options.Override = False,
) -> Code:
    """Learn one insight, as agents do with memory_learn.

    For example:
      reverie learn "Never commit generated files" --type policy --scope "src/**"
      reverie learn "Anna prefers tea" --type preference --priority high

    What you leave open is judged from the text. `reverie remember` does the same and has more options.
    """
    with door.agent_opened(make=True) as agent:
        outcome = agent.remember(
            content, kind=checked_kind(kind, "--type"), scope=scope or (), priority=priority, lesson=lesson,
            emotions=emotions, importance=importance, tags=tags or (), override=override,
        )  # fmt: skip
        show_outcome(door, outcome)
    return Code.DONE
