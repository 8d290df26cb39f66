"""How single values stand in JSON, and how they are read back: each way checked, so that a file can hold no value that
a bank can't.

The audit log writes its before and after the same way (``services.runtime.change_records.plain``), so a revert
reads them by this.
"""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, TypeVar

import numpy as np

from reverie.domain.diary_body import checked_body
from reverie.domain.emotion import checked_emotions
from reverie.domain.ids import checked_name
from reverie.domain.memory import MAX_ESSENCE_BYTES
from reverie.domain.message import MAX_CONTENT_BYTES
from reverie.domain.text import checked_share, checked_switch, checked_text, normalized
from reverie.domain.time import to_utc
from reverie.errors import InvalidInput
from reverie.errors.showing import shown
from reverie.ports.aggregates import Vector

_MOST_NAMES = 100_000
_DATE = len("2026-05-13")
_MOST_COUNT, _MOST = 1 << 31, 1 << 53
_VECTOR = np.dtype("<f4")
Choice = TypeVar("Choice", bound=StrEnum)


@dataclass(frozen=True, kw_only=True, slots=True)
class Codec:
    """``says`` tells a reader of the docs what stands there. ``read`` takes a JSON value and the field's name; raises
    InvalidInput naming the field.
    """

    says: str
    write: Callable[[Any], object]
    read: Callable[[object, str], Any]


def _as_it_is(value: Any) -> object:
    return value


def _text(most_bytes: int) -> Callable[[object, str], str]:
    return lambda value, name: checked_text(value, name, most_bytes=most_bytes)


def _words(value: object, name: str) -> str:
    """Return text that may be empty."""
    if not isinstance(value, str):
        raise InvalidInput(name, f"{shown(value)} is not text", "give a text")
    if len(value.encode("utf-8", "surrogatepass")) > MAX_CONTENT_BYTES:
        raise InvalidInput(name, f"it is longer than {MAX_CONTENT_BYTES:,} bytes", "shorten it")
    return normalized(value)


def _time(value: object, name: str) -> object:
    if not isinstance(value, str):
        raise InvalidInput(name, f"{shown(value)} is not a time", "give ISO 8601 text")
    return to_utc(value, field=name)


def _count(value: object, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < _MOST_COUNT:
        raise InvalidInput(name, f"{shown(value)} is not a whole number from 0", "give one")
    return value


def _number(value: object, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= _MOST:
        raise InvalidInput(name, f"{shown(value)} is not a whole number", "give one")
    return value


def _words_each(value: object, name: str) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or len(value) > _MOST_NAMES:
        raise InvalidInput(name, "it is not a list of texts", 'give a list such as ["work"]')
    return tuple(_words(each, f"{name}[{place}]") for place, each in enumerate(value))


def _pairs(value: object, name: str) -> tuple[tuple[str, str], ...]:
    rows = value if isinstance(value, list | tuple) and len(value) <= _MOST_NAMES else ()
    pairs = tuple(_words_each(row, name) for row in rows)
    if (
        not isinstance(value, list | tuple)
        or len(pairs) != len(value)
        or any(len(pair) != 2 for pair in pairs)
    ):
        raise InvalidInput(
            name, "it is not a list of pairs of texts", 'give one such as [["today", "2026-03-04"]]'
        )
    return tuple((first, second) for first, second in pairs)


def _plain(value: object, name: str) -> object:
    """Return a JSON value whose texts can be stored and whose numbers are finite."""
    if isinstance(value, str):
        return _words(value, name)
    if isinstance(value, float) and not math.isfinite(value):
        raise InvalidInput(name, "it holds a number that is not finite", "give a finite one")
    if isinstance(value, list | tuple):
        return [_plain(each, name) for each in value]
    if isinstance(value, Mapping):
        return {_words(key, name): _plain(each, name) for key, each in value.items()}
    return value


def _mapping(value: object, name: str) -> object:
    return _plain(_object(value, name), name)


def _object(value: object, name: str) -> object:
    if not isinstance(value, Mapping):
        raise InvalidInput(name, "it is not an object", "give a JSON object")
    return value


def _from_base64(value: object, name: str) -> bytes:
    try:
        return base64.b64decode(value if isinstance(value, str) else "!", validate=True)
    except (binascii.Error, ValueError):
        raise InvalidInput(name, "it is not base64", "export the bank again") from None


def _from_hex(value: object, name: str) -> bytes:
    try:
        return bytes.fromhex(value if isinstance(value, str) else "!")
    except ValueError:
        raise InvalidInput(name, "it is not hexadecimal", "export the bank again") from None


def _vector(value: object, name: str) -> Vector:
    raw = _from_base64(value, name)
    if not raw or len(raw) % _VECTOR.itemsize:
        raise InvalidInput(name, "it is no vector of float32", "export the bank again")
    vector = np.frombuffer(raw, dtype=_VECTOR).astype(np.float32)
    if not np.isfinite(vector).all():
        raise InvalidInput(name, "it holds NaN or infinity", "export the bank again")
    return vector


def _share(value: object, name: str) -> float:
    return checked_share(value, name) + 0.0  # SQLite keeps -0.0 as 0.0, PostgreSQL as it is


def _trust(value: object, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not -1 <= value <= 1:
        raise InvalidInput(name, f"{shown(value)} is not a number from -1 to 1", "give one")
    return value + 0.0


def _date(value: object, name: str) -> str:
    try:
        if isinstance(value, str) and len(value) == _DATE and date.fromisoformat(value).isoformat() == value:
            return value
    except ValueError:
        pass
    raise InvalidInput(name, f"{shown(value)} is no date", "write it like 2026-05-13")


def choice(kinds: type[Choice]) -> Codec:
    """Return the codec of one name of an enumeration."""

    def read(value: object, name: str) -> Choice:
        try:
            return kinds(value if isinstance(value, str) else "")
        except ValueError:
            raise InvalidInput(
                name, f"{shown(value)} is unknown", f"choose from {', '.join(kinds)}"
            ) from None

    return Codec(says=" \\| ".join(f"`{each}`" for each in kinds), write=str, read=read)


def maybe(codec: Codec) -> Codec:
    """Return the same codec, or null."""
    return Codec(
        says=f"{codec.says}, or null",
        write=lambda value: None if value is None else codec.write(value),
        read=lambda value, name: None if value is None else codec.read(value, name),
    )


NAME = Codec(says="a name on one line", write=_as_it_is, read=checked_name)
TEXT = Codec(says="text", write=_as_it_is, read=_text(MAX_ESSENCE_BYTES))
CONTENT = Codec(says="text", write=_as_it_is, read=_text(MAX_CONTENT_BYTES))
WORDS = Codec(says="text, may be empty", write=_as_it_is, read=_words)
TIME = Codec(says="a time in ISO 8601, UTC", write=lambda moment: moment.isoformat(), read=_time)
TRUST = Codec(says="a number from -1 to 1", write=lambda number: number + 0.0, read=_trust)
DATE = Codec(says="a date, YYYY-MM-DD", write=_as_it_is, read=_date)
BODY = Codec(
    says="a JSON object", write=dict, read=lambda value, name: checked_body(_object(value, name), name)
)
SHARE = Codec(says="a number from 0 to 1", write=lambda number: number + 0.0, read=_share)
COUNT = Codec(says="a whole number from 0", write=_as_it_is, read=_count)
NUMBER = Codec(says="a whole number", write=_as_it_is, read=_number)
SWITCH = Codec(says="true or false", write=_as_it_is, read=checked_switch)
NAMES = Codec(says="a list of texts", write=list, read=_words_each)
PAIRS = Codec(
    says="a list of pairs of texts",
    write=lambda pairs: [list(pair) for pair in pairs],
    read=lambda value, name: _pairs(value, name),
)
EMOTIONS = Codec(
    says="a list of up to three labels, strongest first",
    write=lambda labels: [str(label) for label in labels],
    read=lambda value, _: checked_emotions(value),
)
OBJECT = Codec(says="a JSON object", write=dict, read=_mapping)
BASE64 = Codec(says="base64", write=lambda raw: base64.b64encode(raw).decode(), read=_from_base64)
HEX = Codec(says="hexadecimal digits", write=bytes.hex, read=_from_hex)
VECTOR = Codec(
    says="base64 of little-endian float32",
    write=lambda vector: base64.b64encode(np.asarray(vector, dtype=_VECTOR).tobytes()).decode(),
    read=_vector,
)
