"""Messages with a role and a content: OpenAI's Chat and Responses messages, and Anthropic's."""

from __future__ import annotations

from collections.abc import Iterator

from reverie.domain.message import FIELDS, Message, Role, checked_role
from reverie.errors import InvalidInput
from reverie.services.observe.shapes.blocks import runs_in
from reverie.services.observe.shapes.fields import (
    Fields,
    fields_of,
    first_of,
    id_in,
    is_many,
    mapping_in,
    parts_in,
    text_in,
)
from reverie.services.observe.shapes.runs import Run, made
from reverie.services.observe.shapes.tools import call

_OF_OTHERS = frozenset(
    {
        "annotations", "audio", "cache_control", "function_call", "model", "parsed", "phase",
        "provider_specific_fields", "reasoning", "reasoning_content", "reasoning_details", "refusal", "status",
        "stop_reason", "stop_sequence", "thinking", "thinking_blocks", "tool_call_id", "tool_calls", "usage",
    }
)  # fmt: skip
"""Fields of chat messages that ours don't have: where one stands beside a role, the message is another's."""


def read(fields: Fields, at: str) -> list[Message] | None:
    """Return a chat message's messages: what is said, then each call of a tool. Raise InvalidInput."""
    said = fields.get("role")
    if is_many(fields.get("content")):
        if said is None and not (fields["content"] and all(name in FIELDS for name in fields)):
            return None
    elif said is None or not (
        _OF_OTHERS & fields.keys() or fields.get("type") == "message" or is_empty(fields)
    ):
        return None
    role = role_in("user" if said is None else said, f"{at}role")
    key = first_of(fields, "ref", "id")
    id = id_in(fields.get(key), f"{at}{key}")
    given = {name: one for name, one in fields.items() if name in FIELDS - {"content", "role", "ref", "id"}}
    tool = None
    if role is Role.TOOL:
        tool = text_in(given.pop("name", None), f"{at}name") or None
        call_id = id_in(fields.get("tool_call_id"), f"{at}tool_call_id")
        id = id or (call_id and f"{call_id}:result")
    return made(_runs(fields, role, at, tool), at, id=id, role=role, given=given)


def is_empty(fields: Fields) -> bool:
    """Return whether it has a role and a content without words, as chat APIs store an answer that says nothing."""
    if "role" not in fields or "content" not in fields:
        return False
    content = fields["content"]
    return content is None or (isinstance(content, str) and not content.strip())


def role_in(value: object, at: str) -> Role:
    """Return the role of a name. Raise InvalidInput."""
    try:
        return checked_role(value)
    except InvalidInput as error:
        raise InvalidInput(at, error.problem, error.remedy) from None


def calls_in(value: object, at: str) -> Iterator[Run]:
    """Yield the calls of a list ``tool_calls``, in OpenAI's and LangChain's shape. Raise InvalidInput."""
    if value is None:
        return
    for place, one in enumerate(parts_in(value, at)):
        here = f"{at}[{place}]."
        fields = mapping_in(one, here)
        called = fields
        if {"function", "custom"} & fields.keys():
            wrapper = first_of(fields, "function", "custom")
            called = mapping_in(fields.get(wrapper), here + wrapper)
            here += f"{wrapper}."
        where = first_of(called, "args", "input", "arguments")
        name, id = text_in(called.get("name"), f"{here}name"), id_in(fields.get("id"), f"{at}[{place}].id")
        yield call(name, called.get(where), f"{here}{where}", id=id)


def _runs(fields: Fields, role: Role, at: str, tool: str | None) -> Iterator[Run]:
    for run in runs_in(fields.get("content"), role, f"{at}content"):
        yield run if tool is None else Run(text=run.text, role=role, at=run.at, tool=tool)
    yield Run(text=text_in(fields.get("refusal"), f"{at}refusal"), role=role, at=f"{at}refusal")
    audio = fields_of(fields.get("audio")) or {}
    transcript = text_in(audio.get("transcript"), f"{at}audio.transcript")
    yield Run(text=transcript, role=role, at=f"{at}audio.transcript")
    yield from calls_in(fields.get("tool_calls"), f"{at}tool_calls")
    if fields.get("function_call") is not None:
        here = f"{at}function_call."
        called = mapping_in(fields["function_call"], here)
        name = text_in(called.get("name"), f"{here}name")
        yield call(name, called.get("arguments"), f"{here}arguments")
