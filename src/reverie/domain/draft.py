"""Draft: what a caller hands to ``remember``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from typing import TypeVar

from reverie.domain.emotion import Emotions, checked_emotions
from reverie.domain.kinds import Kind, Priority, checked_kind, checked_priority
from reverie.domain.memory import MAX_ESSENCE_BYTES, MAX_LESSON_BYTES, Origin
from reverie.domain.message import checked_labels
from reverie.domain.text import checked_share, checked_text, lowered, shown
from reverie.domain.time import to_utc
from reverie.domain.trust import SourceTrust
from reverie.errors import InvalidInput

MAX_SCOPE = 50
_E = TypeVar("_E", bound=StrEnum)


@dataclass(frozen=True, kw_only=True, slots=True)
class Draft:
    """A memory to be. Only ``essence`` is needed; what is None stays unjudged or takes the default of its
    kind.

    ``time`` is when it was learned (None: now), ``valid_from``/``valid_to`` when it is true in the world;
    texts and naive times are read in the agent's zone. ``source_trust`` None: the least trusted of the
    source episodes, or the agent's own word where there are none; it can be lowered by a caller but not
    raised above its sources. Raises InvalidInput.
    """

    essence: str
    kind: Kind = Kind.FACT
    lesson: str | None = None
    emotions: Emotions | None = None
    importance: float | None = None
    priority: Priority | None = None
    confidence: float | None = None
    scope: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    source_episodes: tuple[str, ...] = ()
    source_trust: SourceTrust | None = None
    origin: Origin = Origin.COMMIT
    pinned: bool = False
    time: datetime | str | None = None
    valid_from: datetime | str | None = None
    valid_to: datetime | str | None = None

    def __post_init__(self) -> None:
        put = object.__setattr__
        advice = "observe long texts as messages and remember their gist"
        put(
            self,
            "essence",
            checked_text(self.essence, "essence", most_bytes=MAX_ESSENCE_BYTES, remedy=advice),
        )
        put(self, "kind", checked_kind(self.kind))
        if self.lesson is not None:
            put(self, "lesson", checked_text(self.lesson, "lesson", most_bytes=MAX_LESSON_BYTES))
        if self.emotions is not None:
            put(self, "emotions", checked_emotions(self.emotions))
        if self.priority is not None:
            put(self, "priority", checked_priority(self.priority))
        for name in ("importance", "confidence"):
            if getattr(self, name) is not None:
                put(self, name, checked_share(getattr(self, name), name))
        for name in ("tags", "topics", "entities", "source_episodes"):
            put(self, name, checked_labels(getattr(self, name), name))
        put(self, "scope", checked_scope(self.scope))
        put(self, "origin", _member(Origin, self.origin, "origin"))
        if self.source_trust is not None:
            put(self, "source_trust", _member(SourceTrust, self.source_trust, "source_trust"))
        for name in ("time", "valid_from", "valid_to"):
            if getattr(self, name) is not None:
                to_utc(getattr(self, name), field=name)  # no zone makes a time out of what is none
        if not isinstance(self.pinned, bool):
            raise InvalidInput("pinned", f"{shown(self.pinned)} is not true or false", "give True or False")

    @classmethod
    def of(cls, value: object) -> Draft:
        """A draft from a Draft, an essence, or a mapping with the fields' names. Raises InvalidInput for
        anything else.
        """
        if isinstance(value, Draft):
            return value
        if isinstance(value, str):
            return cls(essence=value)
        if not isinstance(value, Mapping):
            raise InvalidInput(
                "memory", f"a {type(value).__name__} is not a memory", "give text, a mapping or a Draft"
            )
        names = {field.name for field in fields(cls)}
        for key in value:
            if key not in names:
                raise InvalidInput(
                    "memory", f"{shown(key)} is not a field of it", f"use {', '.join(sorted(names))}"
                )
        if value.get("essence") is None:
            raise InvalidInput("essence", "the memory has none", 'give {"essence": "…"}')
        return cls(**{key: item for key, item in value.items() if item is not None})


def checked_scope(values: object) -> tuple[str, ...]:
    """Scope globs: at most 50 names. Whether a glob can be expanded is checked where globs are known
    (``rules.scope``).
    """
    globs = checked_labels(values, "scope")
    if len(globs) > MAX_SCOPE:
        raise InvalidInput("scope", f"{len(globs)} globs are too many", f"give at most {MAX_SCOPE}")
    return globs


def _member(enum: type[_E], value: object, field: str) -> _E:
    try:
        return enum(lowered(value))
    except ValueError:
        raise InvalidInput(field, f"{shown(value)} is unknown", f"choose from {', '.join(enum)}") from None
