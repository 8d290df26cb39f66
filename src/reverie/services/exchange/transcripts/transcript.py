"""The lines of one transcript as messages of conversations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType, ModuleType

from reverie.domain.message import Message
from reverie.services.exchange.transcripts import claude_code, codex
from reverie.services.exchange.transcripts.parts import LeftOut, messages, name_of
from reverie.services.exchange.transcripts.projects import project_of, session_name
from reverie.services.exchange.transcripts.sessions import Sessions

READERS: Mapping[str, ModuleType] = MappingProxyType({"claude-code": claude_code, "codex": codex})
"""What reads a line of a host's transcript: ``is_mine``, ``place_of``, ``parts_of``, ``ref_of``."""
CHANNEL = "terminal"
"""What a person types to a coding agent is a principal's word; tools' output is external wherever it comes from."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """A message and its conversation."""

    conversation: str
    message: Message


class Transcript:
    """Reads lines in their order; it remembers which session and folder the lines before named."""

    def __init__(
        self, host: str, unnamed: str, *, session: str | None = None, cwd: str | None = None,
        sessions: Sessions | None = None,
    ) -> None:  # fmt: skip
        """``unnamed``: the session's name where no line tells one. ``session`` and ``cwd``: as the host says."""
        self._host, self._reader = host, READERS[host]
        self._unnamed = name_of(unnamed) or "unnamed"
        self._session, self._cwd = session, cwd
        self._sessions = Sessions() if sessions is None else sessions

    def said(self, place: str, value: object) -> Iterator[Said | LeftOut]:
        """Yield what a line says, and what of it was left out. ``place`` tells lines apart that have no time."""
        there = self._reader.place_of(value)
        if self._session is None or not self._reader.ONE_SESSION:
            self._session = name_of(there.session) or self._session
        self._cwd = there.cwd or self._cwd
        for one in messages(
            self._reader.parts_of(value), ref=self._reader.ref_of(value, place), time=_time_of(value)
        ):
            yield one if isinstance(one, LeftOut) else Said(conversation=self._room(), message=one)

    def _room(self) -> str:
        session = self._session or self._unnamed
        if self._cwd is None:
            return self._sessions.room(session_name(self._host, "no-project", session))
        return self._sessions.room(project_of(self._cwd).conversation(self._host, session))


def _time_of(value: object) -> object:
    return value.get("timestamp") if isinstance(value, Mapping) else None
