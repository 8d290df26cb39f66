"""Items: values by namespace and key. They are the program's, not the agent's: no link shares them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta

from reverie.domain.audit import Action
from reverie.domain.item import (
    Item,
    checked_key,
    checked_namespace,
    checked_texts,
    checked_ttl,
    checked_value,
)
from reverie.errors import InvalidInput
from reverie.errors.showing import shown
from reverie.ports.store import Unit
from reverie.services.aggregates.aggregate import Aggregate, LiesIn, Losing, paged
from reverie.services.codecs import NAME, TIME, Codec, Shape, maybe

_PAGE = 500
_MICROSECOND = timedelta(microseconds=1)


def _all(unit: Unit) -> Iterator[Item]:
    return paged(lambda after: unit.items.list(after=after, limit=_PAGE))


def _is_known(unit: Unit, rows: Sequence[Item]) -> Callable[[Item], bool]:
    known = set(unit.items.known(rows))
    return lambda item: item.id in known


def _lose(unit: Unit, lies_in: LiesIn) -> Losing[Item]:
    gone = [item for item in _all(unit) if lies_in(item.created_at) or lies_in(item.updated_at)]
    ids = tuple(item.id for item in gone)
    return Losing(left=dict.fromkeys(ids), texts=tuple(map(_whole, gone)), names=ids)


def _whole(item: Item) -> str:
    """Return by what a forgotten item is kept out of imports: all of it. A put may bring it back."""
    return f"item {json.dumps([item.namespace, item.key, item.value], ensure_ascii=False, sort_keys=True)}"


def _duration(value: object, name: str) -> timedelta | None:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value < 1 << 53:
        raise InvalidInput(name, f"{shown(value)} is no length of time", "give microseconds")
    return checked_ttl(value * _MICROSECOND, name)


ITEM: Aggregate[Item] = Aggregate(
    name="item",
    shape=Shape(
        fields={
            "id": NAME,
            "namespace": Codec(says="a list of labels, one at least", write=list, read=checked_namespace),
            "key": Codec(says="text on one line", write=lambda key: key, read=checked_key),
            "value": Codec(says="a JSON object", write=dict, read=checked_value),
            "texts": Codec(says="a list of texts", write=list, read=checked_texts),
            "created_at": TIME,
            "updated_at": TIME,
            "ttl": maybe(Codec(says="microseconds", write=lambda ttl: ttl // _MICROSECOND, read=_duration)),
            "expires_at": maybe(TIME),
        },
        make=Item,
    ),
    key=lambda one: ("id", one.id),
    rows=_all,
    add=lambda unit, rows: unit.items.put(rows),
    is_known=_is_known,
    texts=lambda item: (_whole(item),),
    lose=_lose,
    remove=lambda unit, ids: unit.items.delete(ids),
    action=Action.ITEM,
)
