"""Sentences of a text: the ends are found in one go, however many marks stand in a row."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.rules import forgetting
from reverie.rules.sentences import MOST_READ, sentences, split

LONG = 200_000
# As ends of sentences are meant; but tried from each mark of a run, which takes the square of its length.
ENDS = re.compile(
    r"(?:[.!?\u2026]+[\"'\u201d\u2019)\]]*)(?=\s+[\"'\u201c\u2018(\[*]?[A-Z0-9\u00c0-\u024f\u0400-\u04ff])"
    r"|(?:[!?]+[\"'\u201d\u2019)\]]*)(?=\s)"
    r"|[\u3002\uff01\uff1f]+[\u300d\u300f\u201d]*"
)
FORGOTTEN_ENDS = re.compile(
    r"(?:[.!?]+[\"'\u201d\u2019)\]]*(?=\s|$)|[\u3002\uff01\uff1f]+[\u201d\u2019\u300d)]*|\n)\s*"
)
texts = st.lists(st.sampled_from([*".!?\u2026\"')] \nAb\u3002\u300d", "word"]), max_size=14).map("".join)


@pytest.mark.parametrize("marks", [".", "!", "?", "!.", ".'", "!)", "\u2026", "\u3002", "! "])
def test_a_long_run_of_marks_is_split_like_a_short_one(marks: str) -> None:
    run = marks * (LONG // len(marks))
    short = marks * 50
    assert len(split(f"Hello{run}x")) == (len(split(f"Hello{short}x")) if " " not in marks else LONG // 2 + 1)
    assert "".join(forgetting.sentences(run)) == run
    assert split(f"Hello{run} Bye.")[-1] == "Bye."


@pytest.mark.parametrize("filling", ["`", "~", "\u201c", "\u00ab", '"', "`~", "\u201ca b c d\u201d! "])
def test_markup_that_never_ends_is_read_to_its_end(filling: str) -> None:
    text = filling * (MOST_READ // len(filling) - 1)
    assert all(one.text in text for one in sentences(text))


@given(texts)
def test_sentences_end_where_a_run_of_marks_is_followed_by_a_beginning(text: str) -> None:
    ends = [0, *(found.end() for found in ENDS.finditer(text)), len(text)]
    pieces = [text[start:end].strip() for start, end in pairwise(ends)]
    if not re.search(r"(?:^|\W)[A-Za-z]\.", text):  # an initial ends nothing
        assert list(split(text)) == [piece for piece in pieces if piece]


@given(texts)
def test_what_is_forgotten_by_sentence_is_cut_at_the_same_places(text: str) -> None:
    ends = [found.end() for found in FORGOTTEN_ENDS.finditer(text)]
    assert [len(part) for part in forgetting.sentences(text)] == [
        end - start for start, end in zip([0, *ends], [*ends, len(text)], strict=True) if end > start
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Unsere Hochzeit ist am 3. April in Gent, und Owen singt.",
        "Wir ziehen am 12. März nach Bremen.",
        "Lena wohnt im 2. Stock und geht in die 5. Klasse.",
        "Der Termin ist am 3. 4. um neun.",
        "Mein 40. Geburtstag ist vom 30. August bis 1. September.",
    ],
)
def test_a_german_number_with_a_full_stop_ends_nothing(text: str) -> None:
    assert [one.text for one in sentences(text)] == [text]


@pytest.mark.parametrize(
    "text",
    ["We left in 2019. We moved to Ghent.", "I am 30. Owen is 31.", "Ich bin 30. Wir wohnen in Bremen.",
     "She has turned 30. August was hot.", "Es waren 12. Lena kam nicht.", "The room is 4. April has the key."],
)  # fmt: skip
def test_a_number_ends_a_sentence_where_another_begins(text: str) -> None:
    assert len(sentences(text)) == 2
