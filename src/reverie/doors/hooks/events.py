"""Events of the hosts, read from their JSON: which kind each is, and what it says."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from reverie.client import transcripts
from reverie.domain.message import Message, Role
from reverie.doors.hooks.spool import BadEvent, Raw

_MOST_CWD = 1_000
"""A longer folder, or one that isn't absolute, is none: the hook's own is taken."""


class Kind(StrEnum):
    """What happens in a host, by whatever name."""

    START = "start"
    PROMPT = "prompt"
    TOOL = "tool"
    ANSWER = "answer"
    COMPACT = "compact"
    END = "end"


_OF_CLAUDE = {
    "SessionStart": Kind.START, "UserPromptSubmit": Kind.PROMPT, "PostToolUse": Kind.TOOL, "Stop": Kind.ANSWER,
    "PreCompact": Kind.COMPACT, "SessionEnd": Kind.END,
}  # fmt: skip
EVENTS: Mapping[str, Mapping[str, Kind]] = MappingProxyType(
    {
        "claude-code": _OF_CLAUDE,
        "codex": {name: kind for name, kind in _OF_CLAUDE.items() if kind is not Kind.END},
        "cursor": {
            "sessionStart": Kind.START, "beforeSubmitPrompt": Kind.PROMPT, "postToolUse": Kind.TOOL,
            "afterAgentResponse": Kind.ANSWER, "preCompact": Kind.COMPACT, "sessionEnd": Kind.END,
        },
        "opencode": {name: kind for name, kind in _OF_CLAUDE.items() if kind is not Kind.START},
    }
)  # fmt: skip
"""The events of each host that are hooked, by the host's own names. The opencode plugin is ours: it uses Claude's."""
_CARRIES_CONTEXT = {
    "claude-code": (Kind.START, Kind.PROMPT), "codex": (Kind.START, Kind.PROMPT), "cursor": (Kind.START,),
    "opencode": (Kind.PROMPT,),
}  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Event:
    """One event. ``said`` is what it says by itself, for hosts and moments without a transcript."""

    id: str
    host: str
    name: str
    kind: Kind
    session: str
    cwd: str
    at: datetime
    source: str | None = None
    transcript: str | None = None
    said: tuple[Message, ...] = ()

    @property
    def asks(self) -> bool:
        """Return whether its answer may carry a context."""
        return self.kind in _CARRIES_CONTEXT[self.host]


def read(raw: Raw) -> Event:
    """Return the event. Raises BadEvent for what is none, of whatever shape."""
    try:
        given = json.loads(raw.body.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        raise BadEvent("no JSON") from None
    if not isinstance(given, Mapping):
        raise BadEvent("no object")
    if raw.host not in EVENTS:
        raise BadEvent("an unknown host")
    name = given.get("hook_event_name", raw.event)
    kind = EVENTS[raw.host].get(name if isinstance(name, str) else raw.event)
    if kind is None:
        raise BadEvent("an unknown event")
    session = transcripts.name_of(_text(given, "session_id", "conversation_id"))
    if session is None:
        raise BadEvent("no session")
    at = datetime.fromtimestamp(int(raw.id.partition("-")[0]) / 1e9, UTC)
    return Event(
        id=raw.id, host=raw.host, name=str(name), kind=kind, session=session, cwd=_cwd(given) or raw.cwd, at=at,
        source=_text(given, "source"), transcript=_text(given, "transcript_path"),
        said=tuple(
            one
            for one in transcripts.messages(_parts(given, kind), ref=_ref(given, raw, kind), time=at.isoformat())
            if isinstance(one, Message)
        ),
    )  # fmt: skip


def answer(event: Event, context: str) -> bytes:
    """Return what the host is told, in the shape that it takes and with no field more; nothing for no context."""
    if not context:
        return b""
    shape: object
    match event.host:
        case "cursor":
            shape = {"additional_context": context}
        case "opencode":
            shape = {"context": context}
        case _:
            shape = {"hookSpecificOutput": {"hookEventName": event.name, "additionalContext": context}}
    return json.dumps(shape).encode()


def _parts(given: Mapping[str, Any], kind: Kind) -> Iterator[transcripts.Part]:
    if kind is Kind.PROMPT:
        yield transcripts.Part(role=Role.USER, text=_text(given, "prompt", "user_prompt") or "")
    elif kind is Kind.ANSWER:
        yield transcripts.Part(role=Role.AGENT, text=_text(given, "last_assistant_message", "text") or "")
    elif kind is Kind.TOOL:
        tool = _text(given, "tool_name") or "tool"
        yield transcripts.Part(
            role=Role.TOOL, text=transcripts.call_text(tool, given.get("tool_input")), tool=tool
        )
        result = given.get("tool_response", given.get("tool_output"))
        if result is not None:
            text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
            yield transcripts.Part(role=Role.TOOL, text=text, tool=tool)


def _ref(given: Mapping[str, Any], raw: Raw, kind: Kind) -> str:
    """Return the host's own id of what is said, where it has one: a hook that is fired twice says it once."""
    own = _text(given, "tool_use_id") if kind is Kind.TOOL else _text(given, "turn_id", "generation_id")
    return f"{own}-{kind}" if own and transcripts.name_of(own) and kind is not Kind.ANSWER else raw.id


def _cwd(given: Mapping[str, Any]) -> str | None:
    roots = given.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots else None
    some = (_text(given, "cwd"), first)
    return next(
        (one for one in some if isinstance(one, str) and one[:1] == "/" and len(one) <= _MOST_CWD), None
    )


def _text(given: Mapping[str, Any], *names: str) -> str | None:
    """Return the first of these fields that holds text."""
    return next((value for name in names if isinstance(value := given.get(name), str) and value), None)
