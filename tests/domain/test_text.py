"""What text may enter, and as what it is stored."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.domain.text import checked_share, checked_text, lowered, normalized
from reverie.errors import InvalidInput
from reverie.errors.showing import shown

ANY_TEXT = st.text(st.characters())  # lone surrogates and control characters too
SCRIPTS = [
    "Anna szereti a teát őszintén",
    "Анна любит чай",
    "\u0397 Άννα αγαπά το τσάι",
    "安娜喜欢喝茶",
    "アンナはお茶が好きです",
    "안나는 차를 좋아한다",
    "آنا الشاي تحب",
    "אנה אוהבת תה",
    "अन्ना को चाय पसंद है",
    "แอนนาชอบชา",
    "👩‍👩‍👧‍👦 🏳️‍🌈 ☕",
    "e\u0301 \u00e9 \u200f\u202e \u2028 \ufeff",
    "\U0001d504\U0001d52b \U0010ffff \ufffe",
]


@pytest.mark.parametrize("text", SCRIPTS)
def test_text_of_any_script_is_stored_untouched(text: str) -> None:
    assert checked_text(text, "content", most_bytes=1000) == text


@pytest.mark.parametrize(
    ("given_text", "stored"),
    [
        ("one\r\ntwo\rthree\nfour", "one\ntwo\nthree\nfour"),
        ("tab\tstays", "tab\tstays"),
        ("bell\x07 null\x00 escape\x1b[31m delete\x7f c1\x85", "bell null escape[31m delete c1"),
        ("\x0bvertical\x0cpage", "verticalpage"),
        ("pair \ud83d\ude00", "pair \U0001f600"),
        ("high \ud83d.", "high \ufffd."),
        ("low \ude00.", "low \ufffd."),
        ("swapped \ude00\ud83d", "swapped \ufffd\ufffd"),
        ("at the end \ud83d", "at the end \ufffd"),
        ("parted \ud83d\x00\ude00", "parted \ufffd\ufffd"),
        ("beside \U0001f600\ud83d\ude00", "beside \U0001f600\U0001f600"),
    ],
)
def test_unstorable_text_is_normalized_as_documented(given_text: str, stored: str) -> None:
    assert normalized(given_text) == stored


@given(ANY_TEXT)
def test_normalizing_twice_is_normalizing_once(text: str) -> None:
    assert normalized(normalized(text)) == normalized(text)


@given(ANY_TEXT)
def test_normalized_text_encodes_and_has_no_control_characters(text: str) -> None:
    stored = normalized(text)
    assert stored.encode("utf-8").decode("utf-8") == stored
    assert not [c for c in stored if unicodedata.category(c) == "Cc" and c not in "\t\n"]


@given(st.text(st.characters(exclude_categories=("Cs", "Cc"))))
def test_plain_text_is_never_changed(text: str) -> None:
    assert normalized(text) == text


@pytest.mark.parametrize("empty", ["", " ", "\n\t", "\x00", "\x00 \x07", "\u3000\u00a0"])
def test_text_of_nothing_but_white_space_is_refused(empty: str) -> None:
    with pytest.raises(InvalidInput, match=r"content: it is empty; give some text"):
        checked_text(empty, "content", most_bytes=10)


@pytest.mark.parametrize(
    ("value", "told"),
    [(None, "None"), (5, "an int"), (1.5, "a float"), (True, "a bool"), (b"bytes", "a bytes"), (["list"], "a list"),
     ({"a": 1}, "a dict"), (object(), "an object")],
)  # fmt: skip
def test_what_is_no_text_is_refused_by_its_type(value: object, told: str) -> None:
    with pytest.raises(InvalidInput, match=f"content: {told} is not text"):
        checked_text(value, "content", most_bytes=10)


def test_the_limit_counts_bytes_of_utf8_after_normalizing() -> None:
    assert checked_text("é" * 5 + "\x00" * 50, "content", most_bytes=10) == "é" * 5
    with pytest.raises(InvalidInput, match="longer than 10 bytes"):
        checked_text("é" * 5 + "a", "content", most_bytes=10)


def test_a_megabyte_passes_where_a_megabyte_is_allowed() -> None:
    text = "ő" * (1 << 19)
    assert checked_text(text, "content", most_bytes=1 << 20) == text
    with pytest.raises(InvalidInput) as refused:
        checked_text(text + "ő", "content", most_bytes=1 << 20)
    assert "ő" not in str(refused.value)


@pytest.mark.parametrize("value", [0, 1, 0.5, -0.0, 1.0])
def test_a_share_is_a_number_from_0_to_1(value: float) -> None:
    assert checked_share(value, "importance") == value


@pytest.mark.parametrize(
    "value",
    [
        -0.01,
        1.01,
        float("nan"),
        float("inf"),
        True,
        False,
        "0.5",
        None,
        [],
        pytest.param(10**5000, id="huge"),
        1j,
    ],
)
def test_what_is_no_number_from_0_to_1_is_refused(value: object) -> None:
    with pytest.raises(InvalidInput, match=r"importance: .* is not a number from 0 to 1; give one"):
        checked_share(value, "importance")


def test_a_refused_value_is_shown_short_whatever_it_is() -> None:
    nested: list[object] = []
    for _ in range(100_000):
        nested = [nested]
    for value in (nested, 10**5000, -(10**5000), "x" * 10**6, "\ud800", float("nan"), None, object()):
        assert len(shown(value)) <= 330
        shown(value).isprintable()
    while nested:  # else taking it apart overflows the interpreter's own stack
        nested = nested.pop()  # type: ignore[assignment]


@pytest.mark.parametrize(
    "value",
    ["fcat", "Europe/Budapst", "2026-13-45T10:11:12.123456+00:00", "2026-13-45 10:11:12.123456",
     "meeting-2026-05-13", 1_000_001, -0.25, "019ab6f0-0000-7000-8000-00000000ab1f"],
)  # fmt: skip
def test_an_ordinary_mistake_is_shown(value: object) -> None:
    assert shown(value) == repr(value)


@pytest.mark.parametrize(
    "secret",
    ["gh" + "p_" + "Ab3" * 12, "AK" + "IA" + "Q7" * 8, "h" + "f_" + "aBcD" * 9, "s" + "k-" + "ab12-cd34-" * 4,
     "wJalrXUtn/K7MDENG/bPxRfi/CYEXAMPLE/KEY12", "gh" + "p_" + "Ab3\u200bcD4" * 6, "4111 1111 1111 1111",
     "4111111111111111", "4111-1111-1111-1111", "4111.1111.1111.1111", "4111\u200b111111111111",
     "postgres://a:hunter2@h/db", "ftp://a:hunter2@h"],
)  # fmt: skip
@pytest.mark.parametrize("around", ["{}", "use {} now", "/{}/x", "TOKEN={}"])
def test_what_may_be_a_secret_is_shown_by_its_length(secret: str, around: str) -> None:
    text = shown(around.format(secret))
    assert "characters" in text
    assert not any(secret[place : place + 6] in text for place in range(len(secret) - 5))


def test_a_card_given_as_a_number_is_not_shown() -> None:
    assert "1111" not in shown(4111111111111111)


def test_a_name_in_a_list_of_choices_is_text_in_any_case() -> None:
    assert (lowered("FACT"), lowered(5), lowered(None), lowered(["fact"])) == ("fact", "", "", "")
