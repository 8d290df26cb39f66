"""The columns of a bank in memory, and that a corpus without its dead rows is the same corpus."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from reverie.domain.kinds import Kind
from reverie.domain.memory import State
from reverie.domain.query import Filter
from reverie.store.sqlite import corpus as corpora
from reverie.store.sqlite.columns import Ids, Names, Ragged, Rows, Table, any_of
from reverie.store.sqlite.corpus import EPISODE_COLUMNS, MEMORY_COLUMNS, Batch, Corpus
from reverie.store.sqlite.masks import facet, memory_mask, superseded_in
from reverie.store.sqlite.snapshot import Snapshot
from tests.contract.search_fixtures import DIMENSIONS, DIRECTIONS, NOW

_ids = st.lists(st.text(st.characters(codec=None), max_size=50), max_size=12)
_sets = st.lists(st.sets(st.integers(-5, 5), max_size=5), max_size=12)


@given(first=_ids, later=_ids)
def test_ids_come_back_as_they_were_whatever_text_they_are(first: list[str], later: list[str]) -> None:
    ids = Ids.empty().append(first).append(later)
    assert ids.of(np.arange(len(first) + len(later))) == first + later


@given(kept=_ids, wanted=_ids)
def test_ids_among_are_exactly_those_wanted(kept: list[str], wanted: list[str]) -> None:
    ids = Ids.empty().append(kept)
    wanted = wanted + kept[::2]
    assert ids.among(wanted).tolist() == [id in wanted for id in kept]


def test_longer_ids_leave_older_values_as_they_are() -> None:
    short = Ids.empty().append(["a", "b"])
    both = short.append(["a much longer id"])
    assert short.of(np.arange(2)) == ["a", "b"]
    assert both.of(np.arange(3)) == ["a", "b", "a much longer id"]
    assert short.among(["a much longer id"]).tolist() == [False, False]


def _ragged(sets: list[set[int]]) -> Ragged:
    return Ragged.empty().append(sets[: len(sets) // 2]).append(sets[len(sets) // 2 :])


@given(sets=_sets, keys=st.sets(st.integers(-6, 6), max_size=4))
def test_rows_with_any_of_the_keys_are_found(sets: list[set[int]], keys: set[int]) -> None:
    assert _ragged(sets).with_any(keys).tolist() == [bool(held & keys) for held in sets]


@given(sets=_sets, keys=st.sets(st.integers(-6, 6), max_size=4), data=st.data())
def test_the_keys_that_each_row_holds_are_counted(sets: list[set[int]], keys: set[int], data: Any) -> None:
    rows = data.draw(st.lists(st.integers(0, len(sets) - 1), max_size=9) if sets else st.just([]))
    chosen = np.array(rows, np.intp)
    assert _ragged(sets).count(keys, chosen).tolist() == [len(sets[row] & keys) for row in rows]
    assert _ragged(sets).take(chosen).with_any(keys).tolist() == [bool(sets[row] & keys) for row in rows]


@given(parts=st.lists(st.lists(st.integers(0, 2), max_size=4), max_size=6), data=st.data())
def test_a_number_column_holds_what_was_appended(parts: list[list[int]], data: Any) -> None:
    table = Table.empty({"number": np.int32})
    states: list[tuple[Table, int]] = []
    numbers: list[int] = []
    for part in parts:
        table = table.append({"number": np.array(part, np.int64)})
        numbers += part
        states.append((table, len(numbers)))
    for state, length in states:
        assert state["number"].tolist() == numbers[:length]
        assert state["number"].dtype == np.int32
    rows = data.draw(st.lists(st.integers(0, len(numbers) - 1), max_size=5) if numbers else st.just([]))
    assert table.take(np.array(rows, np.intp))["number"].tolist() == [numbers[row] for row in rows]


def test_a_column_of_one_number_takes_no_memory() -> None:
    table = Table.empty({"number": np.int64})
    for _ in range(3):
        table = table.append({"number": np.full(1000, 7)})
    assert table["number"].strides == (0,)
    assert table.append({"number": np.array([8])})["number"].strides == (8,)


@given(column=st.lists(st.integers(0, 30)), codes=st.lists(st.integers(-3, 33), max_size=20))
def test_any_of_finds_the_rows_with_one_of_the_codes(column: list[int], codes: list[int]) -> None:
    assert any_of(np.array(column, np.int32), codes).tolist() == [code in codes for code in column]


def test_a_name_keeps_its_number() -> None:
    names: Names[str] = Names()
    assert [names.code(name) for name in ("a", "b", "a", "c")] == [0, 1, 0, 2]
    assert names.codes(["c", "unknown", "a"]) == [2, 0]
    assert names.values == ["a", "b", "c"]


def test_every_combination_has_a_facet_of_its_own() -> None:
    flags = (False, True)
    cases = list(product(Kind, State, flags, flags))
    facets = np.array([facet(kind, state, superseded=over, past=past) for kind, state, over, past in cases])
    assert len(set(facets.tolist())) == len(cases)
    assert facets.max() <= np.iinfo(MEMORY_COLUMNS["facet"]).max
    assert superseded_in(facets).tolist() == [over for _, _, over, _ in cases]


def test_a_row_passes_by_the_scope_that_its_number_stands_for() -> None:
    scopes: Names[tuple[str, ...]] = Names()
    held = [scopes.code(globs) for globs in ((), ("*.py",), ("*.md", "docs/**"), ("*.py",))]
    rows = Corpus.empty(MEMORY_COLUMNS, DIMENSIONS).append(_batch([0, 1, 2, 3], scope=held))
    passing = memory_mask(rows, scopes, Filter(scope="src/a.py"), now=NOW)
    assert passing.tolist() == [True, True, False, True]


def _batch(order: list[int], **columns: list[int]) -> Batch:
    """Memories with zeros in every column that isn't given; each has a word and a direction of its own."""
    numbers: dict[str, NDArray[Any]] = {
        name: np.zeros(len(order), dtype) for name, dtype in MEMORY_COLUMNS.items()
    }
    numbers |= {name: np.array(values) for name, values in columns.items()}
    numbers["order"] = np.array(order, np.int64) << corpora.VERSION_BITS
    return Batch(
        numbers=numbers,
        ids=[f"m{place}" for place in order],
        terms=[["word", f"word{place}"] for place in order],
        labels=[{place} for place in order],
        words=[{place, -1} for place in order],
        vectors=DIRECTIONS[[place % len(DIRECTIONS) for place in order]],
        counted=[True] * len(order),
    )


def _in_order(corpus: Corpus, rows: Rows) -> Rows:
    return rows[corpus.places(rows)]


def test_a_row_of_the_same_order_replaces_the_older_one() -> None:
    first = Corpus.empty(MEMORY_COLUMNS, DIMENSIONS).append(_batch([1, 2, 3]))
    second = first.append(_batch([2, 4]))
    assert first.alive.tolist() == [True, True, True]
    assert second.alive.tolist() == [True, False, True, True, True]
    assert second.dead == 1
    assert second.ids.of(_in_order(second, np.flatnonzero(second.alive))) == ["m1", "m2", "m3", "m4"]


def test_a_corpus_with_few_dead_rows_is_left_as_it_is() -> None:
    corpus = Corpus.empty(MEMORY_COLUMNS, DIMENSIONS).append(_batch(list(range(1500))))
    corpus = corpus.without(corpus.column("order") >= 500 << corpora.VERSION_BITS)
    assert corpus.dead == 1000
    assert corpus.tidied() is corpus


def test_a_tidied_corpus_answers_alike() -> None:
    corpus = Corpus.empty(MEMORY_COLUMNS, DIMENSIONS).append(
        _batch(list(range(1500)), time=list(range(1500)))
    )
    corpus = corpus.append(_batch([1001, 3, 1400]))
    corpus = corpus.without((corpus.column("order") >> corpora.VERSION_BITS) % 5 > 0)
    tidy = corpus.tidied()
    assert (len(corpus), len(tidy), tidy.dead) == (1503, 300, 0)
    for one in (corpus, tidy):
        mask = one.alive
        near, cosines = one.nearest(DIRECTIONS[0], 7, mask)
        assert one.ids.of(near) == ["m0", "m40", "m80", "m120", "m160", "m200", "m240"]
        assert np.allclose(cosines, 1, atol=1e-5)
        scores = one.postings.scores(["word", "word5"])
        best = _in_order(one, one.best(scores, 3, mask))
        assert one.ids.of(best) == ["m0", "m5", "m10"]
        assert one.ids.of(_in_order(one, one.latest(2, mask))) == ["m1490", "m1495"]
        assert one.words.count({5, -1}, best).tolist() == [1, 2, 1]
        assert one.labels.with_any({10}).sum() == 1
    assert corpus.postings.scores(["word"]).max() == tidy.postings.scores(["word"]).max()


@given(
    values=st.lists(st.integers(0, 4), max_size=80),
    limit=st.integers(-1, 12),
    seed=st.integers(0, 99),
    data=st.data(),
)
def test_the_best_rows_are_the_head_of_all_that_score(
    values: list[int], limit: int, seed: int, data: Any
) -> None:
    n = len(values)
    order = np.random.default_rng(seed).permutation(n).tolist()
    corpus = Corpus.empty(MEMORY_COLUMNS, DIMENSIONS).append(_batch(order))
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)), np.bool_)
    ranked = sorted(
        (row for row in range(n) if values[row] > 0 and mask[row]), key=lambda row: (-values[row], order[row])
    )
    best = corpus.best(np.array(values, np.float32), limit, mask)
    assert sorted(best.tolist()) == sorted(ranked[: max(limit, 0)])


def test_an_empty_snapshot_has_the_columns_of_a_full_one() -> None:
    snapshot = Snapshot.empty()
    assert len(snapshot.memory_rows) == len(snapshot.episode_rows) == 0
    for name, dtype in EPISODE_COLUMNS.items():
        assert snapshot.episode_rows.column(name).dtype == dtype
