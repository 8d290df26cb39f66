"""LangGraph's store: items with namespace, key and value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from reverie.services.exchange.foreign.fields import as_json, id_of, labels, mapping, moment, text, undated
from reverie.services.exchange.foreign.items import Item, Note, broken

_WORDS = ("text", "content", "memory", "data", "value", "fact")


def is_mine(value: object) -> bool:
    """Return whether a value is an item of a store."""
    return {"namespace", "key", "value"} <= mapping(value).keys()


def read(place: str, value: object) -> Iterator[Item]:
    """Yield the item as a note: the text in its value, or its fields, a line each."""
    given = mapping(value)
    said = _words(given.get("value"))
    if not is_mine(given) or not said:
        yield broken(place, "it has no key, no namespace or no value")
        return
    space = given["namespace"]
    spaces = (
        space.split(".") if isinstance(space, str) else [*space] if isinstance(space, list | tuple) else []
    )
    yield from undated(place, given, "created_at", "updated_at")
    yield Note(
        source_id=id_of(*spaces, as_json(given["key"])), text=said, tags=labels(spaces),
        time=moment(given.get("created_at"), given.get("updated_at")),
    )  # fmt: skip


def _words(value: object) -> str:
    if not isinstance(value, Mapping):
        return "" if value is None else as_json(value).strip()
    inner = mapping(value.get("content"))
    for given in (value, inner):
        for name in _WORDS:
            if found := text(given.get(name)):
                return found
    return "\n".join(
        f"{as_json(key)}: {as_json(one)}" for key, one in (inner or value).items() if one is not None
    )
