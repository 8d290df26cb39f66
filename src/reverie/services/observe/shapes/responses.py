"""OpenAI's Responses items but for messages, which ``chat`` reads: calls of tools, their outputs, reasoning."""

from __future__ import annotations

from collections.abc import Iterator

from reverie.domain.message import Message
from reverie.services.observe.shapes.fields import Fields, first_of, id_in, text_in
from reverie.services.observe.shapes.runs import Run, made
from reverie.services.observe.shapes.tools import call, result

_LEFT_OUT = frozenset(
    {
        "reasoning", "compaction", "compaction_summary", "compaction_trigger", "item_reference",
        "configuration_update", "additional_tools", "mcp_list_tools",
    }
)  # fmt: skip
_CALLS = {"program": "program", "mcp_approval_request": ""}
_ANSWERS = frozenset({"program_output", "mcp_approval_response"})
_GIVEN = ("arguments", "input", "action", "actions", "operation", "queries", "code", "revised_prompt")
_ANSWERED = ("output", "outputs", "results", "tools", "error", "reason", "result", "approve")


def read(fields: Fields, at: str) -> list[Message] | None:
    """Return an item's messages, each in role tool; none for what is no call and no output. Raise InvalidInput."""
    kind = fields.get("type")
    if not isinstance(kind, str):
        return None
    if kind in _LEFT_OUT:
        return []
    if "role" in fields:
        return None
    if kind.endswith("_call") or kind in _CALLS:
        return made(_call(fields, kind, at), at)
    if kind.endswith("_call_output") or kind in _ANSWERS or kind == "tool_search_output":
        return made([_answer(fields, at)], at)
    return None


def _call(fields: Fields, kind: str, at: str) -> Iterator[Run]:
    key, where = first_of(fields, "call_id", "id"), first_of(fields, *_GIVEN)
    id = id_in(fields.get(key), f"{at}{key}")
    name = text_in(fields.get("name"), f"{at}name") or _CALLS.get(kind, kind.removesuffix("_call"))
    yield call(name, fields.get(where), f"{at}{where}", id=id)
    if kind == "image_generation_call" and fields.get("result") is not None:
        yield result("[image]", f"{at}result", id=id, name=name)
    elif any(fields.get(key) is not None for key in _ANSWERED):  # of tools that the server runs
        yield _answer(fields, at, name)


def _answer(fields: Fields, at: str, called: str | None = None) -> Run:
    where, key = first_of(fields, *_ANSWERED), first_of(fields, "call_id", "approval_request_id", "id")
    name = called or text_in(fields.get("name"), f"{at}name")
    return result(fields.get(where), f"{at}{where}", id=id_in(fields.get(key), f"{at}{key}"), name=name)
