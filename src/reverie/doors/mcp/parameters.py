"""What tools take: each parameter's JSON schema, and how a model's argument is read by it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from reverie.errors import InvalidInput
from reverie.errors.showing import shown

Schema = Mapping[str, object]


@dataclass(frozen=True, kw_only=True, slots=True)
class Parameter:
    """``schema`` is what a host is told; ``read`` takes that and what models send instead, such as "3" for 3.

    ``read`` raises InvalidInput; what a value means is for the client to check.
    """

    schema: Schema
    read: Callable[[str, object], object]

    def told(self, description: str) -> Parameter:
        """Return it with what a host tells its model of it."""
        return replace(self, schema={**self.schema, "description": description})

    def one_of(self, choices: Iterable[str]) -> Parameter:
        """Return it for a host that names the values that there are. The client refuses others, so "Fact" for "fact"
        stays understood.
        """
        return replace(self, schema={**self.schema, "enum": list(choices)})


def read_arguments(
    tool: str, parameters: Mapping[str, Parameter], required: tuple[str, ...], given: Mapping[str, object]
) -> dict[str, object]:
    """Return a call's arguments, read. Null counts as not given. Raises InvalidInput."""
    known = ", ".join(parameters) or "no arguments"
    for name in given:
        if name not in parameters:
            raise InvalidInput(shown(name), f"{tool} takes no such argument", f"it takes {known}")
    values = {name: value for name, value in given.items() if value is not None}
    for name in required:
        if name not in values:
            raise InvalidInput(name, f"{tool} needs it", f"call {tool} again with {name}")
    return {name: parameters[name].read(name, value) for name, value in values.items()}


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise InvalidInput(name, f"{_kind(value)} is not text", "give a string")
    return value


def _texts(name: str, value: object) -> tuple[str, ...]:
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        raise InvalidInput(name, "it is not a list of texts", "give an array of strings")
    return tuple(items)


def _number(name: str, value: object) -> float:
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            raise InvalidInput(name, "the text is not a number", "give a number") from None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise InvalidInput(name, f"{_kind(value)} is not a number", "give a number")
    return float(value)


def _whole(name: str, value: object) -> int:
    number = _number(name, value)
    if number != int(number):
        raise InvalidInput(name, f"{number:g} is not a whole number", "give one")
    return int(number)


def _switch(name: str, value: object) -> bool:
    told = {"true": True, "false": False}.get(value.casefold()) if isinstance(value, str) else value
    if not isinstance(told, bool):
        raise InvalidInput(name, f"{_kind(value)} is neither true nor false", "give one of them")
    return told


def _object(name: str, value: object) -> Mapping[str, object]:
    if isinstance(value, str):
        with suppress(ValueError, RecursionError):
            value = json.loads(value)
    if not isinstance(value, Mapping):
        raise InvalidInput(name, f"{_kind(value)} is no object", "give a JSON object")
    return value


def _kind(value: object) -> str:
    """Return what JSON calls it, never the value itself."""
    match value:
        case bool():
            return "a boolean"
        case int() | float():
            return "this number"
        case str():
            return "this text"
        case list():
            return "an array"
        case _:
            return "an object"


_STRING: Schema = {"type": "string"}

TEXT = Parameter(schema=_STRING, read=_text)
TEXTS = Parameter(schema={"type": "array", "items": _STRING}, read=_texts)
GLOBS = Parameter(schema=_STRING, read=_texts)
"""One glob, which may hold several ({a,b}); an array of them is taken, too."""
NUMBER = Parameter(schema={"type": "number"}, read=_number)
SHARE = Parameter(schema={"type": "number", "maximum": 1}, read=_number)
WHOLE = Parameter(schema={"type": "integer"}, read=_whole)
SWITCH = Parameter(schema={"type": "boolean"}, read=_switch)
ANSWER = Parameter(schema={"type": "object"}, read=lambda _, value: value)
"""What a model was asked to write, as it comes: an object, or its text. Whoever asked for it reads it."""
OBJECT = Parameter(schema={"type": "object"}, read=_object)
