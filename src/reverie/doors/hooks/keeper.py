"""What the daemon does with events: answer with a context, and keep what they and their transcripts tell."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from pathlib import Path

from reverie.client import Agent, transcripts
from reverie.domain.block import ContextBlock, Entered
from reverie.domain.message import Message, Role
from reverie.doors.hooks.events import Event, Kind
from reverie.doors.hooks.memory_file import PAYLOADS, MemoryFile
from reverie.doors.hooks.reasons import reason
from reverie.doors.hooks.scoping import scope
from reverie.doors.hooks.tails import grown, size_of
from reverie.errors import Forgotten, InvalidInput, RefConflict

HELD_SECONDS = 30.0
"""So long a prompt waits for the transcript that its host promised."""
_MOST_SESSIONS = 500
_MOST_TASK = 4_000
_PAGE = 1_000
_AGAIN = ("compact", "clear")


@dataclass(kw_only=True)
class _Session:
    """What is known of a session while the daemon lives."""

    shown: dict[tuple[str, str], Entered] = field(default_factory=dict)
    """The lines that the host has in its window, by id and text."""
    compacted: bool = False
    held: list[Event] = field(default_factory=list)
    transcript: tuple[str, transcripts.Transcript] | None = None
    """One that may have grown since the last event."""


class Keeper:
    """Keeps one agent's events. ``context`` may be called from many threads, the rest from one."""

    def __init__(self, agent: Agent, file: Path, note: Callable[[str], None]) -> None:
        """``file``: where it stands how far transcripts are read; ``note`` writes to the log."""
        self._agent, self._path, self._note = agent, file, note
        self._file = MemoryFile.read(file)
        self._principals = tuple(agent.profile.principals)
        self._sessions: OrderedDict[str, _Session] = OrderedDict()
        self._rooms: dict[str, set[str]] = {}
        self._of_sessions = transcripts.Sessions()
        self._lock = threading.Lock()
        after: str | None = None
        while page := agent.conversations(limit=_PAGE, after=after):
            after = page[-1].id
            for room in page:
                self._know(room.id)

    def context(self, event: Event) -> ContextBlock:
        """Return the block for a session's beginning, or for a prompt: without what the session was shown already, or
        said itself.
        """
        project = transcripts.project_of(event.cwd)
        room = self._of_sessions.room(project.conversation(event.host, event.session))
        if event.kind is not Kind.PROMPT:
            with self._lock:  # its window is new, or what it was told is behind a summary
                session = self._session(room)
                session.shown.clear()
                session.compacted = session.compacted or event.source in _AGAIN
            return self._agent.context(path=project.path)
        task = transcripts.cut(event.said[0].content, _MOST_TASK) if event.said else None
        with self._lock:
            shown = [*self._session(room).shown.values()]
        return self._agent.context(
            task, path=project.path, conversation=None if task is None else room, with_=(),
            quote=self._quotable(project, room), shown=shown,
        )  # fmt: skip

    def showed(self, event: Event, block: ContextBlock) -> None:
        """Note that the host has a block: the session's later ones leave out what this one shows."""
        project = transcripts.project_of(event.cwd)
        room = self._of_sessions.room(project.conversation(event.host, event.session))
        with self._lock:
            self._session(room).shown |= {(one.id, one.text): one for one in block.entered}

    def take(self, event: Event) -> Sequence[str]:
        """Keep what an event tells, or what its transcript has grown by. Return the ids of the events that are settled:
        it may hold one back until its transcript is there. Raises StoreError, EmbedderMismatch.
        """
        project = transcripts.project_of(event.cwd)
        room = self._of_sessions.room(project.conversation(event.host, event.session))
        self._file.roots[project.key] = project.root
        with self._lock:
            session = self._session(room)
            if event.kind is Kind.COMPACT:
                session.compacted = True
                session.shown.clear()
        if (
            event.host not in transcripts.READERS
            or event.transcript is None
            or self._file.offsets.get(room) == PAYLOADS
        ):
            return self._settle_by_payload(room, session, [*session.held, event])
        size = size_of(event.transcript)
        if size is None:
            if event.kind in (Kind.START, Kind.PROMPT):
                session.held.append(event)
                return ()
            self._file.offsets[room] = PAYLOADS
            return self._settle_by_payload(room, session, [*session.held, event])
        if (
            event.source == "fork" and room not in self._file.offsets
        ):  # it repeats the session that it comes from
            self._file.offsets[room] = size
        transcript = transcripts.Transcript(
            event.host, event.session, session=event.session, cwd=event.cwd, sessions=self._of_sessions
        )
        session.transcript = (event.transcript, transcript)
        self._read(room, session)
        if event.kind is Kind.END:
            session.transcript = None
        done = [*(one.id for one in session.held), event.id]
        session.held.clear()
        return done

    def look_again(self) -> Sequence[str]:
        """Read what transcripts have grown by since their last event, and settle the events that were held too long.
        Return the ids of the latter. Raises StoreError, EmbedderMismatch.
        """
        done: list[str] = []
        with self._lock:
            sessions = list(self._sessions.items())
        for room, session in sessions:
            if session.transcript is not None:
                self._read(room, session)
            if session.held and time.time() - session.held[-1].at.timestamp() > HELD_SECONDS:
                last = session.held.pop()
                if size_of(last.transcript) is None:
                    self._file.offsets[room] = PAYLOADS
                done += self.take(last)
        return done

    def scope(self, ids: Iterable[str]) -> None:
        """Let what these memories say hold where it was said (``scoping``). Raises StoreError."""
        try:
            scope(self._agent, ids, self._glob)
        except (InvalidInput, Forgotten) as error:  # it holds everywhere then
            self._note(f"a memory has no scope: {reason(error)}")

    def _glob(self, conversation: str) -> str | None:
        root = self._file.roots.get(transcripts.key_of(conversation) or "")
        return None if root is None else transcripts.Project(root=root).glob

    def _read(self, room: str, session: _Session) -> None:
        """Observe what a transcript has grown by. An offset is noted once what is before it is stored."""
        assert session.transcript is not None
        path, transcript = session.transcript
        before = self._file.offsets.get(room, 0)
        if size_of(path) in (None, before):
            return
        try:
            for said, offset in grown(path, before, transcript):
                for own, run in groupby(said, lambda one: one.conversation):
                    self._observe(own, [one.message for one in run])
                self._file.offsets[room] = offset
        except OSError as error:
            self._note(f"a transcript can't be read: {error.strerror}")
        if self._file.offsets.get(room, 0) != before:
            self._save()

    def _settle_by_payload(self, room: str, session: _Session, events: Sequence[Event]) -> Sequence[str]:
        for event in events:
            self._observe(room, event.said)
        session.held.clear()
        self._save()
        return [event.id for event in events]

    def _save(self) -> None:
        try:
            self._file.write(self._path)
        except OSError as error:  # then they are read again after a restart, and known
            self._note(f"how far transcripts are read can't be noted: {error.strerror}")

    def _observe(self, room: str, messages: Sequence[Message]) -> None:
        """Store messages; where the bank refuses one, the others."""
        if not messages:
            return
        observe = partial(self._agent.observe, conversation=room, channel=transcripts.CHANNEL)
        messages = [self._signed(message) for message in messages]
        captured: list[str] = []
        try:
            captured += observe(messages).captured
        except (InvalidInput, RefConflict):
            for message in messages:
                try:
                    captured += observe([message]).captured
                except (InvalidInput, RefConflict) as error:
                    self._note(f"a message was refused: {reason(error)}")
        self._know(room)
        self.scope(captured)

    def _signed(self, message: Message) -> Message:
        """Return what the person types with a name, where the agent knows just one principal."""
        if message.role is not Role.USER or len(self._principals) != 1:
            return message
        return replace(message, speaker=self._principals[0])

    def _know(self, room: str) -> None:
        self._of_sessions.room(room)
        if (key := transcripts.key_of(room)) is not None:
            with self._lock:
                self._rooms.setdefault(key, set()).add(room)

    def _quotable(self, project: transcripts.Project, room: str) -> Set[str]:
        """Return the project's conversations. What is said in this one stands in the host's window still, unless that
        was compacted.
        """
        with self._lock:
            rooms = set(self._rooms.get(project.key, ()))
            return rooms if self._session(room).compacted else rooms - {room}

    def _session(self, room: str) -> _Session:
        """Return a session's; the lock is held."""
        session = self._sessions.setdefault(room, _Session())
        self._sessions.move_to_end(room)
        if len(self._sessions) > _MOST_SESSIONS:
            self._sessions.popitem(last=False)
        return session
