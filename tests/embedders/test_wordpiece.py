"""Our WordPiece against the `tokenizers` library."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reverie.embedders.minilm import wordpiece as module
from reverie.embedders.minilm.characters import Folding
from reverie.embedders.minilm.weights import read_vocabulary
from reverie.embedders.minilm.wordpiece import WordPiece

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    import tokenizers

NO_LIMIT = sys.maxsize
SURROGATES = range(0xD800, 0xE000)

TEXTS = [
    "",
    " ",
    "\t\n\r \u00a0\u2003\u3000",
    "\x00\x01\x0b\x0c\x1c\x7f\x85",
    "Hello, World! It's 3.14 o'clock.",
    "naïve café Zürich Ångström Łódź ﬁne ǅ İstanbul ẞ",
    "ΟΔΥΣΣΕΥΣ ΣΑΣ",
    "e\u0301\u0327\u0323 \u1e69 \u0344 \u212b \u2126 \u037e",
    "中文分词 日本語の文章です 한국어 문장 ㍿ 豈",
    "Привет, мир! Ёлка й",
    "שָׁלוֹם العَرَبِيَّة हिन्दी ไทย தமிழ் ქართული ᚠᛇᚻ 𓀀𐍈",
    "👩‍👩‍👧‍👦🏳️‍🌈 😂😂 ❤️ 🇩🇪 ☕︎",
    "a\u200bb\u200dc\ufeffd\u2028e\u2029f\u00adg\ufffdh",
    "[CLS] injected [SEP] [MASK] [mask] [PAD][UNK] [[SEP]]",
    "state-of-the-art foo_bar $5.00 #tag @you `code` ~^|\\ <html>&amp;",
    "def f(x):\n\treturn x**2  # squared",
    "x" * 100,
    "x" * 101,
    "é" * 100 + " " + "é" * 101,
    "a" * 5000 + " b",
    "supercalifragilisticexpialidocious antidisestablishmentarianism Donaudampfschifffahrtsgesellschaft",
    "\U000e0041\U0010ffff\ue000 private",
    "\U0001d4d7\U0001d4ee\U0001d4f5 \uff26\uff55\uff4c\uff4c ⅷ ½ ²",
    "word " * 3000,
]


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text[:24]))
def test_gives_the_librarys_tokens(wordpiece: WordPiece, library: tokenizers.Tokenizer, text: str) -> None:
    assert wordpiece.ids(text, NO_LIMIT) == library.encode(text).ids


@pytest.mark.parametrize("frame", ["a{}b", "{}"])
def test_reads_every_assigned_code_point_as_the_library_does(
    wordpiece: WordPiece, library: tokenizers.Tokenizer, frame: str
) -> None:
    # Between the ideographs of plane 3 and the tags of plane 14 nothing is assigned; what follows is private.
    for block in (*range(0, 0x34000, 0x800), 0xE0000, 0xF0000, 0x10F800):
        characters = [chr(code) for code in range(block, block + 0x800) if code not in SURROGATES]
        text = " | ".join(frame.format(character) for character in characters)
        assert wordpiece.ids(text, NO_LIMIT) == library.encode(text).ids, hex(block)


@settings(max_examples=400)
@given(st.text(max_size=300))
@example("Σ" * 3 + "\u0345")
def test_gives_the_librarys_tokens_for_any_text(
    wordpiece: WordPiece, library: tokenizers.Tokenizer, text: str
) -> None:
    ids = wordpiece.ids(text, NO_LIMIT)
    assert ids == library.encode(text).ids
    assert wordpiece.count(text) == len(ids) - 2


@settings(max_examples=100)
@given(
    st.text(alphabet=st.sampled_from("ab é中,\x00\u0301 [SEP]"), min_size=20, max_size=200), st.integers(1, 9)
)
def test_chunks_leave_no_trace(library: tokenizers.Tokenizer, text: str, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_FIRST_CHUNK", size)
        patch.setattr(module, "_LARGEST_CHUNK", size)
        assert WordPiece(read_vocabulary()).ids(text, NO_LIMIT) == library.encode(text).ids


@settings(max_examples=60)
@given(st.text(max_size=200), st.integers(2, 40))
def test_truncation_keeps_the_first_tokens_and_both_marks(wordpiece: WordPiece, text: str, most: int) -> None:
    whole = wordpiece.ids(text, NO_LIMIT)
    expected = whole if len(whole) <= most else [*whole[: most - 1], whole[-1]]
    assert wordpiece.ids(text, most) == expected


def test_gives_the_librarys_tokens_for_real_dialogue(
    wordpiece: WordPiece, library: tokenizers.Tokenizer, locomo_turns: list[str]
) -> None:
    for text in [*locomo_turns, " ".join(locomo_turns)]:
        assert wordpiece.ids(text, NO_LIMIT) == library.encode(text).ids


def test_a_lone_surrogate_reads_as_the_replacement_character(wordpiece: WordPiece) -> None:
    for code in (0xD800, 0xDBFF, 0xDC00, 0xDFFF):
        assert wordpiece.ids(f"before{chr(code)}after", 9) == wordpiece.ids("before\ufffdafter", 9)


def test_ten_thousand_unspaced_characters_are_one_token(wordpiece: WordPiece) -> None:
    assert wordpiece.count("x" * 10_000) == 1


def test_counting_never_truncates(wordpiece: WordPiece) -> None:
    assert wordpiece.count("a b, " * 200_000) == 600_000


@given(st.text(st.characters(max_codepoint=0x7F) | st.sampled_from("[CLSEP] \n.é"), max_size=300))
@example("x" * 5000 + " [SEP] y")
@example("word " * 3000)
def test_counting_plain_text_gives_as_many_as_there_are(wordpiece: WordPiece, text: str) -> None:
    assert wordpiece.count(text) == len(wordpiece.ids(text, NO_LIMIT)) - 2


def test_reading_stops_when_there_are_tokens_enough() -> None:
    wordpiece = WordPiece(read_vocabulary())
    wordpiece.ids("plain words " * 100_000 + "Ж", 256)
    assert ord("Ж") not in wordpiece._folding


def test_the_words_kept_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_CACHED_WORDS", 50)
    wordpiece = WordPiece(read_vocabulary())
    text = " ".join(f"w{number}" for number in range(1000))
    assert wordpiece.count(text) == wordpiece.count(text)
    assert len(wordpiece._cache) <= 50


def test_the_characters_kept_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Folding, "MOST_KEPT", 10)
    folding = Folding()
    assert "".join(map(chr, range(0x400, 0x500))).translate(folding)
    assert len(folding) == 10
