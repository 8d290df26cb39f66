from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from reverie.memory.scoring.bm25 import BM25, DEFAULT, SESSION
from reverie.store.sqlite import postings as module
from reverie.store.sqlite.postings import Postings

if TYPE_CHECKING:
    from collections.abc import Sequence

WORDS = ["ash", "birch", "cedar", "elm", "fir", "oak", "pine", "yew"]
docs_of_words = st.lists(st.lists(st.sampled_from(WORDS), max_size=12), max_size=6)
queries = st.lists(st.sampled_from([*WORDS, "unknown"]), max_size=5)


@pytest.fixture(autouse=True)
def _small_tail(monkeypatch: pytest.MonkeyPatch) -> None:
    """Merges happen with small examples too."""
    monkeypatch.setattr(module, "_TAIL_LEAST", 16)


def reference(
    docs: Sequence[Sequence[str]],
    counted: Sequence[bool],
    query: Sequence[str],
    constants: BM25 = DEFAULT,
) -> list[float]:
    """BM25 as a textbook has it, one text at a time."""
    k1, b = constants.k1, constants.b
    corpus = [doc for doc, counts in zip(docs, counted, strict=True) if counts]
    average = sum(map(len, corpus)) / len(corpus) if corpus else 0
    scores = []
    for doc in docs:
        score = 0.0
        for word in set(query):
            tf, df = doc.count(word), sum(word in other for other in corpus)
            relative = len(doc) / average if average else 1
            idf = math.log(1 + (len(corpus) + constants.background - df + 0.5) / (df + 0.5))
            score += idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * relative)) if tf else 0
        scores.append(score)
    return scores


@given(docs_of_words, st.data())
def test_scores_are_those_of_the_reference(docs: list[list[str]], data: st.DataObject) -> None:
    counted = data.draw(st.lists(st.booleans(), min_size=len(docs), max_size=len(docs)))
    query = data.draw(queries)
    scores = Postings.empty().append(docs, counted).scores(query)
    assert scores.dtype == np.float32
    assert scores.tolist() == pytest.approx(reference(docs, counted, query), rel=1e-5)


_SESSIONS = st.sampled_from([SESSION, DEFAULT, BM25(k1=0.9, b=1.0, background=0)])
_members = st.tuples(
    st.lists(st.sampled_from(WORDS), max_size=9),
    st.integers(0, 4),
    st.sampled_from(["counted", "past", "gone"]),
)


@given(st.lists(_members, max_size=14), queries, _SESSIONS, st.booleans())
def test_a_group_of_rows_scores_as_one_text_of_those_that_count(
    rows: list[tuple[list[str], int, str]], query: list[str], constants: BM25, compacted: bool
) -> None:
    index = Postings.empty()
    for doc, _, state in rows:  # one by one, so that some lie in the tail and some were merged
        index = index.append([doc], [state != "past"])
    index = index.without([place for place, (_, _, state) in enumerate(rows) if state == "gone"])
    if compacted:
        rows = [row for row in rows if row[2] != "gone"]
        index = index.compact([place for place in range(len(index)) if index._states.rows[place]])
    texts: dict[int, list[str]] = {}
    for doc, group, state in rows:
        if state == "counted":
            texts.setdefault(group, []).extend(doc)
    scores = index.group_scores(query, np.array([group for _, group, _ in rows], np.int32), constants)
    assert scores.dtype == np.float32
    wanted = reference(list(texts.values()), [True] * len(texts), query, constants)
    assert [scores[group] for group in texts] == pytest.approx(wanted, rel=1e-5)
    assert not np.delete(scores, list(texts)).any()


@dataclass
class Model:
    """What an index should know, row by row: the text, and whether it counts; None for a row that is gone."""

    docs: list[list[str]] = field(default_factory=list)
    counted: list[bool | None] = field(default_factory=list)

    def living(self) -> list[int]:
        return [row for row, counts in enumerate(self.counted) if counts is not None]

    def fresh(self) -> Postings:
        rows = self.living()
        return Postings.empty().append(
            [self.docs[row] for row in rows], [bool(self.counted[row]) for row in rows]
        )

    def copy(self) -> Model:
        return Model(docs=list(self.docs), counted=list(self.counted))


def assert_agree(index: Postings, model: Model) -> None:
    rows = model.living()
    fresh = model.fresh()
    assert len(index) == len(model.docs)
    assert (index.n_docs, index.total_length) == (fresh.n_docs, fresh.total_length)
    for query in ([word] for word in WORDS):
        assert_same_scores(index, fresh, rows, query)
    assert_same_scores(index, fresh, rows, WORDS)


def assert_same_scores(index: Postings, fresh: Postings, rows: list[int], query: list[str]) -> None:
    scores = index.scores(query)
    assert scores[rows].tobytes() == fresh.scores(query).tobytes()
    assert np.count_nonzero(np.delete(scores, rows)) == 0


class AnyHistory(RuleBasedStateMachine):
    """Whatever was done in whatever order, the index equals a fresh one, and older values stay."""

    @initialize()
    def start(self) -> None:
        self.index, self.model = Postings.empty(), Model()
        self.older: list[tuple[Postings, Model]] = []

    def _keep(self) -> None:
        self.older.append((self.index, self.model.copy()))

    def _some_rows(self, data: st.DataObject) -> list[int]:
        if not self.model.docs:
            return []
        return data.draw(st.lists(st.integers(0, len(self.model.docs) - 1), max_size=4))

    @rule(docs=docs_of_words, data=st.data())
    def append(self, docs: list[list[str]], data: st.DataObject) -> None:
        self._keep()
        counted = data.draw(st.lists(st.booleans(), min_size=len(docs), max_size=len(docs)))
        self.index = self.index.append(docs, counted)
        self.model.docs += docs
        self.model.counted += counted

    @rule(data=st.data())
    def without(self, data: st.DataObject) -> None:
        self._keep()
        rows = self._some_rows(data)
        self.index = self.index.without(np.array(rows, np.int64))
        for row in rows:
            self.model.counted[row] = None

    @rule(data=st.data())
    def compact(self, data: st.DataObject) -> None:
        self._keep()
        dropped = set(self._some_rows(data))
        keep = [row for row in range(len(self.model.docs)) if row not in dropped]
        self.index = self.index.compact(keep)
        self.model = Model(
            docs=[self.model.docs[row] for row in keep], counted=[self.model.counted[row] for row in keep]
        )

    @rule(data=st.data())
    def go_back(self, data: st.DataObject) -> None:
        if self.older:
            self.index, model = data.draw(st.sampled_from(self.older))
            self.model = model.copy()

    @invariant()
    def equals_a_fresh_index(self) -> None:
        assert_agree(self.index, self.model)

    def teardown(self) -> None:
        for index, model in getattr(self, "older", []):
            assert_agree(index, model)


TestAnyHistory = AnyHistory.TestCase
TestAnyHistory.settings = settings(max_examples=30, stateful_step_count=15, deadline=None)


def some_docs(n: int) -> list[list[str]]:
    rng = np.random.default_rng(7)
    return [[f"w{word}" for word in rng.integers(0, 300, rng.integers(0, 20))] for _ in range(n)]


def test_the_tail_stays_a_small_part_of_the_whole() -> None:
    index = Postings.empty().append(some_docs(1000))
    for doc in some_docs(200):
        index = index.append([doc])
        assert len(index._tail) <= len(index._segment) // 32


def test_past_rows_are_scored_uncounted_and_gone_ones_not() -> None:
    index = Postings.empty().append([["oak"], ["oak", "elm"]], [True, False]).without([0]).without([0])
    scores = index.scores(["oak"])
    assert (scores[0], scores[1] > 0, index.n_docs, index.total_length) == (0, True, 0, 0)


def test_order_and_repetition_of_terms_change_nothing() -> None:
    index = Postings.empty().append([["oak", "elm", "ash"], ["elm"], ["ash", "fir", "oak"]])
    one, other = index.scores(["oak", "elm", "ash"]), index.scores(["ash", "ash", "oak", "elm", "oak"])
    assert one.tobytes() == other.tobytes()


def test_other_constants_change_the_scores() -> None:
    docs = [["oak", "oak"], ["oak", "elm", "ash"]]
    assert (
        Postings.empty(BM25(b=0.0)).append(docs).scores(["oak"])
        != Postings.empty().append(docs).scores(["oak"])
    ).any()


def test_a_very_frequent_word_is_counted_exactly() -> None:
    doc = ["oak"] * 200_000 + ["elm"]
    index = Postings.empty().append([doc, ["oak"]])
    assert index.total_length == 200_002
    assert index.scores(["oak"]).tolist() == pytest.approx(
        reference([doc, ["oak"]], [True, True], ["oak"]), rel=1e-5
    )


def test_rows_that_are_not_there_are_refused() -> None:
    index = Postings.empty().append([["oak"]])
    for rows in ([1], [-1]):
        for verb in (index.without, index.compact):
            with pytest.raises(IndexError, match=r"0\.\.0"):
                verb(rows)


def test_flags_of_another_number_than_texts_are_refused() -> None:
    with pytest.raises(ValueError, match="2 texts came with 1 flags"):
        Postings.empty().append([["oak"], ["elm"]], [True])


def test_a_small_index_stays_small() -> None:
    rng = np.random.default_rng(3)
    docs = [[f"w{word}" for word in rng.zipf(1.3, 15) % 5000] for _ in range(500)]
    index = Postings.empty()
    for doc in docs:
        index = index.append([doc])
    held = sum(
        column._buffer.array.nbytes
        for column in (index._tail.keys, index._tail.rows, index._tail.tfs, index._lengths, index._states)
    )
    segment = index._segment
    held += sum(array.nbytes for array in (segment.keys, segment.starts, segment.rows, segment.tfs))
    assert held <= 20 * sum(len(set(doc)) for doc in docs)
