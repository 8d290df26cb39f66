"""From JSON objects to rooms of checked messages, whatever file the objects come from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from reverie.domain.ids import checked_name
from reverie.domain.message import FIELDS, MAX_AT_ONCE, Message
from reverie.doors.formats.objects import article
from reverie.doors.formats.room import Room
from reverie.errors import InvalidInput, RefConflict


def gathered(entries: Iterable[tuple[str, object]], *, conversation: str, channel: str) -> list[Room]:
    """Return every entry's messages, as ``observe`` reads them, sorted into rooms in the order of their first messages.

    An entry is its place in the file (such as ``line 3``) and a JSON value; ``conversation`` and ``channel`` hold
    for those that name none. Raises InvalidInput naming the place, and for more than ``MAX_AT_ONCE``; RefConflict for
    two messages of one ref.
    """
    from reverie.client import messages_of  # brings numpy: not at a command's start

    found: dict[tuple[str, str], list[Message]] = {}
    refs: dict[tuple[str, str], str] = {}
    for count, (place, value) in enumerate(entries):
        if count == MAX_AT_ONCE:
            raise InvalidInput("FILE", f"it holds more than {MAX_AT_ONCE:,} messages", "split the file")
        try:
            given = _fields(value)
            room = (
                checked_name(_own(given, "conversation", conversation), "conversation"),
                checked_name(_own(given, "channel", channel), "channel"),
            )
            messages = messages_of(given)
        except InvalidInput as error:
            raise located(place, error) from None
        for message in messages:
            if (
                message.ref is not None
                and refs.setdefault((room[0], message.ref), message.content) != message.content
            ):
                raise RefConflict(message.ref, room[0])
            found.setdefault(room, []).append(message)
    return [Room(conversation=key[0], channel=key[1], messages=tuple(many)) for key, many in found.items()]


def located(place: str, error: InvalidInput) -> InvalidInput:
    """Return the error with its place in the file; for an unknown field, with the fields that only files have."""
    remedy = error.remedy
    if error.problem.endswith("is not a field of a message"):
        remedy = f"{remedy}; conversation and channel too"
    return InvalidInput(f"{place}, {error.field}", error.problem, remedy)


def _fields(value: object) -> dict[str, object]:
    if not isinstance(value, Mapping):
        raise InvalidInput(
            "JSON", f"{article(value)} is not a message", 'give an object such as {"content": "…"}'
        )
    content = value.get("content")
    if not isinstance(content, str | list | None) and value.keys() <= FIELDS:
        raise InvalidInput("content", f"{article(content)} is not text", 'give {"content": "…"}')
    return dict(value)


def _own(given: dict[str, object], name: str, default: str) -> object:
    value = given.pop(name, None)
    return default if value is None else value
