"""Tally: different rows have different checksums, whatever stands in them."""

from __future__ import annotations

import struct

from hypothesis import given
from hypothesis import strategies as st

from reverie.ports.transfer import RawRow
from reverie.services.exchange.tally import Tally

VALUES = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.text(max_size=4),
    st.binary(max_size=4),
)
ROWS = st.lists(st.lists(VALUES, max_size=4).map(tuple), max_size=4)


def _told(rows: list[RawRow]) -> Tally:
    tally = Tally()
    tally.add(rows)
    return tally


def _exact(rows: list[RawRow]) -> list[list[object]]:
    """The rows with the type of each value and the bits of each float, but for the sign of nothing."""
    return [
        [
            (type(value), struct.pack("<d", value + 0.0) if isinstance(value, float) else value)
            for value in row
        ]
        for row in rows
    ]


@given(ROWS, ROWS)
def test_two_tallies_agree_if_and_only_if_their_rows_do(one: list[RawRow], other: list[RawRow]) -> None:
    assert _told(one).agrees_with(_told(other)) == (_exact(one) == _exact(other))


@given(ROWS)
def test_pages_make_no_difference(rows: list[RawRow]) -> None:
    tally = Tally()
    for row in rows:
        tally.add([row])
    assert tally.agrees_with(_told(rows))
    assert tally.rows == len(rows)


def test_values_that_look_alike_are_told_apart() -> None:
    rows: list[list[RawRow]] = [
        [("a", "b")], [("ab", "")], [("a",), ("b",)], [("b",), ("a",)], [(1,)], [(1.0,)], [("1",)], [(b"1",)],
        [(None,)], [("n",)], [()], [], [("",)], [(b"",)], [("é",)], [("e\u0301",)], [(0,)], [(0.1 + 0.2,)], [(0.3,)],
    ]  # fmt: skip
    assert len({_told(each).checksum + str(_told(each).rows) for each in rows}) == len(rows)


def test_a_negative_zero_counts_as_zero() -> None:
    assert _told([(-0.0,)]).agrees_with(_told([(0.0,)]))
