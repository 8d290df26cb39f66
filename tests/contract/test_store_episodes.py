"""Episodes and their conversations."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from reverie.domain.message import Conversation, EpisodeMetadata, Role
from reverie.domain.query import EVERYTHING, Filter
from reverie.domain.trust import SourceTrust
from reverie.errors import InvalidInput
from reverie.ports.store import Store
from tests.contract.store_rows import (
    FIRST,
    LAST,
    NOW,
    a_memory,
    after,
    an_episode,
    ids,
    keep,
    tell,
    vectors,
)

FULL = an_episode(
    "full", 3, time=FIRST, observed_at=LAST, channel="my own", role=Role.TOOL, speaker="Zoé", ref="ref-1",
    content="line one\nline\ttwo 🍂", outcome="done", tags=("b", "a,[", '"'),
    metadata=EpisodeMetadata(
        task_type="cooking", tools_used=("oven", "knife"), emotional_tone="warm", topics=("soup",),
        entities=("Ann", "Bob"), importance=0.1,
    ),
    source_trust=SourceTrust.EXTERNAL, consolidated_at=NOW,
)  # fmt: skip


def test_an_episode_comes_back_as_given(store: Store) -> None:
    with store.write("mama") as unit:
        tell(unit, FULL, an_episode("bare", 4))
        assert unit.episodes.get(["bare", "full", "nobody"]) == {"full": FULL, "bare": an_episode("bare", 4)}


def test_vectors_come_back_to_the_last_bit(store: Store) -> None:
    given = vectors(4)
    given[0, :5] = [0.1, -1.0, -0.0, 1e-45, 1 / 3]
    with store.write("mama") as unit:
        unit.episodes.add([an_episode(f"e{n}", n) for n in range(4)], given)
        found = unit.episodes.vectors([f"e{n}" for n in range(5)])
    assert sorted(found) == ["e0", "e1", "e2", "e3"]
    assert all(
        found[f"e{n}"].tobytes() == given[n].tobytes() and found[f"e{n}"].dtype == np.float32
        for n in range(4)
    )


@pytest.mark.parametrize("clash", [{"id": "e1"}, {"position": 0}, {"ref": "r"}])
def test_an_id_a_position_or_a_ref_that_is_taken_is_refused(store: Store, clash: dict[str, Any]) -> None:
    with store.write("mama") as unit:
        tell(unit, an_episode("e1", 0, ref="r"))
    with pytest.raises(InvalidInput), store.write("mama") as unit:
        tell(unit, an_episode("fine", 7), an_episode(**dict[str, Any](id="e2", position=1) | clash))
    with store.read("mama") as unit:
        assert unit.episodes.ids(EVERYTHING) == ["e1"]


def test_a_ref_names_a_message_within_its_conversation(store: Store) -> None:
    here, there = an_episode("e1", ref="r"), an_episode("e2", ref="r", conversation="garden")
    with store.write("mama") as unit:
        tell(unit, here, there, an_episode("e3", 1))
        assert unit.episodes.by_ref("kitchen", ["r", "q"]) == {"r": here}
        assert unit.episodes.by_ref("cellar", ["r"]) == {}


def test_the_tail_is_the_last_by_position_oldest_first(store: Store) -> None:
    with store.write("mama") as unit:
        tell(unit, *(an_episode(f"e{n}", n, time=NOW - timedelta(n)) for n in (2, 0, 3, 1)))
        assert ids(unit.episodes.tail("kitchen", 3)) == ["e1", "e2", "e3"]
        assert ids(unit.episodes.tail("kitchen", 9)) == ["e0", "e1", "e2", "e3"]
        assert unit.episodes.tail("kitchen", 0) == unit.episodes.tail("cellar", 3) == []


def test_a_conversation_is_read_forward_from_a_position_on(store: Store) -> None:
    with store.write("mama") as unit:
        tell(unit, *(an_episode(f"e{n}", n, time=NOW - timedelta(n)) for n in (2, 0, 5, 1)))
        tell(unit, an_episode("other", 1, conversation="garden"))
        assert ids(unit.episodes.forward("kitchen", 1, 2)) == ["e1", "e2"]
        assert ids(unit.episodes.forward("kitchen", 3, 9)) == ["e5"]
        assert ids(unit.episodes.forward("kitchen", 0, 9)) == ["e0", "e1", "e2", "e5"]
        assert unit.episodes.forward("kitchen", 6, 9) == unit.episodes.forward("kitchen", 0, 0) == []
        assert unit.episodes.forward("cellar", 0, 9) == []


def test_a_conversation_is_known_by_its_episodes(store: Store) -> None:
    with store.write("mama") as unit:
        tell(
            unit, an_episode("e1", 0, speaker="Zoé", time=after(days=1)), an_episode("e2", 1, speaker="Ann"),
            an_episode("e3", 0, conversation="garden", channel="room"),
        )  # fmt: skip
        tell(
            unit,
            an_episode("e4", 2, speaker="Ann", time=after(days=-1), channel="later"),
            an_episode("e5", 3),
        )
        kitchen = Conversation(
            id="kitchen", channel="terminal", started_at=after(days=-1), last_at=after(days=1), episodes=4,
            participants=("Ann", "Zoé"),
        )  # fmt: skip
        garden = Conversation(id="garden", channel="room", started_at=NOW, last_at=NOW, episodes=1)
        assert unit.conversations.get("kitchen") == kitchen
        assert unit.conversations.get("cellar") is None
        assert unit.conversations.list() == [garden, kitchen]
        assert unit.conversations.list(limit=1) == [garden]
        assert unit.conversations.list(after="garden") == [kitchen]
        assert unit.conversations.count() == 2


def test_the_next_position_follows_the_highest(store: Store) -> None:
    with store.write("mama") as unit:
        tell(unit, an_episode("e1", 4), an_episode("e2", 2))
        assert unit.conversations.next_positions(["kitchen", "cellar"]) == {"kitchen": 5, "cellar": 0}


def test_a_position_is_not_given_again_after_its_episode_went(store: Store) -> None:
    with store.write("mama") as unit:
        tell(unit, an_episode("e1", 0), an_episode("e2", 1))
        unit.episodes.delete(["e2"])
        assert unit.conversations.next_positions(["kitchen"]) == {"kitchen": 2}


def test_deleting_episodes_takes_all_that_hangs_on_them(store: Store) -> None:
    with store.write("mama") as unit:
        tell(
            unit, an_episode("e1", 0, speaker="Ann", time=FIRST), an_episode("e2", 1, speaker="Ann"),
            an_episode("e3", 2, speaker="Bob", time=LAST), an_episode("e4", 0, conversation="garden"),
            an_episode("e5", 0, conversation="attic"), an_episode("e6", 1, conversation="attic"),
        )  # fmt: skip
        keep(unit, a_memory("m1", source_episodes=("e1", "e2")))
        assert unit.episodes.delete(["e1", "e3", "e4", "e5", "e6", "e9"]) == ["attic", "garden"]
    with store.read("mama") as unit:
        assert unit.episodes.ids(EVERYTHING) == [*unit.episodes.vectors(["e1", "e2", "e3"])] == ["e2"]
        assert ids(unit.episodes.list(EVERYTHING, match="words")) == ["e2"]
        assert unit.conversations.list() == [
            Conversation(
                id="kitchen",
                channel="terminal",
                started_at=NOW,
                last_at=NOW,
                episodes=1,
                participants=("Ann",),
            )
        ]
        assert unit.memories.get(["m1"])["m1"].source_episodes == ("e2",)


def test_a_room_can_begin_anew_after_it_went(store: Store) -> None:
    with store.write("mama") as unit:
        tell(unit, an_episode("e1", 0, speaker="Ann"))
        unit.episodes.delete(["e1"])
        tell(unit, an_episode("e2", 0))
        assert unit.conversations.list() == [
            Conversation(id="kitchen", channel="terminal", started_at=NOW, last_at=NOW, episodes=1)
        ]


def test_a_rewrite_replaces_words_labels_and_vector_alone(store: Store) -> None:
    new = vectors(1, seed=9)[0]
    with store.write("mama") as unit:
        tell(unit, FULL)
        other = EpisodeMetadata(task_type="lost", topics=("sun",), entities=("Ann",), importance=0.9)
        unit.episodes.rewrite(an_episode("full", 3, content="only sunshine", metadata=other), new)
    with store.read("mama") as unit:
        (found,) = unit.episodes.list(EVERYTHING, match="sunshine")
        assert found.content == "only sunshine"
        assert (found.tags, found.metadata, found.time, found.ref) == (
            FULL.tags,
            replace(FULL.metadata, topics=("sun",), entities=("Ann",)),
            FULL.time,
            FULL.ref,
        )
        assert unit.episodes.list(EVERYTHING, match="line") == []
        assert unit.episodes.vectors(["full"])["full"].tobytes() == new.tobytes()


def test_episodes_are_listed_in_pages_by_time_then_id(store: Store) -> None:
    told = [an_episode(f"e{n}", n, time=after(hours=n // 2 - 9 * (n == 7))) for n in range(8)]
    order = ["e7", "e0", "e1", "e2", "e3", "e4", "e5", "e6"]
    with store.write("mama") as unit:
        tell(unit, *reversed(told))
        assert ids(unit.episodes.list(EVERYTHING)) == order
        assert ids(unit.episodes.list(EVERYTHING, newest_first=True)) == order[::-1]
        assert ids(unit.episodes.list(EVERYTHING, after="e1", limit=3)) == ["e2", "e3", "e4"]
        assert ids(unit.episodes.list(EVERYTHING, after="e1", newest_first=True)) == ["e0", "e7"]
        assert unit.episodes.list(EVERYTHING, after="nobody") == unit.episodes.list(EVERYTHING, limit=0) == []
        assert unit.episodes.ids(EVERYTHING) == sorted(order)


def test_a_limit_counts_what_passes_however_rare(store: Store) -> None:
    with store.write("mama") as unit:
        tell(
            unit,
            *(
                an_episode(f"e{n:05}", n, tags=("rare",) if n % 1000 == 999 else ("common",))
                for n in range(5000)
            ),
        )
        rare = Filter(tags=frozenset({"RARE"}))
        assert ids(unit.episodes.list(rare, limit=3)) == ["e00999", "e01999", "e02999"]
        assert ids(unit.episodes.list(rare, limit=3, after="e02999")) == ["e03999", "e04999"]
        assert unit.episodes.count(rare) == len(unit.episodes.ids(rare)) == 5
        assert unit.episodes.count(EVERYTHING) == len(unit.episodes.ids(EVERYTHING)) == 5000


def test_lists_of_ids_may_be_of_any_length(store: Store) -> None:
    many = [f"e{n:05}" for n in range(1500)]
    with store.write("mama") as unit:
        tell(unit, *(an_episode(id, n, ref=id) for n, id in enumerate(many)))
        keep(unit, a_memory("m1", source_episodes=tuple(many)))
        assert [*unit.episodes.get(many)] == [*unit.episodes.vectors(many)] == many
        assert len(unit.episodes.by_ref("kitchen", many)) == 1500
        assert unit.episodes.ids(Filter(ids=frozenset(many[:1400]))) == many[:1400]
        assert unit.episodes.count(Filter(conversations=frozenset({"kitchen", *many}))) == 1500
        assert len(unit.memories.derived_from(many)["m1"]) == 1500
        assert unit.memories.of_conversation(["kitchen", *many]) == {"m1"}
        unit.memories.unlink(many[:700])
        assert unit.memories.get(["m1"])["m1"].source_episodes == tuple(many[700:])
        assert unit.episodes.delete(many) == ["kitchen"]
        assert unit.episodes.count(EVERYTHING) == unit.conversations.count() == 0
