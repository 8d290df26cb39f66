"""LangChain's messages: objects, and what ``messages_to_dict`` makes of them."""

from __future__ import annotations

from collections.abc import Iterator

from reverie.domain.message import Message, Role
from reverie.services.observe.shapes.blocks import runs_in
from reverie.services.observe.shapes.chat import calls_in, role_in
from reverie.services.observe.shapes.fields import Fields, fields_of, id_in, text_in
from reverie.services.observe.shapes.runs import Run, made
from reverie.services.observe.shapes.tools import answer_text

_ROLES = {
    "human": Role.USER, "ai": Role.AGENT, "system": Role.SYSTEM, "tool": Role.TOOL, "function": Role.TOOL,
    "chat": None,
}  # fmt: skip
_CHUNKS = {"AI" if name == "ai" else name.capitalize(): name for name in _ROLES}


def read(fields: Fields, at: str) -> list[Message] | None:
    """Return a message's messages: what is said, then each call of a tool. Raise InvalidInput."""
    kind = _kind(fields)
    if kind is None:
        return None
    inner = fields_of(fields.get("data"))
    if inner is not None and "content" not in fields:
        fields, at = inner, f"{at}data."
    elif "content" not in fields or ("role" in fields and kind != "chat"):
        return None
    role = _ROLES[kind] or role_in(fields.get("role"), f"{at}role")
    name = text_in(fields.get("name"), f"{at}name")
    id = id_in(fields.get("id"), f"{at}id")
    if role is Role.TOOL:
        call_id = id_in(fields.get("tool_call_id"), f"{at}tool_call_id")
        answer = fields.get("content")
        run = Run(text=answer_text(answer), role=role, at=f"{at}content", tool=name or None)
        return made([run], at, id=id or (call_id and f"{call_id}:result"))
    return made(_runs(fields, role, at), at, id=id, role=role, given={"speaker": name} if name else {})


def _kind(fields: Fields) -> str | None:
    kind = fields.get("type")
    if not isinstance(kind, str):
        return None
    kind = _CHUNKS.get(kind.removesuffix("MessageChunk"), kind) if kind.endswith("MessageChunk") else kind
    return kind if kind in _ROLES else None


def _runs(fields: Fields, role: Role, at: str) -> Iterator[Run]:
    """Yield what is said, and each call once: providers put it into the content, LangChain beside it."""
    calls = [*calls_in(fields.get("tool_calls"), f"{at}tool_calls")]
    calls += calls_in(fields.get("invalid_tool_calls"), f"{at}invalid_tool_calls")
    known = {run.ref for run in calls} - {None}
    yield from (run for run in runs_in(fields.get("content"), role, f"{at}content") if run.ref not in known)
    yield from calls
