"""Memories and what hangs on them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from reverie.domain.emotion import Emotion
from reverie.domain.kinds import Kind, Priority
from reverie.domain.memory import Connection, Origin, State
from reverie.domain.query import EVERYTHING, Filter
from reverie.domain.trust import SourceTrust
from reverie.errors import InvalidInput
from reverie.ports.store import Store
from tests.contract.store_rows import (
    FIRST,
    LAST,
    NOW,
    a_memory,
    a_version,
    after,
    an_episode,
    ids,
    keep,
    tell,
    vectors,
)

FULL = a_memory(
    "full", essence="a fact\nof two lines 🍂", emotions=(Emotion.JOY, Emotion.LOVE, Emotion.NEUTRAL), importance=0.1,
    lesson="do it\tagain", kind=Kind.WORKFLOW, priority=Priority.CRITICAL, confidence=1 / 3, confidence_at=FIRST,
    scope=("src/**", "!src/{a,b}/*.py"), tags=("b", "a,["), topics=("日本",), entities=('"', "\\"),
    source_episodes=("e1", "e2"), origin=Origin.LINK, source_trust=SourceTrust.EXTERNAL, pinned=True,
    state=State.SUMMARIZED, superseded_by="m2", reinforcement_count=7, last_reinforced_at=LAST, touches=3,
    last_touched_at=FIRST, version=4, created_at=FIRST, updated_at=LAST, believed_from=FIRST, valid_from=FIRST,
    valid_to=LAST, needs_review=True,
)  # fmt: skip


def test_a_memory_comes_back_as_given(store: Store) -> None:
    with store.write("mama") as unit:
        keep(unit, FULL, a_memory("bare"))
        assert unit.memories.get(["bare", "full", "nobody"]) == {"full": FULL, "bare": a_memory("bare")}


def test_sources_come_back_once_each_in_order_of_id(store: Store) -> None:
    with store.write("mama") as unit:
        keep(unit, a_memory("m1", source_episodes=("e2", "e1", "e2")))
        assert unit.memories.get(["m1"])["m1"].source_episodes == ("e1", "e2")


def test_vectors_come_back_to_the_last_bit(store: Store) -> None:
    given = vectors(2)
    given[0, :4] = [0.1, -1.0, -0.0, 1e-45]
    with store.write("mama") as unit:
        unit.memories.add([a_memory("m1"), a_memory("m2")], given)
        found = unit.memories.vectors(["m1", "m2", "nobody"])
    assert {id: vector.tobytes() for id, vector in found.items()} == {
        "m1": given[0].tobytes(), "m2": given[1].tobytes(),
    }  # fmt: skip


def test_an_id_that_is_taken_is_refused(store: Store) -> None:
    with store.write("mama") as unit:
        keep(unit, a_memory("m1"))
    with pytest.raises(InvalidInput), store.write("mama") as unit:
        keep(unit, a_memory("m0"), a_memory("m1"))
    with store.read("mama") as unit:
        assert unit.memories.ids(EVERYTHING, now=NOW) == ["m1"]


def test_an_update_writes_every_field_but_touches(store: Store) -> None:
    with store.write("mama") as unit:
        keep(unit, a_memory("full", touches=5, last_touched_at=NOW, source_episodes=("e0", "e1")))
        unit.memories.update(FULL)
        assert unit.memories.get(["full"])["full"] == replace(FULL, touches=5, last_touched_at=NOW)
        unit.memories.update(a_memory("full"))
        assert unit.memories.get(["full"])["full"] == a_memory("full", touches=5, last_touched_at=NOW)


def test_an_update_keeps_the_vector_unless_one_is_given(store: Store) -> None:
    with store.write("mama") as unit:
        keep(unit, a_memory("m1"))
        unit.memories.update(a_memory("m1", pinned=True))
        assert unit.memories.vectors(["m1"])["m1"].tobytes() == vectors(1)[0].tobytes()
        unit.memories.update(a_memory("m1"), vectors(1, seed=5)[0])
        assert unit.memories.vectors(["m1"])["m1"].tobytes() == vectors(1, seed=5)[0].tobytes()


def test_an_update_changes_the_keywords_with_the_words(store: Store) -> None:
    with store.write("mama") as unit:
        keep(unit, a_memory("m1", essence="old apples", lesson="gone", tags=("past",), scope=("src/**",)))
        unit.memories.update(
            a_memory("m1", essence="new pears", lesson="here", tags=("now",), scope=("lib/**",))
        )
        for words, found in {
            "apples": 0, "gone": 0, "past": 0, "src": 0, "pears": 1, "here": 1, "now": 1, "lib": 1,
        }.items():  # fmt: skip
            assert len(unit.memories.list(EVERYTHING, match=words, now=NOW)) == found, words


def test_replaced_wordings_come_back_as_given_oldest_first(store: Store) -> None:
    first = a_version(
        "m1", 1, essence="日本\n", lesson="l", believed_from=FIRST, believed_to=NOW, valid_from=FIRST
    )
    second = a_version("m1", 2, valid_to=LAST)
    with store.write("mama") as unit:
        keep(unit, a_memory("m1"), a_memory("m2"))
        for version in (second, first, a_version("m2", 1)):
            unit.memories.add_version(version)
        assert unit.memories.versions("m1") == [first, second]
        assert unit.memories.versions("nobody") == []
        assert unit.memories.past([("m1", 2), ("m2", 9), ("nobody", 1)]) == {("m1", 2): second}


def test_a_version_that_is_taken_is_refused(store: Store) -> None:
    with store.write("mama") as unit:
        keep(unit, a_memory("m1"))
        unit.memories.add_version(a_version("m1", 1))
    with pytest.raises(InvalidInput), store.write("mama") as unit:
        unit.memories.add_version(a_version("m1", 1, essence="other"))
    with store.read("mama") as unit:
        assert unit.memories.versions("m1") == [a_version("m1", 1)]


def test_touches_add_up_and_keep_the_later_time(store: Store) -> None:
    with store.write("mama") as unit:
        keep(unit, a_memory("m1"), a_memory("m2", touches=2))
        unit.memories.touch({"m1": (2, after(hours=1)), "nobody": (1, NOW)})
        unit.memories.touch({"m1": (1, NOW), "m2": (1, NOW)})
        found = unit.memories.get(["m1", "m2"])
        assert (found["m1"].touches, found["m1"].last_touched_at) == (3, after(hours=1))
        assert (found["m2"].touches, found["m2"].last_touched_at) == (3, NOW)
        assert unit.memories.get(["nobody"]) == {}


def test_memories_are_found_by_their_source_episodes(store: Store) -> None:
    with store.write("mama") as unit:
        tell(unit, an_episode("e1"), an_episode("e2", 1), an_episode("e3", conversation="garden"))
        keep(
            unit, a_memory("m1", source_episodes=("e1", "e3")), a_memory("m2", source_episodes=("e2",)), a_memory("m3")
        )  # fmt: skip
        assert unit.memories.derived_from(["e1", "e3", "e9"]) == {"m1": ["e1", "e3"]}
        assert unit.memories.of_conversation(["kitchen"]) == {"m1", "m2"}
        assert unit.memories.of_conversation(["garden", "cellar"]) == {"m1"}
        unit.memories.unlink(["e1", "e2"])
        assert unit.memories.derived_from(["e1", "e2", "e3"]) == {"m1": ["e3"]}


def test_edges_are_found_from_both_ends_in_order_of_time(store: Store) -> None:
    edges = [
        Connection(source="m1", target="m2", relation="near", created_at=after(hours=1)),
        Connection(source="m3", target="m1", relation="reminds me of", created_at=NOW),
        Connection(source="m1", target="m2", relation="supports", created_at=FIRST),
        Connection(source="m2", target="m3", relation="near", created_at=NOW),
    ]
    with store.write("mama") as unit:
        for edge in edges:
            unit.memories.connect(edge)
        assert unit.memories.connections(["m1"]) == [edges[2], edges[1], edges[0]]
        assert len(unit.memories.connections(["m1", "m2", "m3", *map(str, range(1200))])) == 4
        assert unit.memories.connections(["m9"]) == []


def test_an_edge_that_is_there_stays_as_it_is(store: Store) -> None:
    edge = Connection(source="m1", target="m2", relation="near", created_at=NOW)
    with store.write("mama") as unit:
        unit.memories.connect(edge)
        unit.memories.connect(replace(edge, created_at=LAST))
        assert unit.memories.connections(["m2"]) == [edge]


def test_deleting_memories_takes_all_that_hangs_on_them(store: Store) -> None:
    with store.write("mama") as unit:
        tell(unit, an_episode("e1"))
        keep(unit, replace(FULL, id="m1"), a_memory("m2"), a_memory("m3"))
        unit.memories.add_version(a_version("m1", 1))
        for source, target in (("m1", "m2"), ("m2", "m1"), ("m2", "m3")):
            unit.memories.connect(Connection(source=source, target=target, relation="near", created_at=NOW))
        unit.memories.delete(["m1", "m3", "nobody"])
        assert (
            unit.memories.ids(EVERYTHING, now=NOW) == [*unit.memories.vectors(["m1", "m2", "m3"])] == ["m2"]
        )
        assert unit.memories.list(EVERYTHING, match="fact", now=NOW) == []
        assert unit.memories.versions("m1") == []
        assert unit.memories.connections(["m2"]) == []
        assert unit.memories.derived_from(["e1"]) == {}
        keep(unit, a_memory("m1"))
        assert unit.memories.get(["m1"])["m1"] == a_memory("m1")


def test_memories_are_counted_by_kind_and_state(store: Store) -> None:
    with store.write("mama") as unit:
        keep(
            unit, a_memory("m1"), a_memory("m2"), a_memory("m3", state=State.ARCHIVED), a_memory("m4", kind=Kind.GOAL)
        )  # fmt: skip
        assert unit.memories.counts() == {
            ("fact", State.ACTIVE): 2, ("fact", State.ARCHIVED): 1, ("goal", State.ACTIVE): 1,
        }  # fmt: skip


def test_memories_are_listed_by_id_and_page_on_behind_an_id(store: Store) -> None:
    with store.write("mama") as unit:
        keep(unit, *(a_memory(f"m{n}") for n in (3, 1, 4, 0, 2)))
        assert ids(unit.memories.list(EVERYTHING, now=NOW, limit=2)) == ["m0", "m1"]
        assert ids(unit.memories.list(EVERYTHING, now=NOW, limit=9, after="m1")) == ["m2", "m3", "m4"]
        assert ids(unit.memories.list(EVERYTHING, now=NOW, after="m25")) == ["m3", "m4"]
        assert ids(unit.memories.list(EVERYTHING, now=NOW, after="m3", newest_first=True)) == [
            "m2",
            "m1",
            "m0",
        ]
        assert unit.memories.list(EVERYTHING, now=NOW, limit=0) == []


def test_memories_are_listed_by_what_is_to_be_looked_at(store: Store) -> None:
    said = {
        "m1": SourceTrust.PRINCIPAL, "m2": SourceTrust.EXTERNAL, "m3": SourceTrust.OTHER, "m4": SourceTrust.EXTERNAL,
    }  # fmt: skip
    with store.write("mama") as unit:
        keep(unit, *(a_memory(id, source_trust=trust, needs_review=id == "m4") for id, trust in said.items()))

        def listed(filter: Filter, **more: Any) -> list[str]:
            return [one.id for one in unit.memories.list(filter, now=NOW, **more)]

        outside = frozenset({SourceTrust.EXTERNAL, SourceTrust.OTHER})
        assert listed(Filter(trusts=outside)) == ["m2", "m3", "m4"]
        assert listed(Filter(trusts=outside), newest_first=True, limit=1) == ["m4"]
        assert listed(Filter(trusts=outside, review=False), newest_first=True) == ["m3", "m2"]
        assert listed(Filter(trusts=frozenset({SourceTrust.PRINCIPAL}))) == ["m1"]
        assert listed(Filter(review=True)) == ["m4"]


def test_lists_of_ids_may_be_of_any_length(store: Store) -> None:
    many = [f"m{n:05}" for n in range(1200)]
    with store.write("mama") as unit:
        keep(unit, *map(a_memory, many))
        unit.memories.touch(dict.fromkeys(many, (1, NOW)))
        assert [memory.touches for memory in unit.memories.get(many).values()] == [1] * 1200
        assert unit.memories.past([(id, 1) for id in many]) == {}
        unit.memories.delete(many)
        assert unit.memories.counts() == {}
