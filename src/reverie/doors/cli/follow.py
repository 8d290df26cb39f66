"""watch: messages out of a transcript that grows, with the memory loop running beside."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Annotated

import typer

from reverie.doors.cli.codes import Code
from reverie.doors.cli.door import Door
from reverie.doors.cli.live import Live
from reverie.doors.cli.observe import InRoom, On
from reverie.doors.cli.verb import verb
from reverie.doors.formats import jsonl
from reverie.doors.formats.bounded import lines_of
from reverie.doors.formats.growing import GrowingFile
from reverie.doors.formats.room import Room
from reverie.errors import InvalidInput, RefConflict

if TYPE_CHECKING:
    from reverie.client import Agent, Reverie
    from reverie.domain.attended import Attended
    from reverie.domain.message import Message

_POLL_SECONDS = 0.5
_MOST_ROUNDS = 100

Transcript = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="JSON Lines that another program writes on, as observe reads them."),
]
Every = Annotated[
    float, typer.Option("--every", metavar="SECONDS", min=0.1, help="How often the memory loop looks.")
]
Once = Annotated[bool, typer.Option("--once", help="Read to the end, extract, and be done.")]
New = Annotated[bool, typer.Option("--new", help="Only lines that come from now on.")]


def register(app: typer.Typer) -> None:
    """Adds the command."""
    verb(app, "watch")(watch)


def watch(
    door: Door,
    file: Transcript,
    conversation: InRoom = "main",
    channel: On = "api",
    every: Every = 5.0,
    new: New = False,
    once: Once = False,
) -> Code:
    """Follow a transcript that grows, and keep what matters of it.

    For example:
      reverie watch chat.jsonl --agent mama
      reverie watch chat.jsonl --once --json

    Each line is stored as it comes; one that is not written to its end yet is waited for. Beside it
    runs the memory loop. What is captured and extracted is shown as it happens, with --json as one
    object a line. A file that is cut off, or that a new one takes the place of, is followed on.

    Lines without a ref get one from their number and words, so a file may be watched again: what is
    known is passed over. End it with Ctrl-C; what was not extracted by then, the next time does.
    """
    _check_file(file)
    growing = GrowingFile(file)
    try:
        if new:
            growing.skip()
        with door.opened(make=True) as reverie:
            agent = reverie.agent(door.agent_id)
            view = Live(door.out, agent)
            reader = _Reader(
                agent, growing, view, Room(conversation=conversation, channel=channel, messages=())
            )
            view.begin(str(file), once=once)
            if once:
                reader.read_to_the_end()
                _last_rounds(reverie, agent, view)
            else:
                _follow(reverie, reader, view, every)
            view.end()
            return Code.BAD_INPUT if once and view.totals["unreadable"] else Code.DONE
    finally:
        growing.close()


def _check_file(file: Path) -> None:
    try:
        with file.open("rb") as stream:
            first = next((line.strip() for line in lines_of(stream) if line.strip()), b"")
    except InvalidInput:
        raise
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no path"
        raise InvalidInput("FILE", f"{str(file)!r:.300} can't be read ({reason})", "give a file") from None
    if first.removeprefix(b"\xef\xbb\xbf").startswith(b"[") or first == b"{":
        problem = "it holds one JSON value over several lines, and no JSON Lines"
        raise InvalidInput("FILE", problem, "store it with `reverie observe`")


def _follow(reverie: Reverie, reader: _Reader, view: Live, every: float) -> None:
    """Until Ctrl-C."""
    from reverie.worker import Worker

    rounds: SimpleQueue[Attended] = SimpleQueue()
    with Worker(reverie, every, agent_id=reader.agent.id, on_round=rounds.put):
        try:
            while True:
                reader.read()
                _show(rounds, view)
                time.sleep(_POLL_SECONDS)
        except KeyboardInterrupt:
            pass
    _show(rounds, view)


def _show(rounds: SimpleQueue[Attended], view: Live) -> None:
    try:
        while True:
            view.attended(rounds.get_nowait())
    except Empty:
        return


def _last_rounds(reverie: Reverie, agent: Agent, view: Live) -> None:
    for _ in range(_MOST_ROUNDS):
        done = reverie.attend(agent.id)
        view.attended(done)
        if not done.left:
            return


class _Reader:
    """Observes the file's lines; what can't be read is told and passed over."""

    def __init__(self, agent: Agent, file: GrowingFile, view: Live, room: Room) -> None:
        self.agent, self._file, self._view, self._room = agent, file, view, room

    def read(self) -> None:
        """The lines that have come."""
        turned = self._file.turned
        while lines := self._file.lines():
            self._observe(lines)
        if self._file.turned != turned:
            self._view.turned()

    def read_to_the_end(self) -> None:
        """All lines, also the last one where only its end is missing: one that is half written is left."""
        self.read()
        rest = self._file.rest()
        try:
            jsonl.rooms(rest, conversation=self._room.conversation, channel=self._room.channel)
        except InvalidInput:
            return
        self._observe(rest)

    def _observe(self, lines: Sequence[jsonl.Line]) -> None:
        for room in self._rooms(lines):
            try:
                self._store(room)
            except RefConflict:
                for message in room.messages:
                    self._store_alone(replace(room, messages=(message,)))

    def _store(self, room: Room) -> None:
        done = self.agent.observe(room.messages, conversation=room.conversation, channel=room.channel)
        self._view.observed(room.conversation, done)

    def _store_alone(self, room: Room) -> None:
        try:
            self._store(room)
        except RefConflict as error:
            self._view.unreadable(str(error))

    def _rooms(self, lines: Sequence[jsonl.Line]) -> Iterator[Room]:
        """Runs of messages of one conversation, in their order."""
        parsed = (one for number, raw in lines for one in self._parsed(number, raw))
        for (conversation, channel), run in groupby(parsed, lambda one: (one.conversation, one.channel)):
            messages = tuple(message for one in run for message in one.messages)
            yield Room(conversation=conversation, channel=channel, messages=messages)

    def _parsed(self, number: int, raw: bytes) -> Sequence[Room]:
        try:
            [*rooms] = jsonl.rooms(
                [(number, raw)], conversation=self._room.conversation, channel=self._room.channel
            )
        except InvalidInput as error:
            self._view.unreadable(str(error))
            return ()
        return [
            replace(room, messages=tuple(_named(message, number, raw) for message in room.messages))
            for room in rooms
        ]


def _named(message: Message, number: int, raw: bytes) -> Message:
    """With a ref of its own, so that the same line of the same file is known when it is read again."""
    if message.ref is not None:
        return message
    return replace(message, ref=f"line-{number}-{hashlib.blake2b(raw.strip(), digest_size=6).hexdigest()}")
