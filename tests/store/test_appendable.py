from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.store.sqlite.appendable import Appendable


@given(st.lists(st.tuples(st.integers(0, 100), st.lists(st.integers(0, 99), max_size=30)), max_size=12))
def test_every_value_keeps_its_rows_whatever_grows_from_it(steps: list[tuple[int, list[int]]]) -> None:
    values = [(Appendable.empty(np.int64), [0] * 0)]
    for at, added in steps:
        column, rows = values[at % len(values)]
        values.append((column.append(np.array(added, np.int64)), rows + added))
    for column, rows in values:
        assert len(column) == len(rows)
        assert column.rows.tolist() == rows


def test_two_values_that_grow_from_one_do_not_see_each_other() -> None:
    trunk = Appendable.empty(np.int64).append(np.arange(100)).append(np.arange(1))
    left, right = trunk.append(np.array([7])), trunk.append(np.array([8]))
    assert (left.rows[-1], right.rows[-1]) == (7, 8)
    assert np.shares_memory(trunk.rows, left.rows)


def test_rows_can_not_be_written() -> None:
    column = Appendable.empty(np.float32, 2).append(np.ones((3, 2), np.float32))
    with pytest.raises(ValueError, match="read-only"):
        column.rows[0] = 2


def test_growing_row_by_row_holds_one_eighth_more_at_most() -> None:
    column = Appendable.empty(np.int8, 4)
    for _ in range(700):
        column = column.append(np.ones((1, 4), np.int8))
    assert len(column._buffer.array) <= 700 * 9 // 8 + 1
