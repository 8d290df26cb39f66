"""Find the family that a value belongs to, and read it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from reverie.domain.message import FIELDS, Message
from reverie.errors import InvalidInput
from reverie.services.observe.shapes import chat, google, langchain, pydantic_ai, responses
from reverie.services.observe.shapes.fields import Fields, fields_of, is_many

_FAMILIES: Sequence[Callable[[Fields, str], list[Message] | None]] = (
    pydantic_ai.read, google.read, langchain.read, responses.read, chat.read,
)  # fmt: skip


def is_one(value: object) -> bool:
    """Return whether the value is one message and not several: a text, a mapping, a Message, or another's object."""
    if isinstance(value, str | Mapping | Message):
        return True
    return fields_of(value) is not None and (hasattr(value, "model_dump") or not isinstance(value, Iterable))


def read(value: object, at: str) -> list[Message] | None:
    """Return the messages that a value of another's shape holds: none where only thinking is left, several where it
    also calls tools. None for what ``Message.of`` reads or refuses.

    ``at``: the value's place, such as ``messages[3].``. Raise InvalidInput, which names the field that can't be read.
    """
    try:
        fields = fields_of(value)
        if fields is None or isinstance(value, Message) or _is_own(fields):
            return None
        return next((found for family in _FAMILIES if (found := family(fields, at)) is not None), None)
    except RecursionError:
        raise InvalidInput(
            at.rstrip(".") or "message", "it is nested too deeply", "give a message without such depths"
        ) from None


def _is_own(fields: Fields) -> bool:
    """Return whether it is a mapping of ours: no field but ours, and no content in parts or without words."""
    if is_many(fields.get("content")) or chat.is_empty(fields):
        return False
    return all(name in FIELDS for name in fields)
