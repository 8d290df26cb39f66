"""Content as OpenAI's and Anthropic's formats have it: a text, or a list of blocks."""

from __future__ import annotations

from collections.abc import Iterator

from reverie.domain.message import Role
from reverie.services.exchange.foreign.fields import as_json, items, mapping, text

_TEXTS = frozenset({"text", "input_text", "output_text", "voice_note", "refusal"})
_PICTURES = {"image": "[image]", "input_image": "[image]", "image_url": "[image]", "document": "[document]"}


def parts(content: object, role: Role) -> Iterator[tuple[Role, str]]:
    """Yield runs of what one speaker said, and each call and result of a tool by itself, in role tool. Thinking and
    blocks of unknown types are left out.
    """
    if isinstance(content, str):
        yield role, content.strip()
        return
    run: list[str] = []
    for block in items(content):
        said = block if isinstance(block, str) else _said(mapping(block))
        if said is not None:
            run.append(said)
            continue
        tool = _tool(mapping(block))
        if tool:
            if run:
                yield role, "\n".join(run).strip()
                run = []
            yield Role.TOOL, tool
    if run:
        yield role, "\n".join(run).strip()


def plain(content: object) -> str:
    """Return the texts of a content, one below the other; nothing of the tools in it."""
    if isinstance(content, str):
        return content.strip()
    said = (block if isinstance(block, str) else _said(mapping(block)) for block in items(content))
    return "\n".join(one for one in said if one)


def _said(block: object) -> str | None:
    given = mapping(block)
    kind = text(given.get("type"))
    return text(given.get("text")) if kind in _TEXTS else _PICTURES.get(kind)


def _tool(block: object) -> str:
    given = mapping(block)
    kind = text(given.get("type"))
    if kind in ("tool_use", "server_tool_use", "mcp_tool_use"):
        return f"{text(given.get('name')) or 'tool'}: {as_json(given.get('input'))}"
    if kind.endswith("tool_result"):
        return plain(given.get("content"))
    return ""
