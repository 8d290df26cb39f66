"""A line of Codex's transcript (``~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl``) as messages."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping

from reverie.domain.message import Message, Role
from reverie.doors.formats.transcript import Part, Place, call_text, is_wrapped, messages, texts_of

_ROLES = {"user": Role.USER, "assistant": Role.AGENT}
_CALLS = ("function_call", "custom_tool_call", "local_shell_call", "mcp_tool_call")
_OUTPUTS = tuple(f"{call}_output" for call in _CALLS)


def messages_of(value: object) -> list[Message] | None:
    """Return what one JSON value of the transcript says. None where it says nothing.

    ref is the item's own id, or one made of the line's time and words. The user's and the agent's words have their
    roles; tools' calls and results have the role tool. Reasoning, instructions and the environment that Codex tells
    its model are left out, and so are events: they repeat the items.
    """
    if not isinstance(value, Mapping) or value.get("type") != "response_item":
        return None
    item = value.get("payload")
    if not isinstance(item, Mapping):
        return None
    return messages(_parts(item), ref=_ref(value, item), time=value.get("timestamp"))


def place_of(value: object) -> Place:
    """Return the session and the working directory that a line names: the first one does."""
    if not isinstance(value, Mapping) or not isinstance(said := value.get("payload"), Mapping):
        return Place()
    if value.get("type") not in ("session_meta", "turn_context"):
        return Place()
    session, cwd = said.get("id", said.get("session_id")), said.get("cwd")
    return Place(
        session=session if isinstance(session, str) else None, cwd=cwd if isinstance(cwd, str) else None
    )


def _parts(item: Mapping[str, object]) -> Iterator[Part]:
    kind = item.get("type")
    if kind == "message" and (role := _ROLES.get(str(item.get("role")))) is not None:
        for text in texts_of(item.get("content"), ("input_text", "output_text", "text")):
            if role is Role.AGENT or not _is_hosts(text):
                yield Part(role=role, text=text)
    elif kind in _CALLS:
        tool = str(item.get("name") or "shell")
        given = item.get("arguments", item.get("input", item.get("action")))
        yield Part(role=Role.TOOL, text=call_text(tool, _value(given)), tool=tool)
    elif kind in _OUTPUTS:
        yield Part(role=Role.TOOL, text=_output(item.get("output")))


def _output(given: object) -> str:
    """Return a tool's result: text, parts, or an object that holds either."""
    value = _value(given)
    if isinstance(value, Mapping):
        value = value.get("content", value.get("output"))
    return "\n".join(texts_of(value, ("input_text", "output_text", "text")))


def _value(given: object) -> object:
    """Return an object that is told as JSON text; anything else as it is."""
    if isinstance(given, str) and given.startswith("{"):
        try:
            return json.loads(given)
        except (ValueError, RecursionError):
            return given
    return given


def _is_hosts(text: str) -> bool:
    return is_wrapped(text) or text.startswith("# AGENTS.md instructions")


def _ref(value: Mapping[str, object], item: Mapping[str, object]) -> str:
    if isinstance(own := item.get("id"), str) and own:
        return own
    kind = item.get("type")
    if isinstance(call := item.get("call_id"), str) and call:
        return f"{call}-{kind}"
    words = json.dumps(item, sort_keys=True, default=str)
    digest = hashlib.blake2b(words.encode("utf-8", "replace"), digest_size=8).hexdigest()
    return f"{value.get('timestamp')}-{digest}"
