"""window: a whole turn's context, out of a file of messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from reverie.domain.working import WorkingMemory
from reverie.doors.cli import options, words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.jsonable import jsonable
from reverie.doors.cli.observe import File, On, Samples, opened_file
from reverie.doors.cli.verb import verb
from reverie.doors.formats.room import Room
from reverie.errors import InvalidInput

_DEFAULT_CONVERSATION = "main"
_MOST_TOLD = 20

MaxTokens = Annotated[
    int, typer.Option("--max-tokens", metavar="N", help="The model's window, the answer included.")
]
Reserve = Annotated[
    float | None,
    typer.Option("--reserve", metavar="0..1", help="What of it stays free for the answer. Default: 0.85."),
]
System = Annotated[
    str | None, typer.Option("--system", metavar="TEXT", help="The system prompt, before everything else.")
]
AtPath = Annotated[str | None, typer.Option("--path", metavar="PATH", help="The file that is worked on.")]
InRoom = Annotated[
    str | None,
    typer.Option(
        "--conversation",
        metavar="ID",
        help="Which conversation of the file, if it holds several; for lines that name none, their own.",
    ),
]
Goals = Annotated[
    options.Names,
    typer.Option("--goal", metavar="TEXT", help="A goal, instead of those that are kept; may be repeated."),
]
Jobs = Annotated[
    options.Names, typer.Option("--job", metavar="TEXT", help="A scheduled job; may be repeated.")
]


def register(app: typer.Typer) -> None:
    """Adds the command."""
    verb(app, "window")(window)


def window(
    door: Door,
    file: File,
    max_tokens: MaxTokens,
    reserve: Reserve = None,
    system: System = None,
    path: AtPath = None,
    goals: Goals = None,
    jobs: Jobs = None,
    conversation: InRoom = None,
    with_: options.With = None,
    channel: On = "api",
    samples: Samples = None,
) -> Code:
    """Show what a model would get for the next turn of a conversation.

    For example:
      reverie window chat.jsonl --max-tokens 100000
      tail -n 200 chat.jsonl | reverie window - --max-tokens 32000 --system "You are Mama." --json

    The file is as `reverie observe` reads it; nothing of it is stored but summaries of its older messages. The window
    holds the system prompt, who the agent is, memories that bear on the latest message, a summary of
    older messages, recent ones in full, goals and jobs, and what else happened in the last 24 hours. With --json, its
    parts, the list of messages for a chat API, and what was left out and why.
    """
    with opened_file(file, door) as stream:
        from reverie.doors.formats.messages import read_rooms

        default = _DEFAULT_CONVERSATION if conversation is None else conversation
        rooms = read_rooms(stream, conversation=default, channel=channel, chosen=samples or ())
    room = _chosen(rooms, conversation)
    with door.agent_opened() as agent:
        made = agent.window(
            room.messages if room else (), max_tokens=max_tokens, reserve=reserve, system=system, path=path,
            goals=goals, jobs=jobs or (), with_=with_, conversation=room.conversation if room else conversation,
            channel=room.channel if room else channel,
        )  # fmt: skip
        if door.out.as_json:
            parts = jsonable(made)
            assert isinstance(parts, dict)
            door.out.document({"as_messages": made.as_messages(), **parts})
        else:
            _show(door, made)
    return Code.DONE


def _chosen(rooms: Sequence[Room], conversation: str | None) -> Room | None:
    """The one conversation that is meant; None for an empty file."""
    meant = [room for room in rooms if conversation in (None, room.conversation)]
    if len(meant) == 1 or not rooms:
        return meant[0] if meant else None
    names = sorted({room.conversation for room in rooms})
    if meant and len({room.conversation for room in meant}) == 1:
        raise InvalidInput("FILE", "one conversation comes on several channels", "give the lines of one")
    problem = "the file holds several conversations" if conversation is None else "it isn't in the file"
    raise InvalidInput("--conversation", problem, f"choose from {words.listed(names[:_MOST_TOLD])}")


def _show(door: Door, made: WorkingMemory) -> None:
    door.out.show(made.text)
    summarized = f", {words.counted(made.summarized, 'older message')} summarized" if made.summarized else ""
    full = words.counted(len(made.messages), "message")
    door.out.say(f"{made.token_count:,} of {made.budget:,} tokens: {full} in full{summarized}")
    for one in made.left_out[:_MOST_TOLD]:
        door.out.say(f"left out of {one.section}: {one.item} ({one.reason})")
    if len(made.left_out) > _MOST_TOLD:
        door.out.say(f"and {len(made.left_out) - _MOST_TOLD:,} more; --json names them")
