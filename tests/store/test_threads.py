"""Which messages stand beside which, against a dictionary that is asked for every place."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from reverie.store.sqlite import threads as module
from reverie.store.sqlite.threads import Threads

Place = tuple[int, int]
_places = st.tuples(st.integers(0, 3), st.integers(0, 6))
_batches = st.lists(st.lists(_places, max_size=9), max_size=8)
_offsets = st.integers(-3, 3)


@pytest.fixture(autouse=True)
def _short_tail(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are sorted with small examples too."""
    monkeypatch.setattr(module, "_TAIL_LEAST", 8)


def _columns(places: list[Place]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    columns = np.array(places, np.int32).reshape(-1, 2)
    return columns[:, 0], columns[:, 1]


def _agree(threads: Threads, places: list[Place], offset: int) -> None:
    last = {place: row for row, place in enumerate(places)}
    wanted = [last.get((conversation, position + offset), -1) for conversation, position in places]
    found = threads.find(*_columns(places), np.arange(len(places)), offset)
    assert found.tolist() == wanted


@given(_batches, _offsets)
def test_each_row_finds_the_last_row_of_the_place_beside_it(batches: list[list[Place]], offset: int) -> None:
    threads, places = Threads.empty(), list[Place]()
    for batch in batches:
        places += batch
        threads = threads.grown(*_columns(places))
        _agree(threads, places, offset)


@given(_batches, _offsets)
def test_an_older_value_finds_what_it_found(batches: list[list[Place]], offset: int) -> None:
    states: list[tuple[Threads, list[Place]]] = []
    threads, places = Threads.empty(), list[Place]()
    for batch in batches:
        places = places + batch
        threads = threads.grown(*_columns(places))
        states.append((threads, places))
    for state, known in states:
        _agree(state, known, offset)


@given(_batches, st.lists(st.integers(0, 70), max_size=5), _offsets)
def test_only_the_rows_asked_for_are_answered(
    batches: list[list[Place]], asked: list[int], offset: int
) -> None:
    places = [place for batch in batches for place in batch]
    rows = np.array([row for row in asked if row < len(places)], np.intp)
    threads = Threads.empty().grown(*_columns(places))
    everything = threads.find(*_columns(places), np.arange(len(places)), offset)
    assert threads.find(*_columns(places), rows, offset).tolist() == everything[rows].tolist()


def test_rows_wait_unsorted_until_there_are_enough_of_them() -> None:
    places = [(0, position) for position in range(400)]
    threads = Threads.empty()
    waiting = []
    for length in range(1, 401):
        threads = threads.grown(*_columns(places[:length]))
        waiting.append(length - threads.upto)
    assert max(waiting[:100]) == 8
    assert max(waiting) == 400 // 32
