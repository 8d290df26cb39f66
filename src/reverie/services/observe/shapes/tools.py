"""What a tool was asked and what it answered, as text."""

from __future__ import annotations

import json
from typing import Any

from reverie.domain.message import Role
from reverie.services.observe.shapes.fields import Fields, fields_of, is_many
from reverie.services.observe.shapes.media import TEXTS, placeholder
from reverie.services.observe.shapes.runs import Run

_SEALED = ("encrypted", "signature", "thought_signature")
_LONG_NUMBER = 1 << 64


def call(name: str | None, given: object, at: str, *, id: str | None = None) -> Run:
    """Return a call as it would be written: ``name(arguments)``. ``at``: the field of its arguments."""
    called = name or "tool"
    said = given.strip() if isinstance(given, str) else "" if given is None else _json(given)
    said = "" if said in ("{}", "[]", "null") else said
    return Run(text=f"{called}({said})", role=Role.TOOL, at=at, ref=id, tool=called)


def result(answer: object, at: str, *, id: str | None = None, name: str | None = None) -> Run:
    """Return a tool's answer. ``at``: its field; ``id``: that of the call, which has a message of its own."""
    ref = None if id is None else f"{id}:result"
    return Run(text=answer_text(answer), role=Role.TOOL, at=at, ref=ref, tool=name or None)


def answer_text(answer: object) -> str:
    """Return an answer's text: texts as they are, media as placeholders, anything else as JSON."""
    if answer is None:
        return ""
    if isinstance(answer, str):
        return answer
    if isinstance(answer, list | tuple) and all(_is_block(one) for one in answer):
        return "\n".join(filter(None, (_block_text(one) for one in answer)))
    return _block_text(answer) if _is_block(answer) else _json(answer)


def _is_block(value: object) -> bool:
    if isinstance(value, str):
        return True
    fields = fields_of(value)
    return fields is not None and isinstance(fields.get("type"), str)


def _block_text(value: object) -> str:
    fields = {} if isinstance(value, str) else fields_of(value) or {}
    if fields.get("type") in TEXTS and isinstance(fields.get("text"), str):
        return str(fields["text"])
    if fields.get("type") == "search_result" and is_many(fields.get("content")):
        return "\n".join(filter(None, (_title(fields), answer_text(fields["content"]))))
    plain = _plain(value)
    return plain if isinstance(plain, str) else _json(plain)


def _title(fields: Fields) -> str:
    return fields["title"] if isinstance(fields.get("title"), str) else ""


def _json(value: object) -> str:
    return json.dumps(_plain(value), ensure_ascii=False)


def _plain(value: object) -> Any:
    """Return JSON values. What is sealed, such as encrypted content, has no words and is left out."""
    if value is None or isinstance(value, bool | float | str):
        return value
    if isinstance(value, int):
        return value if abs(value) < _LONG_NUMBER else "[number]"
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, set | frozenset):  # in the same order in each run
        return sorted((_plain(one) for one in value), key=str)
    fields = fields_of(value)
    if fields is None:
        return "[data]" if isinstance(value, bytes | bytearray) else str(value)
    media = placeholder(fields)
    if media is not None:
        return _written(fields) or media
    return {
        str(name): _plain(one)
        for name, one in fields.items()
        if one is not None and not str(name).startswith(("_", *_SEALED))
    }


def _written(fields: Fields) -> str | None:
    """Return the text of a document that holds text: a tool's answer is from outside as a whole."""
    source = fields_of(fields.get("source")) or {}
    text = source.get("data") if source.get("type") == "text" else None
    return text if isinstance(text, str) else None
