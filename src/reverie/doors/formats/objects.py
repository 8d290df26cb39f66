"""JSON of files of messages: objects that have no field twice, and names for what isn't an object."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from reverie.errors import InvalidInput
from reverie.errors.showing import shown


def value_of(text: str) -> object:
    """Return the value of a JSON text. Raises InvalidInput for a field that an object has twice, ValueError and
    RecursionError for what isn't JSON.
    """
    return json.loads(text, object_pairs_hook=_once)


def article(value: object) -> str:
    """Return a JSON value's kind with its article: ``a list``, ``a number``, ``an object``."""
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case Mapping():
            return "an object"
        case Sequence():
            return "a list"
    return f"a value of type {type(value).__name__}"


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidInput("JSON", f"{shown(twice)} is given twice in one object", "give it once")
    return found
