"""What the transcripts of coding agents have in common: from texts, tool calls and tool results to messages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from reverie.domain.ids import MAX_NAME, checked_name
from reverie.domain.message import MAX_CONTENT_BYTES, EpisodeMetadata, Message, Role
from reverie.domain.time import check_moment
from reverie.errors import InvalidInput

MOST_TOOL_CHARACTERS = 2_000
"""Of what a tool was given, and of what it gave, so much is kept: a file that was read is in the repository anyway."""
MOST_CHARACTERS = MAX_CONTENT_BYTES // 4
CUT = "\n[… cut]\n"

_WRAPPED = re.compile(r"\s*<([a-z][a-z0-9_-]*)(?:\s[^<>]*)?>.*</\1>\s*", re.DOTALL)


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Where a line of a transcript belongs: its session and the working directory. None where the line doesn't say."""

    session: str | None = None
    cwd: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """One text of a line; ``tool`` names the tool that it was given to or came from."""

    role: Role
    text: str
    tool: str | None = None


def messages(parts: Iterable[Part], *, ref: object, time: object) -> list[Message] | None:
    """Return the parts that hold anything as messages, or None where there is none.

    The first has ``ref``, the next ones ``ref.2``, ``ref.3`` and so on: the same line gives the same refs. A ref or
    a time that can't be one is left out.
    """
    name, moment = name_of(ref), moment_of(time)
    found = [message for part in parts if (message := _message(part, moment)) is not None]
    if name is not None:
        found = [
            replace(one, ref=name if place == 1 else f"{name[: MAX_NAME - 8]}.{place}")
            for place, one in enumerate(found, 1)
        ]
    return found or None


def _message(part: Part, time: datetime | str | None) -> Message | None:
    """Return a part as a message; None for one that holds no text."""
    text = cut(part.text, MOST_TOOL_CHARACTERS if part.role is Role.TOOL else MOST_CHARACTERS)
    tool = name_of(part.tool)
    try:
        used = EpisodeMetadata(tools_used=(tool,) if tool else ())
        return Message(content=text, role=part.role, time=time, metadata=used)
    except InvalidInput:
        return None


def texts_of(content: object, kinds: Sequence[str] = ("text",)) -> Iterator[str]:
    """Yield the texts of a content: itself, or its blocks of these types; pictures as a placeholder."""
    if isinstance(content, str):
        yield content
    for block in content if isinstance(content, list) else ():
        if isinstance(block, str):
            yield block
        elif isinstance(block, Mapping):
            text = block.get("text")
            if block.get("type") in kinds and isinstance(text, str):
                yield text
            elif str(block.get("type")).endswith("image"):
                yield "[image]"


def is_wrapped(text: str) -> bool:
    """Return whether a text stands in one tag as a whole, such as ``<system-reminder>…</system-reminder>``: hosts put
    what they say themselves into the user's turns like that.
    """
    return _WRAPPED.fullmatch(text) is not None


def call_text(name: object, given: object) -> str:
    """Return a tool's call as text: its name, and what it was given."""
    if isinstance(given, Mapping) and len(given) == 1:
        [given] = given.values()
    shown = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False, default=str)
    return f"{name}: {shown}"


def cut(text: str, most: int) -> str:
    """Return at most so many characters: of a longer text its beginning and its end."""
    if len(text) <= most:
        return text
    half = (most - len(CUT)) // 2
    return text[:half] + CUT + text[-half:]


def name_of(value: object) -> str | None:
    """Return what can be a name as one, else None."""
    try:
        return checked_name(value, "name")
    except InvalidInput:
        return None


def moment_of(value: object) -> datetime | str | None:
    """Return an ISO 8601 text that can be a message's time, else None."""
    if not isinstance(value, str):
        return None
    try:
        check_moment(value, "time")
    except InvalidInput:
        return None
    return value
