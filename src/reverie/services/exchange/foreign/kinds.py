"""Which reader takes a document: by its content, or as the caller says."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import chain, islice
from typing import Any

from reverie.domain.import_report import ImportKind
from reverie.domain.text import lowered
from reverie.errors import InvalidInput
from reverie.errors.showing import shown
from reverie.services.codecs import FORMAT, HEADER, OTHER_FILES
from reverie.services.exchange.foreign import (
    chat_text,
    chatgpt,
    claude,
    jsonl,
    langgraph,
    letta,
    markdown,
    mcp_graph,
    mem0,
    whatsapp,
    zep,
)
from reverie.services.exchange.foreign.documents import Document, Source, Text, Values, documents
from reverie.services.exchange.foreign.fields import mapping
from reverie.services.exchange.foreign.items import Item, Skip
from reverie.services.exchange.foreign.transcripts import Transcripts

_CLAUDE_CODE, _CODEX = Transcripts(ImportKind.CLAUDE_CODE), Transcripts(ImportKind.CODEX)
_BY_VALUE: Mapping[ImportKind, Any] = {
    ImportKind.CHATGPT: chatgpt, ImportKind.CLAUDE: claude, ImportKind.CLAUDE_CODE: _CLAUDE_CODE,
    ImportKind.CODEX: _CODEX, ImportKind.MEM0: mem0, ImportKind.MCP_MEMORY: mcp_graph, ImportKind.ZEP: zep,
    ImportKind.LANGGRAPH: langgraph, ImportKind.LETTA: letta, ImportKind.JSONL: jsonl,
}  # fmt: skip
"""In the order in which they are asked whether a value is theirs."""
_WHOLE = frozenset({ImportKind.CLAUDE_CODE, ImportKind.CODEX, ImportKind.JSONL})
"""Of those the ones whose values hang together: their ``read`` takes a document, that of the others a place and a
value.
"""
_BY_TEXT = {
    ImportKind.WHATSAPP: whatsapp, ImportKind.MARKDOWN: markdown, ImportKind.CHAT_TEXT: chat_text,
}  # fmt: skip
_LOOKED_AT = 20
_LONG_HEAD = 16 << 20
_IN_HEAD = {b'"mapping"': ImportKind.CHATGPT, b'"chat_messages"': ImportKind.CLAUDE}
"""Fields of a first value that is longer than a document's head."""


def checked_kind(value: object) -> ImportKind | None:
    """Return a kind by its name, None for None. Raises InvalidInput."""
    if value is None:
        return None
    try:
        return ImportKind(lowered(value))
    except ValueError:
        raise InvalidInput(
            "kind", f"{shown(value)} is no kind", f"choose from {', '.join(ImportKind)}"
        ) from None


def kind_of(source: Source) -> ImportKind | None:
    """Return the kind of the first document that has one; None where none has. Raises InvalidInput for what can't be
    read.
    """
    for one in documents(source):
        if isinstance(one, Skip):
            continue
        try:
            kind, _ = detected(one)
        except InvalidInput:
            if one.alone:
                raise
            continue
        if kind is not None:
            return kind
    return None


def reader(kind: ImportKind) -> Callable[[Document], Iterator[Item]]:
    """Return what reads documents of a kind."""
    read: Callable[..., Iterator[Item]] = {**_BY_VALUE, **_BY_TEXT}[kind].read
    return read if kind in _WHOLE or kind in _BY_TEXT else partial(_one_by_one, read)


def _one_by_one(read: Callable[[str, object], Iterator[Item]], document: Document) -> Iterator[Item]:
    for one in document.values():
        yield from [one] if isinstance(one, Skip) else read(*one)


def detected(document: Document) -> tuple[ImportKind | None, Document]:
    """Return the kind, and a document that can still be read from its beginning."""
    if isinstance(document, Values):
        given = iter(document.given)
        first = [*islice(given, _LOOKED_AT)]
        whole = Values(name=document.name, given=chain(first, given))
        return _of_values(Values(name="", given=first)), whole
    kind = _of_text(document)
    if kind is None:  # its first value may be long
        document = document.looked_into(_LONG_HEAD)
        kind = _of_text(document)
    return kind, document


def _of_text(document: Text) -> ImportKind | None:
    head = document.head
    for start, (problem, remedy) in OTHER_FILES.items():
        if head.startswith(start):
            raise InvalidInput("source", problem, remedy)
    words = head.decode("utf-8", "replace").removeprefix("\ufeff")
    if whatsapp.is_mine(words):
        return ImportKind.WHATSAPP
    if words.lstrip()[:1] in ("[", "{"):
        found = _of_values(Text(name="", head=head, rest=io.BytesIO()))
        return found or next((kind for mark, kind in _IN_HEAD.items() if mark in head), None)
    if document.name.lower().endswith((".md", ".markdown")):
        return ImportKind.MARKDOWN
    return next((kind for kind, module in _BY_TEXT.items() if module.is_mine(words)), None)


def _of_values(document: Document) -> ImportKind | None:
    for one in islice(document.values(), _LOOKED_AT):
        if isinstance(one, Skip):
            continue
        value = mapping(one[1])
        if (value.get("type"), value.get("format")) == (HEADER, FORMAT):
            return ImportKind.REVERIE
        kind = next((kind for kind, module in _BY_VALUE.items() if module.is_mine(value)), None)
        if kind is not None:
            return kind
    return None
