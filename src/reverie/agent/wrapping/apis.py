"""The three APIs: where the last user's text stands in a call, where context goes, and what was said anew."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from reverie.agent.wrapping.following import (
    Following,
    FollowingChat,
    FollowingMessages,
    FollowingResponses,
)
from reverie.domain.message import Message, Role
from reverie.services.observe import messages_of

Call: TypeAlias = dict[str, Any]
"""A call's keyword arguments."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Api:
    """``given``: which argument holds the messages. ``with_context``: return the call with a text in its prompt.
    ``said``: return the messages of an answer, as ``observe`` takes them. ``following``: make what puts a streamed
    answer together.
    """

    given: str
    with_context: Callable[[Call, str], Call]
    said: Callable[[Any], Sequence[object]]
    following: Callable[[], Following]

    def settled(self, call: Call) -> Call:
        """Return the call with its messages in a list of ours, so that they can be read twice."""
        given = call.get(self.given)
        if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
            return call
        return {**call, self.given: [*given]}

    def task(self, call: Call) -> str | None:
        """Return what the user said last; None for nothing."""
        for value in reversed(self._values(call)):
            if _is_answer(value):
                continue
            texts = [one.content for one in messages_of(value) if one.role is Role.USER]
            if texts:
                return "\n".join(texts)
        return None

    def new(self, call: Call) -> list[Message]:
        """Return what was said since the model's last answer: users' messages, and results of tools. A text that the
        model is to go on with (the last message is the model's, and a plain text) is none of its answers.
        """
        values = self._values(call)
        if values and _is_answer(values[-1]) and isinstance(_field(values[-1], "content"), str):
            values = values[:-1]
        last = max((place for place, value in enumerate(values, 1) if _is_answer(value)), default=0)
        read = (message for value in values[last:] for message in messages_of(value))
        return [message for message in read if message.role in (Role.USER, Role.TOOL)]

    def _values(self, call: Call) -> Sequence[object]:
        given = call.get(self.given)
        if isinstance(given, str):
            return [given]
        return given if isinstance(given, list) else []


def _field(value: object, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)


def _is_answer(value: object) -> bool:
    """Return whether it comes from the model: also a Responses item that is no message and no output of a tool."""
    role, kind = _field(value, "role"), _field(value, "type")
    if role is not None:
        return bool(role == "assistant")
    return isinstance(kind, str) and not kind.endswith(("_output", "_response"))


def _joined(prompt: object, text: str) -> object:
    """Return a prompt with the text behind it: as a text, or as one more part."""
    if isinstance(prompt, str) and prompt:
        return f"{prompt}\n\n{text}"
    if isinstance(prompt, Iterable) and not isinstance(prompt, str | Mapping):
        return [*prompt, {"type": "text", "text": text}]
    return text


def _in_chat(call: Call, text: str) -> Call:
    messages = call.get("messages")
    if not isinstance(messages, list):
        return call
    first = messages[0] if messages else None
    if isinstance(first, Mapping) and first.get("role") in ("system", "developer"):
        prompt = {**first, "content": _joined(first.get("content"), text)}
        return {**call, "messages": [prompt, *messages[1:]]}
    return {**call, "messages": [{"role": "system", "content": text}, *messages]}


CHAT = Api(
    given="messages",
    with_context=_in_chat,
    said=lambda answer: [one.message for one in answer.choices[:1]],
    following=FollowingChat,
)
RESPONSES = Api(
    given="input",
    with_context=lambda call, text: {**call, "instructions": _joined(call.get("instructions"), text)},
    said=lambda answer: list(answer.output),
    following=FollowingResponses,
)
MESSAGES = Api(
    given="messages",
    with_context=lambda call, text: {**call, "system": _joined(call.get("system"), text)},
    said=lambda answer: [answer],
    following=FollowingMessages,
)
