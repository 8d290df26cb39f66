"""Google's shapes: genai's Content and the events of ADK, with names in snake or camel case."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from reverie.domain.message import Message, Role
from reverie.services.observe.shapes.chat import role_in
from reverie.services.observe.shapes.fields import (
    Fields,
    fields_of,
    id_in,
    mapping_in,
    parts_in,
    pick,
    refused,
    text_in,
    unknown,
)
from reverie.services.observe.shapes.media import named
from reverie.services.observe.shapes.runs import Run, made
from reverie.services.observe.shapes.tools import call, result

_OF_EVENTS = frozenset({"invocation_id", "invocationId", "actions"})
_CALLS = (("function_call", "args"), ("executable_code", "code"), ("tool_call", "args"))
_ANSWERS = (
    ("function_response", "response"),
    ("code_execution_result", "output"),
    ("tool_response", "response"),
)
_MEDIA = ("inline_data", "file_data")
_WITHOUT_WORDS = frozenset(
    {
        "thought", "thought_signature", "video_metadata", "media_resolution", "part_metadata", "media_processing",
        "speech_metadata",
    }
)  # fmt: skip


def read(fields: Fields, at: str) -> list[Message] | None:
    """Return a Content's or an event's messages; none of a fragment that a whole event follows. Raise InvalidInput."""
    if "author" in fields and (
        _OF_EVENTS & fields.keys() or "parts" in (fields_of(fields.get("content")) or ())
    ):
        return _event(fields, at)
    if "parts" not in fields or "content" in fields:
        return None
    id = id_in(fields.get("id"), f"{at}id")
    said = fields.get("role")
    role = Role.AGENT if said == "model" else role_in("user" if said is None else said, f"{at}role")
    return made(_runs(fields, role, at), at, id=id)


def _event(event: Fields, at: str) -> list[Message]:
    if event.get("partial"):
        return []
    author = text_in(event.get("author"), f"{at}author")
    role = Role.USER if author == "user" else Role.AGENT
    content = event.get("content")
    runs: list[Run] = []
    if content is not None:
        runs += _runs(mapping_in(content, f"{at}content"), role, f"{at}content.")
    for name, whose in (("input_transcription", Role.USER), ("output_transcription", Role.AGENT)):
        heard = fields_of(pick(event, name)) or {}
        text = text_in(heard.get("text"), f"{at}{name}.text")
        runs.append(Run(text=text, role=whose, at=f"{at}{name}.text"))
    given: dict[str, Any] = {"time": _moment(event.get("timestamp"), f"{at}timestamp")}
    if role is Role.AGENT and author:
        given["speaker"] = author
    return made(runs, at, id=id_in(event.get("id"), f"{at}id"), role=role, given=given)


def _moment(value: object, at: str) -> object:
    """Return an event's time, which is in seconds since 1970."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    try:
        return datetime.fromtimestamp(value, UTC)
    except (OverflowError, ValueError, OSError):
        raise refused(at, "it is no time in seconds since 1970", "give one, or none") from None


def _runs(content: Fields, role: Role, at: str) -> Iterator[Run]:
    parts = content.get("parts")
    if parts is None:
        return
    for place, part in enumerate(parts_in(parts, f"{at}parts")):
        yield from _part(part, role, f"{at}parts[{place}]")


def _part(value: object, role: Role, at: str) -> Iterator[Run]:
    if isinstance(value, str):
        yield Run(text=value, role=role, at=at)
        return
    part = mapping_in(value, at)
    if part.get("thought"):
        return
    if isinstance(part.get("text"), str):
        yield Run(text=part["text"], role=role, at=f"{at}.text")
        return
    for name, given in _CALLS:
        if (one := pick(part, name)) is not None:
            called = mapping_in(one, f"{at}.{name}")
            as_named = _name(called, f"{at}.{name}") or name.removesuffix("_call")
            id = id_in(called.get("id"), f"{at}.{name}.id")
            yield call(as_named, called.get(given), f"{at}.{name}.{given}", id=id)
            return
    for name, answer in _ANSWERS:
        if (one := pick(part, name)) is not None:
            done = mapping_in(one, f"{at}.{name}")
            as_named, id = _name(done, f"{at}.{name}"), id_in(done.get("id"), f"{at}.{name}.id")
            yield result(done.get(answer), f"{at}.{name}.{answer}", id=id, name=as_named)
            return
    for name in _MEDIA:
        if (one := pick(part, name)) is not None:
            yield Run(text=named("file", mapping_in(one, f"{at}.{name}")), role=role, at=f"{at}.{name}")
            return
    said = {_snake(name) for name, one in part.items() if one is not None}
    if left := sorted(said - _WITHOUT_WORDS):
        raise unknown(left[0], f"{at}.{left[0]}" if left[0].isidentifier() else at, "kind of part")


def _name(fields: Fields, at: str) -> str:
    kind = pick(fields, "tool_type")
    return text_in(fields.get("name"), f"{at}.name") or (
        str(getattr(kind, "value", kind)).lower() if kind else ""
    )


def _snake(name: object) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in str(name))
