"""A line of Claude Code's transcript (``~/.claude/projects/<project>/<session>.jsonl``)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from reverie.domain.message import Role
from reverie.services.exchange.transcripts.parts import (
    LeftOut,
    Part,
    Place,
    call_text,
    is_wrapped,
    own_or_made,
)
from reverie.services.observe import shapes

ONE_SESSION = False
"""Each line names its session: a session that was resumed in a new file may repeat another one's lines."""
_ROLES = {"user": Role.USER, "assistant": Role.AGENT}
_OTHERS = frozenset(
    {"summary", "system", "file-history-snapshot", "queue-operation", "progress", "attachment"}
)
_HOSTS_OWN = ("isMeta", "isCompactSummary", "isApiErrorMessage", "isVisibleInTranscriptOnly")
"""Lines with one of these are the host's own words, or repeat what was said."""
_REMINDER = re.compile(r"<system-reminder>.*?(?:</system-reminder>|\Z)", re.DOTALL)
_HOSTS = re.compile(
    r"<(?:command-|local-command-|bash-|task-notification|user-memory-|teammate-message)|\[Request interrupted"
)
"""How a text begins that the host wrote in the person's place."""
_CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")


def is_mine(value: object) -> bool:
    """Return whether a value is a line of such a transcript."""
    if not isinstance(value, Mapping) or not isinstance(kind := value.get("type"), str):
        return False
    is_said = kind in _ROLES and isinstance(value.get("message"), Mapping) and "uuid" in value
    return is_said or (kind in _OTHERS and bool(value.keys() & {"sessionId", "leafUuid", "messageId"}))


def place_of(value: object) -> Place:
    """Return the session and the working directory that a line names."""
    return Place.of(value, "sessionId") if isinstance(value, Mapping) else Place()


def ref_of(value: object, place: str) -> str:
    """Return the line's uuid, or a ref made of its time and words."""
    return own_or_made(value.get("uuid") if isinstance(value, Mapping) else None, value, place)


def parts_of(value: object) -> Iterator[Part | LeftOut]:
    """Yield what a line says. The user's and the agent's words have their roles; tools' calls and results have the role
    tool. Thinking, what sub-agents said among themselves and what the host put in by itself are left out.
    """
    kind = value.get("type") if isinstance(value, Mapping) else None
    if not isinstance(value, Mapping) or not isinstance(kind, str) or not kind:
        yield LeftOut(problem="it is no entry of a transcript")
    elif (role := _ROLES.get(kind)) is None:
        yield LeftOut(reason="bookkeeping of the host")
    elif value.get("isSidechain"):
        yield LeftOut(reason="said to or by a subagent")
    elif any(value.get(name) for name in _HOSTS_OWN) or not _is_human(value):
        yield LeftOut(reason="written by the host")
    else:
        yield from _said(value.get("message"), role)


def _is_human(value: Mapping[str, object]) -> bool:
    """Return whether the line has no origin but a person, or doesn't say."""
    origin = value.get("origin")
    return not isinstance(origin, Mapping) or origin.get("kind") in (None, "human")


def _said(message: object, role: Role) -> Iterator[Part | LeftOut]:
    given = message if isinstance(message, Mapping) else {}
    content = given.get("content")
    if given.get("model") == "<synthetic>":
        yield LeftOut(reason="written by the host")
        return
    if not isinstance(content, str | list):
        yield LeftOut(field="message.content", problem="it is neither a text nor a list")
        return
    blocks: list[Any] = [content] if isinstance(content, str) else content
    for block in blocks:
        kind = block.get("type") if isinstance(block, Mapping) else None
        if kind in _CALLS:
            name = block.get("name")
            tool = name if isinstance(name, str) and name else "tool"
            yield Part(role=Role.TOOL, text=call_text(tool, block.get("input")), tool=tool)
        elif isinstance(kind, str) and kind.endswith("tool_result"):
            yield Part(role=Role.TOOL, text="\n".join(shapes.said_in(block.get("content"))))
        else:
            for text in shapes.said_in([block]):
                said = _REMINDER.sub("", text).strip() if role is Role.USER else text
                is_hosts = role is Role.USER and (not said or is_wrapped(said) or _HOSTS.match(said))
                yield LeftOut(reason="written by the host") if is_hosts else Part(role=role, text=said)
