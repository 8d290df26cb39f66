"""pydantic-ai's ModelRequest and ModelResponse: objects, and what its type adapter dumps."""

from __future__ import annotations

from collections.abc import Iterator

from reverie.domain.message import Message, Role
from reverie.services.observe.shapes.fields import Fields, id_in, mapping_in, parts_in, text_in, unknown
from reverie.services.observe.shapes.media import named, placeholder
from reverie.services.observe.shapes.runs import Run, made
from reverie.services.observe.shapes.tools import call, result

_TEXTS = {"system-prompt": Role.SYSTEM, "user-prompt": Role.USER, "text": Role.AGENT}
_CALLS = ("tool-call", "builtin-tool-call")
_ANSWERS = ("tool-return", "builtin-tool-return", "retry-prompt", "retry-feedback")
_LEFT_OUT = ("thinking", "compaction", "instruction", "instruction-baseline", "instruction-digest")


def read(fields: Fields, at: str) -> list[Message] | None:
    """Return a request's or response's messages. Raise InvalidInput."""
    if fields.get("kind") not in ("request", "response") or "parts" not in fields:
        return None
    id = id_in(fields.get("provider_response_id"), f"{at}provider_response_id")
    return made(_runs(fields, at), at, id=id)


def _runs(fields: Fields, at: str) -> Iterator[Run]:
    for place, value in enumerate(parts_in(fields.get("parts"), f"{at}parts")):
        here = f"{at}parts[{place}]."
        part = mapping_in(value, here)
        time = part.get("timestamp", fields.get("timestamp"))
        for run in _part(part, here):
            yield Run(
                text=run.text,
                role=run.role,
                at=run.at,
                ref=run.ref,
                tool=run.tool,
                cited=run.cited,
                time=time,
            )


def _part(part: Fields, at: str) -> Iterator[Run]:
    kind = part.get("part_kind")
    content, id = part.get("content"), id_in(part.get("tool_call_id"), f"{at}tool_call_id")
    name = text_in(part.get("tool_name"), f"{at}tool_name")
    if not isinstance(kind, str):
        raise unknown(kind, f"{at}part_kind", "kind of part")
    if kind in _TEXTS:
        yield from _texts(content, _TEXTS[kind], f"{at}content")
    elif kind in _CALLS:
        yield call(name, part.get("args"), f"{at}args", id=id)
    elif kind in _ANSWERS:
        yield result(content, f"{at}content", id=id if name else None, name=name)
    elif kind == "file":
        yield Run(text=_file(mapping_in(content, f"{at}content")), role=Role.AGENT, at=f"{at}content")
    elif kind == "speech":
        role = Role.USER if part.get("speaker") == "user" else Role.AGENT
        said = text_in(part.get("transcript"), f"{at}transcript")
        yield Run(text=said or "[audio]", role=role, at=f"{at}transcript")
    elif kind not in _LEFT_OUT and not kind.endswith("-delta"):
        raise unknown(kind, f"{at}part_kind", "kind of part")


def _texts(content: object, role: Role, at: str) -> Iterator[Run]:
    if content is None or isinstance(content, str):
        yield Run(text=content or "", role=role, at=at)
        return
    for place, value in enumerate(parts_in(content, at)):
        here = f"{at}[{place}]"
        if isinstance(value, str):
            yield Run(text=value, role=role, at=here)
            continue
        item = mapping_in(value, here)
        kind = item.get("kind")
        if kind in ("text-content", "structured-content"):
            yield Run(text=text_in(item.get("content"), f"{here}.content"), role=role, at=f"{here}.content")
        elif kind != "cache-point":
            yield Run(text=_file(item, f"{here}.kind"), role=role, at=here)


def _file(item: Fields, at: str = "") -> str:
    shown = placeholder({name: one for name, one in item.items() if name != "type"})
    if shown is None and at:
        raise unknown(item.get("kind"), at, "kind of content")
    return shown or named("file", item)
