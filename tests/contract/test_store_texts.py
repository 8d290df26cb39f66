"""A store returns what it was given: any text in any field, any time, any number."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reverie.domain.emotion import Emotion
from reverie.domain.message import EpisodeMetadata
from reverie.domain.query import EVERYTHING
from reverie.domain.text import normalized
from reverie.errors import InvalidInput
from reverie.ports.store import Store
from tests.contract.store_engines import NAMES, SPREAD_ENGINES
from tests.contract.store_rows import (
    FIRST,
    LAST,
    NOW,
    a_memory,
    a_version,
    an_agent,
    an_entry,
    an_episode,
    keep,
    settle,
    tell,
    vectors,
)

pytestmark = pytest.mark.slow

HOSTILE = [
    "", "'; DROP TABLE episodes; --", '"', "\\", "%_", "[]", "null", "\ufffe\uffff", "\u202e", "a\u0301",
    "𐍈", "?", "\n\t",
]  # fmt: skip

texts = (st.text(max_size=60) | st.sampled_from(HOSTILE)).map(normalized)
names = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=30).filter(
    lambda name: name == name.strip() and bool(name)
)
labels = st.lists(names, max_size=3, unique=True).map(tuple)
times = st.datetimes(timezones=st.just(UTC)) | st.sampled_from([FIRST, LAST])
numbers = st.floats(0, 1)
some_emotions = st.lists(st.sampled_from(Emotion), max_size=3, unique=True).map(tuple)
contents = st.none() | st.dictionaries(
    texts, texts | st.none() | st.integers() | numbers | st.lists(texts, max_size=2)
)

_turns = itertools.count()


@pytest.fixture(scope="module", params=NAMES)
def kept(request: pytest.FixtureRequest) -> Iterator[Store]:
    """One store for all examples: each takes ids of its own."""
    engine = SPREAD_ENGINES[request.param]
    with engine.lasting_place(request) as place:
        store = engine.open(place, 30.0)
        with store.write("mama") as unit:
            settle(unit)
        yield store
        store.close()


@settings(max_examples=150)
@given(st.data())
def test_any_episode_comes_back_as_given(kept: Store, data: st.DataObject) -> None:
    draw, turn = data.draw, next(_turns)
    episode = an_episode(
        f"{turn}/{draw(texts)}", turn, conversation=draw(names), time=draw(times), observed_at=draw(times),
        channel=draw(texts), speaker=draw(st.none() | names), content=draw(texts), ref=f"{turn}{draw(texts)}",
        outcome=draw(st.none() | texts), tags=draw(labels), consolidated_at=draw(st.none() | times),
        metadata=EpisodeMetadata(
            task_type=draw(st.none() | names), tools_used=draw(labels), emotional_tone=draw(st.none() | names),
            topics=draw(labels), entities=draw(labels), importance=draw(st.none() | numbers),
        ),
    )  # fmt: skip
    with kept.write("mama") as unit:
        tell(unit, episode)
    with kept.read("mama") as unit:
        assert unit.episodes.get([episode.id]) == {episode.id: episode}
        assert unit.episodes.by_ref(episode.conversation, [str(episode.ref)]) == {episode.ref: episode}
        room = unit.conversations.get(episode.conversation)
        assert room is not None
        assert episode.speaker is None or episode.speaker in room.participants


@settings(max_examples=150)
@given(st.data())
def test_any_memory_version_and_edge_come_back_as_given(kept: Store, data: st.DataObject) -> None:
    draw, turn = data.draw, next(_turns)
    memory = a_memory(
        f"{turn}/{draw(texts)}", essence=draw(texts), lesson=draw(st.none() | texts), importance=draw(numbers),
        emotions=draw(st.none() | some_emotions), confidence=draw(numbers),
        scope=draw(labels), tags=draw(labels), topics=draw(labels), entities=draw(labels),
        source_episodes=tuple(sorted(set(draw(labels)))), superseded_by=draw(st.none() | texts),
        created_at=draw(times), updated_at=draw(times), believed_from=draw(times), confidence_at=draw(times),
        valid_from=draw(st.none() | times), valid_to=draw(st.none() | times), last_reinforced_at=draw(times),
    )  # fmt: skip
    version = a_version(
        memory.id, 1, essence=draw(texts), lesson=draw(st.none() | texts), believed_from=draw(times),
        believed_to=draw(times), valid_from=draw(st.none() | times), valid_to=draw(st.none() | times),
    )  # fmt: skip
    with kept.write("mama") as unit:
        keep(unit, memory)
        unit.memories.add_version(version)
    with kept.read("mama") as unit:
        assert unit.memories.get([memory.id]) == {memory.id: memory}
        assert unit.memories.versions(memory.id) == [version]


@settings(max_examples=60)
@given(texts, texts, texts, contents, contents, st.none() | texts, times)
def test_any_log_entry_comes_back_as_given(
    kept: Store, id: str, actor: str, target: str, before: dict[str, object], after: dict[str, object],
    reason: str | None, at: datetime,
) -> None:  # fmt: skip
    id = f"{next(_turns):09}/{id}"
    entry = an_entry(id, target, actor=actor, before=before, after=after, reason=reason, at=at)
    with kept.write("mama") as unit:
        unit.audit.add([entry])
    with kept.read("mama") as unit:
        assert entry in unit.audit.list(target=target, limit=1000)


@settings(max_examples=60)
@given(names, st.binary(min_size=1), names, labels, times)
@example("%", b"\0", "a", ("[]",), FIRST)
def test_any_profile_and_secret_come_back_as_given(
    kept: Store, id: str, secret: bytes, home: str, principals: tuple[str, ...], created_at: datetime
) -> None:
    id = f"{next(_turns)}{id}"
    agent = an_agent(id, home=home, principals=principals, created_at=created_at)
    with kept.write(id) as unit:
        unit.agents.put(agent, secret)
    with kept.read(id) as unit:
        assert (unit.agents.get(), unit.agents.secret()) == (agent, secret)


def test_a_text_of_a_mebibyte_comes_back_as_given(store: Store) -> None:
    long = an_episode("e1", content=("日本 garden 🍂 " * 60_000)[: 1 << 19])
    with store.write("mama") as unit:
        tell(unit, long)
        assert unit.episodes.get(["e1"]) == {"e1": long}
        assert len(unit.episodes.list(EVERYTHING, match="gardens")) == 1


@pytest.mark.parametrize("where", ["id", "content"])
def test_a_lone_surrogate_is_refused_in_our_words(store: Store, where: str) -> None:
    with pytest.raises(InvalidInput, match="surrogate"), store.write("mama") as unit:
        tell(unit, an_episode(**dict[str, Any](id="e1") | {where: "\ud800"}))
    with pytest.raises(InvalidInput, match="surrogate"), store.read("mama") as unit:
        unit.memories.get(["\ud800"])
    with store.read("mama") as unit:
        assert unit.episodes.ids(EVERYTHING) == []


def test_a_number_that_no_column_holds_is_refused_in_our_words(store: Store) -> None:
    with pytest.raises(InvalidInput, match="64 bits"), store.write("mama") as unit:
        unit.memories.add([a_memory("m1", reinforcement_count=1 << 63)], vectors(1))
    with store.read("mama") as unit:
        assert unit.memories.ids(EVERYTHING, now=NOW) == []
