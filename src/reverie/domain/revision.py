"""Revision: what a deliberate ``revise`` changes; None leaves a field as it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime

from reverie.domain.emotion import Emotions
from reverie.domain.fields import SHARED, check_fields
from reverie.domain.kinds import Kind, Priority
from reverie.domain.message import checked_labels
from reverie.errors import InvalidInput
from reverie.errors.showing import shown

CLEARABLE = frozenset(
    {"lesson", "emotions", "importance", "scope", "tags", "topics", "entities", "valid_from", "valid_to"}
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Revision:
    """New values for a memory. ``time`` is since when the new wording is believed (None: now).

    ``clear`` names fields to empty (lesson, emotions, importance, scope, tags, topics, entities,
    valid_from, valid_to). Raise InvalidInput for a bad value, for a field both given and cleared, and for
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
        check_fields(self, SHARED, optional=SHARED)
        self._check_clear()

    @classmethod
    def of(cls, values: Mapping[str, object]) -> Revision:
        """Return a revision from a mapping with the fields' names. Raise InvalidInput for any other name."""
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
