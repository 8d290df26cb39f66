"""The body of a diary's note: a JSON object of any shape, within bounds, and the texts in it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from typing import cast

from reverie.domain.diary import MAX_NOTE_BYTES
from reverie.domain.text import checked_text, normalized
from reverie.errors import InvalidInput
from reverie.errors.showing import typed

MAX_DEPTH = 32
"""So deep may objects and lists stand in each other."""
TEXT = "text"
"""Under this key stands a body that was given as plain text."""
_MOST_PARTS = MAX_NOTE_BYTES // 2  # no part takes less than a character and a comma
_MOST_NUMBER = 1 << 53
_SHOWN = 80


def checked_body(value: object, field: str = "body") -> dict[str, object]:
    """Return the object as it is stored: text normalized, tuples as lists; plain text under TEXT.

    Raise InvalidInput for what is empty or no JSON: numbers that aren't finite or beyond 2^53, keys that aren't text,
    more than MAX_DEPTH levels or MAX_NOTE_BYTES of JSON in UTF-8. The message never quotes what stands there.
    """
    if isinstance(value, str):
        return {TEXT: checked_text(value, field, most_bytes=MAX_NOTE_BYTES).strip()}
    if not isinstance(value, Mapping):
        raise InvalidInput(field, f"{typed(value)} is no diary note", "give text or a JSON object")
    if not value:
        raise InvalidInput(field, "it is empty", "write something")
    body = cast("dict[str, object]", _Checking(field).value(value, 1))
    check_size(body, field)
    return body


def check_size(body: Mapping[str, object], field: str = "body") -> None:
    """Raise InvalidInput for more than MAX_NOTE_BYTES of JSON."""
    if len(json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()) > MAX_NOTE_BYTES:
        raise InvalidInput(
            field, f"it is longer than {MAX_NOTE_BYTES:,} bytes of JSON", "write it as several notes"
        )


def mapped(
    body: Mapping[str, object], clean: Callable[[tuple[str, ...], str], str], field: str = "body"
) -> dict[str, object]:
    """Return the body with every text as ``clean`` gives it, which is told the keys above it, the nearest first; of a
    key itself none.

    Raise InvalidInput where two keys of one object become the same.
    """

    def changed(value: object, keys: tuple[str, ...]) -> object:
        if isinstance(value, str):
            return clean(keys, value)
        if isinstance(value, list | tuple):
            return [changed(each, keys) for each in value]
        if not isinstance(value, Mapping):
            return value
        made = {clean((), name): changed(each, (name, *keys)) for name, each in value.items()}
        if len(made) != len(value):
            raise InvalidInput(
                field, "two of its keys are one when they are cleaned", "give them other names"
            )
        return made

    return cast("dict[str, object]", changed(body, ()))


def texts_in(body: object) -> Iterator[str]:
    """Return the texts of a body at any depth, in its order; keys are none."""
    if isinstance(body, str):
        yield body
    elif isinstance(body, Mapping):
        for each in body.values():
            yield from texts_in(each)
    elif isinstance(body, list | tuple):
        for each in body:
            yield from texts_in(each)


def beginning(body: Mapping[str, object]) -> str:
    """Return how a note begins: its first text that isn't blank, or its JSON, on one line of at most 80 characters."""
    first = next(
        (text for text in (body.get(TEXT), *texts_in(body)) if isinstance(text, str) and text.strip()), None
    )
    line = " ".join((json.dumps(body, ensure_ascii=False) if first is None else first).split())
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN - 1].rstrip()}…"


class _Checking:
    def __init__(self, field: str) -> None:
        self._field, self._parts = field, 0

    def value(self, value: object, depth: int) -> object:
        self._parts += 1
        if self._parts > _MOST_PARTS:
            raise self._wrong("it has too many parts", "write it as several notes")
        match value:
            case str():
                return self._text(value)
            case bool() | None:
                return value
            case int():
                if abs(value) > _MOST_NUMBER:
                    raise self._wrong("it holds a number beyond 2^53", "give it as text")
                return int(value)
            case float():
                if not math.isfinite(value):
                    raise self._wrong("it holds a number that is not finite", "give a finite one, or text")
                return float(value)
        return self._held(value, depth)

    def _held(self, value: object, depth: int) -> object:
        if not isinstance(value, Mapping | list | tuple):
            raise self._wrong(f"{typed(value)} is no JSON value", "give text, numbers, lists or objects")
        if depth > MAX_DEPTH:
            raise self._wrong(f"it is deeper than {MAX_DEPTH} levels", "make it flatter")
        if not isinstance(value, Mapping):
            return [self.value(each, depth + 1) for each in value]
        made: dict[str, object] = {}
        for key, each in value.items():
            if not isinstance(key, str):
                raise self._wrong(f"{typed(key)} is a key in it", "give keys that are text")
            made[self._text(key)] = self.value(each, depth + 1)
        if len(made) != len(value):
            raise self._wrong(
                "two of its keys are the same once they are normalized", "give them other names"
            )
        return made

    def _text(self, text: str) -> str:
        if len(text) > MAX_NOTE_BYTES:
            raise self._wrong(
                f"it is longer than {MAX_NOTE_BYTES:,} bytes of JSON", "write it as several notes"
            )
        return normalized(text)

    def _wrong(self, problem: str, remedy: str) -> InvalidInput:
        return InvalidInput(self._field, problem, remedy)
