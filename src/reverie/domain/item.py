"""Item: a value that a program keeps in an agent's bank under a name of its own, as a dictionary would."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeAlias

from reverie.errors import InvalidInput
from reverie.errors.showing import shown, typed, undrawn

Namespace: TypeAlias = tuple[str, ...]
TextsOf: TypeAlias = Callable[[Mapping[str, object]], Sequence[str]]
"""Takes the texts to search from a value as it is stored."""

MAX_NAME_BYTES = 800
"""Of a key, and of a whole namespace as JSON: both stand in one index."""
MAX_VALUE_BYTES = 1 << 22
MAX_TEXTS = 100
MAX_DEPTH = 64
MAX_TTL = timedelta(days=36_500)
_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_MOST_PATH = 80
_MOST_BITS = 13_000
"""Of a whole number: Python reads and writes up to 4,300 digits."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """``value``, a JSON object, under ``key`` in ``namespace``. Namespace and key are unique together.

    ``texts``: by which a search by meaning finds it. An item with a ``ttl`` is gone from ``expires_at`` on, which lies
    that long after its last put or refresh.
    """

    id: str
    namespace: Namespace
    key: str
    value: Mapping[str, object]
    texts: tuple[str, ...] = ()
    created_at: datetime
    updated_at: datetime
    ttl: timedelta | None = None
    expires_at: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ItemChange:
    """One of the changes of a write: put ``value`` under a key, or delete what is there (None). ``texts``: those by
    which a search finds it, or a function that takes them from the value as it is stored.
    """

    namespace: str | Sequence[str]
    key: str
    value: Mapping[str, object] | None = None
    texts: str | Sequence[str] | TextsOf = ()
    ttl: timedelta | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ItemHit:
    """An item that a search found. ``score``: the cosine of the nearest of its texts with the query; None where there
    is no query, or no text.
    """

    item: Item
    score: float | None = None


def checked_key(value: object, field: str = "key") -> str:
    """A text of 1 to MAX_NAME_BYTES UTF-8 bytes without control characters, untouched. Raises InvalidInput."""
    if not isinstance(value, str):
        raise InvalidInput(field, f"{typed(value)} is not text", "give a str")
    if not value:
        raise InvalidInput(field, "it is empty", "give some text")
    if _FORBIDDEN.search(value):
        raise InvalidInput(field, "it holds control characters", "give printable text")
    if len(value.encode()) > MAX_NAME_BYTES:
        raise InvalidInput(field, f"it is longer than {MAX_NAME_BYTES} bytes of UTF-8", "shorten it")
    return value


def checked_namespace(value: object, field: str = "namespace", *, least: int = 1) -> Namespace:
    """One label or several as a tuple of at least ``least``. Raises InvalidInput."""
    if isinstance(value, str):
        value = (value,)
    if not isinstance(value, tuple | list):
        raise InvalidInput(field, f"{typed(value)} is no namespace", 'give labels: ("users", "anna")')
    if len(value) < least:
        raise InvalidInput(field, "it is empty", 'give labels: ("users", "anna")')
    labels = tuple(checked_key(label, f"{field}[{place}]") for place, label in enumerate(value))
    if len(json.dumps(labels, ensure_ascii=False).encode()) > MAX_NAME_BYTES:
        raise InvalidInput(field, f"it is longer than {MAX_NAME_BYTES} bytes of UTF-8", "shorten it")
    return labels


def checked_ttl(value: object, field: str = "ttl") -> timedelta | None:
    """How long an item lives, or None. Raises InvalidInput."""
    if value is None or (isinstance(value, timedelta) and timedelta(0) < value <= MAX_TTL):
        return value
    raise InvalidInput(
        field, f"{shown(value)} is no length of time", "give a timedelta above 0, up to 100 years"
    )


def checked_value(value: object, field: str = "value") -> dict[str, object]:
    """A JSON object, untouched but for tuples, which become lists.

    Raises InvalidInput, naming the place, for what is no JSON: keys that aren't text, numbers that aren't finite,
    halves of characters, other types. Also for more than MAX_DEPTH levels or MAX_VALUE_BYTES of JSON.
    """
    if not isinstance(value, Mapping):
        raise InvalidInput(field, f"{typed(value)} is no object", "give a dict")
    made = _object(value, field, 1)
    if len(json.dumps(made, ensure_ascii=False, separators=(",", ":")).encode()) > MAX_VALUE_BYTES:
        raise InvalidInput(field, f"it is longer than {MAX_VALUE_BYTES:,} bytes of JSON", "keep it in parts")
    return made


def checked_texts(value: object, field: str = "texts") -> tuple[str, ...]:
    """Texts, without those that are blank. Raises InvalidInput."""
    given = (value,) if isinstance(value, str) else value
    if not isinstance(given, tuple | list) or len(given) > MAX_TEXTS:
        raise InvalidInput(field, "it is no list of texts", f"give a str or up to {MAX_TEXTS} of them")
    made = []
    for place, text in enumerate(given):
        if not isinstance(text, str):
            raise InvalidInput(f"{field}[{place}]", f"{typed(text)} is not text", "give a str")
        made.append(_text(text, f"{field}[{place}]"))
    return tuple(text for text in made if text.strip())


def _object(value: Mapping[object, object], path: str, depth: int) -> dict[str, object]:
    made: dict[str, object] = {}
    for key, each in value.items():
        if not isinstance(key, str):
            raise InvalidInput(path, f"{typed(key)} is a key in it", "give keys that are text")
        name = _text(key, path)  # first: what its value is refused for names it
        made[name] = _part(each, f"{path}.{undrawn(name)}"[:_MOST_PATH], depth)
    return made


def _part(value: object, path: str, depth: int) -> object:
    match value:
        case str():
            return _text(value, path)
        case bool() | None:
            return value
        case int() if value.bit_length() > _MOST_BITS:
            raise InvalidInput(path, "it is a number of thousands of digits", "give text")
        case int():
            return int(value)
        case float() if math.isfinite(value):
            return float(value)
        case Mapping() | list() | tuple() if depth >= MAX_DEPTH:
            raise InvalidInput(path, f"it is deeper than {MAX_DEPTH} levels", "make it flatter")
        case Mapping():
            return _object(value, path, depth + 1)
        case list() | tuple():
            return [
                _part(each, f"{path}[{place}]"[:_MOST_PATH], depth + 1) for place, each in enumerate(value)
            ]
        case float():
            raise InvalidInput(path, "it is a number that is not finite", "give a finite one, or text")
    raise InvalidInput(path, f"{typed(value)} is no JSON value", "give text, numbers, lists or objects")


def _text(text: str, path: str) -> str:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise InvalidInput(
                path, "it holds half a character (a surrogate)", "give whole characters"
            ) from None
    return str(text)
