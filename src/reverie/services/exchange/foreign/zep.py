"""Zep's and Graphiti's edges: facts with the time in which they hold."""

from __future__ import annotations

from collections.abc import Iterator

from reverie.services.exchange.foreign.fields import digest, id_of, labels, mapping, moment, text, undated
from reverie.services.exchange.foreign.items import Item, Note, broken


def is_mine(value: object) -> bool:
    """Return whether a value is an edge."""
    given = mapping(value)
    marks = given.keys() & {"uuid", "uuid_", "valid_at", "invalid_at", "created_at", "source_node_uuid"}
    return isinstance(given.get("fact"), str) and bool(marks)


def read(place: str, value: object) -> Iterator[Item]:
    """Yield the edge as a note. What had become invalid there is over here, too."""
    given = mapping(value)
    said = text(given.get("fact"))
    if not said:
        yield broken(place, "it has no fact")
        return
    begun, ended = moment(given.get("valid_at")), moment(given.get("invalid_at"), given.get("expired_at"))
    yield from undated(place, given, "created_at", "valid_at")
    yield Note(
        source_id=id_of(text(given.get("uuid")) or text(given.get("uuid_")) or digest(said)), text=said,
        time=moment(given.get("created_at"), given.get("valid_at")), valid_from=begun, valid_to=ended,
        tags=labels([given.get("name")]),
    )  # fmt: skip
