"""Ids that sort by time, and names that callers give."""

from __future__ import annotations

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.ids import MAX_NAME, checked_name, uuid7
from reverie.errors import InvalidInput

MILLISECONDS = st.integers(0, (1 << 48) - 1)
BITS = st.integers(0, (1 << 74) - 1)


@given(MILLISECONDS, BITS)
def test_an_id_is_a_uuid_of_version_7_with_its_time_in_front(milliseconds: int, bits: int) -> None:
    parsed = uuid.UUID(uuid7(milliseconds, bits))
    assert (parsed.version, parsed.variant) == (7, uuid.RFC_4122)
    assert parsed.int >> 80 == milliseconds
    assert str(parsed) == uuid7(milliseconds, bits)


@given(st.tuples(MILLISECONDS, BITS), st.tuples(MILLISECONDS, BITS))
def test_ids_sort_as_their_times_and_bits_do(one: tuple[int, int], other: tuple[int, int]) -> None:
    assert (uuid7(*one) < uuid7(*other)) == (one < other)


@pytest.mark.parametrize(("milliseconds", "bits"), [(-1, 0), (1 << 48, 0), (0, -1), (0, 1 << 74)])
def test_numbers_that_do_not_fit_an_id_are_refused(milliseconds: int, bits: int) -> None:
    with pytest.raises(ValueError, match="bits"):
        uuid7(milliseconds, bits)


@pytest.mark.parametrize(
    "name", ["a", "x" * MAX_NAME, "two words", "Péter", "安娜", "D1:3", "../../etc", "'; --"]
)
def test_any_line_of_printable_text_is_a_name(name: str) -> None:
    assert checked_name(name, "agent") == name


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("", "0 characters"),
        ("x" * (MAX_NAME + 1), "201 characters"),
        (" a", "white space"),
        ("a\u00a0", "white space"),
        ("a\nb", "control"),
        ("a\x00b", "control"),
        ("a\x85b", "control"),
        ("a\u2028b", "control"),
        ("a\ud800b", "control"),
        (None, "None is not a name"),
        (5, "int"),
        (b"a", "bytes"),
    ],
)
def test_what_is_no_name_is_refused_with_field_and_remedy(name: object, problem: str) -> None:
    with pytest.raises(InvalidInput, match=problem) as refused:
        checked_name(name, "agent")
    assert refused.value.field == "agent"
    assert refused.value.remedy


@given(st.text(st.characters()))
def test_a_name_is_taken_as_it_is_or_refused(name: str) -> None:
    try:
        assert checked_name(name, "agent") is name
    except InvalidInput:
        return
    assert name == name.strip()
    assert name.encode("utf-8")
