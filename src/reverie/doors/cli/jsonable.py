"""Domain values as JSON values, for ``--json``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum

from reverie.domain.query import EpisodeHit, MemoryHit


def jsonable(value: object) -> object:
    """Dataclasses as objects with their fields' names, times as ISO 8601 in UTC, sets sorted, tuples as lists."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Enum):
        return jsonable(value.value)
    if isinstance(value, str):
        return value
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, MemoryHit | EpisodeHit):
        return _hit(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: jsonable(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): jsonable(item) for key, item in value.items()}
    if isinstance(value, frozenset | set):
        return sorted((jsonable(item) for item in value), key=str)
    if isinstance(value, Iterable):
        return [jsonable(item) for item in value]
    return str(value)


def _hit(hit: MemoryHit | EpisodeHit) -> dict[str, object]:
    common = {
        "id": hit.id,
        "text": hit.text,
        "score": hit.score,
        "relevance": hit.relevance,
        "terms": jsonable(hit.terms),
    }
    if isinstance(hit, MemoryHit):
        told = {} if hit.summary is None else {"summary": jsonable(hit.summary)}
        return {**common, "refs": list(hit.refs), **told, "memory": jsonable(hit.memory)}
    return {**common, "ref": hit.ref, "episode": jsonable(hit.episode)}
