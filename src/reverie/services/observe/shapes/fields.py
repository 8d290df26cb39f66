"""Look into a value that another package made: its fields, and what may stand in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any, TypeAlias

from reverie.domain.ids import MAX_NAME, checked_name
from reverie.errors import InvalidInput
from reverie.errors.showing import shown, typed

Fields: TypeAlias = Mapping[Any, Any]
"""A value's fields by name."""

_NO_OBJECTS = (str, bytes, bytearray, int, float, complex, list, tuple, set, frozenset, type, type(None))
_MOST_OF_AN_ID = MAX_NAME - 40  # what tells several messages of one value apart stands behind it


def fields_of(value: object) -> Fields | None:
    """Return a mapping as it is, and an object's attributes as one; None for what has none.

    The attributes are looked at, not dumped: pydantic's dump copies every picture, and its warnings quote the text.
    """
    if isinstance(value, Mapping):
        return value
    if isinstance(value, _NO_OBJECTS):
        return None
    own = getattr(value, "__dict__", None)
    if isinstance(own, dict) and own:
        return {**own, **(getattr(value, "__pydantic_extra__", None) or {})}
    dump = getattr(value, "model_dump", None)
    dumped = dump() if callable(dump) else None
    return dumped if isinstance(dumped, Mapping) else None


def is_many(value: object) -> bool:
    """Return whether it is a list of parts."""
    return isinstance(value, list | tuple)


def pick(fields: Fields, *names: str) -> Any:
    """Return the first of these fields that is there, also where its name is written in camel case; else None."""
    for name in names:
        head, *rest = name.split("_")
        for spelled in (name, head + "".join(map(str.capitalize, rest))):
            if fields.get(spelled) is not None:
                return fields[spelled]
    return None


def refused(at: str, problem: str, remedy: str) -> InvalidInput:
    """Return the error of a field."""
    return InvalidInput(at.rstrip(".") or "message", problem, remedy)


def parts_in(value: object, at: str) -> Sequence[object]:
    """Return a list's items. Raise InvalidInput."""
    if not isinstance(value, list | tuple):
        raise refused(at, f"{typed(value)} is no list", "give a list")
    return value


def mapping_in(value: object, at: str) -> Fields:
    """Return a nested value's fields. Raise InvalidInput."""
    fields = fields_of(value)
    if fields is None:
        raise refused(at, f"{typed(value)} has no fields", "give a mapping or an object")
    return fields


def first_of(fields: Fields, *names: str) -> str:
    """Return the first of these names whose field is there; the last one, where none is."""
    return next((name for name in names if fields.get(name) is not None), names[-1])


def text_in(value: object, at: str) -> str:
    """Return a text; "" for None. Raise InvalidInput."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise refused(at, f"{typed(value)} is not text", "give a str")
    return value


def id_in(value: object, at: str) -> str | None:
    """Return an id as it may stand in a ``ref``; None for none. One that is no name of ours, such as one of hundreds of
    characters, becomes a digest, which is the same in each run. Raise InvalidInput.
    """
    text = text_in(value, at)
    if not text:
        return None
    try:
        if len(text) <= _MOST_OF_AN_ID:
            return checked_name(text, at)
    except InvalidInput:
        pass
    return f"id-{blake2b(text.encode('utf-8', 'surrogatepass'), digest_size=16).hexdigest()}"


def unknown(kind: object, at: str, what: str) -> InvalidInput:
    """Return the error of a kind that no table knows."""
    return refused(at, f"{shown(kind)} is no {what} that is known", "leave it out, or give its text")
