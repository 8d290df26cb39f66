"""Take in what was said: observe, watch."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Annotated

from reverie.domain.attended import Attended
from reverie.domain.memory import Memory
from reverie.domain.message import Message
from reverie.domain.outcome import Observed
from reverie.doors.cli import tables, words
from reverie.doors.cli.codes import Code
from reverie.doors.cli.command import Door, command
from reverie.doors.cli.files import read_file
from reverie.doors.cli.options import Channel, Conversation, Override, Samples, argument, option
from reverie.doors.cli.output import Output
from reverie.doors.cli.watch import Watch
from reverie.doors.formats.bounded import lines_of
from reverie.doors.formats.growing import GrowingFile
from reverie.doors.formats.room import Room
from reverie.errors import InvalidInput, NotFound, RefConflict, ReverieError

if TYPE_CHECKING:
    from reverie.client import Agent, Reverie
    from reverie.doors.formats.jsonl import NumberedLine

    Rooms = Callable[[Iterable[NumberedLine]], Sequence[Room]]

_MAIN = "main"
_POLL_SECONDS = 0.5
_MOST_ROUNDS = 100
_PAGE = 1_000
_TOTALS = (
    "stored", "known", "forgotten", "captured", "extracted", "confirmed", "skipped", "failures", "unreadable",
)  # fmt: skip


@command("observe")
def observe(
    door: Door,
    file: Annotated[
        str,
        argument("FILE|-", "JSON Lines, a JSON list of messages, or LoCoMo samples; - for standard input."),
    ],
    conversation: Conversation = "main",
    channel: Channel = "api",
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

    Further fields: channel, outcome, tags, topics, entities, importance, task_type, tools_used, emotional_tone.
    Messages of OpenAI, Anthropic, LangChain, pydantic-ai and Google are read as they are (docs/messages.md).

    Every line is checked before the first is stored; at most 256 MiB and a million messages at once. A ref names a
    message for good, so you may observe a file with refs again: known messages are skipped, and so are those that were
    forgotten on purpose. Each session of a LoCoMo file becomes a conversation such as conv-26/session_1.
    """
    with read_file(file, door) as stream:
        from reverie.doors.formats.messages import read_rooms

        rooms = read_rooms(stream, conversation=conversation, channel=channel, chosen=samples or ())
    seen = _observe(door, door.opened(make=True), rooms, override=override)
    counts = {
        name: sum(getattr(outcome, name) for _, outcome in seen)
        for name in ("stored", "known", "forgotten", "truncated", "emptied", "queued")
    }
    redacted = dict(sorted(sum((Counter(outcome.redacted) for _, outcome in seen), Counter[str]()).items()))
    captured = [id for _, outcome in seen for id in outcome.captured]
    information = [id for _, outcome in seen for id in outcome.information]
    each = [
        {"conversation": room.conversation, "channel": room.channel, "outcome": done} for room, done in seen
    ]
    document = {
        **counts, "redacted": redacted, "captured": captured, "information": information, "rooms": each,
    }  # fmt: skip
    skipped = f", {counts['forgotten']:,} skipped as forgotten" if counts["forgotten"] else ""
    door.tell(
        document,
        f"stored {words.counted(counts['stored'], 'message')} in {words.counted(len(seen), 'conversation')},"
        f" {counts['known']:,} known already{skipped}",
    )
    messages = {name: words.counted(count, "message") for name, count in counts.items()}
    kinds = ", ".join(f"{count:,} × {kind}" for kind, count in redacted.items())
    told = words.memories(len(information))
    for is_so, note in (
        (counts["queued"], f"waiting in the bank until the embedder works again: {messages['queued']}"),
        (
            counts["forgotten"],
            "What was forgotten on purpose is not stored again, unless you add --override.",
        ),
        (
            counts["truncated"],
            f"{messages['truncated']} too long: found by words to the end, by meaning only by the beginning",
        ),
        (captured, f"kept of it at once: {words.memories(len(captured))}"),
        (information, f"{told} of these as information alone: it may be somebody else's word"),
        (redacted, f"redacted before storing: {kinds}"),
        (counts["emptied"], f"{messages['emptied']} held nothing that may be stored"),
    ):
        if is_so:
            door.out.say(note)
    return Code.DONE


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
                    room.messages, conversation=room.conversation, channel=room.channel, override=override,
                    on_progress=advanced,
                )  # fmt: skip
            except ReverieError:
                if seen:  # what only the bank can know, such as a ref that it holds with other words
                    door.out.say(f"{words.counted(len(seen), 'conversation')} stored before this error:")
                raise
            done += len(room.messages)
            seen.append((room, outcome))
    return seen


@command("watch")
def watch(
    door: Door,
    file: Annotated[Path, argument("FILE", "JSON Lines that another program appends to, as for observe.")],
    conversation: Conversation = "main",
    channel: Channel = "api",
    every: Annotated[float, option("--every", "How often the memory loop runs.", "SECONDS", min=0.1)] = 5.0,
    new: Annotated[bool, option("--new", "Only lines that come from now on.")] = False,
    once: Annotated[bool, option("--once", "Read to the end, extract, and stop.")] = False,
) -> Code:
    """Follow a transcript that grows, and keep what matters of it.

    For example:
      reverie watch chat.jsonl --agent mama
      reverie watch ~/.claude/projects/-srv-shop/4f1c….jsonl
      reverie watch chat.jsonl --once --json

    Each line is stored as it comes; a line without its end is waited for. The memory loop runs meanwhile. Captured and
    extracted memories are shown as they come, with --json as one object a line. A file that is truncated or replaced is
    followed on.

    The transcripts of Claude Code and Codex are told by their lines. Without --conversation each session is a
    conversation of its own, the one that hooks keep it in, too (docs/coding-agents.md).

    Lines without a ref get one from their number and words, so you may watch a file again: known lines are skipped. End
    it with Ctrl-C; what was not extracted by then, the next run extracts.
    """
    _check_file(file)
    growing = GrowingFile(file)
    try:
        if new:
            growing.skip()
        reverie = door.reverie(make=True)
        agent = reverie.agent(door.agent_id)
        view = _Live(door.out, agent)
        room = Room(conversation=conversation, channel=channel, messages=())
        reader = _Reader(agent, growing, view, _rooms_of(agent, file, room))
        door.out.say(f"watching {file} for {agent.id}" + ("" if once else "; end with Ctrl-C"))
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


def _follow(reverie: Reverie, reader: _Reader, view: _Live, every: float) -> None:
    """Read until Ctrl-C."""
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


def _show(rounds: SimpleQueue[Attended], view: _Live) -> None:
    try:
        while True:
            view.attended(rounds.get_nowait())
    except Empty:
        return


def _last_rounds(reverie: Reverie, agent: Agent, view: _Live) -> None:
    for _ in range(_MOST_ROUNDS):
        done = reverie.attend(agent.id)
        view.attended(done)
        if not done.left:
            return


def _rooms_of(agent: Agent, file: Path, room: Room) -> Rooms:
    """Return what reads the file's lines: as transcripts of a coding agent, or as messages."""
    # These bring the services, and numpy: not at a command's start.
    from reverie.client import transcripts
    from reverie.doors.formats import jsonl
    from reverie.doors.formats.transcripts import host_of, rooms

    host = host_of(file)
    if host is None:
        return lambda lines: jsonl.rooms(lines, conversation=room.conversation, channel=room.channel)
    transcript = transcripts.Transcript(host, file.stem, sessions=transcripts.Sessions(_conversations(agent)))
    chosen = None if room.conversation == _MAIN else room.conversation
    return lambda lines: rooms(transcript, lines, chosen)


def _conversations(agent: Agent) -> Iterator[str]:
    after: str | None = None
    while page := agent.conversations(limit=_PAGE, after=after):
        yield from (one.id for one in page)
        after = page[-1].id


class _Reader:
    """Observes the lines of a file; reports and skips those that can't be read."""

    def __init__(self, agent: Agent, file: GrowingFile, view: _Live, rooms: Rooms) -> None:
        self.agent, self._file, self._view, self._rooms = agent, file, view, rooms

    def read(self) -> None:
        """Read the lines that have come."""
        restarts = self._file.restarts
        while lines := self._file.lines():
            self._observe(lines)
        if self._file.restarts != restarts:
            self._view.restarted()

    def read_to_the_end(self) -> None:
        """Read all lines, also the last one where only its end is missing: one that is half written is left."""
        self.read()
        rest = self._file.rest()
        try:
            self._rooms(rest)
        except InvalidInput:
            return
        self._observe(rest)

    def _observe(self, lines: Sequence[NumberedLine]) -> None:
        parsed = (one for number, raw in lines for one in self._parsed(number, raw))
        for (conversation, channel), run in groupby(parsed, lambda one: (one.conversation, one.channel)):
            messages = tuple(message for one in run for message in one.messages)
            try:
                self._store(messages, conversation, channel)
            except RefConflict:
                for message in messages:
                    try:
                        self._store((message,), conversation, channel)
                    except RefConflict as error:
                        self._view.unreadable(str(error))

    def _store(self, messages: Sequence[Message], conversation: str, channel: str) -> None:
        done = self.agent.observe(messages, conversation=conversation, channel=channel)
        self._view.observed(conversation, done)

    def _parsed(self, number: int, raw: bytes) -> Iterator[Room]:
        try:
            rooms = self._rooms([(number, raw)])
        except InvalidInput as error:
            self._view.unreadable(str(error))
            return
        for room in rooms:
            yield replace(room, messages=_named(room.messages, number, raw))


def _named(messages: Sequence[Message], number: int, raw: bytes) -> tuple[Message, ...]:
    """Return a line's messages, each with a ref of its own, so that the same line is known when it is read again."""
    ref = f"line-{number}-{hashlib.blake2b(raw.strip(), digest_size=6).hexdigest()}"
    return tuple(
        message if message.ref is not None else replace(message, ref=f"{ref}:{place}" if place > 1 else ref)
        for place, message in enumerate(messages, 1)
    )


class _Live:
    """Shows what happens as it happens: lines for people, or with --json one object a line, which has ``event``:
    observed, memory, attended, unreadable, restarted, ended. Each is flushed: another program may read them.
    """

    def __init__(self, out: Output, agent: Agent) -> None:
        self._out, self._agent = out, agent
        self.totals = Counter[str](dict.fromkeys(_TOTALS, 0))

    def observed(self, conversation: str, done: Observed) -> None:
        """Show what the file told."""
        self.totals.update(
            stored=done.stored, known=done.known, forgotten=done.forgotten, captured=len(done.captured)
        )
        skipped = f", {done.forgotten:,} skipped as forgotten" if done.forgotten else ""
        hidden = f", {words.tally(done.redacted)} redacted" if done.redacted else ""
        text = f"{conversation}: {words.counted(done.stored, 'message')}{skipped}{hidden}"
        news = bool(done.stored or done.forgotten)
        self._tell(text if news else None, "observed", conversation=conversation, outcome=done)
        self._memories("captured", done.captured)

    def attended(self, done: Attended) -> None:
        """Show what the memory loop made of it."""
        if not done:
            return
        self.totals.update(
            extracted=len(done.inserted), confirmed=len(done.reinforced), skipped=done.skipped,
            failures=done.failures,
        )  # fmt: skip
        self._tell(None, "attended", outcome=done)
        self._memories("extracted", done.inserted)
        self._memories("confirmed", done.reinforced)
        if not self._out.as_json and done.skipped:
            many = words.counted(done.skipped, "message")
            self._tell(f"{many} came too fast to be read now, and are left to sleep")
        if not self._out.as_json and done.unread:
            unread = words.counted(len(done.unread), "message")
            self._tell(f"{unread} could not be read: {', '.join(done.unread)}")
        if done.failures:
            self._out.say("the memory loop failed, and tries again later; `reverie stats` shows where")

    def unreadable(self, problem: str) -> None:
        """Report a line that is no message."""
        self.totals.update(unreadable=1)
        self._tell(None, "unreadable", problem=problem)
        self._out.say(f"skipped: {problem}")

    def restarted(self) -> None:
        """Report that the file began anew."""
        self._tell(None, "restarted")
        self._out.say("the file was truncated or replaced: reading the new one")

    def end(self) -> None:
        """Show the totals."""
        counts = [f"{count:,} {name}" for name, count in self.totals.items() if count and name != "stored"]
        stored = f"{words.counted(self.totals['stored'], 'message')} stored"
        self._tell(", ".join([stored, *counts]), "ended", **self.totals)

    def _memories(self, what: str, ids: Iterable[str]) -> None:
        for id in ids:
            try:
                memory = self._agent.get(id)
            except NotFound:  # forgotten again
                continue
            assert isinstance(memory, Memory)
            self._tell(self._lines(what, memory), "memory", what=what, memory=memory)

    def _lines(self, what: str, memory: Memory) -> str:
        watch = Watch.of(self._agent)
        facts = [memory.kind.value, memory.priority.value, f"importance {words.importance(memory)}"]
        facts += [words.emotions(memory), *tables.standing(memory, watch)]
        return tables.block(f"{what}: {memory.essence}", " · ".join(facts), f"lesson: {words.lesson(memory)}")

    def _tell(self, text: str | None, event: str = "", **more: object) -> None:
        if self._out.as_json and event:
            self._out.line({"event": event, **more})
        elif text is not None and not self._out.as_json:
            self._out.show(text)
            self._out.flush()
