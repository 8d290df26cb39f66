"""A line of Claude Code's transcript (``~/.claude/projects/<project>/<session>.jsonl``) as messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reverie.domain.message import Message, Role
from reverie.doors.formats.transcript import Part, Place, call_text, is_wrapped, messages, texts_of

_NOT_SAID = ("isMeta", "isSidechain", "isCompactSummary", "isApiErrorMessage", "isVisibleInTranscriptOnly")
"""Lines with one of these are the host's own words, a sub-agent's, or repeat what was said."""


def messages_of(value: object) -> list[Message] | None:
    """Return what one JSON value of the transcript says: ref is the line's uuid. None where it says nothing.

    The user's and the agent's words have their roles; tools' calls and results have the role tool. Thinking, what
    sub-agents said among themselves and what the host put in by itself are left out.
    """
    if not isinstance(value, Mapping) or any(value.get(name) for name in _NOT_SAID):
        return None
    said = value.get("message")
    if (
        value.get("type") not in ("user", "assistant")
        or not isinstance(said, Mapping)
        or not _is_human(value)
    ):
        return None
    role = Role.USER if value["type"] == "user" else Role.AGENT
    return messages(_parts(said.get("content"), role), ref=value.get("uuid"), time=value.get("timestamp"))


def place_of(value: object) -> Place:
    """Return the session and the working directory that a line names."""
    if not isinstance(value, Mapping):
        return Place()
    session, cwd = value.get("sessionId"), value.get("cwd")
    return Place(
        session=session if isinstance(session, str) else None, cwd=cwd if isinstance(cwd, str) else None
    )


def _is_human(value: Mapping[str, object]) -> bool:
    """Return whether the line has no origin but a person, or doesn't say."""
    origin = value.get("origin")
    return not isinstance(origin, Mapping) or origin.get("kind") in (None, "human")


def _parts(content: object, role: Role) -> Iterator[Part]:
    blocks: list[Any] = content if isinstance(content, list) else [content]
    for block in blocks:
        match block:
            case {"type": "tool_use", "name": str(tool)}:
                yield Part(role=Role.TOOL, text=call_text(tool, block.get("input")), tool=tool)
            case {"type": "tool_result"}:
                yield Part(role=Role.TOOL, text="\n".join(texts_of(block.get("content"))))
            case _:
                yield from (
                    Part(role=role, text=text)
                    for text in texts_of([block])
                    if not (role is Role.USER and _is_hosts(text))
                )


def _is_hosts(text: str) -> bool:
    return is_wrapped(text) or text.startswith(("[Request interrupted", "<command-", "<local-command-"))
