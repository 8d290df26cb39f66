"""Claude Code's transcripts: JSON Lines, an entry each, in ``~/.claude/projects``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from reverie.domain.message import Message, Role
from reverie.services.exchange.foreign.blocks import parts
from reverie.services.exchange.foreign.documents import Document
from reverie.services.exchange.foreign.fields import id_of, mapping, messages, moment, text
from reverie.services.exchange.foreign.items import Item, Skip, broken
from reverie.services.exchange.foreign.runs import Run

CHANNEL = "terminal"
_ROLES = {"user": Role.USER, "assistant": Role.AGENT}
_OTHERS = frozenset(
    {"summary", "system", "file-history-snapshot", "queue-operation", "progress", "attachment"}
)
_REMINDER, _REMINDER_END = "<system-reminder>", "</system-reminder>"
_HOSTS = re.compile(
    r"<(?:command-|local-command-|bash-|task-notification|user-memory-|teammate-message)|\[Request interrupted"
)
"""How a text begins that the host wrote in the person's place."""


def is_mine(value: object) -> bool:
    """Return whether a value is an entry of a transcript."""
    entry = mapping(value)
    kind = text(entry.get("type"))
    is_said = kind in _ROLES and isinstance(entry.get("message"), dict) and "uuid" in entry
    return is_said or (kind in _OTHERS and bool(entry.keys() & {"sessionId", "leafUuid", "messageId"}))


def read(document: Document) -> Iterator[Item]:
    """Yield what the person, the model and the tools said, each session a conversation."""
    run = Run(CHANNEL)
    for one in document.values():
        if isinstance(one, Skip):
            yield one
            continue
        place, value = one
        entry = mapping(value)
        why = _left_out(entry)
        if why is not None:
            yield why if why.reason else broken(place, "it is no entry of a transcript")
            continue
        session = id_of("claude-code", text(entry.get("sessionId")) or run.unnamed(document.name))
        for said in _entry(place, entry):
            yield from [said] if isinstance(said, Skip) else run.add(session, said)
    yield from run.rest()


def _left_out(entry: Mapping[str, object]) -> Skip | None:
    kind = text(entry.get("type"))
    if kind not in _ROLES:
        return Skip(reason="bookkeeping of the host" if kind else "")
    if entry.get("isSidechain") is True:
        return Skip(reason="said to or by a subagent")
    if entry.get("isMeta") is True or entry.get("isCompactSummary") is True:
        return Skip(reason="written by the host")
    if mapping(entry.get("message")).get("model") == "<synthetic>" or entry.get("isApiErrorMessage") is True:
        return Skip(reason="written by the host")
    return None


def _entry(place: str, entry: Mapping[str, object]) -> Iterator[Message | Skip]:
    role = _ROLES[text(entry.get("type"))]
    content = mapping(entry.get("message")).get("content")
    if not isinstance(content, str | list):
        yield broken(f"{place}, message.content", "it is neither a text nor a list")
        return
    id, time = text(entry.get("uuid")) or place, moment(entry.get("timestamp"))
    for number, (by, words) in enumerate(parts(content, role)):
        said = _unreminded(words) if by is Role.USER else words
        if by is Role.USER and _HOSTS.match(said):
            yield Skip(reason="written by the host")
            continue
        ref = id_of(id) if not number else id_of(id, number)
        yield from messages(place, said, role=by, ref=ref, time=time)


def _unreminded(words: str) -> str:
    """Return a text without what the host put into it as reminders."""
    first, *rest = words.split(_REMINDER)
    return "".join([first, *(one.partition(_REMINDER_END)[2] for one in rest)]).strip()
