"""The MCP reference memory server's file: JSON Lines of entities and relations; or what its ``read_graph`` gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from reverie.services.exchange.foreign.documents import Document
from reverie.services.exchange.foreign.fields import digest, items, labels, mapping, moment, text
from reverie.services.exchange.foreign.items import Item, Note, Skip, broken


def is_mine(value: object) -> bool:
    """Return whether a value is an entity or a relation."""
    given = mapping(value)
    return isinstance(given.get("observations"), list) or {"from", "to", "relationType"} <= given.keys()


def read(document: Document) -> Iterator[Item]:
    """Yield a note an observation, with its entity's name in front, and a note a relation."""
    for one in document.values():
        if isinstance(one, Skip):
            yield one
            continue
        place, value = one
        given = mapping(value)
        if given.get("type") == "relation" or "relationType" in given:
            yield _relation(place, given)
        elif text(given.get("name")):
            yield from _observations(place, given)
        else:
            yield broken(place, "it is neither an entity with a name nor a relation")


def _relation(place: str, given: Mapping[str, object]) -> Item:
    ends = text(given.get("from")), text(given.get("relationType")), text(given.get("to"))
    if not all(ends):
        return broken(place, "the relation lacks from, to or relationType")
    words = " ".join(ends).replace("_", " ")
    return Note(source_id=digest(*ends), text=words, entities=labels([ends[0], ends[2]]))


def _observations(place: str, given: Mapping[str, object]) -> Iterator[Item]:
    name, kind = text(given.get("name")), text(given.get("entityType"))
    seen = items(given.get("observations"))
    if not seen:
        yield Skip(reason="entity without observations")
    for number, one in enumerate(seen):
        said = text(one) or text(mapping(one).get("content"))
        if not said:
            yield broken(f"{place}, observations[{number}]", "it is no text")
            continue
        words = said if name.lower() in said.lower() else f"{name.replace('_', ' ')}: {said}"
        yield Note(
            source_id=digest(name, said), text=words, tags=labels([kind]), entities=labels([name]),
            time=moment(mapping(one).get("timestamp"), mapping(one).get("created_at")),
        )  # fmt: skip
