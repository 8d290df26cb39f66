"""Claude's export: ``conversations.json`` of claude.ai, a list of conversations with ``chat_messages``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from reverie.domain.message import Message, Role
from reverie.services.exchange.foreign.fields import digest, id_of, mapping, messages, moment, sequence, text
from reverie.services.exchange.foreign.items import Item, Skip, Talk, broken
from reverie.services.observe import shapes

CHANNEL = "claude"
_ROLES = {"human": Role.USER, "user": Role.USER, "assistant": Role.AGENT}


def is_mine(value: object) -> bool:
    """Return whether a value is a conversation of such an export."""
    return isinstance(mapping(value).get("chat_messages"), list)


def read(place: str, value: object) -> Iterator[Item]:
    """Yield the conversation. A file that the person attached stands behind the message, in role tool."""
    if not is_mine(value):
        yield broken(place, "it is no conversation: it has no chat_messages")
        return
    talk = mapping(value)
    found: list[Message] = []
    begun = moment(talk.get("created_at"))
    for number, message in enumerate(sequence(talk["chat_messages"])):
        begun = moment(mapping(message).get("created_at")) or begun
        for said in _message(f"{place}, chat_messages[{number}]", number, mapping(message), begun):
            if isinstance(said, Skip):
                yield said
            else:
                found.append(said)
    named = text(talk.get("uuid")) or digest(text(talk.get("name")), text(talk.get("created_at")))
    yield Talk(conversation=id_of("claude", named), channel=CHANNEL, messages=found)


def _message(
    place: str, number: int, message: Mapping[str, object], time: object
) -> Iterator[Message | Skip]:
    role = _ROLES.get(text(message.get("sender")) or text(message.get("role")))
    if role is None:
        yield broken(place, "nobody is named as its sender")
        return
    said = shapes.joined(shapes.readable_runs(message.get("content"), role))
    said = said or [shapes.Run(text=text(message.get("text")), role=role, at="text")]
    id = text(message.get("uuid")) or f"message-{number}"
    for count, run in enumerate(said):
        ref = id_of(id) if not count else id_of(id, count)
        yield from messages(place, run.text.strip(), role=run.role, ref=ref, time=moment(time))
    for count, file in enumerate(sequence(message.get("attachments"))):
        name = text(mapping(file).get("file_name"))
        if words := text(mapping(file).get("extracted_content")):
            yield from messages(
                f"{place}, attachments[{count}]", f"{name or 'file'}: {words}", role=Role.TOOL,
                ref=id_of(id, "attachment", count), time=moment(time), speaker=name,
            )  # fmt: skip
