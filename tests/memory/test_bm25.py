from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.errors import InvalidInput
from reverie.memory.scoring.bm25 import BM25, DEFAULT, SESSION, idf, weights

counts = st.integers(1, 10_000)


def as_f32(*values: float) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    return np.array(values, np.float32)


@given(st.integers(0, 10_000_000).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_idf_is_lucenes_and_always_positive(sizes: tuple[int, int]) -> None:
    n_docs, df = sizes
    plain = BM25(background=0)
    assert idf(n_docs, df, plain) == pytest.approx(math.log(1 + (n_docs - df + 0.5) / (df + 0.5)), rel=1e-9)
    assert idf(n_docs, df, plain) > 0


@given(
    st.integers(0, 10_000).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))), st.integers(0, 100)
)
def test_the_background_counts_as_texts_without_the_word(sizes: tuple[int, int], background: int) -> None:
    n_docs, df = sizes
    plain = BM25(background=0)
    assert idf(n_docs, df, BM25(background=background)) == idf(n_docs + background, df, plain)


def test_messages_have_a_larger_background_than_conversations() -> None:
    assert DEFAULT.background > SESSION.background > 0
    assert idf(5, 1) == idf(5, 1, DEFAULT) > 0.9 * idf(50, 1, BM25(background=0))


@given(st.integers(1, 100_000), st.data())
def test_a_rarer_word_tells_more(n_docs: int, data: st.DataObject) -> None:
    df = data.draw(st.integers(1, n_docs))
    assert idf(n_docs, df - 1) > idf(n_docs, df)


@given(
    tf=counts,
    length=counts,
    average=st.floats(0.5, 1000),
    rarity=st.floats(0.01, 15),
    k1=st.floats(0, 5),
    b=st.floats(0, 1),
)
def test_a_weight_is_the_formula(
    tf: int, length: int, average: float, rarity: float, k1: float, b: float
) -> None:
    (weight,) = weights(as_f32(tf), as_f32(length), rarity, average, BM25(k1=k1, b=b))
    expected = rarity * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / average))
    assert weight == pytest.approx(expected, rel=1e-5)


@given(st.lists(st.tuples(counts, counts, st.floats(0.01, 15)), min_size=1, max_size=40))
def test_a_weight_is_bitwise_the_same_beside_anything(
    rows: list[tuple[int, int, float]],
) -> None:
    tf, length, rarity = (np.array(column, np.float32) for column in zip(*rows, strict=True))
    together = weights(tf, length, rarity, 11.3)
    assert together.dtype == np.float32
    alone = [weights(tf[i : i + 1], length[i : i + 1], rarity[i : i + 1], 11.3)[0] for i in range(len(rows))]
    assert together.tolist() == alone


def test_without_a_mean_length_every_text_is_of_mean_length() -> None:
    assert weights(as_f32(1, 1), as_f32(5, 50), 2.0, 0.0).tolist() == [2.0, 2.0]


def test_weights_leave_their_arguments_alone() -> None:
    tf, length = as_f32(1, 2), as_f32(5, 6)
    weights(tf, length, as_f32(1, 1), 5.0)
    assert (tf.tolist(), length.tolist()) == ([1, 2], [5, 6])


@pytest.mark.parametrize(
    ("k1", "b"), [(-0.1, 0.5), (math.nan, 0.5), (math.inf, 0.5), (1, -0.1), (1, 1.1), (1, math.nan)]
)
def test_constants_out_of_range_are_refused(k1: float, b: float) -> None:
    with pytest.raises(InvalidInput, match="not"):
        BM25(k1=k1, b=b)


def test_a_background_of_less_than_nothing_is_refused() -> None:
    with pytest.raises(InvalidInput, match="background"):
        BM25(background=-1)
