"""Letta's archival memory: its passages."""

from __future__ import annotations

from collections.abc import Iterator

from reverie.services.exchange.foreign.fields import digest, id_of, labels, mapping, moment, text, undated
from reverie.services.exchange.foreign.items import Item, Note, Skip, broken


def is_mine(value: object) -> bool:
    """Return whether a value is a passage."""
    given = mapping(value)
    marks = given.keys() & {"embedding_config", "archive_id", "organization_id", "source_id", "file_id"}
    return isinstance(given.get("text"), str) and (
        bool(marks) or text(given.get("id")).startswith("passage-")
    )


def read(place: str, value: object) -> Iterator[Item]:
    """Yield the passage as a note."""
    given = mapping(value)
    said = text(given.get("text")) or text(given.get("content"))
    if given.get("is_deleted") is True:
        yield Skip(reason="deleted there")
    elif said:
        yield from undated(place, given, "timestamp", "created_at", "updated_at")
        yield Note(
            source_id=id_of(text(given.get("id")) or digest(said)), text=said,
            time=moment(given.get("timestamp"), given.get("created_at"), given.get("updated_at")),
            tags=labels(given.get("tags")),
        )  # fmt: skip
    else:
        yield broken(place, "it has no text")
