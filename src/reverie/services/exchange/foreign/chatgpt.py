"""ChatGPT's export: ``conversations.json``, a list of conversations, each a tree of messages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from reverie.domain.message import Message, Role
from reverie.services.exchange.foreign.fields import digest, id_of, mapping, messages, moment, sequence, text
from reverie.services.exchange.foreign.items import Item, Skip, Talk, broken

CHANNEL = "chatgpt"
INSTRUCTIONS, SAVED = "chatgpt/custom-instructions", "chatgpt/saved-memory"
"""The conversations of what a person told ChatGPT to know, and of what ChatGPT kept of a person."""
_CITED = re.compile("\ue200[^\ue200\ue201]*\ue201")
_ROLES = {"user": Role.USER, "assistant": Role.AGENT, "tool": Role.TOOL}
_THOUGHTS = frozenset({"thoughts", "reasoning_recap"})
_PARTS = {
    "image_asset_pointer": "[image]",
    "audio_asset_pointer": "[audio]",
    "video_container_asset_pointer": "[video]",
}


def is_mine(value: object) -> bool:
    """Return whether a value is a conversation of such an export."""
    return isinstance(mapping(value).get("mapping"), dict)


def read(place: str, value: object) -> Iterator[Item]:
    """Yield the conversation as it was shown last: the branch that ends with ``current_node``."""
    if not is_mine(value):
        yield broken(place, "it is no conversation: it has no mapping")
        return
    yield from _conversation(place, mapping(value))


def _conversation(place: str, talk: Mapping[str, object]) -> Iterator[Item]:
    nodes = mapping(talk["mapping"])
    branch = _branch(nodes, talk.get("current_node"))
    shown = set(branch)
    elsewhere = sum(1 for id, node in nodes.items() if id not in shown and _message(node))
    if elsewhere:
        yield Skip(reason="on another branch", count=elsewhere)
    begun = moment(talk.get("create_time"), talk.get("update_time"))
    found: list[Message] = []
    for id in branch:
        message = _message(nodes[id])
        if not message:
            continue
        where = f"{place}, mapping[{str(id)[:40]}]"
        begun = moment(message.get("create_time")) or begun
        aside = _aside(message)
        if aside is not None:
            conversation, by, said = aside
            for one in messages(where, said, role=by, ref=digest(said), time=begun):
                if isinstance(one, Skip):
                    yield one
                else:
                    yield Talk(conversation=conversation, channel=CHANNEL, messages=[one])
            continue
        role, speaker, said = _said(message)
        if role is None:
            yield Skip(reason=said)
            continue
        for one in messages(
            where, said, role=role, ref=id_of(text(message.get("id")) or id), time=begun, speaker=speaker
        ):
            if isinstance(one, Skip):
                yield one
            else:
                found.append(one)
    named = text(talk.get("conversation_id")) or text(talk.get("id"))
    name = id_of("chatgpt", named or digest([*nodes][:2], text(talk.get("title"))))
    yield Talk(conversation=name, channel=CHANNEL, messages=found)


def _message(node: object) -> Mapping[str, object]:
    return mapping(mapping(node).get("message"))


def _branch(nodes: Mapping[str, object], current: object) -> Sequence[str]:
    """Return the ids from the root to the current node; where that is missing, to the last node without children."""
    at: object = current if isinstance(current, str) and current in nodes else None
    if at is None:
        leaves = [id for id, node in nodes.items() if not sequence(mapping(node).get("children"))]
        at = leaves[-1] if leaves else None
    found = dict[str, None]()
    while isinstance(at, str) and at in nodes and at not in found:  # a tree that runs in a circle ends
        found[at] = None
        at = mapping(nodes[at]).get("parent")
    return [*found][::-1]


def _aside(message: Mapping[str, object]) -> tuple[str, Role, str] | None:
    """Return what belongs to the person, and not to this conversation: it is repeated in each."""
    content = mapping(message.get("content"))
    kind = text(content.get("content_type"))
    if kind == "model_editable_context":
        return SAVED, Role.TOOL, text(content.get("model_set_context"))
    if kind != "user_editable_context":
        return None
    plain = mapping(mapping(message.get("metadata")).get("user_context_message_data"))
    told = (
        text(plain.get("about_user_message")) or text(content.get("user_profile")),
        text(plain.get("about_model_message")) or text(content.get("user_instructions")),
    )
    return INSTRUCTIONS, Role.USER, "\n\n".join(filter(None, told))


def _said(message: Mapping[str, object]) -> tuple[Role | None, str, str]:
    """Return role, speaker and words; without a role, why it is left out."""
    author, content = mapping(message.get("author")), mapping(message.get("content"))
    role = _ROLES.get(text(author.get("role")))
    if role is None:
        return None, "", "system message"
    if mapping(message.get("metadata")).get("is_visually_hidden_from_conversation") is True:
        return None, "", "hidden"
    if text(content.get("content_type")) in _THOUGHTS:
        return None, "", "thinking"
    said = _CITED.sub("", _words(content)).strip()
    to = text(message.get("recipient"))
    if role is Role.AGENT and to not in ("", "all"):
        return (Role.TOOL, to, f"{to}: {said}") if said else (Role.TOOL, to, "")
    files = [
        text(mapping(one).get("name"))
        for one in sequence(mapping(message.get("metadata")).get("attachments"))
    ]
    names = "\n".join(f"[file: {one}]" for one in files if one)
    speaker = text(author.get("name")) if role is Role.TOOL else ""
    return role, speaker, f"{said}\n{names}".strip() if role is Role.USER else said


def _words(content: Mapping[str, object]) -> str:
    parts = "\n".join(filter(None, (_part(one) for one in sequence(content.get("parts")))))
    if parts:
        return parts
    named = (text(content.get(name)) for name in ("title", "text", "result", "summary"))
    return "\n".join(filter(None, named))


def _part(part: object) -> str:
    if isinstance(part, str):
        return part.strip()
    given = mapping(part)
    return text(given.get("text")) or _PARTS.get(text(given.get("content_type")), "")
