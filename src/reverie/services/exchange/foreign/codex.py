"""Codex's transcripts: JSON Lines ``rollout-….jsonl`` in ``~/.codex/sessions``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from reverie.domain.message import Message, Role
from reverie.services.exchange.foreign.blocks import plain
from reverie.services.exchange.foreign.documents import Document
from reverie.services.exchange.foreign.fields import as_json, id_of, mapping, messages, moment, text
from reverie.services.exchange.foreign.items import Item, Skip, Talk, broken
from reverie.services.exchange.foreign.runs import Run

CHANNEL = "terminal"
_TYPES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_ROLES = {"user": Role.USER, "assistant": Role.AGENT}
_HOSTS = re.compile(r"<[A-Za-z_][\w -]{2,60}>|# AGENTS\.md instructions")
"""How a text begins that Codex wrote in the person's place."""
_REQUEST = "## My request for Codex:"
"""What an editor's extension puts between its own words and the person's."""
_CALLS = ("function_call", "custom_tool_call", "local_shell_call", "web_search_call")


def is_mine(value: object) -> bool:
    """Return whether a value is a line of a rollout, also of the first versions, whose items had no envelope."""
    line = mapping(value)
    if text(line.get("type")) in _TYPES and isinstance(line.get("payload"), dict):
        return True
    return {"id", "timestamp", "instructions"} <= line.keys()


def read(document: Document) -> Iterator[Item]:
    """Yield what the person, the model and the tools said; a rollout is a conversation. Items have no ids: their places
    are their refs, for a rollout only grows.
    """
    run = Run(CHANNEL)
    session = run.unnamed(document.name)
    for one in document.values():
        if isinstance(one, Skip):
            yield one
            continue
        place, value = one
        line = mapping(value)
        kind = line.get("type")
        item = line if "payload" not in line else mapping(line["payload"])
        if kind == "session_meta" or (is_mine(line) and "payload" not in line):
            session = text(item.get("id")) or session
            continue
        if "payload" in line and kind != "response_item":
            yield Skip(reason="bookkeeping of the host")
            continue
        if not isinstance(item.get("type"), str):
            yield broken(place, "it is no line of a rollout")
            continue
        yield from _added(run, id_of("codex", session), _item(place, item, line))
    yield from run.rest()


def _added(run: Run, conversation: str, some: Iterator[Message | Skip]) -> Iterator[Talk | Skip]:
    for one in some:
        yield from [one] if isinstance(one, Skip) else run.add(conversation, one)


def _item(place: str, item: Mapping[str, object], line: Mapping[str, object]) -> Iterator[Message | Skip]:
    kind, time, ref = text(item.get("type")), moment(line.get("timestamp")), place.replace(" ", "-")
    if kind == "message":
        role, said = _ROLES.get(text(item.get("role"))), plain(item.get("content"))
        if role is Role.USER and _REQUEST in said:
            said = said.partition(_REQUEST)[2].strip()
        if role is None or (role is Role.USER and _HOSTS.match(said)):
            yield Skip(reason="written by the host")
        else:
            yield from messages(place, said, role=role, ref=ref, time=time)
    elif kind in _CALLS:
        name = text(item.get("name")) or kind.removesuffix("_call")
        given = item.get("arguments") or item.get("input") or item.get("action") or ""
        yield from messages(place, f"{name}: {as_json(given)}", role=Role.TOOL, ref=ref, time=time)
    elif kind.endswith("_call_output"):
        output = item.get("output")
        said = plain(output) or text(mapping(output).get("content"))
        yield from messages(place, said, role=Role.TOOL, ref=ref, time=time)
    else:
        yield Skip(reason="thinking" if kind == "reasoning" else "of an unknown type")
