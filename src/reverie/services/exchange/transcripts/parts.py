"""What the transcripts of coding agents have in common: from texts, tool calls and tool results to messages."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from reverie.domain.ids import MAX_NAME, checked_name
from reverie.domain.message import MAX_CONTENT_BYTES, EpisodeMetadata, Message, Role
from reverie.domain.time import check_moment
from reverie.errors import InvalidInput

MOST_TOOL_CHARACTERS = 2_000
"""Of what a tool was given, and of what it gave, so much is kept: a file that was read is in the repository anyway."""
MOST_CHARACTERS = MAX_CONTENT_BYTES // 4
CUT = "\n[… cut]\n"

_WRAPPED = re.compile(r"\s*<([A-Za-z][A-Za-z0-9_-]*)(?:\s[^<>]*)?>.*</\1>\s*", re.DOTALL)


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """Where a line of a transcript belongs: its session and the working directory. None where the line doesn't say."""

    session: str | None = None
    cwd: str | None = None

    @classmethod
    def of(cls, value: Mapping[str, object], *names: str) -> Place:
        """Return the place that a value names; ``names``: what the session's field may be called."""
        session = next((one for name in names if isinstance(one := value.get(name), str) and one), None)
        cwd = value.get("cwd")
        return cls(session=session, cwd=cwd if isinstance(cwd, str) and cwd else None)


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """One text of a line; ``tool`` names the tool that it was given to or came from."""

    role: Role
    text: str
    tool: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftOut:
    """What becomes no message: for a ``reason``, or because of a ``problem`` that it has in a field."""

    reason: str = ""
    field: str = ""
    problem: str = ""


def messages(parts: Iterable[Part | LeftOut], *, ref: str, time: object) -> Iterator[Message | LeftOut]:
    """Yield the parts that hold anything as messages, and what is left out.

    The first has ``ref``, the next ones ``ref.2``, ``ref.3`` and so on: the same line gives the same refs. A time that
    can't be one is left out.
    """
    moment, count = moment_of(time), 0
    for part in parts:
        if isinstance(part, LeftOut):
            yield part
            continue
        text = cut(part.text, MOST_TOOL_CHARACTERS if part.role is Role.TOOL else MOST_CHARACTERS)
        if not text.strip():
            yield LeftOut(reason="empty")
            continue
        tool, name = name_of(part.tool), f"{ref[: MAX_NAME - 8]}.{count + 1}" if count else ref
        used = EpisodeMetadata(tools_used=(tool,) if tool else ())
        try:
            message = Message(content=text, role=part.role, time=moment, ref=name, metadata=used)
        except InvalidInput as error:
            yield LeftOut(field=error.field, problem=error.problem)
        else:
            yield message
            count += 1


def own_or_made(own: object, value: object, place: str) -> str:
    """Return a line's own id as its ref, where it has one; else its time (``place`` where it has none) and a digest of
    its words.
    """
    if (name := name_of(own)) is not None:
        return name
    time = value.get("timestamp") if isinstance(value, Mapping) else None
    at = name_of(time) or place.replace(" ", "-")
    digest = hashlib.blake2b(_json(value).encode("utf-8", "replace"), digest_size=8).hexdigest()
    return f"{at[: MAX_NAME - 40]}-{digest}"


def is_wrapped(text: str) -> bool:
    """Return whether a text stands in one tag as a whole, such as ``<system-reminder>…</system-reminder>``: hosts put
    what they say themselves into the user's turns like that.
    """
    return _WRAPPED.fullmatch(text) is not None


def call_text(name: object, given: object) -> str:
    """Return a tool's call as text: its name, and what it was given."""
    if isinstance(given, Mapping) and len(given) == 1:
        [given] = given.values()
    return f"{name}: {given if isinstance(given, str) else _json(given)}"


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


def _json(value: object) -> str:
    """Return a value as JSON; one that a program nested too deep, or that is none, by its type."""
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, TypeError, ValueError):
        return f"[{type(value).__name__}]"
