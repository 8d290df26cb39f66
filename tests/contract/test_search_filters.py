"""Which wordings answer for the past, and which memories wait for approval; what a filter lets pass stands in
test_store_filters.
"""

from __future__ import annotations

from typing import Any

import pytest

from reverie.domain.kinds import Kind
from reverie.domain.memory import State
from reverie.domain.query import EVERYTHING, Filter
from reverie.language.lexical_terms import query_terms
from reverie.ports.search import Probe
from reverie.ports.store import Unit
from tests.contract.search_fixtures import DIRECTIONS, Searched, a_memory, a_version, day
from tests.contract.search_fixtures import searched as searched


def _set(*names: Any) -> frozenset[Any]:
    return frozenset(names)


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
def test_as_of_answers_with_wordings_believed_and_valid_then(
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
