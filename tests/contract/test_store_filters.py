"""Filters: what passes, against a plain reading of the port's words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reverie.domain.episode import Episode
from reverie.domain.kinds import Kind
from reverie.domain.memory import Memory, State
from reverie.domain.message import EpisodeMetadata, Role
from reverie.domain.query import EVERYTHING, Filter
from reverie.errors import InvalidInput
from reverie.memory.decay import faded_confidence
from reverie.memory.scope import matches
from reverie.ports.search import Probe, Search
from reverie.ports.store import Store
from tests.contract.search_fixtures import OPENERS
from tests.contract.store_engines import NAMES, SPREAD_ENGINES
from tests.contract.store_rows import NOW, a_memory, after, an_episode, ids, keep, settle, tell, vectors

LABELS = ["Straße", "strasse", "STRASSE", "tea", "Tea", "%", "[]", '"a"', "日本"]
PATHS = ["src/a.py", "lib/b.py", "README"]
SHARES = [None, 0.0, 0.3, 0.6, 0.9, 1.0]

labels = st.lists(st.sampled_from(LABELS), max_size=3, unique=True).map(tuple)
some_labels = st.frozensets(st.sampled_from(LABELS), max_size=2)
days = st.integers(-2, 2).map(lambda number: NOW + timedelta(days=number))
months_ago = st.integers(0, 9).map(lambda number: NOW - timedelta(days=30 * number))
share = st.sampled_from(SHARES)

memories = st.builds(
    lambda **fields: fields,
    kind=st.sampled_from([Kind.FACT, Kind.GOAL, Kind.POLICY]), state=st.sampled_from(list(State)),
    superseded_by=st.sampled_from([None, "m0"]), scope=st.sampled_from([(), ("src/**",), ("*.py", "!b.py")]),
    tags=labels, topics=labels, entities=labels, created_at=days, importance=share,
    needs_review=st.booleans(),
    confidence=share.filter(lambda value: value is not None), confidence_at=months_ago, last_reinforced_at=months_ago,
)  # fmt: skip
episodes = st.builds(
    lambda topics, entities, importance, **fields: (
        fields | {"metadata": EpisodeMetadata(topics=topics, entities=entities, importance=importance)}
    ),
    topics=labels, entities=labels, importance=share, tags=labels, time=days,
    conversation=st.sampled_from(["kitchen", "garden"]), channel=st.sampled_from(["api", "web"]),
    role=st.sampled_from(list(Role)), speaker=st.sampled_from([None, "Ann", "ann"]),
)  # fmt: skip

common = {
    "tags": some_labels, "topics": some_labels, "entities": some_labels, "since": st.none() | days,
    "until": st.none() | days, "min_importance": share,
    "ids": st.none() | st.frozensets(st.sampled_from(["x0", "x1", "x2", "x9"])),
}  # fmt: skip
memory_filters = st.builds(
    Filter, kinds=st.frozensets(st.sampled_from([Kind.FACT, Kind.GOAL])), states=st.frozensets(st.sampled_from(State)),
    include_superseded=st.booleans(), scope=st.sampled_from([None, *PATHS]), scoped=st.booleans(),
    min_confidence=share, review=st.sampled_from([None, True, False]), **common,
)  # fmt: skip
episode_filters = st.builds(
    Filter, conversations=st.frozensets(st.sampled_from(["kitchen", "cellar"])),
    channels=st.frozensets(st.sampled_from(["api", "room"])), roles=st.frozensets(st.sampled_from(Role)),
    speakers=st.frozensets(st.sampled_from(["Ann", "Bob"])), **common,
)  # fmt: skip


def _shared(wanted: frozenset[str], given: tuple[str, ...]) -> bool:
    return not wanted or bool({label.casefold() for label in wanted} & {label.casefold() for label in given})


def _memory_passes(filter: Filter, memory: Memory) -> bool:
    faded = faded_confidence(memory.confidence, memory.fades_from, NOW)
    importance = -1 if memory.importance is None else memory.importance
    return (
        (not filter.kinds or memory.kind in filter.kinds)
        and (not filter.states or memory.state in filter.states)
        and (filter.include_superseded or memory.superseded_by is None)
        and (filter.scope is None or matches(memory.scope, filter.scope))
        and (not filter.scoped or memory.scope != ())
        and filter.review in (None, memory.needs_review)
        and all(
            _shared(getattr(filter, name), getattr(memory, name)) for name in ("tags", "topics", "entities")
        )
        and (filter.since is None or filter.since <= memory.created_at)
        and (filter.until is None or memory.created_at < filter.until)
        and (filter.min_importance is None or importance >= filter.min_importance)
        and (filter.min_confidence is None or faded >= filter.min_confidence)
        and (filter.ids is None or memory.id in filter.ids)
    )


def _episode_passes(filter: Filter, episode: Episode) -> bool:
    meta = episode.metadata
    importance = -1 if meta.importance is None else meta.importance
    return (
        (not filter.conversations or episode.conversation in filter.conversations)
        and (not filter.channels or episode.channel in filter.channels)
        and (not filter.roles or episode.role in filter.roles)
        and (not filter.speakers or episode.speaker in filter.speakers)
        and _shared(filter.tags, episode.tags)
        and _shared(filter.topics, meta.topics)
        and _shared(filter.entities, meta.entities)
        and (filter.since is None or filter.since <= episode.time)
        and (filter.until is None or episode.time < filter.until)
        and (filter.min_importance is None or importance >= filter.min_importance)
        and (filter.ids is None or episode.id in filter.ids)
    )


Opened = tuple[Store, Search]


@pytest.fixture(scope="module", params=NAMES)
def filtered(request: pytest.FixtureRequest) -> Iterator[Opened]:
    """One store for all examples, with its search: each takes an agent of its own."""
    with SPREAD_ENGINES[request.param].lasting_place(request) as place:
        store, search = OPENERS[request.param](place)
        yield store, search
        search.close()
        store.close()


def _new_agent(store: Store) -> str:
    return f"agent {len(store.agent_ids())}"


def _probes(filter: Filter) -> list[Probe]:
    """The filter alone, and with a vector."""
    probe = Probe(filter=filter, now=NOW, limit=100)
    return [probe, replace(probe, vector=vectors(1)[0])]


@settings(max_examples=60)
@given(st.lists(memories, min_size=1, max_size=12), st.lists(memory_filters, min_size=1, max_size=4))
def test_memories_pass_that_meet_every_condition(
    filtered: Opened, rows: list[dict[str, object]], filters: list[Filter]
) -> None:
    store, search = filtered
    agent_id = _new_agent(store)
    kept = [a_memory(f"x{number}", **fields) for number, fields in enumerate(rows)]
    with store.write(agent_id) as unit:
        settle(unit, agent_id)
        keep(unit, *kept)
        kept.sort(key=lambda memory: memory.id)
        for filter in [EVERYTHING, Filter(), *filters]:
            passing = [memory for memory in kept if _memory_passes(filter, memory)]
            assert unit.memories.ids(filter, now=NOW) == ids(passing)
            assert unit.memories.list(filter, now=NOW, limit=2) == passing[:2]
    view = search.view(agent_id)
    for filter in filters:
        passing = [memory for memory in kept if _memory_passes(filter, memory)]
        for probe in _probes(filter):
            assert sorted(view.memories(probe).ids) == ids(passing)
        [nearest] = view.nearest(vectors(1), filter=filter, now=NOW, limit=100)
        assert sorted(id for id, _ in nearest) == ids(passing)


@settings(max_examples=60)
@given(st.lists(episodes, min_size=1, max_size=12), st.lists(episode_filters, min_size=1, max_size=4))
def test_episodes_pass_that_meet_every_condition(
    filtered: Opened, rows: list[dict[str, object]], filters: list[Filter]
) -> None:
    store, search = filtered
    agent_id = _new_agent(store)
    told = [an_episode(f"x{number}", number, **fields) for number, fields in enumerate(rows)]
    with store.write(agent_id) as unit:
        settle(unit, agent_id)
        tell(unit, *told)
        told.sort(key=lambda episode: (episode.time, episode.id))
        for filter in [EVERYTHING, Filter(), *filters]:
            passing = [episode for episode in told if _episode_passes(filter, episode)]
            assert unit.episodes.ids(filter) == sorted(ids(passing))
            assert unit.episodes.list(filter, limit=2) == passing[:2]
            assert unit.episodes.list(filter, newest_first=True) == passing[::-1]
            assert unit.episodes.count(filter) == len(passing)
    view = search.view(agent_id)
    for filter in filters:
        passing = [episode for episode in told if _episode_passes(filter, episode)]
        for probe in _probes(filter):
            assert sorted(view.episodes(probe).ids) == sorted(ids(passing))


@pytest.mark.parametrize(
    "lacking", [{"kinds": frozenset(Kind)}, {"scope": "src/a.py"}, {"scoped": True}, {"min_confidence": 0.1}]
)
def test_a_filter_by_what_episodes_lack_is_refused(store: Store, lacking: dict[str, Any]) -> None:
    with store.read("mama") as unit, pytest.raises(InvalidInput, match=next(iter(lacking))):
        unit.episodes.ids(Filter(**lacking))


@pytest.mark.parametrize("lacking", ["conversations", "channels", "roles", "speakers"])
def test_a_filter_by_what_memories_lack_is_refused(store: Store, lacking: str) -> None:
    with store.read("mama") as unit, pytest.raises(InvalidInput, match=lacking):
        unit.memories.ids(Filter(**dict[str, Any]({lacking: frozenset({"user"})})), now=NOW)


def test_keywords_match_whatever_their_form_case_and_order(store: Store) -> None:
    with store.write("mama") as unit:
        tell(unit, an_episode("e1", content="She planted coloured roses, and e-mailed me"))
        for words in ("rose plant", "PLANTING", "colours", "e-mail", "roses!", "rose 🍂", "Rose rose"):
            assert len(unit.episodes.list(EVERYTHING, match=words)) == 1, words
        assert unit.episodes.list(EVERYTHING, match="rosemary") == []


def test_each_keyword_must_stand_somewhere_in_a_memorys_words(store: Store) -> None:
    with store.write("mama") as unit:
        keep(
            unit, a_memory("m1", essence="apples", lesson="pears", tags=("plum", "Straße"), scope=("src/cherry/**",)),
            a_memory("m2", essence="apples"),
        )  # fmt: skip
        for words, found in {
            "apple": ["m1", "m2"], "apple pear": ["m1"], "pear cherry plum": ["m1"], "apple grape": [],
            "straße": ["m1"],
        }.items():  # fmt: skip
            assert ids(unit.memories.list(EVERYTHING, match=words, now=NOW)) == found, words


def test_keywords_and_filters_both_hold(store: Store) -> None:
    with store.write("mama") as unit:
        tell(
            unit,
            *(
                an_episode(f"e{n}", n, time=after(hours=n), content="tea" if n % 2 else "coffee")
                for n in range(9)
            ),
        )
        assert ids(unit.episodes.list(Filter(since=after(hours=4)), match="teas", after="e5")) == ["e7"]


@pytest.mark.parametrize("words", ["", " ", "!!!", '"', "🍂", "\0", "\ud800"])
def test_without_a_single_keyword_nothing_is_found(store: Store, words: str) -> None:
    with store.write("mama") as unit:
        tell(unit, an_episode("e1"))
        assert unit.episodes.list(EVERYTHING, match=words) == []


OPERATORS = [
    "words AND",
    "NOT words",
    "words*",
    "content:words",
    "^words",
    "NEAR(words of, 1)",
    'words" OR "x',
    "(words",
    "{content}",
]


@pytest.mark.parametrize("words", OPERATORS)
def test_no_keyword_is_an_operator(store: Store, words: str) -> None:
    with store.write("mama") as unit:
        tell(unit, an_episode("e1", content=words))
        assert ids(unit.episodes.list(EVERYTHING, match=words)) == ["e1"]
        assert unit.episodes.list(EVERYTHING, match=f"{words} nowhere") == []


@settings(max_examples=150)
@given(st.text(max_size=40), st.text(max_size=40))
def test_any_text_is_safe_as_keywords(filtered: Opened, words: str, more: str) -> None:
    with filtered[0].read("nobody") as unit:
        assert unit.episodes.list(EVERYTHING, match=words) == []
        assert unit.memories.list(EVERYTHING, match=f"{words}\0{more}", now=NOW) == []
