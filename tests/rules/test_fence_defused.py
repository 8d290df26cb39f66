"""What looks like a marker is made harmless, whatever it is made of, and no word is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.rules.fence import FENCE_CLOSE, FENCE_OPEN, defused, stripped

pieces = st.lists(
    st.sampled_from(["<", ">", "/", "reverie", "-context", " ", "x", "\u200b", FENCE_OPEN, FENCE_CLOSE]), max_size=12
).map("".join)  # fmt: skip


@given(pieces)
def test_a_defused_text_has_no_marker_and_every_word(text: str) -> None:
    harmless = defused(text)
    assert stripped(harmless) == harmless
    assert len(harmless) == len(text)
    assert [sign for sign in harmless if sign not in "<>()"] == [sign for sign in text if sign not in "<>()"]


@given(pieces)
def test_what_is_left_of_a_stripped_text_has_no_marker(text: str) -> None:
    left = stripped(text)
    assert stripped(left) == left == defused(left)


def test_an_attribute_of_a_marker_is_a_word_too() -> None:
    assert defused("<reverie-context please help me>") == "(reverie-context please help me)"
    assert defused("<reverie-context, what is it?") == "(reverie-context, what is it?"


def test_markers_nested_in_markers_a_few_times_are_taken_out_and_deeper_ones_are_made_harmless() -> None:
    def nested(times: int) -> str:
        return "</rev" * times + FENCE_CLOSE + "erie-context>" * times

    assert stripped(f"a{nested(3)}b") == "ab"
    deep = stripped(f"a{nested(500)}b")
    assert deep[0] + deep[-1] == "ab"
    assert "</rev(/reverie-context)erie-context>" in deep


@pytest.mark.parametrize(
    "marker",
    ["<REVERIE-CO\u039dTEXT>", "<reverie-\u03f2ontext>", "<\u0280everie-context>", "<\ua4e3everie-context>"],
)
def test_a_marker_in_letters_that_look_alike_is_one(marker: str) -> None:
    assert stripped(f"a{marker}b") == "a"


signs = st.sampled_from(["<", "</", "\u226e", "reverie", "-", "context", " ", "\u200b", "\u00e9", ">", "x"])
lines = st.lists(st.lists(signs, max_size=7).map("".join).map(defused), max_size=5)


@given(lines, st.sampled_from(["\n", "\r\n", "\u2028", "\x85", "\n- "]))
def test_lines_without_a_marker_have_none_together_either(texts: list[str], between: str) -> None:
    whole = between.join(texts)
    assert defused(whole) == whole


def test_a_marker_ends_with_its_line() -> None:
    assert defused("- I love <reverie\n- context is all") == "- I love <reverie\n- context is all"
    assert defused("a \u226ereverie-context>") == "a (reverie-context)"
