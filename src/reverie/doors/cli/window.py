"""window: a whole turn's context, out of a file of messages or of a conversation that the bank holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from reverie.domain.working import WorkingMemory
from reverie.doors.cli import options, words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.jsonable import jsonable
from reverie.doors.cli.observe import On, Samples, opened_file
from reverie.doors.cli.verb import verb
from reverie.doors.formats.room import Room
from reverie.errors import InvalidInput

_DEFAULT_CONVERSATION = "main"
_MOST_TOLD = 20

File = Annotated[
    str | None,
    typer.Argument(
        metavar="[FILE|-]",
        help="JSON Lines, a JSON list of messages, or LoCoMo samples; - for standard input. Default: what the bank "
        "holds of --conversation.",
        show_default=False,
    ),
]
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
        help="Which conversation of the file, if it holds several, or for lines that name none; without FILE, of the "
        "bank.",
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
    max_tokens: MaxTokens,
    file: File = None,
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
      reverie window --conversation plaza --max-tokens 100000 --agent nova
      tail -n 200 chat.jsonl | reverie window - --max-tokens 32000 --system "You are Mama." --json

    The file is as `reverie observe` reads it; nothing of it is stored but summaries of its older messages. Without one,
    it is a conversation of the bank, what was closed of it as summaries. The window holds the system prompt, who the
    agent is, memories that bear on the latest message, a summary of older messages, recent ones in full, goals and
    jobs, and what else happened in the last 24 hours. With --json, its parts, the list of messages for a chat API, and
    what was left out and why.
    """
    if file is None and conversation is None:
        raise InvalidInput("FILE", "there is none", "give a file, -, or --conversation for one of the bank")
    room = None if file is None else _read(door, file, conversation, channel, samples or ())
    given = () if file is not None else None
    with door.agent_opened() as agent:
        made = agent.window(
            room.messages if room else given, max_tokens=max_tokens, reserve=reserve, system=system, path=path,
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


def _read(
    door: Door, file: str, conversation: str | None, channel: str, samples: Sequence[str]
) -> Room | None:
    """The file's one conversation; None for an empty file."""
    with opened_file(file, door) as stream:
        from reverie.doors.formats.messages import read_rooms

        default = _DEFAULT_CONVERSATION if conversation is None else conversation
        rooms = read_rooms(stream, conversation=default, channel=channel, chosen=samples)
    return _chosen(rooms, conversation)


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
