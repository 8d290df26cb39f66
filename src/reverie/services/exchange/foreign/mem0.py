"""mem0's memories, as ``get_all`` gives them."""

from __future__ import annotations

from collections.abc import Iterator

from reverie.services.exchange.foreign.fields import digest, id_of, labels, mapping, moment, text, undated
from reverie.services.exchange.foreign.items import Item, Note, broken


def is_mine(value: object) -> bool:
    """Return whether a value is one of its memories, or a relation of its graph."""
    given = mapping(value)
    return isinstance(given.get("memory"), str) or {"source", "relationship"} <= given.keys()


def read(place: str, value: object) -> Iterator[Item]:
    """Yield the memory, or the relation, as a note."""
    given = mapping(value)
    said = text(given.get("memory")) or text(given.get("data")) or text(given.get("text"))
    if said:
        yield from undated(place, given, "created_at", "updated_at")
        yield Note(
            source_id=id_of(text(given.get("id")) or digest(said)), text=said,
            time=moment(given.get("created_at"), given.get("updated_at")),
            valid_to=moment(given.get("expiration_date")), tags=labels(given.get("categories")),
        )  # fmt: skip
        return
    ends = text(given.get("source")), text(given.get("relationship")), text(given.get("target"))
    if all(ends):
        words = " ".join(ends).replace("_", " ")
        yield Note(source_id=digest(*ends), text=words, entities=labels([ends[0], ends[2]]))
    else:
        yield broken(place, "it has no memory")
