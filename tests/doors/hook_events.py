"""Events of the hosts in the shapes in which those write them to a hook's stdin."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

from reverie.doors.hooks.events import Event, read
from reverie.doors.hooks.spool import Raw

_numbers = count()


def claude(
    event: str, cwd: Path, *, session: str = "s-1", transcript: Path | None = None, **more: Any
) -> dict[str, Any]:
    """An event of Claude Code."""
    return {
        "session_id": session, "transcript_path": "" if transcript is None else str(transcript), "cwd": str(cwd),
        "permission_mode": "default", "hook_event_name": event, **more,
    }  # fmt: skip


def codex(event: str, cwd: Path, *, session: str = "t-1", **more: Any) -> dict[str, Any]:
    """An event of Codex, where nothing is written to disk."""
    turn = {} if event == "SessionStart" else {"turn_id": "turn-1"}
    return {
        "session_id": session, "transcript_path": None, "cwd": str(cwd), "hook_event_name": event, "model": "o9",
        "permission_mode": "default", **turn, **more,
    }  # fmt: skip


def cursor(event: str, cwd: Path, *, session: str = "c-1", **more: Any) -> dict[str, Any]:
    """An event of Cursor."""
    return {
        "conversation_id": session, "generation_id": "g-1", "model": "m", "hook_event_name": event,
        "cursor_version": "2.4.1", "workspace_roots": [str(cwd)], "user_email": None, "transcript_path": None, **more,
    }  # fmt: skip


def opencode(event: str, cwd: Path, *, session: str = "ses_1", **more: Any) -> dict[str, Any]:
    """An event as our plugin for opencode gives it."""
    return {"session_id": session, "cwd": str(cwd), "hook_event_name": event, **more}


def raw(host: str, given: Mapping[str, Any] | bytes, event: str = "") -> Raw:
    """The event as the hook hands it on, each with an id of its own."""
    body = given if isinstance(given, bytes) else json.dumps(given).encode()
    name = event or ("" if isinstance(given, bytes) else str(given["hook_event_name"]))
    return Raw(host, name, f"{time.time_ns() + next(_numbers):020d}-1", "/", body)


def event(host: str, given: Mapping[str, Any]) -> Event:
    """The event as the daemon reads it."""
    return read(raw(host, given))


class Transcript:
    """A transcript that Claude Code writes: what is said goes to its end."""

    def __init__(self, path: Path, cwd: Path, session: str, day: str) -> None:
        self.path, self._cwd, self._session, self._day = path, cwd, session, day
        self._lines = 0

    def says(self, role: str, content: object, **more: Any) -> None:
        """Append a line."""
        self._lines += 1
        line = {
            "type": role, "uuid": f"{self._session}-{self._lines}", "sessionId": self._session,
            "cwd": str(self._cwd), "isSidechain": False, "version": "2.1.40", "userType": "external",
            "timestamp": f"{self._day}T09:{self._lines:02}:00.000Z", "message": {"role": role, "content": content},
            **more,
        }  # fmt: skip
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
