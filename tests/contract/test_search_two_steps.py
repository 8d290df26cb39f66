"""A search in two steps: what it finds is what it finds at once."""

from __future__ import annotations

import threading
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from reverie.domain.query import EVERYTHING, Filter
from reverie.language.lexical_terms import query_terms
from reverie.ports.search import EpisodeCandidates, Floats, MemoryCandidates, Probe
from tests.contract.search_fixtures import DIRECTIONS, NOW, Searched, a_memory, an_episode, day
from tests.contract.search_fixtures import searched as searched

_WORDS = ["garden", "river", "lantern", "bridge", "winter"]
_ASKED: list[dict[str, Any]] = [
    {"terms": query_terms("garden by the river"), "limit": 4},
    {"terms": (), "limit": 3},
    {"terms": query_terms("nothing alike"), "limit": 40},
    {"terms": query_terms("lantern"), "limit": 2, "context": False, "labels": False},
]


@pytest.fixture
def filled(searched: Searched) -> Searched:
    """Thirty memories and thirty messages in three conversations."""
    texts = [f"{_WORDS[n % 5]} {_WORDS[n % 3]} {n}" for n in range(30)]
    memories = [
        a_memory(f"m{n:02}", text, tags=(f"t{n % 4}",), topics=(_WORDS[n % 5],))
        for n, text in enumerate(texts)
    ]
    said = [
        an_episode(f"e{n:02}", text, conversation=f"c{n % 3}", position=n // 3)
        for n, text in enumerate(texts)
    ]
    searched.keep(*memories, vectors=list(range(30)))
    searched.say(*said, vectors=list(range(30)))
    return searched


def _same(got: MemoryCandidates | EpisodeCandidates, wanted: MemoryCandidates | EpisodeCandidates) -> None:
    assert list(got.ids) == list(wanted.ids)
    for field in fields(wanted):
        one, other = getattr(got, field.name), getattr(wanted, field.name)
        if isinstance(other, np.ndarray):
            np.testing.assert_array_equal(one, other, field.name)
        elif field.name != "ids":
            assert one == other


@pytest.mark.parametrize("asked", _ASKED)
@pytest.mark.parametrize("tags", [(), ("t1",), ("none",)])
def test_memories_are_the_same_in_two_steps(
    filled: Searched, asked: dict[str, Any], tags: tuple[str, ...]
) -> None:
    where, view = Filter(tags=frozenset(tags)), filled.view()
    finish = view.begin_memories(Probe(filter=where, now=NOW, **asked))
    for vector in DIRECTIONS[:3]:  # one beginning serves any number of vectors
        _same(finish(vector), view.memories(Probe(filter=where, now=NOW, vector=vector, **asked)))


@pytest.mark.parametrize("asked", _ASKED)
@pytest.mark.parametrize("conversations", [(), ("c1",), ("none",)])
def test_episodes_are_the_same_in_two_steps(
    filled: Searched, asked: dict[str, Any], conversations: tuple[str, ...]
) -> None:
    where, view = Filter(conversations=frozenset(conversations)), filled.view()
    finish = view.begin_episodes(Probe(filter=where, now=NOW, **asked))
    for vector in DIRECTIONS[:3]:
        _same(finish(vector), view.episodes(Probe(filter=where, now=NOW, vector=vector, **asked)))


def test_past_wordings_are_found_in_two_steps_too(filled: Searched) -> None:
    view = filled.view()
    probe = Probe(filter=EVERYTHING, now=NOW, terms=("garden",), as_of=day(30))
    whole = Probe(filter=EVERYTHING, now=NOW, terms=("garden",), as_of=day(30), vector=DIRECTIONS[2])
    _same(view.begin_memories(probe)(DIRECTIONS[2]), view.memories(whole))


def test_a_bank_without_rows_has_no_candidates_in_two_steps(searched: Searched) -> None:
    probe = Probe(filter=Filter(), now=NOW, terms=("garden",))
    view = searched.view("nobody")
    assert not list(view.begin_memories(probe)(DIRECTIONS[0]).ids)
    assert not list(view.begin_episodes(probe)(DIRECTIONS[0]).ids)


def test_the_steps_may_be_taken_by_two_threads(filled: Searched) -> None:
    probe = Probe(filter=Filter(), now=NOW, terms=("garden",))
    begun: list[Any] = []

    def begin() -> None:
        begun.append(filled.view().begin_memories(probe))

    other = threading.Thread(target=begin)
    other.start()
    other.join()
    vector: Floats = DIRECTIONS[1]
    wanted = filled.view().memories(Probe(filter=Filter(), now=NOW, terms=("garden",), vector=vector))
    _same(begun[0](vector), wanted)
