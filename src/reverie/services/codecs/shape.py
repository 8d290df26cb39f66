"""How an object is written as JSON and read back: each field by its codec, each way checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from reverie.errors import InvalidInput
from reverie.errors.showing import shown, undrawn
from reverie.services.codecs.values import Codec


@dataclass(frozen=True, kw_only=True, slots=True)
class Shape:
    """The fields of a JSON object.

    ``split`` turns a value into its fields, ``make`` builds the value from them. Fields in ``optional`` may be
    left out; then they are None, False or empty.
    """

    fields: Mapping[str, Codec]
    make: Callable[..., Any]
    split: Callable[[Any], Mapping[str, Any]] | None = None
    optional: frozenset[str] = frozenset()

    def write(self, value: Any) -> dict[str, object]:
        """Return the value's JSON object, without optional fields that hold nothing."""
        given = (
            {name: getattr(value, name) for name in self.fields} if self.split is None else self.split(value)
        )
        return {
            name: codec.write(given[name])
            for name, codec in self.fields.items()
            if name not in self.optional or not _is_nothing(given[name])
        }

    def read(self, value: object, of: str = "") -> Any:
        """Return the value of an object. Raise InvalidInput that names the field, prefixed with ``of``."""
        if not isinstance(value, Mapping):
            raise InvalidInput(of or "line", "it is not an object", "give a JSON object")
        for name in value:
            if name not in self.fields:
                raise InvalidInput(
                    f"{of}{undrawn(str(name), 80)}"[:80],
                    "there is no such field",
                    f"use {', '.join(self.fields)}",
                )
        missing = [name for name in self.fields if name not in value and name not in self.optional]
        if missing:
            raise InvalidInput(f"{of}{missing[0]}", "it is missing", "give it; null where nothing is known")
        return self.make(
            **{
                name: codec.read(value[name], of + name)
                for name, codec in self.fields.items()
                if name in value
            }
        )


def _is_nothing(value: object) -> bool:
    return value is None or value is False or (isinstance(value, tuple) and not value)


def one(shape: Shape, says: str) -> Codec:
    """Return the codec of a field that holds an object of this shape."""
    return Codec(says=says, write=shape.write, read=lambda value, name: shape.read(value, f"{name}."))


def each(shape: Shape, says: str) -> Codec:
    """Return the codec of a field that holds a list of such objects."""

    def read(value: object, name: str) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple):
            raise InvalidInput(name, f"{shown(value)} is not a list", "give a list of objects")
        return tuple(shape.read(each, f"{name}[{place}].") for place, each in enumerate(value))

    return Codec(says=says, write=lambda values: [shape.write(value) for value in values], read=read)
