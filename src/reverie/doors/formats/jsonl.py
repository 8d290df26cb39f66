"""JSON Lines of messages: a line is an object with ``Message``'s fields and, if wanted, conversation and channel."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import timedelta, timezone

from reverie.domain.ids import checked_name
from reverie.domain.message import Message
from reverie.domain.time import to_utc
from reverie.doors.formats.room import Room
from reverie.errors import InvalidInput, RefConflict

_ENDS_OF_THE_WORLD = (timezone(timedelta(hours=-24, minutes=1)), timezone(timedelta(hours=24, minutes=-1)))

Line = tuple[int, bytes]
"""A line's number, from 1, and its bytes."""


def rooms(lines: Iterable[Line], *, conversation: str, channel: str) -> list[Room]:
    """Every line as a message, sorted into rooms in the order of their first lines; blank lines are passed over.

    ``conversation`` and ``channel`` hold for lines that name none. The whole file is checked here, and its
    text isn't kept. Raises InvalidInput naming the line, and RefConflict for two messages of one ref.
    """
    found: dict[tuple[str, str], list[Message]] = {}
    refs: dict[tuple[str, str], str] = {}
    for number, raw in lines:
        if not raw.strip():
            continue
        try:
            given = dict(parsed(raw))
            room = (
                checked_name(_own(given, "conversation", conversation), "conversation"),
                checked_name(_own(given, "channel", channel), "channel"),
            )
            message = Message.of(given)
            _check_time(message)
        except InvalidInput as error:
            raise InvalidInput(f"line {number}, {error.field}", error.problem, error.remedy) from None
        if (
            message.ref is not None
            and refs.setdefault((room[0], message.ref), message.content) != message.content
        ):
            raise RefConflict(message.ref, room[0])
        found.setdefault(room, []).append(message)
    return [Room(conversation=key[0], channel=key[1], messages=tuple(many)) for key, many in found.items()]


def parsed(raw: bytes) -> Mapping[str, object]:
    """The JSON object that stands in a line. Raises InvalidInput."""
    try:
        value = json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InvalidInput("text", f"byte {error.start + 1} is not UTF-8", "save the file as UTF-8") from None
    except json.JSONDecodeError as error:
        raise InvalidInput(
            "JSON", f"{error.msg} at character {error.colno}", "give one JSON object a line"
        ) from None
    except (ValueError, RecursionError):  # numbers of thousands of digits, brackets nested by the thousand
        raise InvalidInput("JSON", "it can't be read", "give one JSON object a line") from None
    if not isinstance(value, Mapping):
        raise InvalidInput(
            "JSON", f"a {type(value).__name__} is not a message", 'give an object such as {"content": "…"}'
        )
    return value


def _own(given: dict[str, object], name: str, default: str) -> object:
    value = given.pop(name, None)
    return default if value is None else value


def _check_time(message: Message) -> None:
    """A time that names no zone is read in the agent's, later on, so it must lie inside the calendar in every zone."""
    if message.time is not None:
        for zone in _ENDS_OF_THE_WORLD:
            to_utc(message.time, zone=zone)
