"""A folded text knows where each of its pieces stands in the text as it was written."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie import Settings
from reverie.language.visible_text import visible
from reverie.memory.privacy.folding import folded
from reverie.services.runtime.secrets import clean

LETTERS = st.sampled_from(
    "a1 \n\u200b\u00ad\ufeff\uff11\ufb01\u2026\u00bd\u00e9\u0301\U0001d7d8\ud800\u202e漢"
)


def test_digits_of_any_width_read_as_digits() -> None:
    assert folded("\uff14\U0001d7d8x\u200by").text == "40xy"


@given(st.one_of(st.text(), st.text(LETTERS)))
def test_ascii_is_read_as_it_is_and_all_of_it_can_be_encoded(text: str) -> None:
    reading = folded(text)
    reading.text.encode()
    assert folded(reading.text).text == reading.text or not text.isascii()


@given(st.text(LETTERS, min_size=1), st.data())
def test_a_piece_is_found_where_it_was_written(text: str, data: st.DataObject) -> None:
    reading = folded(text)
    if not reading.text:
        return
    start = data.draw(st.integers(0, len(reading.text) - 1))
    end = data.draw(st.integers(start + 1, len(reading.text)))
    begun, ended = reading.span(start, end)
    assert 0 <= begun < ended <= len(text)
    assert reading.text[start:end] in folded(text[begun:ended]).text
    assert unicodedata.category(text[begun]) != "Cf"


@pytest.mark.parametrize(
    "hidden",
    [
        *"\ufe0f\ufe00\u034f\u3164\u115f\uffa0\u17b4\u180b\u200b\u00ad\u2062\ufeff\U000e0100\U000e0041"
        "\u2800\ufffc\U00013441\U00013442\U00016fe4\U0001d159"
    ],
)
def test_what_prompts_leave_out_hides_no_secret(hidden: str) -> None:
    token = "ghp_" + "Ab3" * 12
    cleaned = clean(Settings(), f"The pull went with {token[:12]}{hidden}{token[12:]} today")
    assert visible(cleaned.text) == cleaned.text
    assert "ghp_" not in cleaned.text
