"""A diary's body: JSON of any shape, within bounds."""

from __future__ import annotations

import json
import math
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.diary import MAX_NOTE_BYTES
from reverie.domain.diary_body import MAX_DEPTH, beginning, checked_body, mapped, texts_in
from reverie.errors import InvalidInput

leaves = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
)
safe = st.text(st.characters(min_codepoint=32, exclude_categories=("Cs", "Cc")), max_size=9)
values = st.recursive(
    leaves | safe,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(safe, inner, max_size=4),
    max_leaves=9,
)
bodies = st.dictionaries(safe, values, min_size=1, max_size=4)


def _nested(depth: int) -> dict[str, object]:
    value: object = 1
    for _ in range(depth - 1):
        value = [value]
    return {"x": value}


@given(bodies)
def test_any_json_is_kept_as_it_is(body: dict[str, object]) -> None:
    checked = checked_body(body)
    assert checked == body
    assert json.loads(json.dumps(checked)) == checked_body(checked) == checked


@given(bodies)
def test_every_text_is_found_and_may_be_changed_where_it_stands(body: dict[str, object]) -> None:
    changed = mapped(body, lambda key, text: f"{text}!")
    assert [*texts_in(changed)] == [f"{text}!" for text in texts_in(body)]
    assert mapped(changed, lambda key, text: text[:-1]) == body


def test_plain_text_stands_under_text_and_tuples_become_lists() -> None:
    assert checked_body(" tea\r\nand\x00 milk ") == {"text": "tea\nand milk"}
    assert checked_body(MappingProxyType({"a": ("x", MappingProxyType({}))})) == {"a": ["x", {}]}


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("", "empty"), ({}, "empty"), (None, "no diary note"), ([1], "no diary note"), ({"a": math.inf}, "finite"),
        ({"a": [{"b": math.nan}]}, "finite"), ({"a": 2**53 + 1}, "2\\^53"), ({"a": {1: 2}}, "an int is a key"),
        ({"a": b"x"}, "a bytes is no JSON"), ({"a": {1, 2}}, "a set is no JSON"), (_nested(MAX_DEPTH + 1), "deeper"),
        ({"a": "x" * MAX_NOTE_BYTES}, "longer"), ({"a": ["é" * 999] * 99}, "longer"), ({"a": "", "a\x00": 1}, "same"),
        ({"a": [0] * MAX_NOTE_BYTES}, "many parts"),
    ],
)  # fmt: skip
def test_what_no_page_can_hold_is_refused(body: object, problem: str) -> None:
    with pytest.raises(InvalidInput, match=f"body.*{problem}"):
        checked_body(body)


def test_a_body_that_holds_itself_is_refused_soon() -> None:
    loop: dict[str, object] = {}
    loop["again"] = loop
    wide: object = 1
    for _ in range(MAX_DEPTH - 1):
        wide = [wide] * 9
    for body in (loop, {"wide": wide}):
        with pytest.raises(InvalidInput):
            checked_body(body)


def test_the_deepest_and_the_longest_are_kept() -> None:
    assert checked_body(_nested(MAX_DEPTH)) == _nested(MAX_DEPTH)
    longest = {"a": "x" * (MAX_NOTE_BYTES - len('{"a":""}'))}
    assert checked_body(longest) == longest


def test_keys_that_become_one_are_refused() -> None:
    with pytest.raises(InvalidInput, match="keys"):
        mapped({"a1": 1, "a2": 2}, lambda key, text: text[:1])


@pytest.mark.parametrize(
    ("body", "begins"),
    [
        ({"n": 1, "text": "the  text\nfirst"}, "the text first"), ({"text": " ", "b": [{"c": "deep"}]}, "deep"),
        ({"n": [1, None]}, '{"n": [1, null]}'), ({"text": "x" * 99}, "x" * 79 + "…"),
    ],
)  # fmt: skip
def test_a_note_begins_with_its_first_text(body: dict[str, object], begins: str) -> None:
    assert beginning(body) == begins
