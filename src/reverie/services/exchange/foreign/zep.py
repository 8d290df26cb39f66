"""Zep's and Graphiti's edges: facts with the time in which they hold."""

from __future__ import annotations

from collections.abc import Iterator

from reverie.services.exchange.foreign.documents import Document
from reverie.services.exchange.foreign.fields import digest, id_of, labels, mapping, moment, text
from reverie.services.exchange.foreign.items import Item, Note, Skip, broken


def is_mine(value: object) -> bool:
    """Return whether a value is an edge."""
    given = mapping(value)
    marks = given.keys() & {"uuid", "uuid_", "valid_at", "invalid_at", "created_at", "source_node_uuid"}
    return isinstance(given.get("fact"), str) and bool(marks)


def read(document: Document) -> Iterator[Item]:
    """Yield a note an edge. What had become invalid there is over here, too."""
    for one in document.values():
        if isinstance(one, Skip):
            yield one
            continue
        place, value = one
        given = mapping(value)
        said = text(given.get("fact"))
        if not said:
            yield broken(place, "it has no fact")
            continue
        begun, ended = moment(given.get("valid_at")), moment(given.get("invalid_at"), given.get("expired_at"))
        yield Note(
            source_id=id_of(text(given.get("uuid")) or text(given.get("uuid_")) or digest(said)), text=said,
            time=moment(given.get("created_at"), given.get("valid_at")), valid_from=begun, valid_to=ended,
            tags=labels([given.get("name")]),
        )  # fmt: skip
