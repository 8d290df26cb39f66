from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reverie.errors import InvalidInput
from reverie.store.sqlite.greatest import kth_at_least
from reverie.store.sqlite.vectors import Vectors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

TIES = 2e-5  # twice the most that two bytes a dimension were seen to differ from float32


def clustered(
    seed: int, n: int, dimensions: int, spread: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """`n` unit vectors around a few centres, and a query near one of them."""
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((max(n // 40, 1), dimensions))
    matrix = centres[rng.integers(0, len(centres), n)] + spread * rng.standard_normal((n, dimensions))
    query = centres[0] + spread * rng.standard_normal(dimensions)
    return unit(matrix), unit(query[None])[0]


def unit(matrix: NDArray[np.float64]) -> NDArray[np.float32]:
    scaled: NDArray[np.float32] = (matrix / np.linalg.norm(matrix, axis=1, keepdims=True)).astype(np.float32)
    return scaled


def assert_exact(
    found: tuple[NDArray[np.intp], NDArray[np.float32]],
    truth: NDArray[np.float64],
    k: int,
    ties: float = TIES,
) -> None:
    """`found` are the k greatest of `truth`, where -inf means not allowed, but for near ties."""
    rows, cosines = found
    allowed = np.flatnonzero(np.isfinite(truth))
    assert len(rows) == len(set(rows.tolist())) == min(k, len(allowed))
    assert set(rows.tolist()) <= set(allowed.tolist())
    best = np.sort(truth[allowed])[::-1][: len(rows)]
    np.testing.assert_allclose(truth[rows], best, atol=ties)
    np.testing.assert_allclose(cosines, truth[rows], atol=ties)
    assert (np.diff(cosines) <= 0).all()


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.sampled_from([1, 9, 300, 3000]),
    dimensions=st.sampled_from([8, 384, 768]),
    spread=st.sampled_from([0.0, 0.001, 0.3, 1.0]),
    share=st.sampled_from([None, 0.0, 0.01, 0.1, 0.9]),
    k=st.sampled_from([1, 10, 100]),
)
def test_top_is_brute_force_under_every_filter(
    seed: int, n: int, dimensions: int, spread: float, share: float | None, k: int
) -> None:
    matrix, query = clustered(seed, n, dimensions, spread)
    vectors = Vectors.empty(dimensions).append(matrix)
    truth = matrix.astype(np.float64) @ query.astype(np.float64)
    ties = TIES if dimensions > 8 else 1e-4
    if share is None:
        assert_exact(vectors.top(query, k), truth, k, ties)
        return
    rng = np.random.default_rng(seed)
    mask = rng.random(n) < share
    allowed = np.where(mask, truth, -np.inf)
    assert_exact(vectors.top(query, k, mask), allowed, k, ties)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), spread=st.sampled_from([0.0, 1e-4, 0.01, 0.5]), k=st.integers(1, 200))
def test_top_leaves_out_no_row_with_a_greater_cosine(seed: int, spread: float, k: int) -> None:
    matrix, query = clustered(seed, 2000, 64, spread)
    assert_nothing_greater_left_out(matrix, query, k)


def assert_nothing_greater_left_out(matrix: NDArray[np.float32], query: NDArray[np.float32], k: int) -> None:
    vectors = Vectors.empty(matrix.shape[1]).append(matrix)
    every = vectors.cosines(query, np.arange(len(matrix)))
    expected = np.lexsort((np.arange(len(matrix)), -every))[:k]
    assert vectors.top(query, k)[0].tolist() == expected.tolist()


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), k=st.integers(1, 150))
def test_the_scans_error_of_the_query_hides_no_row(seed: int, k: int) -> None:
    # Every row is exact in its coarse codes, the query is not, and all rows lie within the query's error.
    rng = np.random.default_rng(seed)
    rows = np.concatenate((np.full((2000, 1), 127.0), rng.integers(-2, 3, (2000, 3))), axis=1)
    query = np.array([127.0, *rng.uniform(-0.5, 0.5, 3)])
    assert_nothing_greater_left_out(rows.astype(np.float32), query.astype(np.float32), k)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), k=st.integers(1, 150))
def test_the_scans_error_of_the_rows_hides_no_row(seed: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    rows = np.concatenate((np.full((2000, 1), 127.0), rng.uniform(-2, 2, (2000, 3))), axis=1)
    query = np.array([127.0, *rng.integers(-90, 90, 3)])
    assert_nothing_greater_left_out(rows.astype(np.float32), query.astype(np.float32), k)


@given(st.integers(0, 2**32 - 1), st.integers(0, 3000), st.integers(1, 20))
def test_the_cheap_threshold_is_reached_by_k_values(seed: int, n: int, k: int) -> None:
    values = np.random.default_rng(seed).standard_normal(n + 1).astype(np.float32)
    reached = np.count_nonzero(values >= kth_at_least(values, k))
    assert reached >= min(k, n + 1)


@settings(max_examples=20, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.sampled_from([1, 300, 5000]),
    count=st.sampled_from([0, 1, 2, 40]),
    dimensions=st.sampled_from([1, 7, 64, 384]),
    share=st.sampled_from([None, 0.1, 0.9]),
    least=st.sampled_from([None, -1.0, 0.5, 0.99]),
)
def test_many_queries_together_find_what_each_finds_alone(
    seed: int, n: int, count: int, dimensions: int, share: float | None, least: float | None
) -> None:
    matrix, _ = clustered(seed, n, dimensions, 0.3)
    vectors = Vectors.empty(dimensions).append(matrix)
    rng = np.random.default_rng(seed)
    queries = unit(rng.standard_normal((count, dimensions)) + matrix[rng.integers(0, n, count)])
    mask = None if share is None else rng.random(n) < share
    together = list(vectors.top_each(queries, 10, mask, least=least))
    assert len(together) == count
    for query, (rows, cosines) in zip(queries, together, strict=True):
        nearest, known = vectors.top(query, 10, mask)
        enough = known >= np.float64(-1 if least is None else least)
        assert rows.tolist() == nearest[enough].tolist()
        assert cosines.tobytes() == known[enough].tobytes()


def test_a_query_of_zeros_among_others_changes_none_of_them(matrix: NDArray[np.float32]) -> None:
    vectors = Vectors.empty(16).append(matrix)
    queries = np.stack([matrix[0], np.zeros(16, np.float32), 3 * matrix[1]])
    apart = [vectors.top(query, 4) for query in queries]
    for (rows, cosines), (wanted, known) in zip(vectors.top_each(queries, 4), apart, strict=True):
        assert rows.tolist() == wanted.tolist()
        assert cosines.tobytes() == known.tobytes()
    with pytest.raises(InvalidInput, match="NaN"):
        list(vectors.top_each(queries * np.array([1, 1, np.inf], np.float32)[:, None], 4))


def test_a_cosine_of_just_the_least_is_enough() -> None:
    vectors = Vectors.empty(3).append(np.eye(3, dtype=np.float32))
    query = np.array([3, 4, 0], np.float32)
    exactly = float(vectors.cosines(query, [0])[0])
    for least, rows in ((exactly, [1, 0]), (np.nextafter(exactly, 1), [1])):
        assert next(vectors.top_each([query], 2, least=least))[0].tolist() == rows


def test_a_wide_row_among_narrow_ones_is_found() -> None:
    # One number carries a sparse vector, many a dense one: their scales and error bounds differ greatly.
    rng = np.random.default_rng(1)
    dense = unit(rng.standard_normal((3000, 384)))
    sparse = np.eye(384, dtype=np.float32)
    vectors = Vectors.empty(384).append(np.concatenate((dense, sparse)))
    for query in (sparse[5], dense[5], unit((dense[7:8] + sparse[:1]).astype(np.float64))[0]):
        truth = np.concatenate((dense, sparse)).astype(np.float64) @ query.astype(np.float64)
        assert_exact(vectors.top(query, 10), truth, 10)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), dimensions=st.sampled_from([1, 3, 8, 100, 384]))
def test_a_cosine_is_within_its_documented_bounds(seed: int, dimensions: int) -> None:
    matrix, query = clustered(seed, 200, dimensions, 1.0)
    vectors = Vectors.empty(dimensions).append(matrix)
    truth = matrix.astype(np.float64) @ query.astype(np.float64)
    peaks = np.abs(matrix).max(axis=1)
    root = np.sqrt(dimensions)
    exact = np.abs(vectors.cosines(query, np.arange(200)) - truth)
    assert (exact <= peaks / 127 / 508 * root + 1e-6).all()


@pytest.fixture
def matrix() -> NDArray[np.float32]:
    return clustered(5, 60, 16, 1.0)[0]


def test_vectors_and_queries_of_any_length_are_scaled_to_one(matrix: NDArray[np.float32]) -> None:
    factors = np.array([1e-30, 1e-3, 1.0, 1e3, 1e30, 3.0] * 10, np.float32)[:, None]
    scaled = Vectors.empty(16).append(matrix * factors)
    plain = Vectors.empty(16).append(matrix)
    rows = np.arange(60)
    np.testing.assert_allclose(
        scaled.cosines(matrix[0] * np.float32(1e20), rows), plain.cosines(matrix[0], rows), atol=1e-4
    )


def test_a_row_of_zeros_has_cosine_zero(matrix: NDArray[np.float32]) -> None:
    matrix[3] = 0
    vectors = Vectors.empty(16).append(matrix)
    assert vectors.cosines(matrix[0], [3]).tolist() == [0.0]
    assert dict(zip(*vectors.top(matrix[0], 60), strict=True))[3] == 0.0


def test_a_query_of_zeros_has_cosine_zero_with_all(matrix: NDArray[np.float32]) -> None:
    vectors = Vectors.empty(16).append(matrix)
    rows, cosines = vectors.top(np.zeros(16), 4)
    assert (rows.tolist(), cosines.tolist()) == ([0, 1, 2, 3], [0.0] * 4)


def test_of_equal_cosines_the_lower_row_comes_first() -> None:
    same = np.repeat(clustered(1, 1, 384, 1.0)[0], 500, axis=0)
    vectors = Vectors.empty(384).append(same)
    assert vectors.top(same[0], 5)[0].tolist() == [0, 1, 2, 3, 4]
    mask = np.zeros(500, np.bool_)
    mask[[400, 7, 90, 8]] = True
    assert vectors.top(same[0], 3, mask)[0].tolist() == [7, 8, 90]


def columns(vectors: Vectors) -> Iterator[bytes]:
    for column in (vectors._hi, vectors._lo, vectors._scales, vectors._errors):
        yield column.rows.tobytes()


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 7), max_size=12), st.data())
def test_any_history_equals_a_fresh_build_bit_for_bit(sizes: list[int], data: st.DataObject) -> None:
    source = clustered(11, 200, 24, 1.0)[0]
    vectors, model = Vectors.empty(24), source[:0]
    older = []
    for size in sizes:
        older.append((vectors, model))
        start = data.draw(st.integers(0, 190))
        vectors, model = (
            vectors.append(source[start : start + size]),
            np.concatenate((model, source[start : start + size])),
        )
        if len(model) and data.draw(st.booleans()):
            keep = data.draw(st.lists(st.integers(0, len(model) - 1), unique=True))
            vectors, model = vectors.compact(keep), model[keep]
        if data.draw(st.booleans()):
            vectors, model = data.draw(st.sampled_from([*older, (vectors, model)]))
    for value, rows in [*older, (vectors, model)]:
        assert len(value) == len(rows)
        assert list(columns(value)) == list(columns(Vectors.empty(24).append(rows)))


def test_a_rows_cosine_does_not_depend_on_the_rows_beside_it() -> None:
    matrix, query = clustered(2, 3000, 384, 1.0)
    vectors = Vectors.empty(384).append(matrix)
    together = vectors.cosines(query, np.arange(3000))
    assert [vectors.cosines(query, [row])[0] for row in range(0, 3000, 37)] == together[::37].tolist()


def test_nothing_is_found_among_no_rows(matrix: NDArray[np.float32]) -> None:
    empty = Vectors.empty(16)
    assert [part.tolist() for part in empty.top(matrix[0], 5)] == [[], []]
    assert empty.cosines(matrix[0], []).shape == (0,)
    assert len(empty.append(matrix[:0]).compact([])) == 0
    full = empty.append(matrix)
    nowhere = np.zeros(60, np.bool_)
    assert full.top(matrix[0], 0)[0].tolist() == full.top(matrix[0], 5, nowhere)[0].tolist() == []


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_none_are_refused(matrix: NDArray[np.float32], bad: float) -> None:
    vectors = Vectors.empty(16).append(matrix)
    matrix[7, 3] = bad
    with pytest.raises(InvalidInput, match="NaN or infinite"):
        vectors.append(matrix)
    for ask in (lambda query: vectors.top(query, 3), lambda query: vectors.cosines(query, [0])):
        with pytest.raises(InvalidInput, match="NaN or infinite"):
            ask(matrix[7])


def test_another_number_of_dimensions_is_refused(matrix: NDArray[np.float32]) -> None:
    vectors = Vectors.empty(16).append(matrix)
    for wrong in (matrix[:, :15], matrix[0], matrix[None]):
        with pytest.raises(InvalidInput, match="of shape"):
            vectors.append(wrong)
    for wrong in (matrix[0, :15], matrix[:1]):
        with pytest.raises(InvalidInput, match="of shape"):
            vectors.top(wrong, 3)
    with pytest.raises(InvalidInput, match="below 1"):
        Vectors.empty(0)


def test_rows_that_are_not_there_are_refused(matrix: NDArray[np.float32]) -> None:
    vectors = Vectors.empty(16).append(matrix)
    for rows in ([60], [-1]):
        with pytest.raises(IndexError, match=r"0\.\.59"):
            vectors.cosines(matrix[0], rows)
        with pytest.raises(IndexError, match=r"0\.\.59"):
            vectors.compact(rows)


def test_a_mask_of_another_shape_or_type_is_refused(matrix: NDArray[np.float32]) -> None:
    vectors = Vectors.empty(16).append(matrix)
    masks: list[NDArray[Any]] = [np.ones(59, np.bool_), np.ones(60, np.int8)]
    for mask in masks:
        with pytest.raises(ValueError, match="60 booleans"):
            vectors.top(matrix[0], 3, mask)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.sampled_from([1, 9, 300, 3000]),
    k=st.sampled_from([0, 1, 10, 100]),
    share=st.sampled_from([0.0, 0.1, 0.9, 1.0]),
)
def test_others_beside_the_nearest_change_neither(seed: int, n: int, k: int, share: float) -> None:
    matrix, query = clustered(seed, n, 16, 0.3)
    chance = np.random.default_rng(seed)
    mask, others = chance.random(n) < share, chance.integers(0, n, 7)
    vectors = Vectors.empty(16).append(matrix)
    rows, found, beside = vectors.top_and(query, k, mask, others)
    assert (rows.tolist(), found.tolist()) == tuple(part.tolist() for part in vectors.top(query, k, mask))
    assert beside.tolist() == vectors.cosines(query, others).tolist()
