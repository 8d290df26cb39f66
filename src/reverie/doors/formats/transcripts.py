"""Transcripts of coding agents, told by what stands in them, as messages of the conversations that hooks use, too."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType, ModuleType

from reverie.doors.formats import claude_code, codex, jsonl
from reverie.doors.formats.bounded import lines_of
from reverie.doors.formats.room import Room
from reverie.doors.formats.transcript import Place, name_of
from reverie.doors.hooks.projects import project_of

READERS: Mapping[str, ModuleType] = MappingProxyType({"claude-code": claude_code, "codex": codex})
"""What reads the transcripts of a host, where they can be read."""
CHANNEL = "terminal"
"""What a person types to a coding agent is a principal's word; tools' output is external wherever it comes from."""
_MOST_LOOKED_AT = 50
_OF_CODEX = ("session_meta", "response_item", "event_msg", "turn_context", "compacted")


class TranscriptRooms:
    """Reads the lines of one transcript; it remembers which session and folder the lines before named."""

    def __init__(self, host: str, path: Path, conversation: str | None) -> None:
        """``conversation``: where all of it belongs; None: to the session's own."""
        self._host, self._reader, self._conversation = host, READERS[host], conversation
        self._place = Place(session=name_of(path.stem) or "session", cwd=str(path.parent))

    def rooms(self, lines: Iterable[jsonl.NumberedLine]) -> Sequence[Room]:
        """Return what the lines say, a room for each line that says anything. Raises InvalidInput naming the line."""
        found = []
        for _, value in jsonl.values(lines):
            place = self._reader.place_of(value)
            self._place = Place(
                session=name_of(place.session) or self._place.session, cwd=place.cwd or self._place.cwd
            )
            if messages := self._reader.messages_of(value):
                found.append(Room(conversation=self._room(), channel=CHANNEL, messages=tuple(messages)))
        return found

    def _room(self) -> str:
        project = project_of(self._place.cwd or "/")
        return self._conversation or project.conversation(self._host, self._place.session or "session")


def host_of(path: Path) -> str | None:
    """Return whose transcript a file is, by its first lines; None where it is no coding agent's. Raises OSError,
    InvalidInput.
    """
    with path.open("rb") as file:
        for _, line in zip(range(_MOST_LOOKED_AT), lines_of(file), strict=False):
            try:
                value = json.loads(line.decode("utf-8-sig"))
            except (ValueError, RecursionError):
                continue
            if not isinstance(value, Mapping) or "content" in value:
                continue
            if isinstance(value.get("payload"), Mapping) and value.get("type") in _OF_CODEX:
                return "codex"
            if isinstance(value.get("sessionId"), str) and isinstance(value.get("type"), str):
                return "claude-code"
    return None
