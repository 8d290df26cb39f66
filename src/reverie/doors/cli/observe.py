"""observe: messages from a file or a pipe into the agent's bank."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reverie.domain.outcome import Observed
from reverie.doors.cli import options, words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.verb import verb
from reverie.doors.formats.room import Room
from reverie.errors import InvalidInput, ReverieError

if TYPE_CHECKING:
    from reverie.client import Agent


File = Annotated[
    str,
    typer.Argument(
        metavar="FILE|-", help="JSON Lines, a JSON list of messages, or LoCoMo samples; - for standard input."
    ),
]
InRoom = Annotated[
    str, typer.Option("--conversation", metavar="ID", help="For lines that name no conversation.")
]
Override = Annotated[bool, typer.Option("--override", help="Store again what was forgotten on purpose.")]
On = Annotated[str, typer.Option("--channel", metavar="NAME", help="For lines that name no channel.")]
Samples = Annotated[
    options.Names,
    typer.Option(
        "--sample",
        metavar="N|ID",
        help="Of a LoCoMo file only this sample, by number from 0 or by id; may be repeated.",
    ),
]


def register(app: typer.Typer) -> None:
    """Adds the command."""
    verb(app, "observe")(observe)


def observe(
    door: Door,
    file: File,
    conversation: InRoom = "main",
    channel: On = "api",
    samples: Samples = None,
    override: Override = False,
) -> Code:
    """Store what was said.

    For example:
      reverie observe chat.jsonl --agent mama
      tail -n 50 chat.jsonl | reverie observe - --conversation today
      reverie observe locomo10.json --sample conv-26

    One JSON object a line, or one JSON list of such objects; only content is needed:

      {"content": "I moved to Lisbon!", "role": "user", "speaker": "Anna",
       "time": "2026-11-20T09:30:00+01:00", "ref": "m1", "conversation": "chat-1"}

    Further fields: channel, outcome, tags, topics, entities, importance, task_type, tools_used,
    emotional_tone.

    Every line is checked before the first is stored; at most 256 MiB and a million messages at once.
    A ref names a message for good, so a file with refs may be observed again: what is known is passed
    over, and so is what was forgotten on purpose. Of a LoCoMo file, each session becomes a conversation
    such as conv-26/session_1.
    """
    with opened_file(file, door) as stream:
        from reverie.doors.formats.messages import read_rooms

        rooms = read_rooms(stream, conversation=conversation, channel=channel, chosen=samples or ())
    with door.agent_opened(make=True) as agent:
        _show(door, _observe(door, agent, rooms, override=override))
    return Code.DONE


def _show(door: Door, seen: Sequence[tuple[Room, Observed]]) -> None:
    stored = sum(outcome.stored for _, outcome in seen)
    known = sum(outcome.known for _, outcome in seen)
    truncated = sum(outcome.truncated for _, outcome in seen)
    forgotten = sum(outcome.forgotten for _, outcome in seen)
    emptied = sum(outcome.emptied for _, outcome in seen)
    queued = sum(outcome.queued for _, outcome in seen)
    redacted = sum((Counter(outcome.redacted) for _, outcome in seen), Counter[str]())
    captured = [memory for _, outcome in seen for memory in outcome.captured]
    information = [memory for _, outcome in seen for memory in outcome.information]
    if door.out.as_json:
        each = [
            {"conversation": room.conversation, "channel": room.channel, "outcome": outcome}
            for room, outcome in seen
        ]
        counts = {
            "stored": stored, "known": known, "forgotten": forgotten, "truncated": truncated, "emptied": emptied,
            "redacted": dict(sorted(redacted.items())), "captured": captured,
            "information": information, "queued": queued,
        }  # fmt: skip
        door.out.document({**counts, "rooms": each})
        return
    rooms_seen = words.counted(len(seen), "conversation")
    passed = f", {forgotten:,} passed over as forgotten" if forgotten else ""
    door.out.show(
        f"stored {words.counted(stored, 'message')} in {rooms_seen}, {known:,} known already{passed}"
    )
    if queued:
        door.out.say(
            f"waiting in the bank until the embedder works again: {words.counted(queued, 'message')}"
        )
    if forgotten:
        door.out.say("What was forgotten on purpose is not stored again, unless you add --override.")
    if truncated:
        long = words.counted(truncated, "long message")
        door.out.say(f"{long}: found by words to the end, by meaning only by the beginning")
    if captured:
        door.out.say(f"kept of it at once: {words.memories(len(captured))}")
    if information:
        door.out.say(
            f"{words.memories(len(information))} of these as information alone: it may be somebody else's word"
        )
    if redacted:
        kinds = ", ".join(f"{count:,} × {kind}" for kind, count in sorted(redacted.items()))
        door.out.say(f"taken out before storing: {kinds}")
    if emptied:
        door.out.say(f"{words.counted(emptied, 'message')} held nothing that may be stored")


def _observe(
    door: Door, agent: Agent, rooms: Sequence[Room], *, override: bool
) -> list[tuple[Room, Observed]]:
    seen: list[tuple[Room, Observed]] = []
    total = sum(len(room.messages) for room in rooms)
    done = 0
    with door.out.progress("observing", total) as advance:
        for room in rooms:

            def advanced(count: int, _: int, before: int = done) -> None:
                if advance is not None:
                    advance(before + count, total)

            try:
                outcome = agent.observe(
                    room.messages,
                    conversation=room.conversation,
                    channel=room.channel,
                    override=override,
                    on_progress=advanced,
                )
            except ReverieError:
                if seen:  # what only the bank can know, such as a ref that it holds with other words
                    door.out.say(f"{words.counted(len(seen), 'conversation')} stored before this error:")
                raise
            done += len(room.messages)
            seen.append((room, outcome))
    return seen


@contextmanager
def opened_file(name: str, door: Door, holds: str = "messages") -> Iterator[Iterator[bytes]]:
    """The lines of the file of that name, or of standard input for ``-``; ``holds`` tells people of what. Raises
    InvalidInput.
    """
    from reverie.doors.formats.bounded import lines_of

    if name == "-":
        if sys.stdin.isatty():
            door.out.say(f"reading {holds}, one JSON object a line; end with Ctrl-D")
        yield lines_of(sys.stdin.buffer)
        return
    with ExitStack() as stack:
        try:
            stream = stack.enter_context(Path(name).open("rb"))
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is no path"
            problem = f"{name!r:.300} can't be read ({reason})"
            raise InvalidInput("FILE", problem, f"give a file of {holds}, or -") from None
        yield lines_of(stream)
