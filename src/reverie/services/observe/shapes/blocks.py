"""Content in parts, as chat APIs have it: a text, or a list of blocks with a ``type``. OpenAI's, Anthropic's and
LangChain's types don't contradict each other, so one table reads them all.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from reverie.domain.message import Role
from reverie.errors import InvalidInput
from reverie.errors.showing import typed
from reverie.services.observe.shapes.fields import (
    Fields,
    fields_of,
    first_of,
    id_in,
    is_many,
    parts_in,
    refused,
    text_in,
    unknown,
)
from reverie.services.observe.shapes.media import TEXTS, placeholder
from reverie.services.observe.shapes.runs import Run
from reverie.services.observe.shapes.tools import answer_text, call, result

CALLS = frozenset(
    {
        "tool_use", "server_tool_use", "mcp_tool_use", "tool_call", "server_tool_call", "invalid_tool_call",
        "function_call", "custom_tool_call",
    }
)  # fmt: skip
_RESULTS = frozenset({"server_tool_result", "function_call_output", "custom_tool_call_output"})
_LEFT_OUT = frozenset(
    {
        "thinking", "redacted_thinking", "reasoning", "reasoning_text", "reasoning_content", "summary_text",
        "encrypted_content", "compaction", "fallback", "tool_reference", "tool_addition", "tool_removal",
        "mcp_tool_listing", "browser_state", "tool_call_chunk", "server_tool_call_chunk", "input_json_delta",
        "cachePoint", "cache_point",
    }
)  # fmt: skip
"""Thinking, and what the API itself needs: no words of anybody."""


def runs_in(content: object, role: Role, at: str) -> Iterator[Run]:
    """Yield a content's runs. ``at``: its field. Raise InvalidInput."""
    if content is None:
        return
    if isinstance(content, str):
        yield Run(text=content, role=role, at=at)
    elif role is Role.TOOL:
        _check(content, at)
        yield Run(text=answer_text(content), role=role, at=at)
    else:
        if not is_many(content):
            raise refused(at, f"{typed(content)} is no text and no list of parts", "give one")
        for place, part in enumerate(parts_in(content, at)):
            yield from _block(part, role, f"{at}[{place}]")


def readable_runs(content: object, role: Role) -> Iterator[Run]:
    """Yield a content's runs as far as they can be read: blocks that ``runs_in`` refuses are left out."""
    for block in content if isinstance(content, list | tuple) else (content,):
        with suppress(InvalidInput, RecursionError):
            yield from [*runs_in([block], role, "content")]


def said_in(content: object) -> Iterator[str]:
    """Yield the texts of a content, and placeholders for what is no text; nothing of the tools in it."""
    return (run.text for run in readable_runs(content, Role.USER) if run.role is Role.USER)


def _check(content: object, at: str) -> None:
    """Refuse parts of a tool's answer that aren't even blocks."""
    for place, part in enumerate(parts_in(content, at)):
        if not isinstance(part, str) and fields_of(part) is None:
            raise refused(f"{at}[{place}]", f"{typed(part)} is no part of a content", _REMEDY)


_REMEDY = 'give a part such as {"type": "text", "text": "…"}'


def _block(part: object, role: Role, at: str) -> Iterator[Run]:
    if isinstance(part, str):
        yield Run(text=part, role=role, at=at)
        return
    fields = fields_of(part)
    if fields is None:
        raise refused(at, f"{typed(part)} is no part of a content", _REMEDY)
    kind = fields.get("type")
    if kind is not None and not isinstance(kind, str):
        raise refused(f"{at}.type", f"{typed(kind)} is not text", _REMEDY)
    if kind in TEXTS or kind is None:
        if not isinstance(fields.get("text"), str):
            raise refused(f"{at}.text", "it is no text", _REMEDY)
        yield Run(text=fields["text"], role=role, at=f"{at}.text", cited=bool(fields.get("citations")))
    elif kind == "refusal":
        yield Run(text=text_in(fields.get("refusal"), f"{at}.refusal"), role=role, at=f"{at}.refusal")
    elif (media := placeholder(fields)) is not None:
        yield Run(text=media, role=role, at=at)
    elif kind in CALLS:
        yield _call(fields, at)
    elif kind == "search_result":
        yield Run(text=answer_text(fields), role=Role.TOOL, at=at, tool="search")
    elif kind in _RESULTS or kind.endswith("tool_result"):
        where = first_of(fields, "output", "content")
        key = first_of(fields, "tool_use_id", "tool_call_id", "call_id")
        yield result(fields.get(where), f"{at}.{where}", id=id_in(fields.get(key), f"{at}.{key}"))
    elif kind == "non_standard":
        yield from _block(fields.get("value"), role, f"{at}.value")
    elif kind not in _LEFT_OUT:
        raise unknown(kind, f"{at}.type", "kind of part")


def _call(fields: Fields, at: str) -> Run:
    where, key = first_of(fields, "args", "arguments", "input"), first_of(fields, "call_id", "id")
    name, id = text_in(fields.get("name"), f"{at}.name"), id_in(fields.get(key), f"{at}.{key}")
    return call(name, fields.get(where), f"{at}.{where}", id=id)
