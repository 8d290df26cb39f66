"""Schema: what an answer looks like, as JSON Schema in plain dicts.

Fit for providers' strict modes: every property is required, null where there is nothing to say, and no other is
allowed. ``reading`` takes more than that, since models without such a mode write more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from reverie.domain.emotion import Emotion
from reverie.domain.kinds import Kind
from reverie.domain.memory import CONTRADICTS, DERIVED_FROM, NEAR, REFINES, SUPPORTS

Schema: TypeAlias = dict[str, object]

RELATIONSHIPS = (SUPPORTS, CONTRADICTS, REFINES, NEAR, DERIVED_FROM)
"""How two memories may stand to each other in an answer."""


def _text(told: str = "") -> Schema:
    return {"type": "string", "description": told} if told else {"type": "string"}


def _or_null(name: str, told: str) -> Schema:
    return _nullable({"type": name}, told)


def _nullable(schema: Schema, told: str) -> Schema:
    return {"anyOf": [schema, {"type": "null"}], "description": told}


def _one_of(values: tuple[str, ...]) -> Schema:
    return {"type": "string", "enum": list(values)}


def _list(items: Schema, told: str = "") -> Schema:
    return (
        {"type": "array", "items": items, "description": told} if told else {"type": "array", "items": items}
    )


def _object(properties: Mapping[str, Schema]) -> Schema:
    return {
        "type": "object", "properties": dict(properties), "required": list(properties), "additionalProperties": False,
    }  # fmt: skip


_KINDS, _EMOTIONS = tuple(map(str, Kind)), tuple(map(str, Emotion))
_SOURCES = _list(_text(), "labels of the messages that carry it, the most important first")
_STATED: Schema = {"type": "boolean", "description": "false where you infer it"}
_SHARE: Schema = {"type": "number", "description": "0 to 1"}
_SINCE = _or_null("string", "YYYY-MM-DD: when it became true")
_LESSON = _or_null("string", "what the agent should do next time")
_MEMORY = _text("label of a memory")
_ANY_MEMORY = _text("label of a memory, or new:0 for the first of new")

ANSWER: Schema = _object(
    {
        "new": _list(
            _object(
                {
                    "category": _one_of(_KINDS),
                    "content": _text(),
                    "confidence": _SHARE,
                    "sourceEpisodes": _SOURCES,
                    "stated": _STATED,
                    "importance": _SHARE,
                    "lesson": _LESSON,
                    "emotions": _list(_one_of(_EMOTIONS), "at most three, strongest first"),
                    "topics": _list(_text()),
                    "entities": _list(_text()),
                    "since": _SINCE,
                    "supersedes": _list(_text(), "labels of the memories whose place it takes"),
                }
            )
        ),
        "update": _list(
            _object(
                {
                    "memoryId": _MEMORY,
                    "newContent": _text("the whole new wording"),
                    "reason": _text(),
                    "sourceEpisodes": _SOURCES,
                    "stated": _STATED,
                    "category": _nullable(_one_of(_KINDS), "null: as it was"),
                    "importance": _or_null("number", "0 to 1; null: as it was"),
                    "confidence": _or_null("number", "0 to 1; null: as sure as it was said"),
                    "lesson": _LESSON,
                    "since": _SINCE,
                }
            )
        ),
        "retire": _list(_object({"memoryId": _MEMORY, "reason": _text(), "sourceEpisodes": _SOURCES})),
        "reinforce": _list(_object({"memoryId": _MEMORY, "reason": _text(), "sourceEpisodes": _SOURCES})),
        "contradict": _list(
            _object(
                {
                    "memoryId": _ANY_MEMORY,
                    "contradictedBy": _ANY_MEMORY,
                    "resolution": _text(),
                    "sourceEpisodes": _SOURCES,
                }
            )
        ),
        "connect": _list(
            _object({"memoryA": _ANY_MEMORY, "memoryB": _ANY_MEMORY, "relationship": _one_of(RELATIONSHIPS)})
        ),
    }
)
"""The answer about a night. ``reading`` also takes s3's ``decay``, which no prompt asks for."""

EXTRACTION: Schema = _object(
    {
        "memories": _list(
            _object(
                {
                    "essence": _text(),
                    "emotions": _list(_one_of(_EMOTIONS), "at most three, strongest first"),
                    "weight": _SHARE,
                    "lesson": _LESSON,
                    "kind": _one_of(_KINDS),
                    "sources": _SOURCES,
                    "stated": _STATED,
                    "topics": _list(_text()),
                    "entities": _list(_text()),
                }
            ),
            "most important first",
        )
    }
)
"""The answer about a snippet (s1's four dimensions, and where they come from)."""
