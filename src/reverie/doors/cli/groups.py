"""Groups of options that several commands share: each field is an option of the command that takes the group."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields
from typing import Any

from reverie.doors.cli import options


@dataclass(frozen=True, kw_only=True)
class Narrowing:
    """Filters of every search and list."""

    kinds: options.Kinds = None
    tags: options.Tags = None
    since: options.Since = None
    until: options.Until = None
    scope: options.Scope = None
    conversations: options.Conversations = None
    channels: options.Channels = None
    roles: options.Roles = None
    speakers: options.Speakers = None


@dataclass(frozen=True, kw_only=True)
class Filters(Narrowing):
    """All filters of recall."""

    topics: options.Topics = None
    entities: options.Entities = None
    min_importance: options.MinImportance = None
    min_confidence: options.MinConfidence = None


@dataclass(frozen=True, kw_only=True)
class Worth:
    """What a memory is and is worth: for remember and revise."""

    kind: options.KindOf = None
    lesson: options.Lesson = None
    emotions: options.Emotions = None
    importance: options.Importance = None
    priority: options.PriorityOf = None
    confidence: options.Confidence = None
    scope: options.Scopes = None
    tags: options.TagsOf = None
    topics: options.TopicsOf = None
    entities: options.EntitiesOf = None
    valid_from: options.ValidFrom = None
    valid_to: options.ValidTo = None


def given(group: Narrowing | Worth, names: Collection[str] | None = None) -> dict[str, Any]:
    """The group's options that were given, or of them those in ``names``; the client checks the values."""
    found = {field.name: getattr(group, field.name) for field in fields(group)}
    return {
        name: value for name, value in found.items() if value is not None and (names is None or name in names)
    }
