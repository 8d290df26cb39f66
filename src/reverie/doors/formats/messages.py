"""A file of messages in any of the known formats, which its content tells, not its name."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from reverie.doors.formats import jsonl, locomo
from reverie.doors.formats.bounded import whole
from reverie.doors.formats.gather import gathered
from reverie.doors.formats.objects import value_of
from reverie.doors.formats.room import Room
from reverie.errors import InvalidInput


def read_rooms(
    file: Iterable[bytes], *, conversation: str, channel: str, chosen: Sequence[str] = ()
) -> list[Room]:
    """Return the rooms of a file's lines: JSON Lines, a JSON list of messages or LoCoMo samples, all of it checked.

    ``chosen`` are LoCoMo samples by id or by number from 0; none: all. JSON Lines are read line by
    line. Raises InvalidInput.
    """
    lines = enumerate(whole(iter(file)), 1)
    first = next(((number, raw) for number, raw in lines if raw.strip()), None)
    if first is None:
        return []
    if first[1].startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InvalidInput("text", "the file is in UTF-16", "save it as UTF-8")
    data = _whole(first, lines)
    if data is not None and _has_samples(data):
        return _of_samples(_choose(locomo.samples(data), chosen), channel)
    if chosen:
        raise InvalidInput("--sample", "the file holds messages and no LoCoMo samples", "leave it out")
    if data is not None:
        many = data if isinstance(data, list) else [data]
        entries = ((f"message {place}", value) for place, value in enumerate(many, 1))
        return gathered(entries, conversation=conversation, channel=channel)
    return jsonl.rooms(chain([first], lines), conversation=conversation, channel=channel)


def _whole(first: jsonl.NumberedLine, rest: Iterator[jsonl.NumberedLine]) -> object:
    """Return the file as one JSON value if it isn't JSON Lines, else None, with ``rest`` untouched."""
    start = first[1].removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"["):
        return _value([start, *(raw for _, raw in rest)])
    if start.rstrip() == b"{":  # an object laid out over several lines
        return _value([start, *(raw for _, raw in rest)])
    try:
        value = json.loads(start)
    except (ValueError, RecursionError):
        return None  # the reader of JSON Lines says what is wrong, and where
    if not locomo.is_sample(value):
        return None
    return [value, *(value for _, value in jsonl.values(rest))]


def _has_samples(data: object) -> bool:
    """Return whether it holds LoCoMo samples, not messages, whose conversation is a text."""
    many = data if isinstance(data, list) else [data]
    return any(
        isinstance(value, Mapping) and isinstance(value.get("conversation"), Mapping) for value in many
    )


def _value(parts: Sequence[bytes]) -> object:
    remedy = "give JSON Lines (one object a line), a JSON list of messages or LoCoMo samples, in UTF-8"
    try:
        return value_of(b"".join(parts).decode())
    except InvalidInput:
        raise
    except UnicodeDecodeError as error:
        raise InvalidInput("text", f"byte {error.start + 1} is not UTF-8", remedy) from None
    except json.JSONDecodeError as error:
        raise InvalidInput(
            f"line {error.lineno}, JSON", f"{error.msg} at character {error.colno}", remedy
        ) from None
    except (ValueError, RecursionError):
        raise InvalidInput("JSON", "it can't be read", remedy) from None


def _choose(samples: Sequence[locomo.Sample], chosen: Sequence[str]) -> Sequence[locomo.Sample]:
    by_name = {str(place): sample for place, sample in enumerate(samples)} | {
        sample.id: sample for sample in samples
    }
    for name in chosen:
        if name not in by_name:
            ids = ", ".join(sample.id for sample in samples[:20])
            raise InvalidInput(
                "--sample", f"there is no sample {name!r:.60}", f"choose from {ids}, or count from 0"
            )
    return [by_name[name] for name in chosen] if chosen else samples


def _of_samples(samples: Sequence[locomo.Sample], channel: str) -> list[Room]:
    return [
        Room(conversation=session.conversation, channel=channel, messages=session.messages)
        for sample in samples
        for session in sample.sessions
    ]
