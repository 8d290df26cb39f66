"""A line of Codex's transcript (``~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl``), also of the first versions, whose
items had no envelope.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

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

ONE_SESSION = True
"""A rollout is one session: what a fork repeats names the session that it comes from."""
_TYPES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_ROLES = {"user": Role.USER, "assistant": Role.AGENT}
_CALLS = ("function_call", "custom_tool_call", "local_shell_call", "mcp_tool_call", "web_search_call")
_FIRST = {"id", "timestamp", "instructions"}
_REQUEST = "## My request for Codex:"
"""What an editor's extension puts between its own words and the person's."""


def is_mine(value: object) -> bool:
    """Return whether a value is a line of a rollout."""
    if not isinstance(value, Mapping):
        return False
    kind = value.get("type")
    is_line = isinstance(kind, str) and kind in _TYPES and isinstance(value.get("payload"), Mapping)
    return is_line or value.keys() >= _FIRST


def place_of(value: object) -> Place:
    """Return the session and the working directory that a line names: the first one does."""
    if not isinstance(value, Mapping):
        return Place()
    if value.get("type") in ("session_meta", "turn_context") and isinstance(value.get("payload"), Mapping):
        return Place.of(value["payload"], "id", "session_id")
    return Place.of(value, "id") if "payload" not in value and value.keys() >= _FIRST else Place()


def ref_of(value: object, place: str) -> str:
    """Return the item's own id, or a ref made of its call's id, or of the line's time and words."""
    item = _item(value)
    if item is None or item.get("id") or not isinstance(call := item.get("call_id"), str) or not call:
        return own_or_made(None if item is None else item.get("id"), value, place)
    return own_or_made(f"{call}-{item.get('type')}", value, place)


def parts_of(value: object) -> Iterator[Part | LeftOut]:
    """Yield what a line says. The user's and the agent's words have their roles; tools' calls and results have the role
    tool. Reasoning, instructions and the environment that Codex tells its model are left out, and so are events: they
    repeat the items.
    """
    if isinstance(value, Mapping) and (
        value.get("type") != "response_item" if "payload" in value else value.keys() >= _FIRST
    ):
        yield LeftOut(reason="bookkeeping of the host")
        return
    item = _item(value)
    kind = None if item is None else item.get("type")
    if item is None or not isinstance(kind, str):
        yield LeftOut(problem="it is no line of a rollout")
    elif kind == "message":
        yield from _words(item)
    elif kind in _CALLS:
        name = item.get("name")
        tool = (
            name
            if isinstance(name, str) and name
            else "shell"
            if "shell" in kind
            else kind.removesuffix("_call")
        )
        given = item.get("arguments") or item.get("input") or item.get("action")
        yield Part(role=Role.TOOL, text=call_text(tool, _value(given)), tool=tool)
    elif kind.endswith("_call_output"):
        yield Part(role=Role.TOOL, text=_output(item.get("output")))
    else:
        yield LeftOut(reason="thinking" if kind == "reasoning" else "of an unknown type")


def _item(value: object) -> Mapping[str, object] | None:
    item = value.get("payload", value) if isinstance(value, Mapping) else None
    return item if isinstance(item, Mapping) else None


def _words(item: Mapping[str, object]) -> Iterator[Part | LeftOut]:
    said = item.get("role")
    role = _ROLES.get(said) if isinstance(said, str) else None
    for text in shapes.said_in(item.get("content")):
        if role is Role.USER:
            _, is_editors, request = text.partition(_REQUEST)
            text = request.strip() if is_editors else text
        is_hosts = role is None or (
            role is Role.USER and (is_wrapped(text) or text.startswith("# AGENTS.md instructions"))
        )
        yield (
            LeftOut(reason="written by the host") if is_hosts or role is None else Part(role=role, text=text)
        )


def _output(given: object) -> str:
    """Return a tool's result: text, parts, or an object that holds either."""
    value = _value(given)
    if isinstance(value, Mapping):
        value = value.get("content", value.get("output"))
    return "\n".join(shapes.said_in(value))


def _value(given: object) -> object:
    """Return an object that is told as JSON text; anything else as it is."""
    if isinstance(given, str) and given.startswith("{"):
        try:
            return json.loads(given)
        except (ValueError, RecursionError):
            return given
    return given
