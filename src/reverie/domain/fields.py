"""The fields that a caller may set of a memory, each with the check that a Draft and a Revision share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from reverie.domain.emotion import checked_emotions
from reverie.domain.kinds import checked_kind, checked_priority
from reverie.domain.memory import MAX_ESSENCE_BYTES, MAX_LESSON_BYTES
from reverie.domain.message import checked_labels
from reverie.domain.text import checked_share, checked_switch, checked_text
from reverie.domain.time import check_moment
from reverie.errors import InvalidInput

Check = Callable[[object, str], object]
"""From what a caller gave, and the field's name, to what is kept. Raise InvalidInput naming the field."""

_MAX_SCOPE = 50


def _essence(value: object, name: str) -> str:
    advice = "observe long texts as messages and remember their gist"
    return checked_text(value, name, most_bytes=MAX_ESSENCE_BYTES, remedy=advice)


def _lesson(value: object, name: str) -> str:
    return checked_text(value, name, most_bytes=MAX_LESSON_BYTES)


def _scope(values: object, name: str) -> tuple[str, ...]:
    """Check the globs of a scope; ``memory.scope`` checks whether each can be expanded."""
    globs = checked_labels(values, name)
    if len(globs) > _MAX_SCOPE:
        raise InvalidInput(name, f"{len(globs)} globs are too many", f"give at most {_MAX_SCOPE}")
    return globs


def _time(value: object, name: str) -> object:
    check_moment(value, name)
    return value


SHARED: Mapping[str, Check] = {
    "essence": _essence,
    "kind": checked_kind,
    "lesson": _lesson,
    "emotions": lambda value, _: checked_emotions(value),
    "importance": checked_share,
    "priority": lambda value, _: checked_priority(value),
    "confidence": checked_share,
    "scope": _scope,
    "tags": checked_labels,
    "topics": checked_labels,
    "entities": checked_labels,
    "pinned": checked_switch,
    "time": _time,
    "valid_from": _time,
    "valid_to": _time,
}


def check_fields(one: object, checks: Mapping[str, Check], *, optional: Collection[str]) -> None:
    """Put what the checks make of its fields into a frozen value. None stays where a field is ``optional``."""
    for name, check in checks.items():
        value = getattr(one, name)
        if value is not None or name not in optional:
            object.__setattr__(one, name, check(value, name))
