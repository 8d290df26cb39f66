"""JSON Lines of messages: a line is an object with ``Message``'s fields and, if wanted, conversation and channel."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from reverie.doors.formats.gather import gathered, located
from reverie.doors.formats.objects import value_of
from reverie.doors.formats.room import Room
from reverie.errors import InvalidInput

NumberedLine = tuple[int, bytes]
"""A line's number, from 1, and its bytes."""


def rooms(lines: Iterable[NumberedLine], *, conversation: str, channel: str) -> list[Room]:
    """Return every line as a message, sorted into rooms in the order of their first lines; blank lines are skipped.

    ``conversation`` and ``channel`` hold for lines that name none. The whole file is checked here, and its
    text isn't kept. Raises InvalidInput naming the line, and RefConflict for two messages of one ref.
    """
    return gathered(values(lines), conversation=conversation, channel=channel)


def values(lines: Iterable[NumberedLine]) -> Iterator[tuple[str, object]]:
    """Yield each line's place and JSON value, without the blank ones. Raises InvalidInput naming the line."""
    for number, raw in lines:
        if not raw.strip():
            continue
        try:
            value = _parsed(raw)
        except InvalidInput as error:
            raise located(f"line {number}", error) from None
        yield f"line {number}", value


def _parsed(raw: bytes) -> object:
    try:
        return value_of(raw.decode("utf-8-sig"))
    except InvalidInput:
        raise
    except UnicodeDecodeError as error:
        raise InvalidInput("text", f"byte {error.start + 1} is not UTF-8", "save the file as UTF-8") from None
    except json.JSONDecodeError as error:
        raise InvalidInput(
            "JSON", f"{error.msg} at character {error.colno}", "give one JSON object a line"
        ) from None
    except (ValueError, RecursionError):  # numbers of thousands of digits, brackets nested by the thousand
        raise InvalidInput("JSON", "it can't be read", "give one JSON object a line") from None
