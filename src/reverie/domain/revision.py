"""Revision: what a deliberate ``revise`` changes; None leaves a field as it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime

from reverie.domain.draft import checked_scope
from reverie.domain.emotion import Emotions, checked_emotions
from reverie.domain.kinds import Kind, Priority, checked_kind, checked_priority
from reverie.domain.memory import MAX_ESSENCE_BYTES, MAX_LESSON_BYTES
from reverie.domain.message import checked_labels
from reverie.domain.text import checked_share, checked_text, shown
from reverie.domain.time import to_utc
from reverie.errors import InvalidInput

CLEARABLE = frozenset(
    {"lesson", "emotions", "importance", "scope", "tags", "topics", "entities", "valid_from", "valid_to"}
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Revision:
    """New values for a memory. ``time`` is since when the new wording is believed (None: now).

    ``clear`` names fields to empty (lesson, emotions, importance, scope, tags, topics, entities,
    valid_from, valid_to). Raises InvalidInput for a bad value, for a field both given and cleared, and for
    a revision that changes nothing.
    """

    essence: str | None = None
    kind: Kind | None = None
    lesson: str | None = None
    emotions: Emotions | None = None
    importance: float | None = None
    priority: Priority | None = None
    confidence: float | None = None
    scope: tuple[str, ...] | None = None
    tags: tuple[str, ...] | None = None
    topics: tuple[str, ...] | None = None
    entities: tuple[str, ...] | None = None
    pinned: bool | None = None
    valid_from: datetime | str | None = None
    valid_to: datetime | str | None = None
    time: datetime | str | None = None
    clear: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        put = object.__setattr__
        if self.essence is not None:
            put(self, "essence", checked_text(self.essence, "essence", most_bytes=MAX_ESSENCE_BYTES))
        if self.lesson is not None:
            put(self, "lesson", checked_text(self.lesson, "lesson", most_bytes=MAX_LESSON_BYTES))
        if self.kind is not None:
            put(self, "kind", checked_kind(self.kind))
        if self.emotions is not None:
            put(self, "emotions", checked_emotions(self.emotions))
        if self.priority is not None:
            put(self, "priority", checked_priority(self.priority))
        for name in ("importance", "confidence"):
            if getattr(self, name) is not None:
                put(self, name, checked_share(getattr(self, name), name))
        for name in ("tags", "topics", "entities"):
            if getattr(self, name) is not None:
                put(self, name, checked_labels(getattr(self, name), name))
        if self.scope is not None:
            put(self, "scope", checked_scope(self.scope))
        for name in ("valid_from", "valid_to", "time"):
            if getattr(self, name) is not None:
                to_utc(getattr(self, name), field=name)  # no zone makes a time out of what is none
        if self.pinned is not None and not isinstance(self.pinned, bool):
            raise InvalidInput("pinned", f"{shown(self.pinned)} is not true or false", "give True or False")
        self._check_clear()

    @classmethod
    def of(cls, values: Mapping[str, object]) -> Revision:
        """A revision from a mapping with the fields' names. Raises InvalidInput for any other name."""
        known = {field.name for field in fields(cls)}
        for name in values:
            if name not in known:
                raise InvalidInput(
                    "revision", f"{shown(name)} is not a field of it", f"use {', '.join(sorted(known))}"
                )
        return cls(**values)  # type: ignore[arg-type]  # checked by __post_init__

    def _check_clear(self) -> None:
        cleared = frozenset(checked_labels(self.clear, "clear"))
        object.__setattr__(self, "clear", cleared)
        for name in sorted(cleared):
            if name not in CLEARABLE:
                raise InvalidInput(
                    "clear", f"{shown(name)} can't be emptied", f"choose from {', '.join(sorted(CLEARABLE))}"
                )
            if getattr(self, name) is not None:
                raise InvalidInput(name, "it is both given and cleared", "do one of the two")
        if not cleared and all(
            getattr(self, f.name) is None for f in fields(self) if f.name not in ("clear", "time")
        ):
            raise InvalidInput("revision", "it changes nothing", "give at least one new value")
