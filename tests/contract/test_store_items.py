"""Items on every engine: a value comes back as it was put, and nothing else is touched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from reverie.errors import InvalidInput
from reverie.ports.store import Store
from tests.contract.store_rows import LAST, NOW, after, an_item

HOSTILE = "'; DROP TABLE items; -- \\ % ? $1 \u202e 🜍 נָא 日本 {}"
EXACT = {HOSTILE: [f"{HOSTILE}\r\n\x00\x1f", 1 << 70, -0.5, 1e300, True, None, {"": []}]}


def test_an_item_comes_back_as_it_was_put(store: Store) -> None:
    item = an_item(
        "i1", HOSTILE, namespace=(HOSTILE, '"', "a"), value=EXACT, texts=(HOSTILE, "\x00"), expires_at=LAST
    )
    with store.write("mama") as unit:
        unit.items.put([item])
    with store.read("mama") as unit:
        assert unit.items.get(item.namespace, HOSTILE, NOW) == item
        assert unit.items.list() == [item]
    with store.read("papa") as unit:
        assert (unit.items.get(item.namespace, HOSTILE, NOW), unit.items.count()) == (None, 0)


def test_a_prefix_is_of_whole_labels(store: Store) -> None:
    places = [("a",), ("a", "b"), ("a", "b", "c"), ("a,b",), ("ab",), ('a"', "b"), ("a]",), ("b",), ("A",)]
    items = [an_item(f"i{place}", namespace=namespace) for place, namespace in enumerate(places)]
    with store.write("mama") as unit:
        unit.items.put(items[::-1])
        for prefix in ((), ("a",), ("a", "b"), ('a"',), ("c",)):
            wanted = [one for one in items if one.namespace[: len(prefix)] == prefix]
            assert unit.items.below(prefix, NOW) == wanted
            assert unit.items.below(prefix, NOW, limit=2, offset=1, newest_first=True) == wanted[::-1][1:3]
        assert sorted(unit.items.namespaces(NOW)) == sorted(places)
        assert unit.items.list(after="i6") == items[7:]


def test_what_has_expired_is_not_found_and_goes(store: Store) -> None:
    brief = an_item("i1", "brief", ttl=timedelta(hours=1), expires_at=after(hours=1))
    lasting = an_item("i2", "lasting", namespace=("other",))
    with store.write("mama") as unit:
        unit.items.put([brief, lasting])
        unit.items.refresh({"i1": after(hours=2)})
        assert unit.items.get(brief.namespace, "brief", after(hours=1)) == replace(
            brief, expires_at=after(hours=2)
        )
        assert unit.items.get(brief.namespace, "brief", after(hours=2)) is None
        assert unit.items.below((), after(hours=2)) == [lasting]
        assert unit.items.namespaces(after(hours=2)) == [("other",)]
        unit.items.expire(after(hours=1))
        assert unit.items.count() == 2
        unit.items.expire(after(hours=2))
        assert unit.items.list() == [lasting]


def test_vectors_are_of_an_embedder_and_of_the_texts(store: Store) -> None:
    item, vectors = an_item("i1"), np.arange(16, dtype=np.float32).reshape(2, 8)
    with store.write("mama") as unit:
        unit.items.put([item])
        unit.items.keep_vectors("one", [(item, vectors), (an_item("i9"), vectors)])
        assert unit.items.vectors(["i1", "i9"], "another") == {}
        assert np.array_equal(unit.items.vectors(["i1", "i9"], "one")["i1"], vectors)
        other = replace(item, texts=("another",))
        unit.items.put([other])
        unit.items.keep_vectors("one", [(item, vectors)])
        assert unit.items.vectors(["i1"], "one") == {}
        assert unit.items.list() == [other]


def test_one_key_is_one_item(store: Store) -> None:
    with store.write("mama") as unit:
        unit.items.put([an_item("i1")])
        assert unit.items.known([an_item("i2"), an_item("i1", "new"), an_item("i3", "other")]) == {"i1", "i2"}
    with pytest.raises(InvalidInput), store.write("mama") as unit:
        unit.items.put([an_item("i2")])


def test_every_write_is_a_new_revision(store: Store) -> None:
    item = an_item("i1", ttl=timedelta(hours=1), expires_at=after(minutes=1))
    with store.write("mama") as unit:
        writes: list[Callable[[], None]] = [
            lambda: unit.items.put([item]),
            lambda: unit.items.refresh({"i1": after(hours=1)}),
            lambda: unit.items.keep_vectors("one", [(item, np.zeros((2, 8), np.float32))]),
            lambda: unit.items.delete(["i1"]),
        ]
        for write in writes:
            before = unit.agents.rev()
            write()
            assert unit.agents.rev() == before + 1
            unit.items.delete(["nobody"])
            unit.items.expire(NOW)
            assert unit.agents.rev() == before + 1
