"""Which rows may answer at all: every field of Filter, and the past."""

from __future__ import annotations

from typing import Any

import pytest

from reverie.domain.kinds import Kind
from reverie.domain.memory import State
from reverie.domain.message import Role
from reverie.domain.query import EVERYTHING, Filter
from reverie.language.lexical_terms import query_terms
from reverie.ports.search import Probe
from reverie.ports.store import Unit
from tests.contract.search_fixtures import DIRECTIONS, Searched, a_memory, a_version, an_episode, day
from tests.contract.search_fixtures import searched as searched

_MEMORIES = [
    a_memory("plain", at=day(0)),
    a_memory("policy", kind=Kind.POLICY, at=day(1)),
    a_memory("goal", kind=Kind.GOAL, importance=0.5, at=day(2)),
    a_memory("archived", state=State.ARCHIVED, at=day(3)),
    a_memory("merged", state=State.ARCHIVED, superseded_by="plain", at=day(4)),
    a_memory("inactive", state=State.INACTIVE, importance=0.9, at=day(5)),
    a_memory("python", scope=("src/**/*.py",), tags=("Code", "work"), at=day(6)),
    a_memory("docs", scope=("docs/**", "*.md"), topics=("Writing",), at=day(7)),
    a_memory("anna", entities=("ANNA", "Straße"), tags=("home",), at=day(8)),
    a_memory("old", confidence=0.9, at=day(-61)),
    a_memory("unsure", confidence=0.4, needs_review=True, at=day(9)),
    a_memory("judged", confidence=0.9, at=day(-61), confidence_at=day(-1)),
]
_ALL = [memory.id for memory in _MEMORIES]
_CURRENT = [id for id in _ALL if id != "merged"]


def _set(*names: Any) -> frozenset[Any]:
    return frozenset(names)


@pytest.mark.parametrize(
    ("filter", "passing"),
    [
        (Filter(), _CURRENT),
        (EVERYTHING, _ALL),
        (Filter(include_superseded=True), _ALL),
        (Filter(states=_set(State.ARCHIVED)), ["archived"]),
        (
            Filter(states=_set(State.ARCHIVED, State.INACTIVE), include_superseded=True),
            ["archived", "merged", "inactive"],
        ),
        (Filter(states=_set(State.SUMMARIZED)), []),
        (Filter(kinds=_set(Kind.POLICY, Kind.GOAL)), ["policy", "goal"]),
        (Filter(kinds=_set(*Kind) - {Kind.FACT}), ["policy", "goal"]),
        (Filter(kinds=_set(Kind.FACT), states=_set(State.INACTIVE)), ["inactive"]),
        (Filter(scope="src/reverie/client.py"), [id for id in _CURRENT if id != "docs"]),
        (Filter(scope="README.md"), [id for id in _CURRENT if id != "python"]),
        (Filter(scope="elsewhere.c"), [id for id in _CURRENT if id not in ("python", "docs")]),
        (Filter(scoped=True), ["python", "docs"]),
        (Filter(scoped=True, scope="README.md"), ["docs"]),
        (Filter(scoped=True, scope="elsewhere.c"), []),
        (Filter(tags=_set("code")), ["python"]),
        (Filter(tags=_set("WORK", "home", "nowhere")), ["python", "anna"]),
        (Filter(tags=_set("writing")), []),
        (Filter(topics=_set("writing")), ["docs"]),
        (Filter(entities=_set("Anna")), ["anna"]),
        (Filter(entities=_set("STRASSE")), ["anna"]),
        (Filter(entities=_set("anna"), tags=_set("work")), []),
        (Filter(since=day(7)), ["docs", "anna", "unsure"]),
        (Filter(until=day(0)), ["old", "judged"]),
        (Filter(since=day(1), until=day(2)), ["policy"]),
        (Filter(min_importance=0.5), ["goal", "inactive"]),
        (Filter(min_importance=0.0), ["goal", "inactive"]),
        (Filter(min_confidence=0.85), [id for id in _CURRENT if id not in ("old", "unsure")]),
        (Filter(min_confidence=0.7), [id for id in _CURRENT if id != "unsure"]),
        (Filter(review=True), ["unsure"]),
        (Filter(review=False), [id for id in _CURRENT if id != "unsure"]),
        (Filter(review=True, kinds=_set(Kind.GOAL)), []),
        (Filter(ids=_set("goal", "merged", "absent")), ["goal"]),
        (Filter(ids=_set(*_ALL) - {"plain"}), [id for id in _CURRENT if id != "plain"]),
        (Filter(ids=_set()), []),
    ],
)
def test_a_memory_answers_only_if_it_passes_the_filter(
    searched: Searched, filter: Filter, passing: list[str]
) -> None:
    searched.keep(*_MEMORIES)
    assert list(searched.memories(filter).ids) == passing
    assert list(searched.memories(filter, vector=DIRECTIONS[0]).ids) == passing
    nearest = searched.view().nearest(DIRECTIONS[:1], filter=filter, now=day(0), limit=100)
    assert [id for id, _ in nearest[0]] == passing


_EPISODES = [
    an_episode("hello", conversation="kitchen", channel="terminal", speaker="Anna", time=day(0)),
    an_episode("answer", conversation="kitchen", channel="terminal", role=Role.AGENT, time=day(1)),
    an_episode("tool", conversation="kitchen", channel="terminal", role=Role.TOOL, time=day(2)),
    an_episode("later", conversation="garden", channel="room", speaker="Ben", time=day(3), tags=("Warm",)),
    an_episode("last", conversation="street", channel="web", speaker="anna", time=day(4)),
    an_episode("judged", importance=0.5, topics=("Roses",), entities=("Ben",), time=day(5)),
]
_SAID = [episode.id for episode in _EPISODES]


@pytest.mark.parametrize(
    ("filter", "passing"),
    [
        (Filter(), _SAID),
        (Filter(states=_set(State.ACTIVE)), _SAID),
        (Filter(conversations=_set("garden")), ["later"]),
        (Filter(conversations=_set("garden", "street", "nowhere")), ["later", "last"]),
        (Filter(conversations=_set("Kitchen")), []),
        (Filter(conversations=_set(*(f"room {n}" for n in range(20)), "street")), ["last"]),
        (Filter(channels=_set("terminal")), ["hello", "answer", "tool"]),
        (Filter(channels=_set("web", "room"), roles=_set(Role.AGENT)), []),
        (Filter(roles=_set(Role.AGENT, Role.TOOL)), ["answer", "tool"]),
        (Filter(speakers=_set("Anna")), ["hello"]),
        (Filter(speakers=_set("anna", "Ben")), ["later", "last"]),
        (Filter(tags=_set("warm")), ["later"]),
        (Filter(topics=_set("roses")), ["judged"]),
        (Filter(entities=_set("BEN")), ["judged"]),
        (Filter(since=day(1), until=day(3)), ["answer", "tool"]),
        (Filter(min_importance=0.5), ["judged"]),
        (Filter(ids=_set("last", "hello")), ["hello", "last"]),
    ],
)
def test_an_episode_answers_only_if_it_passes_the_filter(
    searched: Searched, filter: Filter, passing: list[str]
) -> None:
    searched.say(*_EPISODES)
    assert list(searched.episodes(filter).ids) == passing
    assert list(searched.episodes(filter, vector=DIRECTIONS[0]).ids) == passing


def _revised(searched: Searched) -> None:
    """A memory with three wordings, believed from day 0, 10 and 20 on; another believed from day 5 on."""
    first = a_memory("moved", "Anna lives in Lisbon", at=day(0), valid_to=day(12))
    since = {"created_at": day(0), "believed_from": day(10), "valid_from": day(11)}
    second = a_memory("moved", "Anna lives in Porto", **since, version=2)
    third = a_memory("moved", "Anna lives in Braga", created_at=day(0), believed_from=day(20), version=3)
    searched.keep(first, a_memory("other", "Ben sings", at=day(5)), vectors=[1, 2])

    def revise(unit: Unit) -> None:
        unit.memories.add_version(a_version(first, believed_to=day(10)))
        unit.memories.update(second, DIRECTIONS[3])
        unit.memories.add_version(a_version(second, believed_to=day(20)))
        unit.memories.update(third, DIRECTIONS[4])

    searched.write(revise)


@pytest.mark.parametrize(
    ("moment", "answers"),
    [
        (-1, []),
        (0, [("moved", 1)]),
        (5, [("moved", 1), ("other", 0)]),
        (9.9, [("moved", 1), ("other", 0)]),
        (10, [("other", 0)]),
        (11, [("moved", 2), ("other", 0)]),
        (19.9, [("moved", 2), ("other", 0)]),
        (20, [("moved", 0), ("other", 0)]),
        (2000, [("moved", 0), ("other", 0)]),
    ],
)
def test_as_of_a_moment_the_wordings_believed_and_valid_then_answer(
    searched: Searched, moment: float, answers: list[tuple[str, int]]
) -> None:
    _revised(searched)
    got = searched.memories(as_of=day(moment))
    assert list(zip(got.ids, got.version.tolist(), strict=True)) == answers


def test_a_past_wording_answers_with_its_own_words_and_vector(searched: Searched) -> None:
    _revised(searched)
    got = searched.memories(as_of=day(3), vector=DIRECTIONS[1], terms=query_terms("Lisbon"))
    assert got.semantic.tolist() == pytest.approx([1.0], abs=1e-4)
    assert got.lexical[0] > 0


def test_a_past_wording_is_no_candidate_without_as_of(searched: Searched) -> None:
    _revised(searched)
    assert list(searched.memories(terms=query_terms("Lisbon Porto")).ids) == []
    assert searched.memories(vector=DIRECTIONS[1]).version.tolist() == [0, 0]
    nearest = searched.view().nearest(DIRECTIONS[[1]], filter=EVERYTHING, now=day(30), limit=5)[0]
    assert sorted(id for id, _ in nearest) == ["moved", "other"]


def test_past_wordings_count_in_no_statistics_of_words(searched: Searched) -> None:
    _revised(searched)
    with_past = searched.memories(terms=query_terms("Anna")).lexical
    searched.keep(a_memory("moved", "Anna lives in Braga"), a_memory("other", "Ben sings"), agent_id="plain")
    plain = searched.view("plain").memories(Probe(filter=EVERYTHING, now=day(0), terms=query_terms("Anna")))
    assert with_past.tolist() == plain.lexical.tolist()


def test_as_of_looks_at_no_state_but_at_every_other_field(searched: Searched) -> None:
    _revised(searched)
    gone = a_memory(
        "moved", "Anna lives in Braga", created_at=day(0), believed_from=day(20), version=3, kind=Kind.GOAL,
        state=State.SUMMARIZED, superseded_by="other", tags=("people",), needs_review=True,
    )  # fmt: skip
    searched.write(lambda unit: unit.memories.update(gone))
    active = Filter(states=_set(State.ACTIVE))
    assert list(searched.memories(active, as_of=day(3)).ids) == ["moved"]
    assert list(searched.memories(Filter(tags=_set("people")), as_of=day(15)).ids) == ["moved"]
    assert list(searched.memories(Filter(kinds=_set(Kind.FACT)), as_of=day(15)).ids) == ["other"]
    assert list(searched.memories(Filter(review=True), as_of=day(15)).ids) == ["moved"]


def test_an_approved_memory_waits_no_longer(searched: Searched) -> None:
    searched.keep(a_memory("waits", needs_review=True), a_memory("other"))
    assert list(searched.memories(Filter(review=True)).ids) == ["waits"]
    searched.write(lambda unit: unit.memories.update(a_memory("waits")))
    assert list(searched.memories(Filter(review=True)).ids) == []
    assert list(searched.memories(Filter(review=False)).ids) == ["waits", "other"]
